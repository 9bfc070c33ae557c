"""A duel server of its own: rooms and their people, the admin API, the Challonge module."""

from collections.abc import Mapping
from types import TracebackType
from typing import Self

import aiohttp
from aiohttp import web

from srvpro_bridge.simulator import events as e
from srvpro_bridge.simulator.api import Api, Trouble
from srvpro_bridge.simulator.clients import LOCAL
from srvpro_bridge.simulator.clock import Cancellable, Clock, ScaledClock
from srvpro_bridge.simulator.config import ServerConfig
from srvpro_bridge.simulator.duellog import DuelLog
from srvpro_bridge.simulator.linking import Challonge
from srvpro_bridge.simulator.lobby import Lobby
from srvpro_bridge.simulator.orders import Orders
from srvpro_bridge.simulator.passwords import read_password
from srvpro_bridge.simulator.play import RoomRules
from srvpro_bridge.simulator.plugin.plugin import Plugin
from srvpro_bridge.simulator.reporting import final_score, score_now
from srvpro_bridge.simulator.room import Room
from srvpro_bridge.simulator.seats import Seat


class DuelServer:
    """A running server: ``async with DuelServer(config) as server``.

    Rooms are driven by players who join, or by hand: ``server.rooms["M#X1R1T1"].win("Alice")``.
    """

    def __init__(self, config: ServerConfig, clock: Clock | None = None) -> None:
        """*clock* runs the rooms; ``None``: the world's own pace."""
        self.config = config
        self.log = DuelLog()
        self.rules = RoomRules(
            quick_death_rule=config.quick_death_rule,
            wait_time_s=config.reconnect_wait_s,
            deck_lock=config.tournament_mode,
            challonge=config.challonge is not None,
            forbidden=frozenset(config.forbidden),
        )
        self._given_clock = clock
        self._lobby = Lobby(config, self._open_room)
        orders = Orders(self._lobby, self.lose_rooms)
        self._api = Api(config, self._lobby, orders, self.log, self.lose_rooms)
        self._alarms: dict[Room, Cancellable] = {}
        self._port = config.port

    async def __aenter__(self) -> Self:
        self.clock = self._given_clock or ScaledClock()
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None))
        if self.config.challonge is not None:
            self._lobby.challonge = Challonge(self.config.challonge, self._session)
        if self.config.plugin is not None:
            self._lobby.plugin = Plugin(self.config.plugin, self.config, self.clock, self._lobby.throw_out)
        try:
            await self.open_api()
        except OSError:
            await self._end()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end()

    @property
    def url(self) -> str:
        """Return where the admin API is."""
        return f"http://{self.config.host}:{self._port}"

    @property
    def rooms(self) -> Mapping[str, Room]:
        """Return the rooms by their full names."""
        return self._lobby.rooms

    @property
    def plugin(self) -> Plugin | None:
        """Return our plugin, where it is installed."""
        return self._lobby.plugin

    @property
    def leads(self) -> bool:
        """Return whether players find their rooms whatever they type."""
        return self._lobby.challonge is not None or self._lobby.plugin is not None

    @property
    def trouble(self) -> Trouble:
        """Return how the API fails; change it at will."""
        return self._api.trouble

    async def join(self, name: str, password: str = "", *, ip: str = LOCAL) -> Seat:
        """Connect somebody under the *name* that he typed. Raises Refused with what he is told."""
        return await self._lobby.join(name, password, ip)

    def returning(self, name: str, password: str = "", *, ip: str = LOCAL) -> Seat | None:
        """Connect somebody who was dropped; ``None``: he has no seat to return to. Raises Refused."""
        return self._lobby.returning(name, password, ip)

    def stop(self, text: str | None) -> None:
        """Refuse whoever joins anew, with *text*; ``None``: let them in again."""
        self._lobby.stopped = text

    async def scores_sent(self) -> None:
        """Wait until every score that is on its way was taken or given up."""
        if self._lobby.challonge is not None:
            await self._lobby.challonge.drain()

    async def open_api(self) -> None:
        """Listen, on the same port as before; a plugin begins its work with it."""
        self._runner = web.AppRunner(self._api.app(), access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self.config.host, self._port, reuse_address=True)
        await site.start()
        self._port = int(self._runner.addresses[0][1])
        if self._lobby.plugin is not None:
            self._lobby.plugin.start()

    async def close_api(self) -> None:
        """Stop listening; the rooms play on."""
        await self._runner.cleanup()

    async def crash(self) -> None:
        """Die with all rooms; nothing is reported. `open_api` starts it again, empty."""
        if self._lobby.challonge is not None:
            await self._lobby.challonge.close()
        if self._lobby.plugin is not None:
            await self._lobby.plugin.stop()
        self.lose_rooms()
        await self.close_api()

    def lose_rooms(self) -> None:
        """Lose all rooms without a report, as a process does that dies and comes back at once."""
        for room in list(self._lobby.rooms.values()):
            for seat in self._lobby.seats.get(room, ()):
                seat.shut()
            self._forget(room)
        if self._lobby.plugin is not None:
            self._lobby.plugin.reboot()

    async def _end(self) -> None:
        await self.crash()
        await self._session.close()

    def _open_room(self, rid: int, name: str) -> Room:
        plugin, options = self._lobby.plugin, read_password(name)
        room = Room(
            rid=rid,
            name=name,
            options=options if plugin is None else plugin.options(name, options),
            rules=self.rules,
            clock=self.clock.now,
            listener=self._hear,
        )
        if plugin is not None:
            room.judge = plugin.judge
            plugin.opened(room)
        return room

    def _hear(self, room: Room, event: e.Event) -> None:
        """Tell everybody in the room, then do the server's own part."""
        for seat in list(self._lobby.seats.get(room, ())):
            seat.hear(event)
        if self._lobby.plugin is not None:
            self._lobby.plugin.hear(room, event)
        match event:
            case e.Returned(client=client):
                self._lobby.displace(room, client)
            case e.GameWon(winner=winner):
                self.log.add(room, winner)
            case e.SideAsked():
                self._post_midway(room)
            case e.Deleted():
                self._post_end(room)
                self._forget(room)
            case _:
                pass
        self._arm(room)

    def _post_midway(self, room: Room) -> None:
        challonge, match = self._lobby.challonge, self._lobby.matches.get(room)
        if challonge is not None and match is not None and challonge.link.post_score_midduel:
            challonge.post(match.id, score_now(room, match, challonge.link), None)

    def _post_end(self, room: Room) -> None:
        challonge, match = self._lobby.challonge, self._lobby.matches.get(room)
        if challonge is not None and match is not None and room.score.points and not room.kicked:
            challonge.post(match.id, *final_score(room, match, challonge.link))

    def _forget(self, room: Room) -> None:
        self._lobby.forget(room)
        room.deleted = True
        alarm = self._alarms.pop(room, None)
        if alarm is not None:
            alarm.cancel()

    def _arm(self, room: Room) -> None:
        """Set the alarm for whatever is due next in the room."""
        alarm = self._alarms.pop(room, None)
        if alarm is not None:
            alarm.cancel()
        moment = room.deadline()
        if moment is not None and not room.deleted:
            self._alarms[room] = self.clock.call_at(moment, lambda: self._wake(room))

    def _wake(self, room: Room) -> None:
        room.tick()
        self._arm(room)
