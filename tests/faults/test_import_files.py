"""F20, F23: workbooks that are bombs, lead elsewhere, lie or nest are refused, and cost nothing."""

import io
import json
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile, ZipInfo

import pytest
import xlsxwriter  # type: ignore[import-untyped]  # it comes without types

from relayd.files.tables import MOST_ROWS, read_table
from ruleset.errors import CommandRejected

SHEET = "xl/worksheets/sheet1.xml"
GROWTH = 20 * 1024
"""KiB that reading all of them may cost at most (F20)."""
ROOT = Path(__file__).parents[2]
Parts = dict[str, bytes]


def workbook() -> Parts:
    """Return the members of a sound workbook."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    book.add_worksheet().write_column(0, 0, ["player", "P000001", 2])
    book.close()
    with ZipFile(out) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def packed(parts: Mapping[str, bytes], method: int = ZIP_DEFLATED) -> bytes:
    """Return an archive of *parts*."""
    out = io.BytesIO()
    with ZipFile(out, "w", method) as archive:
        for name, data in parts.items():
            archive.writestr(ZipInfo(name), data, method)
    return out.getvalue()


def with_sheet(xml: bytes) -> bytes:
    """Return a workbook with that sheet."""
    return packed({**workbook(), SHEET: b"<worksheet><sheetData>" + xml + b"</sheetData></worksheet>"})


def zeros(size: int) -> bytes:
    """Return an archive with a sheet of blanks, a thousand times smaller than what it declares."""
    return packed({**workbook(), SHEET: b" " * size})


def lying(declared: int, real: int, *, checked: bool) -> bytes:
    """Return an archive whose sheet says, in both places, that it is *declared* and is *real* bytes long.

    *checked*: the checksum fits what is declared, so that only the length is a lie.
    """
    data = zeros(real)
    old, new = struct.pack("<L", real), struct.pack("<L", declared)
    crc = struct.pack("<L", zlib.crc32(b" " * real))
    assert data.count(crc) == 2
    fitting = struct.pack("<L", zlib.crc32(b" " * declared)) if checked else crc
    return data.replace(old, new).replace(crc, fitting)


def overlapping() -> bytes:
    """Return an archive in which two members are the same bytes, as in a bomb without recursion."""
    parts = {"a.xml": b"x" * 900, "b.xml": b"y" * 900}
    data = bytearray(packed(parts))
    directory = data.index(b"PK\x01\x02")
    second = data.index(b"PK\x01\x02", directory + 4)
    data[second + 42 : second + 46] = data[directory + 42 : directory + 46]
    return bytes(data)


def patched(data: bytes, at: int, value: bytes) -> bytes:
    """Return *data* with other bytes in its last record."""
    start = len(data) - 22 + at
    return data[:start] + value + data[start + len(value) :]


def zip64() -> bytes:
    """Return an archive that says that its real directory is elsewhere."""
    data = packed(workbook())
    locator = b"PK\x06\x07" + struct.pack("<LQL", 0, 0, 1)
    return data[:-22] + locator + data[-22:]


def flagged() -> bytes:
    """Return an archive whose first member claims to be encrypted."""
    data = bytearray(packed(workbook()))
    directory = data.index(b"PK\x01\x02")
    data[directory + 8] |= 1
    return bytes(data)


def twice() -> bytes:
    """Return an archive with two members of one name."""
    out = io.BytesIO()
    with ZipFile(out, "w") as archive:
        for name in ("xl/a.xml", "xl/b.xml"):
            archive.writestr(name, b"<a/>")
    return out.getvalue().replace(b"xl/b.xml", b"xl/a.xml")


def cut() -> bytes:
    """Return an archive with a name that ends early for whoever reads to the first NUL."""
    return packed({"xl/x?y.xml": b"x"}).replace(b"x?y", b"x\0y")


ENTITIES = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 20) for n in range(8))
    + b"]><worksheet>&i;</worksheet>"
)
NAMES = ("../x.xml", "xl/../../x.xml", "/etc/x", "C:x", "xl\\..\\x", "xl/..")
BOMBS: Mapping[str, tuple[str, Callable[[], bytes]]] = {
    "declares 60 MB": ("big", lambda: zeros(60_000_000)),
    "a sheet of 20 MB": ("big", lambda: zeros(20_000_000)),
    "says 3 MB and is 60": ("not_zip", lambda: lying(3_000_000, 60_000_000, checked=False)),
    "says 1 KB and is 60 MB": ("not_workbook", lambda: lying(1_000, 60_000_000, checked=True)),
    "members over each other": ("overlap", overlapping),
    "600 members": ("members", lambda: packed({f"{n}.xml": b"" for n in range(600)})),
    "a directory of 200 KB": ("members", lambda: packed({f"{n}{'x' * 1_000}": b"" for n in range(200)})),
    "a member twice": ("members", twice),
    "a name with an end inside": ("path", cut),
    "zip64": ("members", zip64),
    "an archive inside": ("nested", lambda: packed({**workbook(), "xl/media/a.ZIP": packed(workbook())})),
    "another method": ("method", lambda: packed(workbook(), ZIP_LZMA)),
    "encrypted": ("method", flagged),
    "old or with a password": ("old_excel", lambda: b"\xd0\xcf\x11\xe0" + bytes(600)),
    "nothing behind the mark": ("not_zip", lambda: b"PK"),
    "no end": ("not_zip", lambda: packed(workbook())[:-30]),
    "behind the end": ("not_zip", lambda: packed(workbook()) + b"x"),
    "a directory nowhere": ("not_zip", lambda: patched(packed(workbook()), 16, b"\xff\xff\xff\xff")),
    "a directory elsewhere": ("not_zip", lambda: patched(packed(workbook()), 16, b"\x01")),
    "entities": ("not_workbook", lambda: packed({**workbook(), SHEET: ENTITIES})),
    "no sheet": ("not_workbook", lambda: packed({k: v for k, v in workbook().items() if k != SHEET})),
    "another file": ("not_workbook", lambda: packed({"word/document.xml": b"<a/>"})),
    "no XML": ("not_workbook", lambda: packed({**workbook(), SHEET: b"\xff\xff"})),
    "no such string": ("not_workbook", lambda: with_sheet(b'<row><c t="s"><v>99</v></c></row>')),
    "a string before the first": ("not_workbook", lambda: with_sheet(b'<row><c t="s"><v>-1</v></c></row>')),
    "no address": ("not_workbook", lambda: with_sheet(b'<row><c r="1A"><v>9</v></c></row>')),
    "a cell a million rows down": ("long", lambda: with_sheet(b'<row r="1048576"><c><v>9</v></c></row>')),
    **{f"leads to {name!r}": ("path", lambda name=name: packed({name: b"x"})) for name in NAMES},  # type: ignore[misc]  # bound at once
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_what_is_no_workbook_of_a_host_is_refused(bomb: str) -> None:
    """F20: refused for what it is; nothing of it is unpacked beyond what its directory declares."""
    why, make = BOMBS[bomb]
    with pytest.raises(CommandRejected) as refusal:
        read_table(make())
    assert (refusal.value.code, refusal.value.data["key"]) == ("bad_file", why)


def test_reading_bombs_costs_no_memory(tmp_path: Path) -> None:
    """F20: RSS grows by less than 20 MB at its peak, over all of them one after the other."""
    for number, (_, make) in enumerate(BOMBS.values()):
        (tmp_path / f"{number}.xlsx").write_bytes(make())
    (tmp_path / "zz.xlsx").write_bytes(packed(workbook()))
    program = (
        "import json, pathlib, resource, sys\n"
        "from relayd.files.tables import read_table\n"
        "from ruleset.errors import CommandRejected\n"
        "files = sorted(pathlib.Path(sys.argv[1]).iterdir())\n"
        "read_table(files[-1].read_bytes())\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "refused = 0\n"
        "for path in files[:-1]:\n"
        "    try:\n"
        "        read_table(path.read_bytes())\n"
        "    except CommandRejected:\n"
        "        refused += 1\n"
        "grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before\n"
        "print(json.dumps([refused, grown]))\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, cwd=ROOT, timeout=60, check=True
    )
    refused, grown = json.loads(ended.stdout)
    assert refused == len(BOMBS)
    assert grown < GROWTH


def test_a_workbook_with_two_cells_far_apart_is_no_grid() -> None:
    """F20: what stands right of the columns of a roster is left aside, and takes no room."""
    cells = b'<c r="A1" t="str"><v>player</v></c><c r="XFD1" t="str"><v>far</v></c>'
    assert read_table(with_sheet(b'<row r="1">' + cells + b"</row>")) == [["player"]]
    last = b'<row r="%d"><c r="B%d"><v>7</v></c></row>' % (MOST_ROWS, MOST_ROWS)
    rows = read_table(with_sheet(last))
    assert (len(rows), rows[-1]) == (MOST_ROWS, ["", "7"])


def test_a_stored_workbook_is_read_too() -> None:
    """F20: what is sound is taken, packed or not."""
    assert read_table(packed(workbook(), ZIP_STORED)) == [["player"], ["P000001"], ["2"]]
