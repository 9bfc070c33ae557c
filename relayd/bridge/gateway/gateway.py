"""Lets the plugins of duel servers in: token, hello, welcome; then each has a link, the newest one counts."""

import asyncio
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Final

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.http11 import Request, Response

from relayd.bridge.gateway.door import Door, Reason, goodbye, peer_of
from relayd.bridge.gateway.eye import PluginEye
from relayd.bridge.gateway.intray import Intray
from relayd.bridge.gateway.link import Ended, Link, read
from relayd.bridge.gateway.outbox import Outbox
from relayd.bridge.gateway.questions import Questions
from relayd.bridge.gateway.records import Records, Spool
from relayd.bridge.gateway.telling import Telling
from relayd.bridge.inside import Inside
from relayd.bridge.servers import DuelServer
from relayd.storage.log import Entry, LogError
from ruleset.ids import ServerId, TournamentNo
from ruleset.tournament.state import Tournament
from srvpro_bridge.protocol import Hello, Policy, ProtocolError, Welcome, encode, negotiate

PATH: Final = "/plugin"
HELLO_S: Final = 10.0
"""How long a connection may say nothing at first (F13)."""
POLICY: Final = Policy(report="all", ask_seat=True, silence="pass")
"""Rooms without a code are matched by names (5.6-2). The plugin knows the frozen decks and need not ask."""
_CHANGED: Final = "the settings of this duel server have changed"
_REPLACED: Final = "a newer connection of this duel server has come"
_SPOKEN: Final[Mapping[int, str]] = {1002: "no_websocket", 1007: "no_text", 1009: "too_large"}
"""Codes with which our own side closes a connection for what was sent."""
_REASONS: Final[Mapping[str, Reason]] = {"version": "version", "wrong_server": "server"}
_log = structlog.get_logger()


class Place:
    """Where the plugin of one duel server connects: one connection works, the newest waits for its end."""

    def __init__(self, server: DuelServer, eye: PluginEye) -> None:
        self.eye, self.telling = eye, Telling(server.facts)
        self.turn = asyncio.Lock()
        self.newest: object = None
        self.link: Link | None = None
        self.hello: Hello | None = None
        """What the plugin said of its server when it came last."""


@dataclass(slots=True)
class Visit:
    """What is told of a connection once it has ended."""

    server: ServerId
    peer: str
    began: float
    hello: Hello | None = None
    carried: Mapping[str, int] | None = None


