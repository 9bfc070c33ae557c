"""A plugin as plain as can be, and a daemon's gateway for it to speak to, over a real WebSocket."""

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from websockets.asyncio.client import ClientConnection, connect

from relayd.admin.websocket import serve
from relayd.bridge.bridge import Bridge
from relayd.bridge.gateway.eye import PluginEye
from relayd.bridge.gateway.gateway import Gateway
from relayd.bridge.gateway.questions import Questions
from relayd.bridge.gateway.records import Records
from relayd.bridge.intake import Intake
from relayd.bridge.outlook import Outlook
from relayd.bridge.servers import DuelServer
from relayd.environments import Environments
from relayd.settings import EnvironmentSettings
from relayd.storage.sqlite.cursors import SqliteCursors
from ruleset.ids import ServerId
from ruleset.tournament.state import Table
from srvpro_bridge import protocol as p
from srvpro_bridge.capabilities import ServerFacts
from tests.bridging import World, duel_server, world
from tests.builders import SERVER

TOKEN: Final = "plugin-token"
BOOT: Final = "b007"
FACTS: Final = p.ServerFacts(
    client_version=4962,
    challonge=False,
    tournament_mode=True,
    quick_death_rule=2,
    reconnect_ms=90_000,
    kick_reconnect=True,
    halfway_watch=True,
    connect_limit=False,
    lists=(),
)
HELLO: Final = p.Hello(
    versions=(1,),
    server=SERVER,
    plugin="1.0.0",
    boot=BOOT,
    spool="spool",
    first=0,
    next=1,
    lost=0,
    facts=FACTS,
)
PLUGIN: Final = ServerFacts(id=SERVER, link="plugin", default_environment="ocg")

M = TypeVar("M", bound=p.Message)


class Speaker:
    """The plugin's end of one connection: says what a test wants, hears whatever comes."""

    def __init__(self, socket_: ClientConnection) -> None:
        self.socket = socket_
        self.heard: list[p.FromDaemon] = []
        """What came while something else was waited for."""

    async def say(self, *messages: p.FromPlugin | str | bytes) -> None:
        """Send messages, or frames as they are."""
        for message in messages:
            frame = message if isinstance(message, str | bytes) else p.encode(message)
            await self.socket.send(frame)

    async def hear(self, kind: type[M]) -> M:
        """Return the next message of that kind; all others are kept in ``heard``."""
        async with asyncio.timeout(20):
            while True:
                message = p.from_daemon(await self.socket.recv())
                if isinstance(message, kind):
                    return message
                self.heard.append(message)

    async def told(self, code: str, **wanted: Any) -> p.Table:
        """Return a table once it is, or has been, told with these fields."""
        for message in self.heard:
            if isinstance(message, p.TableChanged) and _fits(message.table, code, wanted):
                return message.table
        while not _fits(table := (await self.hear(p.TableChanged)).table, code, wanted):
            pass
        return table

    async def acked(self, seq: int) -> None:
        """Wait until that record is acknowledged."""
        while (await self.hear(p.Ack)).seq < seq:
            pass

    async def greet(self, hello: p.Hello = HELLO) -> p.Welcome:
        """Say hello and return the welcome."""
        await self.say(hello)
        return await self.hear(p.Welcome)

    async def begin(self, *sights: p.Sight, hello: p.Hello = HELLO) -> p.Welcome:
        """Say hello and which rooms are open: nothing was kept back."""
        welcome = await self.greet(hello)
        await self.say(p.Rooms(after=welcome.ack, rooms=sights))
        return welcome


