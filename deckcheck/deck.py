"""A deck as its owner wrote it, before anybody judged it."""

from dataclasses import dataclass
from itertools import chain, filterfalse
from typing import Final, Literal, TypeAlias

from deckcheck.errors import DeckInvalid

Section: TypeAlias = Literal["main", "extra", "side"]
"""A part of a deck."""
SECTIONS: Final[tuple[Section, ...]] = ("main", "extra", "side")

MAX_CODE: Final = 0x0FFF_FFFF
"""The largest passcode that the game client can be told about (D32, D41)."""
MAX_CARDS: Final = 1000
"""More cards than that are no deck (D32)."""
MAX_BYTES: Final = 64 * 1024
"""More bytes than that are not read (D32)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """Passcodes as printed in the source, in its order; each below 2^32."""

    main: tuple[int, ...] = ()
    extra: tuple[int, ...] = ()
    side: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.main) + len(self.extra) + len(self.side)

    @property
    def codes(self) -> chain[int]:
        """All cards: main, extra, side."""
        return chain(self.main, self.extra, self.side)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A line of a deck that is neither a card nor anything else that a deck may hold (D32)."""

    line: int
    """From 1 up."""
    text: str
    """The whole line without its blanks at both ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedDeck:
    """What a reader found."""

    deck: Deck
    unreadable: tuple[Unreadable, ...] = ()
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


def bounded_bytes(data: bytes) -> bytes:
    """Return *data*. Raises DeckInvalid if there is more of it than a deck has (D32)."""
    if len(data) > MAX_BYTES:
        raise DeckInvalid(
            "deck_too_large",
            f"the deck has {len(data)} bytes, at most {MAX_BYTES} are read",
            size=len(data),
            limit=MAX_BYTES,
        )
    return data


def bounded_cards(count: int) -> int:
    """Return *count*. Raises DeckInvalid if no deck has so many cards (D32)."""
    if count > MAX_CARDS:
        raise DeckInvalid(
            "too_many_cards",
            f"the deck has more than {MAX_CARDS} cards",
            limit=MAX_CARDS,
        )
    return count
