"""What one duel server shows, through all the eyes on it; what is new there goes to the tournaments.

There may be two eyes: looks at its admin API, and its plugin. Each has its own past, for each names the
instances of rooms in its own way; what is told to people and tournaments is what both show together. Of a
room that both show the plugin's word counts.
"""

import asyncio
from collections.abc import Mapping
from typing import Final

import structlog

from relayd.bridge.api import NoAnswer
from relayd.bridge.contact import Contact
from relayd.bridge.inside import Inside
from relayd.bridge.instances import Instances
from relayd.bridge.logbook import Logbook
from relayd.bridge.servers import DuelServer, Source
from relayd.bridge.sighting import Look, Oddity, live_table, read_rooms
from relayd.bridge.tables import TableKey
from relayd.bridge.witness import Witness
from relayd.ports import LiveTable, ServerHealth
from ruleset.ids import SECOND_MS, Instant, TableId, TournamentNo
from ruleset.tournament.state import Table
from srvpro_bridge.adminapi import RoomSight

MISSING_AFTER_MS: Final = 30 * SECOND_MS
"""How long a match may have no room and no report before the host is asked (F31)."""
_NOTHING: Final = Look(rooms=(), present={}, oddities=frozenset(), foreign=0)
_log = structlog.get_logger()


class Eye:
    """One way to see a duel server, with what it showed before."""

    def __init__(self, contact: Contact) -> None:
        self.contact = contact
        self.instances = Instances()
        self.rooms: tuple[RoomSight, ...] = ()
        """As last seen."""


class Outlook:
    """The view of one duel server."""

    def __init__(self, server: DuelServer, inside: Inside, logbook: Logbook | None = None) -> None:
        self._server, self._logbook = server, logbook
        self._tournaments, self._tables, self._clock = inside.tournaments, inside.tables, inside.clock
        self._witness = Witness(server.id, inside)
        now = self._clock.now()
        self._eyes = {source: Eye(Contact(server.id, source, now)) for source in server.eyes}
        self._together = Instances()
        self._seen, self._seen_at = _NOTHING, now
        self._turn = asyncio.Lock()
        self.looked = asyncio.Event()
        """Set once all is known that can be known, or its tables have been paused (5.5-7)."""

    def contact(self, source: Source) -> Contact:
        """Return how it answers to one of the eyes."""
        return self._eyes[source].contact

    @property
    def seen(self) -> Look:
        """What all eyes together saw last."""
        return self._seen

    def seen_by(self, source: Source) -> Look:
        """Return what was seen last, without the rooms that the other eye has shown."""
        own = frozenset(room.roomid for room in self._eyes[source].rooms)
        rooms = tuple(sight for sight in self._seen.rooms if sight.room.roomid in own)
        return Look(rooms=rooms, present={}, oddities=frozenset(), foreign=0)

    async def see(
        self,
        source: Source,
        rooms: tuple[RoomSight, ...],
        at: Instant | None = None,
        *,
        anew: bool = False,
    ) -> None:
        """Take in all rooms that one eye shows, as of now or of *at*, and hand in what is new.

        *anew*: the eye says that the server has been started since it showed its rooms last.
        """
        async with self._turn:
            eye, alone = self._eyes[source], self._read(rooms)
            if (anew or eye.contact.failures) and eye.instances.all_gone(alone, self._here()):
                await self._witness.lose(eye.contact.since)
            eye.contact.answered(self._clock.now() if at is None else at, len(rooms))
            await self._witness.regain(eye.instances.going_on(alone, self._here()))
            eye.rooms = rooms
            look = alone if len(self._eyes) == 1 else self._read(self._all_rooms())
            self._report_oddities(look)
            self._seen, self._seen_at = look, self._clock.now()
            await self._witness.see(look)
            eye.instances.keep(alone, self._playing(), self._clock.now())
            await self._miss_rooms(look)
            if source == "plugin" or "plugin" not in self._eyes:
                self.looked.set()

    async def fail(self, source: Source, asked: Instant, failure: NoAnswer) -> None:
        """Note that one eye saw nothing; its tables pause once no eye has seen anything for too long."""
        async with self._turn:
            self._eyes[source].contact.failed(asked, failure)
            contacts = [eye.contact for eye in self._eyes.values()]
            if all(contact.lost(self._clock.now()) for contact in contacts):
                await self._witness.lose(max(contact.since for contact in contacts))
                self.looked.set()

    def health(self) -> ServerHealth:
        """Return how the server is doing: as well as through the eye that sees it best."""
        told = [eye.contact.health(self._clock.now()) for eye in self._eyes.values()]
        best = min(told, key=lambda health: ("up", "unknown", "lost").index(health.state))
        return ServerHealth(
            server=self._server.id,
            state=best.state,
            last_contact=max((h.last_contact for h in told if h.last_contact is not None), default=None),
            rooms=max(health.rooms for health in told),
            failure="; ".join(health.failure for health in told if health.failure),
        )

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

    def _here(self) -> frozenset[TableKey]:
        """Return the tables that are still to be played here."""
        return frozenset(TableKey(s.number, t.id) for s, t in self._tables.present(self._server.id))

    def _all_rooms(self) -> tuple[RoomSight, ...]:
        """Return the rooms of both eyes; the plugin's word counts as long as it is there."""
        plugin, api = self._eyes.get("plugin"), self._eyes.get("api")
        if plugin is None or api is None:
            return plugin.rooms if plugin is not None else api.rooms if api is not None else ()
        if plugin.contact.failures:
            return api.rooms
        told = frozenset(room.name for room in plugin.rooms)
        return (*plugin.rooms, *(room for room in api.rooms if room.name not in told))

    def _read(self, rooms: tuple[RoomSight, ...]) -> Look:
        return read_rooms(self._tables.index(), self._tournaments.running(), self._server.id, rooms)

    async def _miss_rooms(self, look: Look) -> None:
        self._together.keep(look, self._playing(), self._clock.now())
        gone = self._together.without_room(Instant(self._clock.now() - MISSING_AFTER_MS))
        if gone and self._logbook is not None:
            await self._logbook.look_up(gone)
        if missing := gone & self._playing():
            await self._witness.miss(missing)
        self._together.forget(gone - self._playing())

    def _playing(self) -> frozenset[TableKey]:
        """Return the tables here whose match should be in a room right now."""
        here = self._tables.present(self._server.id)
        return frozenset(TableKey(state.number, table.id) for state, table in here if _plays(table))

    def _report_oddities(self, look: Look) -> None:
        for odd in sorted(look.oddities - self._seen.oddities, key=lambda odd: (odd.tournament, odd.table)):
            where = {"server": odd.server, "tournament": odd.tournament, "table": str(odd.table)}
            _log.warning("oddity", kind=odd.kind, room=odd.room_name, names=odd.names, **where)


def _plays(table: Table) -> bool:
    return table.status == "playing" and table.lost_at is None and table.extra_games == 0
