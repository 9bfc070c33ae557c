"""Builders for tests of the bridge: rooms as a duel server shows them, and a daemon's inside to look from."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer

from relayd.bridge.inside import Inside
from relayd.bridge.servers import DuelServer, Pace
from relayd.bridge.tables import RunningTables
from relayd.desks import Desks
from relayd.observe.metrics import Metrics
from relayd.storage.sqlite.log import SqliteLog
from ruleset.ids import PlayerId, ServerId, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.decks import DeckList
from ruleset.tournament.settings import ServerUse, Settings
from ruleset.tournament.state import Table, Tournament
from srvpro_bridge.adminapi import Account, PlayerSight, RoomSight, Stage
from srvpro_bridge.capabilities import ServerFacts
from tests.builders import NUMBER, SERVER, SWISS, deck_of, minutes, numbers, publish
from tests.clocks import FakeClock

ACCOUNT: Final = Account(user="daemon", password="pw1")
KEY: Final = "KEY123"
HERE: Final[Settings] = replace(SWISS, servers=(ServerUse(id=SERVER),))
"""Three rounds of Swiss on the duel server ``main``."""


def duel_server(url: str | None = None, **changes: Any) -> DuelServer:
    """Return the duel server ``main``, looked at as often as a test wishes."""
    plain = DuelServer(
        facts=ServerFacts(id=SERVER),
        api_url=url,
        account=ACCOUNT,
        challonge_key=KEY,
        pace=Pace(running_ms=10, idle_ms=10, timeout_ms=2_000),
    )
    return replace(plain, **changes)


def person(name: str, pos: int, score: int | None = None, lp: int | None = None) -> PlayerSight:
    """Return somebody in a room."""
    return PlayerSight(name=name, pos=pos, score=score, lp=lp)


def room(
    name: str, *people: PlayerSight, stage: Stage = Stage.BEGIN, roomid: str = "17956", **shown: Any
) -> RoomSight:
    """Return a room; the first person sits at position 0."""
    return RoomSight(roomid=roomid, name=name, mode=1, stage=stage, people=people, **shown)


def pair(table: Table, scores: tuple[int, int] = (0, 0)) -> tuple[PlayerSight, PlayerSight]:
    """Return the two players of *table*, A at position 0, under the nicknames of the builders."""
    return person(f"Nick{table.a}", 0, scores[0], 8000), person(f"Nick{table.b}", 1, scores[1], 8000)


def as_json(sight: RoomSight) -> dict[str, object]:
    """Return *sight* as getrooms has it (duel-server.md 1)."""
    begun = sight.stage is not Stage.BEGIN
    users = [
        {
            "id": "-1",
            "name": person.name,
            "ip": None,
            "status": {"score": person.score, "lp": person.lp, "cards": 5} if begun else None,
            "pos": person.pos,
        }
        for person in sight.people
    ]
    shown = {"roommode": sight.mode, "needpass": "false", "users": users, "istart": _istart(sight)}
    return {"roomid": sight.roomid, "roomname": sight.name, **shown}


def _istart(sight: RoomSight) -> str:
    if sight.stage is Stage.BEGIN:
        return "wait"
    if sight.stage is Stage.SIDING:
        return f"Duel:{sight.duel} Siding"
    death = {"off": "", "on": f"/{sight.last_turn}", "sudden": "/Death"}[sight.death]
    return f"Duel:{sight.duel} Turn:{sight.turn}{death}"


Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(slots=True)
class ServerStub:
    """The HTTP API of a duel server whose rooms are whatever the test says."""

    rooms: list[RoomSight] = field(default_factory=list)
    orders: list[tuple[str, str]] = field(default_factory=list)
    """What was ordered: the verb and the room, or the text."""
    ordered: asyncio.Event = field(default_factory=asyncio.Event)
    looks: int = 0
    looked: asyncio.Event = field(default_factory=asyncio.Event)
    instead: Answer | None = None
    """Answers in place of getrooms."""
    deaf: bool = False
    """Orders are not answered."""
    forbidden: frozenset[str] = frozenset()
    """Orders that the account may not give."""
    logged: bytes | None = None
    """Its duel log; ``None``: it has no database."""
    asked: list[str] = field(default_factory=list)
    """The rooms whose log was asked for."""
    url: str = ""

    async def getrooms(self, request: web.Request) -> web.StreamResponse:
        """Show the rooms."""
        self.looks += 1
        self.looked.set()
        if self.instead is not None:
            return await self.instead(request)
        return web.json_response({"rooms": [as_json(sight) for sight in self.rooms]})

    async def message(self, request: web.Request) -> web.Response:
        """Take an order and say yes to it."""
        said = {"death": "death ok", "deathcancel": "death cancel ok", "kick": "kick ok", "shout": "shout ok"}
        (verb,) = said.keys() & request.query.keys()
        if verb in self.forbidden:
            return web.Response(text="['密码错误', 0]")
        self.orders.append((verb, request.query[verb]))
        self.ordered.set()
        if self.deaf:
            return web.Response(status=500)
        return web.Response(text=f"['{said[verb]}', '{request.query[verb]}']")

    async def duellog(self, request: web.Request) -> web.Response:
        """Show the log (duel-server.md 8)."""
        self.asked.append(request.query["roomname"])
        return web.Response(status=400) if self.logged is None else web.Response(body=self.logged)


@asynccontextmanager
async def serving(stub: ServerStub) -> AsyncIterator[ServerStub]:
    """Let *stub* listen on loopback."""
    app = web.Application()
    app.add_routes([web.get("/api/getrooms", stub.getrooms), web.get("/api/message", stub.message)])
    app.add_routes([web.get("/api/duellog", stub.duellog)])
    async with TestServer(app) as server:
        stub.url = str(server.make_url("")).rstrip("/")
        yield stub


@dataclass(slots=True, kw_only=True)
class World:
    """A daemon's inside on a real log, with a clock that the test moves."""

    log: SqliteLog
    desks: Desks
    clock: FakeClock
    inside: Inside
    http: ClientSession

    def state(self, number: TournamentNo = NUMBER) -> Tournament:
        """Return a tournament that runs, as it is right now."""
        return self.desks.running()[number]

    def table(self, table: int = 1, number: TournamentNo = NUMBER) -> Table:
        """Return a table of the present round."""
        played = self.state(number).round
        assert played is not None
        return next(found for found in played.tables.values() if found.id.table == table)

    async def do(self, *commands: c.Command, number: TournamentNo = NUMBER) -> None:
        """Carry out *commands*."""
        for command in commands:
            await self.desks.handle(number, command, by="host")

    async def begin(
        self,
        count: int,
        settings: Settings = HERE,
        *,
        number: TournamentNo = NUMBER,
        first: int = 1,
        nicknames: Mapping[int, str] | None = None,
        deck: Callable[[int], DeckList] = deck_of,
    ) -> Tournament:
        """Bring a tournament of players *first*, *first* + 1, … into its first round."""
        await self.enter(count, settings, number=number, first=first, nicknames=nicknames, deck=deck)
        granted = dict.fromkeys(self.state(number).signed_in(), 1_000)
        await self.do(c.Start(confirmed=True, granted=granted, now=self.clock.now()), number=number)
        return self.state(number)

    async def enter(
        self,
        count: int,
        settings: Settings = HERE,
        *,
        number: TournamentNo = NUMBER,
        first: int = 1,
        nicknames: Mapping[int, str] | None = None,
        deck: Callable[[int], DeckList] = deck_of,
    ) -> None:
        """Publish a tournament and sign players in."""
        await self.do(replace(publish(settings), number=number), number=number)
        for player in [PlayerId(n + first - 1) for n in numbers(count)]:
            nickname = (nicknames or {}).get(player, f"Nick{player}")
            await self.do(
                c.Register(player=player, nickname=nickname, now=minutes(-120)),
                c.SubmitDeck(player=player, deck=deck(player), verdict="legal"),
                c.SignIn(player=player, by_host=True, now=minutes(-45)),
                number=number,
            )


@asynccontextmanager
async def world(folder: Path) -> AsyncIterator[World]:
    """Open a world in *folder*."""
    clock, log = FakeClock(), SqliteLog(folder / "relayd.db")
    desks = Desks(log, clock.now)
    await desks.open(frozenset())
    inside = Inside(tournaments=desks, tables=RunningTables(desks), clock=clock, metrics=Metrics())
    async with ClientSession() as http:
        yield World(log=log, desks=desks, clock=clock, inside=inside, http=http)
    await log.close()


def counted(metrics: Metrics, name: str, **labels: str) -> float:
    """Return what a counter of *metrics* stands at."""
    return metrics.registry.get_sample_value(name, labels) or 0.0


SERVER_B: Final = ServerId("second")
