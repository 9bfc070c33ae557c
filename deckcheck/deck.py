"""A deck as its owner wrote it, before anybody judged it."""

from dataclasses import dataclass
from itertools import chain
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
