"""The ``.ydk`` text form (D30-D32)."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from deckcheck.deck import MAX_CODE, Deck, Section, bounded_bytes, bounded_cards
from deckcheck.parsed import ParsedDeck
from deckcheck.violations import Violation

_TRAILER: Final = re.compile(r"\$[0-9]+\$", re.ASCII)
_HEADERS: Final[Mapping[str, Section]] = {"#main": "main", "#extra": "extra", "!side": "side"}
_MAX_DIGITS: Final = 64
"""A longer run of digits is not worth a conversion, whatever its zeros say."""


def read_ydk(source: bytes | str) -> ParsedDeck:
    """Read a ydk file; lines that say nothing readable are in the result with number and text.

    Raises DeckInvalid above 64 KiB or 1000 cards (D32).
    """
    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    text = _decoded(bounded_bytes(data)).replace("\r\n", "\n").replace("\r", "\n")
    reader = _Reader()
    for number, line in enumerate(map(str.strip, text.split("\n")), start=1):
        if line:
            reader.read(number, line)
    return reader.parsed()


def write_ydk(deck: Deck, *, created_by: str = "relayd") -> str:
    """Write *deck* as YGOPro does: three sections, LF, one passcode per line."""
    return "\n".join(_lines(deck, created_by)) + "\n"


class _Reader:
    """Sorts lines into sections; after ``!side`` everything is side (D31)."""

    __slots__ = ("cards", "count", "extra_seen", "section", "unreadable")

    def __init__(self) -> None:
        self.cards: dict[Section, list[int]] = {"main": [], "extra": [], "side": []}
        self.unreadable: list[Violation] = []
        self.section: Section = "main"
        self.extra_seen = False
        self.count = 0

    def read(self, number: int, line: str) -> None:
        """Take in a line that is not empty."""
        if line.isdecimal() and line.isascii() and (code := _code(line)) <= MAX_CODE:
            self.count = bounded_cards(self.count + 1)
            self.cards[self.section].append(code)
        elif line[0] in "#!" and (header := _HEADERS.get(line.lower())):
            self._enter(header)
        elif line[0] != "#" and not (line[0] == "$" and _TRAILER.fullmatch(line)):
            self.unreadable.append(Violation("UNREADABLE", line=number, text=line))

    def parsed(self) -> ParsedDeck:
        sections = {section: tuple(codes) for section, codes in self.cards.items()}
        return ParsedDeck(deck=Deck(**sections), unreadable=tuple(self.unreadable), mixed=not self.extra_seen)

    def _enter(self, header: Section) -> None:
        if self.section != "side":
            self.section = header
            self.extra_seen |= header == "extra"


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("gb18030", "replace")


def _code(digits: str) -> int:
    return int(digits) if len(digits) <= _MAX_DIGITS else MAX_CODE + 1


def _lines(deck: Deck, created_by: str) -> Iterator[str]:
    yield f"#created by {created_by}"
    for header, codes in zip(_HEADERS, (deck.main, deck.extra, deck.side), strict=True):
        yield header
        yield from map(str, codes)
