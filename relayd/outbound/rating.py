"""Tells a rating sink of DP (4.6, 4.7, R034-R036): rows with lasting keys, reversals that name theirs.

The sink is told, never asked (decisions 19): what a reversal takes back is found in the log.
"""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import structlog

from relayd.observe.metrics import Metrics
from relayd.outbound.cursor import Cursor
from relayd.reducers import TOURNAMENT, number_of
from relayd.storage.cursors import effect_key
from relayd.storage.history import read
from relayd.storage.ledger import Ledger, LedgerRow, RatingSink
from relayd.storage.log import Entry, EventLog
from ruleset.ids import PlayerId, TableId, TournamentNo
from ruleset.tournament.events import Event, Rated
from ruleset.tournament.rows import RatingRow

_About: TypeAlias = tuple[PlayerId, TableId | None, str]
"""What a row is about: at most one row about it stands at any time."""
_log = structlog.get_logger()


class RatingEffects:
    """Makes ``Rated`` events rows of a sink (outbound.cursor.Sink)."""

    name: Final = "rating"
    wants: Final[tuple[type[Event], ...]] = (Rated,)

    def __init__(self, sink: RatingSink, log: EventLog, metrics: Metrics) -> None:
        self._sink, self._log, self._metrics = sink, log, metrics

    async def positions(self) -> Mapping[str, int]:
        return await self._sink.cursor()

    async def take(self, stream: str, version: int, entries: Sequence[Entry]) -> None:
        rows = await self._rows(stream, entries)
        await self._sink.take(stream, version, rows)
        self._metrics.rating_rows.inc(len(rows))

    async def _rows(self, stream: str, entries: Sequence[Entry]) -> list[LedgerRow]:
        book = _Book(stream)
        if any(row.reversal for entry in entries for row in _rated(entry)):
            first = entries[0].version
            async for entry in read(self._log, stream, TOURNAMENT.codec):
                if entry.version >= first:
                    break
                book.rows(entry)
        return [row for entry in entries for row in book.rows(entry)]


class PresentDp:
    """DP of players as of everything that is decided, for a tournament that starts (4.6)."""

    def __init__(self, ledger: Ledger, cursor: Cursor, *, patience_s: float = 5.0) -> None:
        self._ledger, self._cursor, self._patience_s = ledger, cursor, patience_s

    async def __call__(self, players: Collection[PlayerId]) -> Mapping[PlayerId, int]:
        """Return it once the ledger has followed the log; if that takes too long, as it stands there."""
        try:
            async with asyncio.timeout(self._patience_s):
                await self._cursor.settled()
        except TimeoutError:
            _log.warning("dp_behind", players=len(players))
        return await self._ledger.dp(players)


class _Book:
    """Turns the rows of a stream into those of a ledger; must see all that later rows take back."""

    def __init__(self, stream: str) -> None:
        self._stream, self._tournament = stream, number_of(stream) or TournamentNo(0)
        self._standing: dict[_About, str] = {}

    def rows(self, entry: Entry) -> list[LedgerRow]:
        """Return the rows of *entry*; its effects are numbered through all of its events."""
        keyed = enumerate(_rated(entry))
        return [self._row(effect_key(self._stream, entry.version, index), row) for index, row in keyed]

    def _row(self, key: str, row: RatingRow) -> LedgerRow:
        about = (row.player, row.table, row.reason)
        reverses = self._standing.pop(about, None) if row.reversal else None
        if not row.reversal:
            self._standing[about] = key
        return LedgerRow(
            key=key,
            tournament=self._tournament,
            round=None if row.table is None else row.table.round_no,
            table=None if row.table is None else row.table.table,
            player=row.player,
            opponent=row.opponent,
            delta=row.delta,
            dp_before=row.dp_before,
            reason=row.reason,
            reverses=reverses,
        )


def _rated(entry: Entry) -> Iterator[RatingRow]:
    events: Iterable[Event] = entry.events
    return (row for event in events if isinstance(event, Rated) for row in event.rows)
