"""All duel servers together: what they show, for everybody else in the daemon (ports.Sights, LastLook)."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from aiohttp import ClientSession

from relayd.bridge.api import AdminApi, NoAnswer
from relayd.bridge.gateway.eye import PluginEye
from relayd.bridge.inside import Inside
from relayd.bridge.logbook import Logbook
from relayd.bridge.outlook import Outlook
from relayd.bridge.poller import Poller
from relayd.bridge.servers import DuelServer
from relayd.bridge.sighting import Oddity
from relayd.bridge.tables import TableKey, code_of
from relayd.bridge.voices import ApiVoice, Voice
from relayd.ports import LiveTable, ServerHealth
from relayd.storage.log import Entry
from ruleset.errors import CommandRejected
from ruleset.ids import Seat, ServerId, TableId, TournamentNo
from ruleset.tournament import events as e
from ruleset.tournament.state import Tournament
from srvpro_bridge.joinstring import join_string

_CALLS_FOR_A_LOOK: Final = (
    e.RoundPaired,
    e.TimeCalled,
    e.TableTimeCalled,
    e.CapReached,
    e.ExtraGameOrdered,
    e.TableReopened,
    e.ServerBack,
)
"""What changes at once which orders are due, or how often to look."""


class Bridge:
    """An outlook on each duel server that can be seen: by looks at its admin API, by its plugin, or both."""

    def __init__(self, servers: Sequence[DuelServer], http: ClientSession, inside: Inside) -> None:
        self._http, self._inside = http, inside
        self._tournaments, self._metrics = inside.tournaments, inside.metrics
        self._servers: dict[ServerId, DuelServer] = {}
        self.outlooks: dict[ServerId, Outlook] = {}
        self.apis: dict[ServerId, AdminApi] = {}
        self.pollers: dict[ServerId, Poller] = {}
        self.plugins: dict[ServerId, PluginEye] = {}
        self._looking: asyncio.TaskGroup | None = None
        self._looks: dict[ServerId, list[asyncio.Task[None]]] = {}
        self.use(servers)
        self._measure()

    def use(self, servers: Sequence[DuelServer]) -> None:
        """Let these be the duel servers from now on; one that is as it was is not disturbed.

        To one that has changed the daemon comes as after a restart: what it showed before is forgotten.
        """
        before, self._servers = self._servers, {server.id: server for server in servers}
        for gone in [known for known, server in before.items() if self._servers.get(known) != server]:
            self._leave(gone)
        for server in servers:
            if before.get(server.id) != server:
                self._meet(server)
                self._start(server.id)

    @property
    def servers(self) -> Mapping[ServerId, DuelServer]:
        """All of them, in the order of the settings."""
        return self._servers

    async def run(self) -> None:
        """Look at all duel servers until cancelled."""
        stop = self._tournaments.subscribe(self._heard)
        try:
            async with asyncio.TaskGroup() as self._looking:
                for server in self._servers:
                    self._start(server)
                await asyncio.Event().wait()  # also while there is none: others may come
        finally:
            self._looking = None
            stop()

    def voice(self, server: ServerId) -> Voice | None:
        """Return what speaks in the rooms of a duel server; ``None``: nothing does."""
        plugin, api = self.plugins.get(server), self.apis.get(server)
        if plugin is not None and (plugin.connected or api is None):
            return plugin
        return None if api is None else ApiVoice(api)

    def live(self, number: TournamentNo) -> Mapping[TableId, LiveTable]:
        """Return the rooms of a tournament's tables, as last seen."""
        return {
            table: seen for outlook in self.outlooks.values() for table, seen in outlook.live(number).items()
        }

    def health(self) -> Mapping[ServerId, ServerHealth]:
        """Return every duel server of the settings."""
        return {server: self._health(server) for server in self._servers}

    def oddities(self, number: TournamentNo) -> tuple[Oddity, ...]:
        """Return what the host of a tournament should know of duel servers."""
        return tuple(odd for outlook in self.outlooks.values() for odd in outlook.oddities(number))

    def join_string(self, number: TournamentNo, table: TableId) -> str:
        """Return what players type to reach their table. Raises CommandRejected ``unknown_table``."""
        state = self._tournaments.running().get(number)
        found = None if state is None else state.table(table)
        server = None if found is None or found.server is None else self._servers.get(found.server)
        if state is None or found is None or server is None:
            raise CommandRejected("unknown_table", tournament=number, table=str(table))
        return join_string(code_of(number, found), state.settings, server.facts)

    def free(self) -> Mapping[ServerId, int]:
        """Return how many more rooms each duel server takes; those not known yet are left out."""
        known = ((server, outlook.free()) for server, outlook in self.outlooks.items())
        return {server: rooms for server, rooms in known if rooms is not None}

    async def say_at(self, number: TournamentNo, table: TableId, text: str, seat: Seat | None = None) -> None:
        """Say something in the room of a table, or to one of its players; only a plugin can.

        Raises CommandRejected ``unknown_table``, and ``not_heard`` with why.
        """
        with self._heard_at(number, table) as plugin:
            await plugin.say_at(TableKey(number, table), text, seat)

    async def kick_from(self, number: TournamentNo, table: TableId, seat: Seat, text: str) -> None:
        """Throw a player out of his room, who has then lost a match that had begun. Raises as ``say_at``."""
        with self._heard_at(number, table) as plugin:
            await plugin.kick_from(TableKey(number, table), seat, text)

    async def first_look(self) -> None:
        """Wait until every duel server has shown all that it can, or has been given up for now (5.5-7)."""
        await asyncio.gather(*(outlook.looked.wait() for outlook in self.outlooks.values()))

    async def last_look(self, number: TournamentNo) -> None:
        """Look at all rooms of the tournament once and hand in what they show (T10)."""
        state = self._tournaments.running().get(number)
        tables = () if state is None or state.round is None else state.round.open_tables
        eyes = (eye for table in {t.server for t in tables if t.server} for eye in self._eyes(table))
        await asyncio.gather(*(eye.look(orders=False) for eye in eyes))

    @contextmanager
    def _heard_at(self, number: TournamentNo, table: TableId) -> Iterator[PluginEye]:
        """Give the plugin at a table's duel server; that it could not do what it was told is a refusal."""
        state = self._tournaments.running().get(number)
        found = None if state is None else state.table(table)
        if found is None:
            raise CommandRejected("unknown_table", tournament=number, table=str(table))
        plugin = None if found.server is None else self.plugins.get(found.server)
        if plugin is None:
            raise CommandRejected("not_heard", table=str(table), why="its duel server has no plugin")
        try:
            yield plugin
        except NoAnswer as error:
            raise CommandRejected("not_heard", table=str(table), why=error.why) from None

    def _meet(self, server: DuelServer) -> None:
        if not server.eyes:
            return
        api, logbook = None, None
        if server.api_url is not None and server.account is not None:
            api = AdminApi(self._http, server.api_url, server.account, server.pace.timeout_ms)
            logbook = Logbook(server, api, self._inside)
        outlook = self.outlooks[server.id] = Outlook(server, self._inside, logbook)
        if api is not None:
            self.apis[server.id] = api
            self.pollers[server.id] = Poller(server, api, outlook, self._inside)
        if "plugin" in server.eyes:
            self.plugins[server.id] = PluginEye(server, outlook, self._inside)

    def _leave(self, server: ServerId) -> None:
        for look in self._looks.pop(server, ()):
            look.cancel()
        for known in (self.outlooks, self.apis, self.pollers, self.plugins):
            known.pop(server, None)

    def _start(self, server: ServerId) -> None:
        """Begin to look at it, if the others are looked at."""
        if self._looking is not None:
            self._looks[server] = [self._looking.create_task(eye.run()) for eye in self._eyes(server)]

    def _eyes(self, server: ServerId) -> Sequence[Poller | PluginEye]:
        found = self.pollers.get(server), self.plugins.get(server)
        return [eye for eye in found if eye is not None]

    def _health(self, server: ServerId) -> ServerHealth:
        outlook = self.outlooks.get(server)
        if outlook is not None:
            return outlook.health()
        why = "no api_url in the settings: it cannot be looked at"
        return ServerHealth(server=server, state="unknown", last_contact=None, rooms=0, failure=why)

    def _heard(self, _number: TournamentNo, entry: Entry, state: Tournament) -> None:
        if any(isinstance(event, _CALLS_FOR_A_LOOK) for event in entry.events):
            for use in state.settings.servers:
                for eye in self._eyes(use.id):
                    eye.nudge()

    def _measure(self) -> None:
        outlooks = self.outlooks.values()
        self._metrics.rooms.set_function(lambda: sum(len(outlook.seen.rooms) for outlook in outlooks))
        for state in ("up", "lost", "unknown"):
            self._metrics.servers.labels(state).set_function(self._counter(state))

    def _counter(self, state: str) -> Callable[[], float]:
        return lambda: sum(health.state == state for health in self.health().values())
