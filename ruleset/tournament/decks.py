"""Decks and environments as a tournament keeps them: facts to hold on to, judged elsewhere (D45, D46)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal


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


@lru_cache(maxsize=64)
def shared(frozen: FrozenTable) -> FrozenTable:
    """Return an equal one that is there already: a thousand tournaments of one list keep one table."""
    return frozen


@dataclass(frozen=True, slots=True, kw_only=True)
class Rechecked:
    """What an environment that was frozen anew says of a deck that is in (R045)."""

    sha256: str
    """Of the deck that was judged: another one may have come meanwhile."""
    verdict: Literal["legal", "review", "illegal"]
    remarks: tuple[str, ...] = ()
    """What the check let through or could not decide, one line each."""
    why: str = ""
    """What is wrong with an illegal one."""
