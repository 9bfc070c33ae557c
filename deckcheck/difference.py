"""How a deck differs from the frozen one, for host and player (D46)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from deckcheck.cards import Card
from deckcheck.deck import SECTIONS, Deck, Section
from deckcheck.frozen import FrozenDeck
from deckcheck.parsed import ParsedDeck
from deckcheck.pools import modern_codes
from deckcheck.sentences import Language, printable, section_text

_NONE: Final[Mapping[int, Card]] = MappingProxyType({})


def difference(
    frozen: FrozenDeck,
    deck: ParsedDeck | Deck,
    cards: Mapping[int, Card] = _NONE,
    language: Language = "en",
) -> str:
    """Return what *deck* has more and less, like ``side: +1 Ash Blossom, −1 Droll``; empty if nothing.

    Main and extra are told apart by *cards* and by what the frozen deck has in its extra deck.
    """
    given = deck.deck if isinstance(deck, ParsedDeck) else deck
    extra = {*frozen.deck.extra, *given.extra, *(code for code in given.codes if _is_extra(code, cards))}
    then, now = _sections(frozen.deck, extra), _sections(given, extra)
    parts = (_section(section, then[section], now[section], cards, language) for section in SECTIONS)
    return "; ".join(filter(None, parts))


def _is_extra(code: int, cards: Mapping[int, Card]) -> bool:
    return code in cards and cards[code].extra


def _sections(deck: Deck, extra: set[int]) -> Mapping[Section, Counter[int]]:
    modern = modern_codes()
    mixed = deck.main + deck.extra
    parts: dict[Section, Iterable[int]] = {
        "main": (code for code in mixed if code not in extra),
        "extra": (code for code in mixed if code in extra),
        "side": deck.side,
    }
    return {section: Counter(modern.get(code, code) for code in codes) for section, codes in parts.items()}


def _section(
    section: Section, then: Counter[int], now: Counter[int], cards: Mapping[int, Card], language: Language
) -> str:
    changes = ", ".join([*_changes("+", now - then, cards), *_changes("−", then - now, cards)])
    return f"{section_text(section, language)}: {changes}" if changes else ""


def _changes(sign: str, counts: Counter[int], cards: Mapping[int, Card]) -> Iterator[str]:
    for code, count in counts.items():
        yield f"{sign}{count} {_name(code, cards)}"


def _name(code: int, cards: Mapping[int, Card]) -> str:
    name = cards[code].name if code in cards else ""
    return printable(name) or f"{code:08d}"
