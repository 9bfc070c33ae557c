"""Decks as a duel client sends them, and what the duel program says of them (duel-server.md 3, 6)."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from deckcheck.errors import DeckInvalid
from deckcheck.wire import read_deckbuf_text
from srvpro_bridge.simulator.passwords import NO_LIST, Options

FORBIDDEN: Final = 1
TOO_MANY_COPIES: Final = 5
MAIN_COUNT: Final = 6
"""Kinds of deck errors; a code is kind << 28 | card or count."""
SMALLEST_MAIN: Final = 40
MOST_COPIES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """Main and extra together, then side, in the client's order."""

    main: tuple[int, ...]
    side: tuple[int, ...] = ()

    def same_cards(self, other: "Deck") -> bool:
        """Say whether both hold the same cards, main and side apart; order does not matter."""
        return Counter(self.main) == Counter(other.main) and Counter(self.side) == Counter(other.side)

    def swapped_from(self, other: "Deck") -> bool:
        """Say whether this is *other* after siding: the same cards, and as many in the main deck."""
        fits = len(self.main) == len(other.main)
        return fits and Counter(self.main + self.side) == Counter(other.main + other.side)


def read_deckbuf(text: str) -> Deck | None:
    """Read the ``deckbuf`` of a participant; ``None``: unreadable, so nothing is checked."""
    try:
        deck = read_deckbuf_text(text).deck
    except DeckInvalid:
        return None
    return Deck(main=deck.main, side=deck.side)


def error_of(deck: Deck, options: Options, forbidden: Collection[int]) -> int | None:
    """Return the code that the client is shown; ``None``: the deck may be played.

    Main and extra cards cannot be told apart here: only too few of both together are refused.
    """
    if options.no_check_deck:
        return None
    if len(deck.main) < SMALLEST_MAIN:
        return MAIN_COUNT << 28 | len(deck.main)
    for card, copies in Counter(deck.main + deck.side).items():
        if copies > MOST_COPIES:
            return TOO_MANY_COPIES << 28 | card
        if options.lflist != NO_LIST and card in forbidden:
            return FORBIDDEN << 28 | card
    return None
