"""Webhooks of tournaments: where to, with which secret, how far each has followed the log, how it does."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ruleset.ids import Instant, TournamentNo


class HookKnown(Exception):
    """The sender: the tournament has a webhook with this URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """One of them."""

    id: int
    """0 until it is stored."""
    tournament: TournamentNo
    url: str = field(repr=False)
    """May hold a secret of the receiver's."""
    secret: bytes = field(repr=False)
    """What its messages are signed with."""
    made_by: str
    created_at: Instant
    position: int
    """The last version that it was told."""
    failures: int = 0
    """Tries in a row that went wrong."""
    next_at: Instant | None = None
    """It is not tried again before then."""
    trouble: str = ""
    """What came of the last try; empty: it went well, or there was none."""
    off_at: Instant | None = None
    """Since when nothing is tried any more."""


class HookStore(Protocol):
    """Keeps them. Every method raises LogUnavailable, LogBroken or LogDamaged."""

    async def add(self, hook: Hook) -> Hook:
        """Keep a hook and return it with its id. Raises HookKnown."""
        ...

    async def hook(self, hook: int) -> Hook | None:
        """Return a hook."""
        ...

    async def of(self, tournament: TournamentNo) -> Sequence[Hook]:
        """Return the hooks of a tournament, oldest first."""
        ...

    async def active(self) -> Sequence[Hook]:
        """Return every hook that is not switched off, oldest first."""
        ...

    async def note(self, hook: Hook) -> bool:
        """Keep how a hook does: all fields behind ``created_at``; ``False``: it is not there any more."""
        ...

    async def remove(self, tournament: TournamentNo, hook: int) -> bool:
        """Forget a hook; ``False``: there was none."""
        ...

    async def close(self) -> None:
        """Let go of the store."""
        ...
