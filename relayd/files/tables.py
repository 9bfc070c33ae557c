"""Tables that people make at home: CSV as Excel in China, Japan or Europe saves it, or a workbook."""

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Final

from relayd.files.refusal import bad_file
from relayd.files.xlsx import read_xlsx

MOST_ROWS: Final = 10_000
"""Lines that are read at most."""
_DELIMITERS: Final = ",;\t"
_ZIP: Final = b"PK"
_OLE: Final = b"\xd0\xcf\x11\xe0"
"""Of Excel before 2007, and of every workbook with a password."""


def read_table(data: bytes) -> list[list[str]]:
    """Return the rows of a file, whichever of the formats it is. Raises CommandRejected ``bad_file``."""
    if data.startswith(_OLE):
        raise bad_file("old_excel")
    return read_xlsx(data, MOST_ROWS) if data.startswith(_ZIP) else read_text(_decoded(data))


def read_text(text: str) -> list[list[str]]:
    """Return the rows of a CSV file: comma, semicolon or tab, whichever its first line has most often.

    Raises CommandRejected ``bad_file``.
    """
    head = text[: text.find("\n") + 1 or len(text)]
    delimiter = max(_DELIMITERS, key=head.count)
    try:
        return list(_bounded(csv.reader(StringIO(text, newline=""), delimiter=delimiter)))
    except csv.Error as error:
        raise bad_file("not_csv") from error


def _bounded(rows: Iterator[list[str]]) -> Iterator[list[str]]:
    for number, row in enumerate(rows):
        if number >= MOST_ROWS:
            raise bad_file("long")
        yield row


def _decoded(data: bytes) -> str:
    """Return the text: by the mark of its encoding, else as UTF-8 or, of Chinese Windows, GB18030."""
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise bad_file("not_text")
