"""The first worksheet of an Excel workbook (ECMA-376) as plain rows.

Read as a stream with the expat of the standard library: a grid is never built, because two cells far apart
would make one of hundreds of gigabytes. Formats, formulas and all other sheets are left aside; of a formula
the value counts that was stored with it.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from posixpath import join, normpath
from typing import Final
from xml.parsers import expat

from relayd.files.archive import Archive
from relayd.files.refusal import bad_file

MOST_COLUMNS: Final = 64
"""What stands further right is left aside."""
_CELL: Final = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})", re.ASCII)
_ESCAPE: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
_WORKBOOK: Final = "xl/workbook.xml"
_STRINGS: Final = "xl/sharedStrings.xml"
Attributes = Mapping[str, str]


def read_xlsx(data: bytes, most: int) -> list[list[str]]:
    """Return the rows of the first sheet, empty ones too, up to the last that holds something.

    Raises CommandRejected ``bad_file``: no sound workbook, a bomb, or text below row *most*.
    """
    archive = Archive(data)
    book, links = _Book(), _Links()
    _parse(archive, _WORKBOOK, book)
    _parse(archive, "xl/_rels/workbook.xml.rels", links)
    strings = _Strings()
    path = links.sheets.get(book.first, "")
    if _STRINGS in archive:
        _parse(archive, _STRINGS, strings)
    sheet = _Sheet(strings.found, most)
    _parse(archive, path, sheet)
    return sheet.rows


class _Reader:
    """Hears elements by their names without namespaces."""

    def start(self, name: str, attributes: Attributes) -> None:
        """Hear that an element begins."""

    def end(self, name: str) -> None:
        """Hear that an element ends."""

    def text(self, text: str) -> None:
        """Hear text, maybe in pieces."""


def _parse(archive: Archive, path: str, reader: _Reader) -> None:
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _no_doctype
    parser.StartElementHandler = lambda name, attributes: reader.start(_local(name), attributes)
    parser.EndElementHandler = lambda name: reader.end(_local(name))
    parser.CharacterDataHandler = reader.text
    try:
        for piece in archive.read(path):
            parser.Parse(piece, False)  # noqa: FBT003  it takes no names
        parser.Parse(b"", True)  # noqa: FBT003  the end
    except (expat.ExpatError, ValueError, IndexError, LookupError) as error:
        raise bad_file("not_workbook") from error


def _no_doctype(*_about: object) -> None:
    """Refuse entities: no workbook declares a document type."""
    raise bad_file("not_workbook")


def _local(name: str) -> str:
    return name.rpartition(" ")[2]


class _Book(_Reader):
    """Finds out which sheet comes first."""

    def __init__(self) -> None:
        self.first = ""
        """Its relation; empty: there is none."""

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "sheet" and not self.first:
            self.first = next((value for key, value in attributes.items() if _local(key) == "id"), "")


class _Links(_Reader):
    """Finds out in which member each relation of the workbook is."""

    def __init__(self) -> None:
        self.sheets: dict[str, str] = {}

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "Relationship":
            target = attributes.get("Target", "")
            path = target.removeprefix("/") if target.startswith("/") else normpath(join("xl", target))
            self.sheets[attributes.get("Id", "")] = path


class _Strings(_Reader):
    """Collects the texts that cells share; how they are to be pronounced is none of them."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._pieces: list[str] = []
        self._in_text, self._in_phonetic = False, False

    def start(self, name: str, _attributes: Attributes) -> None:
        if name == "si":
            self._pieces.clear()
        self._in_text = name == "t"
        self._in_phonetic = self._in_phonetic or name == "rPh"

    def end(self, name: str) -> None:
        self._in_text = False
        if name == "rPh":
            self._in_phonetic = False
        elif name == "si":
            self.found.append(_unescaped("".join(self._pieces)))

    def text(self, text: str) -> None:
        if self._in_text and not self._in_phonetic:
            self._pieces.append(text)


class _Sheet(_Reader):
    """Collects rows; cells and rows without an address follow the one before."""

    def __init__(self, strings: list[str], most: int) -> None:
        self.rows: list[list[str]] = []
        self._strings, self._most = strings, most
        self._row, self._column, self._kind = 0, 0, ""
        self._pieces: list[str] = []
        self._listening, self._in_phonetic = False, False

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "row":
            self._row, self._column = int(attributes.get("r", self._row + 1)), 0
        elif name == "c":
            self._kind = attributes.get("t", "n")
            self._column = _column(attributes["r"]) if "r" in attributes else self._column + 1
            self._pieces.clear()
        self._in_phonetic = self._in_phonetic or name == "rPh"
        self._listening = name in {"v", "t"} and not self._in_phonetic

    def end(self, name: str) -> None:
        self._listening = False
        if name == "rPh":
            self._in_phonetic = False
        elif name == "c" and self._pieces:
            self._put(_SHOWN.get(self._kind, _plain)("".join(self._pieces), self._strings))

    def text(self, text: str) -> None:
        if self._listening:
            self._pieces.append(text)

    def _put(self, value: str) -> None:
        if not value or not 0 < self._column <= MOST_COLUMNS:
            return
        if not 0 < self._row <= self._most:
            raise bad_file("long")
        self.rows.extend([] for _ in range(self._row - len(self.rows)))
        row = self.rows[self._row - 1]
        row.extend("" for _ in range(self._column - len(row)))
        row[self._column - 1] = value


def _column(address: str) -> int:
    """Return 1 for A, 27 for AA."""
    found = _CELL.fullmatch(address)
    if found is None:
        raise ValueError(address)
    number = 0
    for letter in found[1]:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _shared(text: str, strings: list[str]) -> str:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return strings[number]


def _plain(text: str, _strings: Iterable[str]) -> str:
    return _unescaped(text)


def _number(text: str, _strings: Iterable[str]) -> str:
    """Return a number without the decimals that a program added to it: ``123.0`` and ``1.23E2`` are 123."""
    value = float(text)
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else text


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)


_SHOWN: Final[Mapping[str, Callable[[str, list[str]], str]]] = {"s": _shared, "n": _number}
"""How a cell of a kind is shown; all others hold their text themselves."""
