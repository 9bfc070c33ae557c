"""Decks beside the frozen ones of their players (D46, duel-server.md 10.g)."""

from collections import Counter
from typing import Final, NamedTuple

from srvpro_bridge.protocol import FrozenDeck
from srvpro_bridge.simulator.decks import Deck

OTHER_DECK: Final = "This is not your registered deck: "


class Fault(NamedTuple):
    """Why a deck may not be played, and a card to show; 0: none."""

    reason: str
    card: int


def fault_of(deck: Deck, frozen: FrozenDeck, *, siding: bool) -> Fault | None:
    """Return what is wrong; siding moves cards, it does not change them."""
    if siding:
        return _difference(deck.main + deck.side, frozen.main + frozen.side)
    return _difference(deck.main, frozen.main) or _difference(deck.side, frozen.side)


def _difference(sent: tuple[int, ...], wanted: tuple[int, ...]) -> Fault | None:
    surplus, missing = Counter(sent) - Counter(wanted), Counter(wanted) - Counter(sent)
    for card, copies in surplus.items():
        return Fault(f"{OTHER_DECK}{card} too many: {copies}", card)
    for card, copies in missing.items():
        return Fault(f"{OTHER_DECK}{card} missing: {copies}", 0)
    return None
