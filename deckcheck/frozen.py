"""A deck that passed, as it is kept for the whole tournament (D46, R071)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from deckcheck.deck import Deck
from deckcheck.parsed import ParsedDeck
from deckcheck.pools import modern_codes
from deckcheck.ydk import read_ydk, write_ydk


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenDeck:
    """Equal if the duel server would take one for the other in the first game: by content, in any order."""

    main_extra: tuple[int, ...]
    """Printed passcodes, ascending."""
    side: tuple[int, ...]
    """Printed passcodes, ascending."""
    sha256: str
    """Of the canonical form: both multisets, sorted."""
    text: str = field(compare=False)
    """The deck as a ydk file in the player's order; all that must be stored."""
    deck: Deck = field(compare=False, repr=False)


def freeze_deck(deck: Deck) -> FrozenDeck:
    """Freeze a deck with main and extra apart, as a verdict has it.

    Historical passcodes become those that duel servers know: no game client could ever play them (D22).
    """
    kept = Deck(main=_modern(deck.main), extra=_modern(deck.extra), side=_modern(deck.side))
    main_extra, side = _contents(kept)
    canonical = f"{_line(main_extra)}\n{_line(side)}\n".encode()
    return FrozenDeck(
        main_extra=main_extra,
        side=side,
        sha256=sha256(canonical).hexdigest(),
        text=write_ydk(kept),
        deck=kept,
    )


def thaw_deck(text: str) -> FrozenDeck:
    """Return the frozen deck whose text was stored."""
    return freeze_deck(read_ydk(text).deck)


def same_in_first_game(frozen: FrozenDeck, deck: ParsedDeck | Deck) -> bool:
    """Tell whether main + extra and side both hold the frozen cards (D46)."""
    return _contents(_deck(deck)) == (frozen.main_extra, frozen.side) and _complete(deck)


def same_in_later_game(frozen: FrozenDeck, deck: ParsedDeck | Deck) -> bool:
    """Tell whether main + extra + side hold the frozen cards: siding may only move them (D46, R071)."""
    main_extra, side = _contents(_deck(deck))
    same = Counter(main_extra + side) == Counter(frozen.main_extra + frozen.side)
    return same and _complete(deck)


def _deck(deck: ParsedDeck | Deck) -> Deck:
    return deck.deck if isinstance(deck, ParsedDeck) else deck


def _complete(deck: ParsedDeck | Deck) -> bool:
    return not (isinstance(deck, ParsedDeck) and deck.unreadable)


def _contents(deck: Deck) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return _sorted(deck.main + deck.extra), _sorted(deck.side)


def _sorted(codes: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(_modern(codes)))


def _modern(codes: Iterable[int]) -> tuple[int, ...]:
    modern = modern_codes()
    return tuple(modern.get(code, code) for code in codes)


def _line(codes: Iterable[int]) -> str:
    return " ".join(f"{code:08d}" for code in codes)
