"""What was played: cards and archetypes over the decks of an event, for its host."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from io import StringIO
from typing import Final

from deckcheck.cards import Card
from deckcheck.deck import SECTIONS, Deck

_SETNAME: Final = re.compile(r"!setname[ \t]+0x([0-9a-fA-F]{1,8})[ \t]+([^\t\r\n]+)")
_ARCHETYPE: Final = 0xFFF
"""The archetype of a setcode; the rest is a part of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardUse:
    """How often a card was played; all artworks of it together."""

    code: int
    name: str
    decks: int
    main: int
    extra: int
    side: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchetypeUse:
    """How often cards of an archetype were played; a card of two archetypes counts in both."""

    setcode: int
    name: str
    decks: int
    copies: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Most decks first, then most copies, then the smaller number."""

    decks: int
    cards: tuple[CardUse, ...]
    archetypes: tuple[ArchetypeUse, ...]

    def as_data(self) -> dict[str, object]:
        """Return values that JSON has."""
        return asdict(self)


def usage(
    decks: Iterable[Deck], cards: Mapping[int, Card], set_names: Mapping[int, str] | None = None
) -> Usage:
    """Count cards and archetypes; an unknown card is counted by its number and belongs to no archetype."""
    counted = [_Content(deck, cards) for deck in decks]
    return Usage(
        decks=len(counted),
        cards=tuple(sorted(_card_uses(counted, cards), key=_by_card)),
        archetypes=tuple(sorted(_archetype_uses(counted, set_names or {}), key=_by_archetype)),
    )


def read_set_names(strings_conf: str) -> Mapping[int, str]:
    """Return the names of archetypes by setcode from a ``strings.conf`` (``!setname 0x8e 吸血鬼``)."""
    lines = map(_SETNAME.match, strings_conf.splitlines())
    return {int(match[1], 16): match[2].strip() for match in lines if match}


def as_csv(rows: Sequence[CardUse] | Sequence[ArchetypeUse]) -> str:
    """Return a table with a header; empty for no rows."""
    text = StringIO(newline="")
    for row in rows[:1]:
        csv.DictWriter(text, asdict(row)).writeheader()
    for row in rows:
        csv.DictWriter(text, asdict(row)).writerow(asdict(row))
    return text.getvalue()


class _Content:
    """One deck by base passcodes."""

    def __init__(self, deck: Deck, cards: Mapping[int, Card]) -> None:
        parts = zip(SECTIONS, (deck.main, deck.extra, deck.side), strict=True)
        self.sections = {section: Counter(_base(code, cards) for code in codes) for section, codes in parts}
        self.copies = _total(self.sections.values())
        self.archetypes = Counter[int]()
        for code, count in self.copies.items():
            self.archetypes.update(dict.fromkeys(_archetypes(code, cards), count))


def _base(code: int, cards: Mapping[int, Card]) -> int:
    return cards[code].base if code in cards else code


def _archetypes(code: int, cards: Mapping[int, Card]) -> set[int]:
    setcode = cards[code].setcode if code in cards else 0
    return {setcode >> shift & _ARCHETYPE for shift in (0, 16, 32, 48)} - {0}


def _card_uses(decks: Sequence[_Content], cards: Mapping[int, Card]) -> Iterator[CardUse]:
    played = Counter(code for deck in decks for code in deck.copies)
    sums = {section: _total(deck.sections[section] for deck in decks) for section in SECTIONS}
    for code, count in played.items():
        name = cards[code].name if code in cards else ""
        main, extra, side = (sums[section][code] for section in SECTIONS)
        yield CardUse(code=code, name=name, decks=count, main=main, extra=extra, side=side)


def _archetype_uses(decks: Sequence[_Content], names: Mapping[int, str]) -> Iterator[ArchetypeUse]:
    played = Counter(setcode for deck in decks for setcode in deck.archetypes)
    copies = _total(deck.archetypes for deck in decks)
    for setcode, count in played.items():
        name = names.get(setcode, "")
        yield ArchetypeUse(setcode=setcode, name=name, decks=count, copies=copies[setcode])


def _total(counters: Iterable[Counter[int]]) -> Counter[int]:
    total = Counter[int]()
    for counter in counters:
        total.update(counter)
    return total


def _by_card(use: CardUse) -> tuple[int, int, int]:
    return -use.decks, -(use.main + use.extra + use.side), use.code


def _by_archetype(use: ArchetypeUse) -> tuple[int, int, int]:
    return -use.decks, -use.copies, use.setcode
