"""What a reader found in a source."""

from dataclasses import dataclass
from itertools import filterfalse

from deckcheck.deck import Deck
from deckcheck.errors import DeckInvalid
from deckcheck.violations import Violation


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedDeck:
    """What a reader found."""

    deck: Deck
    unreadable: tuple[Violation, ...] = ()
    """What stands where a card should: number and text of each line (D32)."""
    mixed: bool = False
    """True if the source has no extra deck of its own: ``deck.main`` holds main and extra (D31, D34)."""

    def complete(self) -> "ParsedDeck":
        """Return the deck if all of it could be read. Raises DeckInvalid with the lines that could not."""
        if self.unreadable:
            lines = [line.line for line in self.unreadable]
            words = ", ".join(map(str, lines[:20])) + (", …" if len(lines) > 20 else "")
            raise DeckInvalid("unreadable_lines", f"lines that are no cards: {words}", lines=lines)
        return self

    def placed(self, extra_codes: frozenset[int]) -> Deck:
        """Return the deck with main and extra apart; a deck that is not mixed stays as it is."""
        if not self.mixed:
            return self.deck
        mixed = self.deck.main
        extra = tuple(filter(extra_codes.__contains__, mixed))
        main = mixed[: len(mixed) - len(extra)]
        if extra != mixed[len(main) :]:  # the game client sends main before extra, others may not
            main = tuple(filterfalse(extra_codes.__contains__, mixed))
        return Deck(main=main, extra=extra, side=self.deck.side)
