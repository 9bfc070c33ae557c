"""A daemon without duel servers and with a clock that stands still: real desks, a real log, admin."""

import asyncio
import json
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from deckcheck.environments import retro
from deckcheck.pools import pool_limits
from relayd.admin.buckets import Buckets
from relayd.admin.calls import METHODS
from relayd.admin.dispatcher import Dispatcher
from relayd.admin.parts import Parts
from relayd.admin.peers import LocalUsers
from relayd.admin.unixsocket import AdminSocket
from relayd.app.reloading import Reloaded
from relayd.bridge.examining import Examination
from relayd.bridge.intake import Stray
from relayd.bridge.sighting import Oddity
from relayd.desks import Desks
from relayd.directory import Directory
from relayd.environments import Environments
from relayd.live.hub import Hub
from relayd.observe.logging import Level
from relayd.observe.metrics import Metrics
from relayd.ports import LiveTable, ServerHealth
from relayd.public import public_entry, public_gap, public_view
from relayd.publishing import Publishing
from relayd.settings import DuelServer, EnvironmentSettings, ServerHabits, Settings
from relayd.starting import Starting
from relayd.storage.sqlite.accounts import SqliteAccounts
from relayd.storage.sqlite.log import SqliteLog
from relayd.storage.sqlite.webhooks import SqliteHooks
from relayd.storage.webhooks import Hook
from relayd.submitting import Submitting
from relayd.webhooks.courier import Courier
from relayd.webhooks.hooks import Hooks
from ruleset.errors import CommandRejected
from ruleset.ids import Instant, PlayerId, Seat, ServerId, TableId, TournamentNo
from srvpro_bridge.doctor import Finding
from tests.clocks import FakeClock

SERVER = DuelServer(
    id="main",
    host="duel.example.org",
    link="challonge",
    challonge_key_file=Path("/nowhere/key"),
    habits=ServerHabits(default_environment=""),
)
PLAN: Mapping[str, Any] = {"title": "Cup", "format": "swiss", "rounds": 3, "environment": "goat"}


@dataclass(kw_only=True)
class Seen:
    """What duel servers show, as the test says (relayd.ports.Sights)."""

    tables: dict[TableId, LiveTable] = field(default_factory=dict)
    odd: list[Oddity] = field(default_factory=list)
    strays: list[Stray] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    """What was done in rooms."""

    def live(self, _number: TournamentNo) -> Mapping[TableId, LiveTable]:
        """Return the rooms that the test put there."""
        return self.tables

    def health(self) -> Mapping[ServerId, ServerHealth]:
        """Return one server that is up."""
        main = ServerId("main")
        up = ServerHealth(server=main, state="up", last_contact=Instant(1), rooms=2, failure="")
        return {main: up}

    def join_string(self, number: TournamentNo, table: TableId) -> str:
        """Return the code behind ``M#``."""
        return f"M#X{number}{table}"

    def free(self) -> Mapping[ServerId, int]:
        """Return 98 rooms."""
        return {ServerId("main"): 98}

    async def say_at(self, number: TournamentNo, table: TableId, text: str, seat: Seat | None = None) -> None:
        """Write down what was said."""
        self.done.append(f"say X{number}{table} {seat} {text}")

    async def kick_from(self, number: TournamentNo, table: TableId, seat: Seat, text: str) -> None:
        """Refuse, as where there is no plugin."""
        raise CommandRejected(
            "not_heard", table=str(table), why=f"nobody at seat {seat} of X{number}: {text}"
        )


