"""All duel servers together: what they show, for everybody else in the daemon (ports.Sights, LastLook)."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from aiohttp import ClientSession

from relayd.bridge.api import AdminApi
from relayd.bridge.inside import Inside
from relayd.bridge.poller import Poller
from relayd.bridge.servers import DuelServer
from relayd.bridge.sighting import Oddity
from relayd.bridge.tables import code_of
from relayd.ports import LiveTable, ServerHealth
from relayd.storage.log import Entry
from ruleset.errors import CommandRejected
from ruleset.ids import ServerId, TableId, TournamentNo
from ruleset.tournament import events as e
from ruleset.tournament.state import Tournament
from srvpro_bridge.joinstring import join_string

_CALLS_FOR_A_LOOK: Final = (
    e.RoundPaired,
    e.TimeCalled,
    e.CapReached,
    e.ExtraGameOrdered,
    e.TableReopened,
    e.ServerBack,
)
"""What changes at once which orders are due, or how often to look."""


class Bridge:
    """A poller for each duel server that has an admin API."""

    def __init__(self, servers: Sequence[DuelServer], http: ClientSession, inside: Inside) -> None:
        self._servers = {server.id: server for server in servers}
        self._tournaments, self._metrics = inside.tournaments, inside.metrics
        self.apis: dict[ServerId, AdminApi] = {}
        self.pollers: dict[ServerId, Poller] = {}
        for server in servers:
            if server.api_url is not None and server.account is not None:
                api = AdminApi(http, server.api_url, server.account, server.pace.timeout_ms)
                self.apis[server.id] = api
                self.pollers[server.id] = Poller(server, api, inside)
        self._measure()

    async def run(self) -> None:
        """Look at all duel servers until cancelled."""
        stop = self._tournaments.subscribe(self._heard)
        try:
            async with asyncio.TaskGroup() as tasks:
                for poller in self.pollers.values():
                    tasks.create_task(poller.run())
        finally:
            stop()

    def live(self, number: TournamentNo) -> Mapping[TableId, LiveTable]:
        """Return the rooms of a tournament's tables, as last seen."""
        return {
            table: seen for poller in self.pollers.values() for table, seen in poller.live(number).items()
        }

    def health(self) -> Mapping[ServerId, ServerHealth]:
        """Return every duel server of the settings."""
        return {server: self._health(server) for server in self._servers}

    def oddities(self, number: TournamentNo) -> tuple[Oddity, ...]:
        """Return what the host of a tournament should know of duel servers."""
        return tuple(odd for poller in self.pollers.values() for odd in poller.oddities(number))

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
        known = ((server, poller.free()) for server, poller in self.pollers.items())
        return {server: rooms for server, rooms in known if rooms is not None}

    async def first_look(self) -> None:
        """Wait until every duel server has answered once, or has been given up for now (5.5-7)."""
        await asyncio.gather(*(poller.looked.wait() for poller in self.pollers.values()))

    async def last_look(self, number: TournamentNo) -> None:
        """Look at all rooms of the tournament once and hand in what they show (T10)."""
        state = self._tournaments.running().get(number)
        tables = () if state is None or state.round is None else state.round.open_tables
        here = {table.server for table in tables}
        looks = (poller.look(orders=False) for server, poller in self.pollers.items() if server in here)
        await asyncio.gather(*looks)

    def _health(self, server: ServerId) -> ServerHealth:
        poller = self.pollers.get(server)
        if poller is not None:
            return poller.health()
        why = "no api_url in the settings: it cannot be looked at"
        return ServerHealth(server=server, state="unknown", last_contact=None, rooms=0, failure=why)

    def _heard(self, _number: TournamentNo, entry: Entry, state: Tournament) -> None:
        if any(isinstance(event, _CALLS_FOR_A_LOOK) for event in entry.events):
            for use in state.settings.servers:
                if use.id in self.pollers:
                    self.pollers[use.id].nudge()

    def _measure(self) -> None:
        self._metrics.rooms.set_function(lambda: sum(poller.rooms for poller in self.pollers.values()))
        for state in ("up", "lost", "unknown"):
            self._metrics.servers.labels(state).set_function(self._counter(state))

    def _counter(self, state: str) -> Callable[[], float]:
        return lambda: sum(health.state == state for health in self.health().values())