class Gateway:
    """The handler of ``/plugin``."""

    def __init__(
        self,
        servers: Iterable[DuelServer],
        eyes: Mapping[ServerId, PluginEye],
        inside: Inside,
        records: Records,
        questions: Questions,
    ) -> None:
        """*eyes*: one for each of *servers* that has a plugin, also later, when others are used."""
        self._eyes = eyes
        self._places: dict[ServerId, Place] = {}
        self._door = Door((), inside.metrics)
        self._tournaments, self._metrics = inside.tournaments, inside.metrics
        self._records, self._questions = records, questions
        self.use(servers)

    def use(self, servers: Iterable[DuelServer]) -> None:
        """Let in the plugins of these duel servers from now on; a link whose server has another eye ends."""
        known = [server for server in servers if server.plugin_token is not None]
        before, self._door = self._places, Door(known, self._metrics)
        self._places = {server.id: self._place(server) for server in known}
        for server, place in before.items():
            if place is not self._places.get(server) and place.link is not None:
                place.link.end("settings", _CHANGED)

    def hello(self, server: ServerId) -> Hello | None:
        """Return what the plugin of a duel server said of it; ``None``: it is not connected."""
        place = self._places.get(server)
        return None if place is None or place.link is None else place.hello

    def _place(self, server: DuelServer) -> Place:
        place, eye = self._places.get(server.id), self._eyes[server.id]
        return place if place is not None and place.eye is eye else Place(server, eye)

    def gate(self, connection: ServerConnection, request: Request) -> Response | None:
        """Refuse a connection without a token of ours before it is opened."""
        return self._door.gate(connection, request)

    async def __call__(self, connection: ServerConnection) -> None:
        """Talk with one plugin until either side ends it. Raises nothing."""
        server = self._door.server_of(connection.request)
        if server is None:
            await connection.close(CloseCode.POLICY_VIOLATION)
            return
        visit, outcome = Visit(server, peer_of(connection), time.monotonic()), "stopped"
        try:
            outcome = await self._visit(connection, visit)
        finally:
            _told(visit, outcome)

    async def _visit(self, connection: ServerConnection, visit: Visit) -> str:
        """Return how it ended."""
        try:
            visit.hello = await self._hello(connection, visit.server)
            await self._work(connection, visit, visit.hello)
        except ProtocolError as error:
            self._door.refused(error.code, visit.peer, error.message)
            reason = _REASONS.get(error.code, "protocol")
            await goodbye(connection, reason, error.message, error.close_code)
            return error.code
        except Ended as ended:
            return await _dismiss(connection, ended)
        except ConnectionClosed as closed:
            return self._closed(closed, visit)
        except LogError as error:
            _log.error("plugin_stopped", server=visit.server, why=str(error))
            await connection.close(CloseCode.INTERNAL_ERROR)
            return error.code
        await connection.close()
        return "gone"

    async def _hello(self, connection: ServerConnection, server: ServerId) -> Hello:
        """Return the first message. Raises ProtocolError, ConnectionClosed."""
        try:
            async with asyncio.timeout(HELLO_S):
                message = read(await connection.recv())
        except TimeoutError:
            raise ProtocolError("no_hello", f"nothing was said within {HELLO_S} s") from None
        if not isinstance(message, Hello):
            raise ProtocolError("no_hello", "the first message is hello")
        if message.server != server:
            raise ProtocolError("wrong_server", f"this is not the token of {message.server}")
        return message

    async def _work(self, connection: ServerConnection, visit: Visit, hello: Hello) -> None:
        """Welcome the plugin once no other connection of its server works, and run its link."""
        if self._door.server_of(connection.request) != visit.server:
            raise Ended("settings", _CHANGED)
        version, place, me = negotiate(hello.versions), self._places[visit.server], object()
        place.newest = me
        if place.link is not None:
            place.link.end("replaced", _REPLACED)
        async with place.turn:
            spool = Spool(visit.server, hello.spool)
            acked = await self._records.position(spool)
            if place.newest is not me:
                raise Ended("replaced", _REPLACED)
            intray = Intray(hello, spool, acked, self._records, place.eye)
            outbox = Outbox(lambda: place.telling.tables(self._tournaments.running()), acked)
            place.hello = hello
            place.link = Link(visit.server, connection, intray, outbox, place.eye)
            try:
                welcome = Welcome(version=version, ack=acked, policy=POLICY, tables=outbox.told)
                await place.link.send(encode(welcome))
                await self._run(place.link, place.eye, outbox, hello)
            finally:
                visit.carried = asdict(intray.tally) | asdict(place.link.tally)
                place.link = None

    async def _run(self, link: Link, eye: PluginEye, outbox: Outbox, hello: Hello) -> None:
        def changed(_number: TournamentNo, _entry: Entry, _state: Tournament) -> None:
            outbox.changed()

        stop = self._tournaments.subscribe(changed)
        outbox.changed()  # something may have happened since the welcome was made
        eye.open(link, hello.boot)
        try:
            with self._metrics.plugins.track_inprogress():
                await link.run(self._questions)
        finally:
            eye.close(link)
            stop()

    def _closed(self, closed: ConnectionClosed, visit: Visit) -> str:
        """Say why a connection broke: for what was sent, or because the other side has gone."""
        ours = None if closed.sent is None or closed.rcvd_then_sent else closed.sent.code
        spoken = _SPOKEN.get(ours or 0)
        if spoken is not None:
            self._door.refused(spoken, visit.peer, str(closed))
        return spoken or "gone"


async def _dismiss(connection: ServerConnection, ended: Ended) -> str:
    """Say goodbye to a plugin that listens; cut off one that does not."""
    match ended.outcome:
        case "replaced" | "busy" as reason:
            await goodbye(connection, reason, ended.text, CloseCode.TRY_AGAIN_LATER)
        case _:
            connection.transport.abort()
    return ended.outcome


def _told(visit: Visit, outcome: str) -> None:
    """Write the one line about a connection."""
    hello, ms = visit.hello, round((time.monotonic() - visit.began) * 1_000)
    who = {} if hello is None else {"plugin": hello.plugin, "boot": hello.boot, "lost": hello.lost}
    told = {"server": visit.server, "peer": visit.peer, "outcome": outcome, "ms": ms}
    _log.info("plugin_connection", **told, **who, **(visit.carried or {}))