@dataclass(kw_only=True)
class Outside:
    """The world behind the webhooks, as the test says (webhooks.delivery.Delivery)."""

    troubles: list[str] = field(default_factory=list)
    """What comes of the next tries; then all goes well."""
    told: list[tuple[int, str, bytes]] = field(default_factory=list)
    """Hook, name and body of every message that was tried."""
    pauses: list[float] = field(default_factory=list)

    hanging: int = 0
    """The hook whose receiver does not answer."""
    moved: asyncio.Event = field(default_factory=asyncio.Event)

    def hang(self, hook: int) -> None:
        """Let the receiver of a hook hang from now on, and no other."""
        self.hanging = hook
        self.moved.set()
        self.moved = asyncio.Event()

    async def __call__(self, hook: Hook, message: str, body: bytes) -> str:
        """Take a message, or not."""
        while self.hanging == hook.id:
            await self.moved.wait()
        self.told.append((hook.id, message, body))
        if self.troubles[:1] == ["bug"]:
            raise RuntimeError(self.troubles.pop(0))
        return self.troubles.pop(0) if self.troubles else ""

    async def sleep(self, seconds: float) -> None:
        """Note how long somebody would wait, and let others go on."""
        self.pauses.append(seconds)
        await asyncio.sleep(0)


@dataclass(kw_only=True)
class House:
    """The daemon, with what tests turn and look at."""

    log: SqliteLog
    clock: FakeClock
    desks: Desks
    directory: Directory
    metrics: Metrics
    seen: Seen
    parts: Parts
    dispatcher: Dispatcher
    hooks: Hooks
    courier: Courier
    outside: Outside
    accounts: SqliteAccounts


def deck(first: int = 0) -> str:
    """Return a legal GOAT deck as a ydk file: 14 unlimited cards, three of each."""
    environment = retro("goat")
    cards = [
        code
        for code, limit in pool_limits("goat").items()
        if limit == 3 and not environment.cards[code].extra
    ]
    return "#main\n" + "".join(f"{code}\n" * 3 for code in cards[first : first + 14]) + "#extra\n!side\n"


def violations(count: int) -> str:
    """Return a deck with *count* unknown cards, each a violation, and more of its size."""
    return "#main\n" + "".join(f"{90_000_000 + n}\n" for n in range(count))


async def dp_of(players: Collection[PlayerId]) -> Mapping[PlayerId, int]:
    """Return 1000 for everybody."""
    return dict.fromkeys(players, 1_000)


async def reloaded() -> Reloaded:
    """Return that the settings have changed in one place."""
    return Reloaded(changed=("log.level",), waiting=("http.port",))


async def examined(server: ServerId) -> Examination:
    """Return a duel server with one fault."""
    finding = Finding(weight="wrong", file="config/config.json", what="modules.stop is true", why="no joins")
    return Examination(server=server, findings=(finding,), checked=("rooms",), unchecked=("shout",))


@asynccontextmanager
async def opened(
    folder: Path,
    *,
    rate: float = 1_000,
    burst: float = 10_000,
    environment: EnvironmentSettings = EnvironmentSettings(),  # noqa: B008  it is frozen
) -> AsyncIterator[House]:
    """Open a house on the log in *folder*."""
    log, clock, metrics, seen = (
        SqliteLog(folder / "relayd.db", busy_timeout_s=0),
        FakeClock(),
        Metrics(),
        Seen(),
    )
    desks, directory = Desks(log, clock.now), Directory(log, clock.now)
    await directory.open()
    await desks.open(frozenset())
    settings = Settings(data_dir=folder, duel_server=(SERVER,), environment=environment)
    environments = Environments(settings.environment)
    hub = Hub(public_entry, public_view(clock), public_gap, metrics)
    desks.subscribe(hub.hear)
    accounts = SqliteAccounts(folder / "accounts.db")
    store, outside = SqliteHooks(folder / "webhooks.db"), Outside()
    courier = Courier(store, log, desks, clock, outside, metrics, sleep=outside.sleep)
    hooks = Hooks(
        store=store,
        workers=courier,
        deliver=outside,
        tournaments=desks,
        clock=clock,
        allowed=tuple,
        most=lambda: 5,
    )
    parts = Parts(
        tournaments=desks,
        players=directory,
        roster=lambda: ((PlayerId(n), p.nickname) for n, p in enumerate(directory.state.players, 1)),
        starter=Starting(desks, directory, dp_of, seen.free, clock),
        sights=seen,
        clock=clock,
        publishing=Publishing(
            daemon=lambda: settings,
            environments=environments,
            tournaments=desks,
            players=directory,
            clock=clock,
        ),
        submitting=Submitting(environments=environments, tournaments=desks),
        feed=hub,
        level=Level(),
        reload=reloaded,
        examine=examined,
        hooks=hooks,
        drop_avatar=accounts.drop_avatar,
        oddities=lambda _number: seen.odd,
        strays=lambda: seen.strays,
    )
    dispatcher = Dispatcher(METHODS, parts, metrics, Buckets(rate, burst))
    try:
        yield House(
            log=log,
            clock=clock,
            desks=desks,
            directory=directory,
            metrics=metrics,
            seen=seen,
            parts=parts,
            dispatcher=dispatcher,
            hooks=hooks,
            courier=courier,
            outside=outside,
            accounts=accounts,
        )
    finally:
        await accounts.close()
        await store.close()
        await log.close()


