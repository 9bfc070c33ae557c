"""Files that a command reads: bytes as people save them, to text and rows."""

import sys
from pathlib import Path

from relayd.cli.desk import Desk
from relayd.exits import Exit
from relayd.sentences import sentence
from ruleset.errors import CommandRejected


def bytes_of(desk: Desk, file: Path) -> bytes:
    """Return what is in *file*; ``-`` is standard input. Or end with why not."""
    try:
        return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        desk.fail(f"{file}: cannot be read: {error.strerror or error}", Exit.UNREADABLE)


def text_of(desk: Desk, file: Path) -> str:
    """Return what is in *file*, in UTF-8 or else GB18030. Or end with why not."""
    data = bytes_of(desk, file)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("gb18030", "replace")


def rows_of(desk: Desk, file: Path) -> list[list[str]]:
    """Return the rows of a CSV file or a workbook. Or end with why not."""
    from relayd.files.tables import read_table  # noqa: PLC0415  slow to load, and seldom needed

    try:
        return read_table(bytes_of(desk, file))
    except CommandRejected as refusal:
        desk.fail(f"{file}: {sentence(refusal.code, refusal.data, desk.language)}", Exit.UNREADABLE)
