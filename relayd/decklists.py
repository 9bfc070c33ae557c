"""Decks of tournaments in the form of the deck checker."""

from functools import lru_cache

from deckcheck.deck import Deck
from deckcheck.frozen import FrozenDeck, freeze_deck
from ruleset.tournament.decks import DeckList


def deck_of(held: DeckList) -> Deck:
    """Return a deck as its owner handed it in."""
    return Deck(main=held.main, extra=held.extra, side=held.side)


@lru_cache(maxsize=8_192)
def frozen_deck_of(held: DeckList) -> FrozenDeck:
    """Return a deck in the form in which it is compared and written (D46)."""
    return freeze_deck(deck_of(held))