class Refused(Exception):
    """An error answer."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(f"{error['code']} {error['message']} {error.get('data')}")
        self.code: int = error["code"]
        self.message: str = error["message"]
        self.data: dict[str, Any] = error.get("data", {})


class Caller:
    """A client of the admin socket as plain as can be: lines out, lines in."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.heard: list[dict[str, Any]] = []
        """Notifications that came between answers."""
        self._last = 0

    @classmethod
    async def to(cls, path: Path) -> "Caller":
        """Connect."""
        return cls(*await asyncio.open_unix_connection(path))

    async def call(self, method: str, **params: Any) -> Any:
        """Return the result. Raises Refused."""
        self._last += 1
        await self.send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        while "id" not in (answer := await self.receive()):
            self.heard.append(answer)
        assert answer["id"] == self._last
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]

    async def live(self) -> dict[str, Any]:
        """Return the next notification."""
        message = self.heard.pop(0) if self.heard else await self.receive()
        assert message["method"] == "live"
        params: dict[str, Any] = message["params"]
        return params

    async def send(self, message: object) -> None:
        """Send one line; bytes go as they are."""
        raw = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.writer.write(raw + b"\n")
        await self.writer.drain()

    async def receive(self) -> Any:
        """Return the next line. Raises EOFError at the end."""
        async with asyncio.timeout(20):
            line = await self.reader.readline()
        if not line:
            raise EOFError
        return json.loads(line)

    async def close(self) -> None:
        """Hang up."""
        self.writer.close()
        await self.writer.wait_closed()


@asynccontextmanager
async def admin_socket(house: House, folder: Path) -> AsyncIterator[AdminSocket]:
    """The admin socket of a daemon, for root and this user."""
    admin = AdminSocket(folder / "admin.sock", LocalUsers(()), house.dispatcher, house.metrics)
    await admin.start()
    try:
        yield admin
    finally:
        await admin.close()


@asynccontextmanager
async def calling(house: House, folder: Path) -> AsyncIterator[Caller]:
    """An operator's connection to it."""
    async with admin_socket(house, folder) as admin:
        caller = await Caller.to(admin.path)
        yield caller
        await caller.close()


async def entered(host: Caller, players: int, **plan: Any) -> int:
    """Publish a tournament with so many players signed in, and return its number."""
    number: int = (await host.call("tournament.publish", settings={**PLAN, **plan}))["tournament"]
    for n in range(players):
        player = (await host.call("player.register", nickname=f"Nick{n}"))["player"]
        await host.call("entry.register", tournament=number, player=player)
        await host.call("deck.submit", tournament=number, player=player, deck=deck(n))
    await host.call("entry.sign_in_all", tournament=number)
    return number


async def refusal(host: Caller, method: str, **params: Any) -> Refused:
    """Return how a call is refused."""
    with pytest.raises(Refused) as caught:
        await host.call(method, **params)
    return caught.value
