"""What the plugin of a duel server shows while it is connected, and the hand that acts in its rooms."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, Protocol
from uuid import uuid4

import structlog

from relayd.bridge.api import NoAnswer
from relayd.bridge.gateway.closing import Closing
from relayd.bridge.inside import Inside
from relayd.bridge.outlook import Outlook
from relayd.bridge.servers import DuelServer
from relayd.bridge.tables import TableKey, code_of
from relayd.storage.log import LogBroken, LogDamaged
from ruleset.ids import Seat, TournamentNo
from ruleset.tournament.state import Table
from srvpro_bridge.protocol import Kick, ProtocolError, RoomOrder, Say, Sight
from srvpro_bridge.sights import room_sight

GATHER: Final = 5
"""How many looks a pause may hold where rooms change all the time: changes wait for each other that long."""
MOST_ROOMS: Final = 5_000
"""As many as one message may tell."""
_AWAY: Final = NoAnswer("no_plugin", "the plugin is not connected")
_log = structlog.get_logger()


class Line(Protocol):
    """A connection to the plugin that takes orders (relayd.bridge.gateway.link.Link)."""

    async def order(self, order: RoomOrder) -> str:
        """Give an order and return what came of it. Raises NoAnswer."""
        ...


class PluginEye:
    """One of the eyes of the daemon at a duel server. The gateway fills it, the bridge looks through it."""

    def __init__(self, server: DuelServer, outlook: Outlook, inside: Inside) -> None:
        self._server, self._outlook, self._clock = server.id, outlook, inside.clock
        self._pause_s = server.pace.running_ms / 1_000
        self._tables = inside.tables
        self._closing = Closing(server.id, inside)
        self._metrics = inside.metrics
        self._line: Line | None = None
        self._rooms: dict[str, Sight] = {}
        self._whole = False
        """Every open room has been told in this connection."""
        self._boot: str | None = None
        self._anew = False
        """The duel server has been started anew since the last look."""
        self._heard_at = self._away_since = self._clock.now()
        self._turn = asyncio.Lock()
        self._nudged = asyncio.Event()

    @property
    def connected(self) -> bool:
        """Whether the plugin is there and has told every room."""
        return self._line is not None and self._whole

    def open(self, line: Line, boot: str) -> None:
        """Begin to listen to a connection; another one before it says nothing more."""
        self._line, self._whole = line, False
        self._anew, self._boot = self._anew or self._boot not in {None, boot}, boot
        self.alive()

    def close(self, line: Line) -> None:
        """Note that a connection has ended."""
        if self._line is line:
            self._line, self._whole, self._away_since = None, False, self._clock.now()
            self._nudged.set()

    def alive(self) -> None:
        """Note a sign of life."""
        self._heard_at = self._clock.now()

    def tell(self, sight: Sight) -> None:
        """Take in how one room looks now. Raises ProtocolError where there are too many."""
        if len(self._rooms) >= MOST_ROOMS and sight.room not in self._rooms:
            raise ProtocolError("too_many_rooms", f"a duel server has {MOST_ROOMS} open rooms at most")
        self._rooms[sight.room] = sight
        self._nudged.set()

    def tell_all(self, sights: tuple[Sight, ...]) -> None:
        """Take in all rooms that there are."""
        self._rooms = {sight.room: sight for sight in sights}

    def drained(self) -> None:
        """Note that all rooms are told, and all that happened before this connection is taken."""
        self._whole = True
        self._nudged.set()

    def forget(self, room: str) -> None:
        """Take in that a room is gone."""
        if self._rooms.pop(room, None) is not None:
            self._nudged.set()

    def nudge(self) -> None:
        """Look at once instead of at the next turn."""
        self._nudged.set()

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
                _log.exception("look_broken", server=self._server)
            await self._rest()

    async def look(self, *, orders: bool = True) -> None:
        """Look once: hand in what is new, and close the rooms that have outlived their tables."""
        async with self._turn:
            if self._line is None:
                await self._outlook.fail("plugin", self._away_since, _AWAY)
            elif self._whole:
                rooms = tuple(room_sight(sight) for sight in self._rooms.values())
                anew, self._anew = self._anew, False
                await self._outlook.see("plugin", rooms, self._heard_at, anew=anew)
                if orders:
                    await self._closing.give(self._outlook.seen_by("plugin"), self._line)

    async def say(self, number: TournamentNo, text: str) -> None:
        """Say something in the room of every match of a tournament that goes on; there may be none yet.

        Raises NoAnswer, after the others have been told.
        """
        line = self._connected()
        codes = [code_of(n, table) for n, table in self._tables_here() if n == number]
        orders = [Say(id=_new(), code=str(code), seat=None, text=text, colour="yellow") for code in codes]
        for said in await asyncio.gather(*map(line.order, orders), return_exceptions=True):
            if isinstance(said, BaseException) and not _no_room(said):
                raise said

    async def say_at(self, table: TableKey, text: str, seat: Seat | None = None) -> str:
        """Say something in the room of a table, or to one of its players. Raises NoAnswer."""
        line, code = self._connected(), self._code(table)
        return await line.order(Say(id=_new(), code=code, seat=seat, text=text, colour="yellow"))

    async def kick_from(self, table: TableKey, seat: Seat, text: str) -> str:
        """Throw a player out; after the start he has lost his match (-9). Raises NoAnswer."""
        line, code = self._connected(), self._code(table)
        return await line.order(Kick(id=_new(), code=code, seat=seat, nickname=None, text=text))

    def _connected(self) -> Line:
        if self._line is None:
            raise _AWAY
        return self._line

    def _tables_here(self) -> Iterator[tuple[TournamentNo, Table]]:
        return ((state.number, t) for state, t in self._tables.present(self._server) if t.unfinished)

    def _code(self, wanted: TableKey) -> str:
        for number, table in self._tables_here():
            if wanted == TableKey(number, table.id):
                return str(code_of(number, table))
        raise NoAnswer("no_room", f"no match of {wanted.table} goes on here")

    async def _rest(self) -> None:
        """Wait for changes; without any, look again all the same: what did not get through is said then."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._pause_s):
                await self._nudged.wait()
        await asyncio.sleep(self._pause_s / GATHER)


def _no_room(failure: BaseException) -> bool:
    return isinstance(failure, NoAnswer) and failure.outcome == "no_room"


def _new() -> str:
    return uuid4().hex
