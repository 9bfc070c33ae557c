"""Decks and environments as a tournament keeps them: facts to hold on to, judged elsewhere (D45, D46)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckList:
    """A deck by printed codes, in the order it was handed in."""

    main: tuple[int, ...]
    extra: tuple[int, ...] = ()
    side: tuple[int, ...] = ()
    sha256: str
    """Of the canonical form, in hexadecimal (D46)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenTable:
    """The environment that decks are checked against, as it was at publishing (R045, D45)."""

    key: str
    list_name: str
    list_hash: int
    pool_hash: str
    table: bytes
    """The whole of it, in the deck checker's own form."""
