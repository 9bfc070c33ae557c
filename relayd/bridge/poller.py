"""Looks at one duel server again and again: once a second while a round runs there, gently else."""

import asyncio
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

import structlog

from relayd.bridge.api import AdminApi, NoAnswer
from relayd.bridge.contact import Contact
from relayd.bridge.inside import Inside
from relayd.bridge.instances import Instances
from relayd.bridge.orderer import Orderer
from relayd.bridge.servers import DuelServer
from relayd.bridge.sighting import Look, Oddity, live_table, read_rooms
from relayd.bridge.tables import TableKey
from relayd.bridge.witness import Witness
from relayd.ports import LiveTable, ServerHealth
from relayd.storage.log import LogBroken, LogDamaged
from ruleset.ids import SECOND_MS, Instant, TableId, TournamentNo
from ruleset.tournament.state import Table
from srvpro_bridge.adminapi import RoomSight

MISSING_AFTER_MS: Final = 30 * SECOND_MS
"""How long a match may have no room and no report before the host is asked (F31)."""
_NOTHING: Final = Look(rooms=(), present={}, oddities=frozenset(), foreign=0)
_log = structlog.get_logger()


class Poller:
    """The eyes and, through its orderer, the hand of the daemon at one duel server."""

    def __init__(
        self,
        server: DuelServer,
        api: AdminApi,
        inside: Inside,
        *,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._server, self._api, self._jitter = server, api, jitter
        self._tournaments, self._tables = inside.tournaments, inside.tables
        self._clock, self._metrics = inside.clock, inside.metrics
        self._contact = Contact(server.id, self._clock.now())
        self._witness = Witness(server.id, inside)
        self._orderer = Orderer(server.id, api, inside)
        self._instances = Instances()
        self._seen, self._seen_at = _NOTHING, self._clock.now()
        self._turn = asyncio.Lock()
        self._nudged = asyncio.Event()
        self.looked = asyncio.Event()
        """Set once the server has answered, or its tables have been paused (5.5-7)."""

    async def run(self) -> None:
        """Look until cancelled. Raises what ends the daemon: LogBroken, LogDamaged."""
        while True:
            self._nudged.clear()
            try:
                await self.look()
            except (LogBroken, LogDamaged):
                raise
            except Exception:  # noqa: BLE001  root of a task: one bug must not end all looks
                self._metrics.polls.labels("broken").inc()
                _log.exception("look_broken", server=self._server.id)
            await self._rest()

    def nudge(self) -> None:
        """Look at once instead of at the next turn."""
        self._nudged.set()

    async def look(self, *, orders: bool = True) -> None:
        """Look once: hand in what is new, and give the orders that it calls for."""
        async with self._turn:
            asked = self._clock.now()
            try:
                with self._metrics.poll_seconds.time():
                    rooms = await self._api.rooms()
            except NoAnswer as failure:
                await self._unanswered(asked, failure)
            else:
                await self._answered(rooms)
                if orders:
                    await self._orderer.give(self._seen)

    def health(self) -> ServerHealth:
        """Return how the server is doing."""
        return self._contact.health(self._clock.now())

    def free(self) -> int | None:
        """Return how many more rooms it takes, those of open tables taken off; ``None``: not known."""
        match self.health().state:
            case "unknown":
                return None
            case "lost":
                return 0
            case "up":
                ours = sum(1 for _ in self._tables.present(self._server.id))
                return max(0, self._server.capacity - self._seen.foreign - ours)

    @property
    def rooms(self) -> int:
        """The rooms that are a table's, as last seen."""
        return len(self._seen.rooms)

    def live(self, number: TournamentNo) -> Mapping[TableId, LiveTable]:
        """Return the rooms of a tournament's matches that go on, as last seen."""
        return {
            key.table: live_table(rooms[0], self._server.id, self._seen_at)
            for key, rooms in self._seen.present.items()
            if key.tournament == number
        }

    def oddities(self, number: TournamentNo) -> tuple[Oddity, ...]:
        """Return what the host of a tournament should know, in order of tables."""
        found = [odd for odd in self._seen.oddities if odd.tournament == number]
        return tuple(sorted(found, key=lambda odd: (odd.table, odd.kind, odd.room_name)))

    async def _unanswered(self, asked: Instant, failure: NoAnswer) -> None:
        self._metrics.polls.labels(failure.outcome).inc()
        self._contact.failed(asked, failure)
        if self._contact.lost(self._clock.now()):
            await self._witness.lose(self._contact.since)
            self.looked.set()

    async def _answered(self, rooms: tuple[RoomSight, ...]) -> None:
        self._metrics.polls.labels("ok").inc()
        look = read_rooms(self._tables.index(), self._tournaments.running(), self._server.id, rooms)
        if self._contact.failures and self._instances.all_gone(look):
            await self._witness.lose(self._contact.since)
        self._contact.answered(self._clock.now(), len(rooms))
        here = frozenset(TableKey(s.number, t.id) for s, t in self._tables.present(self._server.id))
        await self._witness.regain(self._instances.going_on(look, here))
        self._report_oddities(look)
        self._seen, self._seen_at = look, self._clock.now()
        await self._witness.see(look)
        await self._miss_rooms(look)
        self.looked.set()

    async def _miss_rooms(self, look: Look) -> None:
        self._instances.keep(look, self._playing(), self._clock.now())
        gone = self._instances.without_room(Instant(self._clock.now() - MISSING_AFTER_MS))
        if gone:
            await self._witness.miss(gone)
            self._instances.forget(gone - self._playing())

    def _playing(self) -> frozenset[TableKey]:
        """Return the tables here whose match should be in a room right now."""
        here = self._tables.present(self._server.id)
        return frozenset(TableKey(state.number, table.id) for state, table in here if _plays(table))

    def _report_oddities(self, look: Look) -> None:
        for odd in sorted(look.oddities - self._seen.oddities, key=lambda odd: (odd.tournament, odd.table)):
            where = {"server": odd.server, "tournament": odd.tournament, "table": str(odd.table)}
            _log.warning("oddity", kind=odd.kind, room=odd.room_name, names=odd.names, **where)

    async def _rest(self) -> None:
        with suppress(TimeoutError):
            running = any(self._tables.present(self._server.id))
            pause = self._server.pace.pause_ms(self._contact.failures, self._jitter(), running=running)
            async with asyncio.timeout(pause / 1_000):
                await self._nudged.wait()


def _plays(table: Table) -> bool:
    return table.status == "playing" and table.lost_at is None and table.extra_games == 0
