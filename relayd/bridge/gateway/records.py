"""Takes what plugins record: each record once, in its room's order, and durable before it is acknowledged."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple, TypeVar, get_args

import structlog

from relayd.bridge.inside import Inside
from relayd.bridge.intake import Intake, RoomReport
from relayd.errors import DependencyError, InvariantBroken
from relayd.storage.cursors import Cursors
from ruleset import roomcode
from ruleset.ids import Instant, ServerId, TableId
from ruleset.tournament.reports import Report
from srvpro_bridge.protocol import (
    DeathChanged,
    DeckJudged,
    Fact,
    GameOver,
    InRoom,
    JoinRefused,
    MatchStarted,
    RoomClosed,
    ServerFacts,
    encode,
)
from srvpro_bridge.reports import names_of, of_end, of_game

T = TypeVar("T")

AGAIN_S: Final = 0.25
"""Between two tries while the log is away; the plugin itself gives up a silent connection after 30 s."""
_BEGINNINGS: Final = 5_000
"""Rooms of which it is remembered when their match began."""
_log = structlog.get_logger()


class Spool(NamedTuple):
    """Where a record lies: with its number that names it for ever."""

    server: ServerId
    id: str


class Said(NamedTuple):
    """A record, and what is known of the connection that brought it."""

    fact: Fact
    live: bool
    """It came as it happened, not from the backlog."""


class _Beginning(NamedTuple):
    """When a match began."""

    heard: Instant | None
    """By our clock; ``None``: it was heard later than it happened."""
    at: int
    """By the clock of the duel server."""


class Records:
    """All spools of all plugins."""

    def __init__(
        self,
        inside: Inside,
        intake: Intake,
        cursors: Cursors,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._intake, self._cursors, self._sleep = intake, cursors, sleep
        self._tournaments, self._clock, self._metrics = inside.tournaments, inside.clock, inside.metrics
        self._began: dict[tuple[ServerId, str], _Beginning] = {}
        for fact in get_args(Fact):
            self._metrics.plugin_records.labels(kind_of(fact), "broken")

    async def position(self, spool: Spool) -> int:
        """Return the last record of that spool that is durable; 0: none. Waits while the store is away."""
        known = await self._patiently(lambda: self._cursors.of(_name(spool.server)))
        return known.get(spool.id, 0)

    async def take(self, spool: Spool, said: Sequence[Said], facts: ServerFacts) -> None:
        """Carry out what records mean; rooms do not wait for each other. Raises what ends the daemon."""
        rooms: defaultdict[str, list[Said]] = defaultdict(list)
        for one in said:
            rooms[one.fact.room if isinstance(one.fact, InRoom) else ""].append(one)
        works = (self._take_room(spool.server, room, facts) for room in rooms.values())
        for failed in await asyncio.gather(*works, return_exceptions=True):
            if isinstance(failed, BaseException):
                raise failed

    def count(self, kind: str, outcome: str) -> None:
        """Count what became of a record."""
        self._metrics.plugin_records.labels(kind, outcome).inc()

    async def keep(self, spool: Spool, seq: int) -> None:
        """Note for good that all records up to that one have been carried out."""
        await self._patiently(lambda: self._cursors.move(_name(spool.server), spool.id, seq))

    async def _take_room(self, server: ServerId, room: Sequence[Said], facts: ServerFacts) -> None:
        for one in room:
            try:
                await self._one(server, one, facts)
            except InvariantBroken as error:
                # its desk takes nothing any more: the others must not wait for it, so it is only written down
                self.count(kind_of(one.fact), "broken")
                _log.error("record_not_taken", server=server, why=str(error), record=encode(one.fact))
            else:
                self.count(kind_of(one.fact), "taken")

    async def _one(self, server: ServerId, said: Said, facts: ServerFacts) -> None:
        match said.fact:
            case MatchStarted() as fact:
                self._remember(server, fact, live=said.live)
            case GameOver() as fact:
                lead_ends = facts.quick_death_rule >= 2 and not self._is_resumed(fact.code)
                report = of_game(fact, server, self._beginning(server, fact, None), lead_ends=lead_ends)
                await self._file(server, fact, report, f"game{fact.game}")
            case RoomClosed() as fact:
                end = of_end(fact, server, self._beginning(server, fact, fact.started_at))
                self._began.pop((server, fact.room), None)
                if end is not None:
                    await self._file(server, fact, end, "closed")
            case DeathChanged(state=state) if state in {"three", "sudden"}:
                self._metrics.orders.labels("death", "confirmed").inc()
            case DeckJudged() as fact if fact.verdict != "accepted":
                _told(server, fact, outcome=fact.verdict, player=fact.player.nickname, why=fact.reason)
            case JoinRefused() as fact:
                _log.info("join_refused", server=server, player=fact.nickname, room=fact.code, why=fact.why)
            case _:
                pass

    async def _file(self, server: ServerId, fact: GameOver | RoomClosed, report: Report, what: str) -> None:
        """Hand a report in, once for ever: a room is unlike every other that was or will be (F11)."""
        said = RoomReport(
            room_name=fact.name, names=names_of(fact.players), report=report, best_of=fact.best_of
        )
        once = f"plugin/{server}/{fact.room}/{what}"
        await self._patiently(lambda: self._intake.take(said, command_id=once))

    def _is_resumed(self, code: str | None) -> bool:
        """Say whether games of a lost room count in that match: a lead in its room proves nothing (5.5-8)."""
        found = None if code is None else roomcode.find(code)
        state = None if found is None else self._tournaments.running().get(found.tournament)
        table = None if found is None or state is None else state.table(TableId(found.round_no, found.table))
        return table is not None and table.carried != (0, 0)

    def _remember(self, server: ServerId, fact: MatchStarted, *, live: bool) -> None:
        heard = self._clock.now() if live else None
        self._began[server, fact.room] = _Beginning(heard=heard, at=fact.at)
        while len(self._began) > _BEGINNINGS:
            del self._began[next(iter(self._began))]

    def _beginning(self, server: ServerId, fact: InRoom, started_at: int | None) -> Instant | None:
        """Return when the match began by our clock: as it was heard, else from how long it lasted (5.6-4).

        ``None`` where nobody knows. The clock of the duel server is trusted only for lengths of time.
        """
        known = self._began.get((server, fact.room))
        if known is not None and known.heard is not None:
            return known.heard
        started = started_at if known is None else known.at
        return None if started is None else Instant(self._clock.now() - max(0, fact.at - started))

    async def _patiently(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Ask again until the log answers: the plugin keeps the record as long as that takes."""
        while True:
            try:
                return await ask()
            except DependencyError as error:
                _log.warning("record_waits", code=error.code)
            await self._sleep(AGAIN_S)


def _told(server: ServerId, fact: DeckJudged, **more: str) -> None:
    _log.info("deck_judged", server=server, room=fact.name, siding=fact.siding, **more)


def kind_of(fact: Fact | type[Fact]) -> str:
    """Return what a record, or all of its type, is called."""
    return str(fact.__struct_config__.tag)


def _name(server: ServerId) -> str:
    return f"plugin/{server}"