@dataclass(slots=True, kw_only=True)
class Gate:
    """A daemon's inside with its gateway."""

    here: World
    bridge: Bridge
    gateway: Gateway
    cursors: SqliteCursors
    port: int
    servers: list[DuelServer]
    running: asyncio.Task[None]

    @property
    def eye(self) -> PluginEye:
        """The daemon's eye at the duel server."""
        return self.bridge.plugins[SERVER]

    @property
    def outlook(self) -> Outlook:
        """What that server shows."""
        return self.bridge.outlooks[SERVER]

    def dial(self, token: str | None = TOKEN) -> connect:
        """Open a connection as the plugin does."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return connect(
            f"ws://127.0.0.1:{self.port}/plugin",
            additional_headers=headers,
            compression=None,
            ping_interval=None,
            close_timeout=0.1,
        )

    @asynccontextmanager
    async def plugin(self, token: str | None = TOKEN) -> AsyncIterator[Speaker]:
        """Be a plugin until the end of the block."""
        async with self.dial(token) as line:
            yield Speaker(line)

    async def looked(self) -> None:
        """Wait until all rooms of the first connection are known."""
        async with asyncio.timeout(20):
            await self.outlook.looked.wait()

    async def seen(self) -> None:
        """Let the daemon look at what the plugin has told."""
        await self.eye.look()


@asynccontextmanager
async def gate(folder: Path, *, api: str | None = None, **more: Any) -> AsyncIterator[Gate]:
    """Open a daemon whose duel server ``main`` has our plugin; *api*: also an admin API."""
    plain = duel_server(api, facts=PLUGIN, challonge_key=None, plugin_token=TOKEN, **more)
    other = replace(plain, facts=replace(PLUGIN, id=ServerId("second")), plugin_token="other-token")
    servers = [plain, replace(other, api_url=None)]
    async with world(folder) as here, gate_of(here, servers, folder) as opened:
        yield opened


@asynccontextmanager
async def gate_of(here: World, servers: list[DuelServer], folder: Path) -> AsyncIterator[Gate]:
    """Open the gateway of a daemon that is there."""
    bridge, intake = Bridge(servers, here.http, here.inside), Intake(here.inside)
    cursors = SqliteCursors(folder / "cursors.db")
    records = Records(here.inside, intake, cursors)
    questions = Questions(here.inside, Environments(EnvironmentSettings()))
    gateway = Gateway(servers, bridge.plugins, here.inside, records, questions)
    own = socket.create_server(("127.0.0.1", 0))
    port = int(own.getsockname()[1])
    async with serve(own, {"/plugin": gateway}, gates={"/plugin": gateway.gate}):
        running = asyncio.create_task(bridge.run())
        yield Gate(
            here=here,
            bridge=bridge,
            gateway=gateway,
            cursors=cursors,
            port=port,
            servers=servers,
            running=running,
        )
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    await cursors.close()


def _fits(table: p.Table, code: str, wanted: Mapping[str, object]) -> bool:
    return table.code == code and all(getattr(table, name) == value for name, value in wanted.items())


def player(table: Table, seat: str, pos: int) -> p.Player:
    """Return a player of *table* in its room."""
    return p.Player(pos=_pos(pos), nickname=nick(table, seat), seat=_seat(seat))


def nick(table: Table, seat: str) -> str:
    """Return the nickname that the builders gave."""
    return f"Nick{table.a if seat == 'a' else table.b}"


def game_over(seq: int, table: Table, winners: str, **more: Any) -> p.GameOver:
    """Return the record of the last of some games, A at position 0: ``"ab"`` for 1-1, ``d`` for a draw."""
    games = tuple(p.Game(winner=_winner(w), reason=1, first=0) for w in winners)
    plain: Mapping[str, Any] = {
        **_room(seq, table, more),
        "players": (player(table, "a", 0), player(table, "b", 1)),
        "game": len(winners),
        "winner": _winner(winners[-1]),
        "reason": 1,
        "turn": 7,
        "death": "off",
        "scores": (winners.count("a"), winners.count("b")),
        "games": games,
        "best_of": 3,
    }
    return p.GameOver(**{**plain, **more})


def closed(seq: int, table: Table, winners: str, scores: Any = None, **more: Any) -> p.RoomClosed:
    """Return the record of a room's end, A at position 0; *scores*: by position, else the games won."""
    one, other = (winners.count("a"), winners.count("b")) if scores is None else scores
    plain: Mapping[str, Any] = {
        **_room(seq, table, more),
        "ending": "played",
        "best_of": 3,
        "stage": "end",
        "players": (
            p.Scored(pos=0, nickname=nick(table, "a"), seat="a", score=one),
            p.Scored(pos=1, nickname=nick(table, "b"), seat="b", score=other),
        ),
        "games": tuple(p.Game(winner=_winner(w), reason=1, first=0) for w in winners),
        "begun": len(winners),
        "finished": True,
        "finished_by_death": False,
        "scores_before": None,
        "away": (),
        "duel_end": (0, 1),
        "exit": None,
        "started_at": None,
    }
    return p.RoomClosed(**{**plain, **more})


def sight(table: Table, stage: p.Stage = "begin", **more: Any) -> p.Sight:
    """Return how the room of *table* looks with both players in it, A at position 0."""
    code = f"X12{table.id}"
    plain: Mapping[str, Any] = {
        "room": f"{BOOT}-{table.id}",
        "name": code,
        "code": code,
        "stage": stage,
        "best_of": 3,
        "game": 0,
        "turn": 0,
        "death": 0,
        "players": (seen(table, "a", 0), seen(table, "b", 1)),
        "watchers": 0,
    }
    return p.Sight(**{**plain, **more})


def seen(table: Table, seat: str, pos: int, **more: Any) -> p.SeenPlayer:
    """Return how a player of *table* looks."""
    plain: Mapping[str, Any] = {
        "pos": pos,
        "nickname": nick(table, seat),
        "seat": seat,
        "score": 0,
        "lp": None,
        "ready": False,
        "away": False,
    }
    return p.SeenPlayer(**{**plain, **more})


def opened(seq: int, table: Table) -> p.RoomOpened:
    """Return a record that means nothing to the tournament."""
    return p.RoomOpened(**_room(seq, table, {}), best_of=3, lflist=0, rule=5, time_limit=180, table=True)


def _room(seq: int, table: Table, more: Mapping[str, Any]) -> dict[str, Any]:
    code = more.get("code", f"X12{table.id}")
    return {"seq": seq, "at": 1_000_000, "room": f"{BOOT}-{table.id}", "name": code, "code": code}


def _winner(letter: str) -> Any:
    return {"a": 0, "b": 1, "d": "draw", "?": "unknown"}[letter]


def _pos(pos: int) -> Any:
    return pos


def _seat(seat: str) -> Any:
    return seat
