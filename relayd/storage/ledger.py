"""DP as a ledger: rows are added, never changed; a player has 1000 and the sum of his rows (R006)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Protocol

from relayd.storage.log import LogError
from ruleset.ids import PlayerId, RoundNo, TableNo, TournamentNo

FIRST_DP: Final = 1000
"""DP of an account without rows (R006)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRow:
    """One change of one player's DP (4.6, 4.7). A reversal takes back the row that it names."""

    key: str
    """See effect_key: the same row has the same key, however often it is told."""
    tournament: TournamentNo
    round: RoundNo | None
    """``None`` for a prize, and *table* and *opponent* with it."""
    table: TableNo | None
    player: PlayerId
    opponent: PlayerId | None
    delta: int
    dp_before: int
    reason: str
    reverses: str | None = None
    """The key of the row that this one takes back."""


class LedgerConflict(LogError):
    """We: a key came back with another row. Nothing of the batch was booked."""

    code: ClassVar[str] = "ledger_conflict"


class RatingSink(Protocol):
    """Who is told of DP: the ledger here, a rating core elsewhere. Raises LogUnavailable or LogBroken."""

    async def cursor(self) -> Mapping[str, int]:
        """Return the last version of each stream that was taken."""
        ...

    async def take(self, stream: str, version: int, rows: Sequence[LedgerRow]) -> None:
        """Book *rows*, those of *stream* up to *version*, and move the cursor, in one transaction.

        Known keys are booked once; a version that the cursor has passed changes nothing.
        Raises LedgerConflict.
        """
        ...

    async def close(self) -> None:
        """Let go of the store."""
        ...


class Ledger(RatingSink, Protocol):
    """The sink that can also be asked."""

    async def dp(self, players: Collection[PlayerId]) -> Mapping[PlayerId, int]:
        """Return the present DP of each of *players*."""
        ...

    async def rows(self, tournament: TournamentNo) -> Sequence[LedgerRow]:
        """Return all rows of a tournament, in the order they were booked."""
        ...

    async def history(self, player: PlayerId) -> Sequence[LedgerRow]:
        """Return all rows of a player, in the order they were booked."""
        ...
