"""Zip archives of strangers: judged by their directory before anything is unpacked (F20).

Sizes may lie: nothing is ever unpacked beyond what the directory declares, and that is bounded.
"""

import struct
import zlib
from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from relayd.files.refusal import bad_file

MOST_MEMBERS: Final = 500
MOST_DIRECTORY: Final = 100_000
"""Bytes of the directory itself."""
MOST_UNPACKED: Final = 32 * 1024 * 1024
"""Sum of the declared sizes; a roster's workbook declares less than a hundredth of it."""
MOST_READ: Final = 4 * 1024 * 1024
"""Declared size of one member that is read."""
_END: Final = struct.Struct("<4sHHHHIIH")
"""End of the directory: mark, this disk, its disk, entries here, entries, size, offset, comment length."""
_LOCATOR: Final = b"PK\x06\x07"
"""Mark of ZIP64, which begins at 4 GiB."""
_LOCAL_HEADER: Final = 30
_ENCRYPTED: Final = 0x41
_UNSOUND: Final = (BadZipFile, zlib.error, struct.error, EOFError, ValueError, OSError, RuntimeError)
"""What the standard library raises over a broken archive."""
_ARCHIVES: Final = frozenset(
    {".zip", ".jar", ".7z", ".rar", ".gz", ".bz2", ".xz", ".zst", ".tar", ".xlsx", ".xlsm", ".docx", ".pptx"}
)


class Archive:
    """An archive whose directory holds nothing that a workbook has not."""

    def __init__(self, data: bytes) -> None:
        """Judge the directory. Raises CommandRejected ``bad_file``."""
        _judge_end(data)
        try:
            self._zip: Final = ZipFile(BytesIO(data))
        except _UNSOUND as error:
            raise bad_file("not_zip") from error
        members = self._zip.infolist()
        for member in members:
            _judge(member)
        _judge_all(members, len(data))
        self._members: Final[Mapping[str, ZipInfo]] = {member.filename: member for member in members}

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def read(self, name: str) -> Iterator[bytes]:
        """Yield a member in pieces, no more in all than it declares. Raises CommandRejected ``bad_file``."""
        member = self._members.get(name)
        if member is None:
            raise bad_file("not_workbook")
        if member.file_size > MOST_READ:
            raise bad_file("big")
        try:
            with self._zip.open(member) as unpacked:
                while piece := unpacked.read(64 * 1024):
                    yield piece
        except _UNSOUND as error:
            raise bad_file("not_zip") from error


def _judge_end(data: bytes) -> None:
    """Judge the last record, so that the directory is small before it is read."""
    start = len(data) - _END.size
    if start < 0:
        raise bad_file("not_zip")
    mark, disk, other, here, entries, size, offset, comment = _END.unpack_from(data, start)
    if mark != b"PK\x05\x06" or disk or other or here != entries or comment or offset + size > start:
        raise bad_file("not_zip")
    if entries > MOST_MEMBERS or size > MOST_DIRECTORY or data[max(0, start - 20) :].startswith(_LOCATOR):
        raise bad_file("members")


def _judge(member: ZipInfo) -> None:
    path = PurePosixPath(member.filename)
    if path.is_absolute() or ".." in path.parts or "\\" in member.orig_filename or ":" in member.filename:
        raise bad_file("path")
    if member.orig_filename != member.filename:  # cut at a NUL, or turned
        raise bad_file("path")
    if path.suffix.lower() in _ARCHIVES:
        raise bad_file("nested")
    if member.flag_bits & _ENCRYPTED or member.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        raise bad_file("method")


def _judge_all(members: list[ZipInfo], length: int) -> None:
    if len(members) > MOST_MEMBERS or len({member.filename for member in members}) < len(members):
        raise bad_file("members")
    if sum(member.file_size for member in members) > MOST_UNPACKED:
        raise bad_file("big")
    placed = sorted(members, key=lambda member: member.header_offset)
    spans = [(m.header_offset, m.header_offset + _LOCAL_HEADER + m.compress_size) for m in placed]
    if any(end > start for (_, end), (start, _) in pairwise([*spans, (length, length)])):
        raise bad_file("overlap")
