"""What an evening needs: a daemon, a duel server with our plugin, and people who come."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from aiohttp import ClientSession, CookieJar

from relayd.cli.client import Client, UnixWire
from srvpro_bridge.simulator.clock import ScaledClock
from srvpro_bridge.simulator.config import PluginLink, ServerConfig
from srvpro_bridge.simulator.decks import Deck
from srvpro_bridge.simulator.play import Stage
from srvpro_bridge.simulator.players import Player
from srvpro_bridge.simulator.room import Room
from srvpro_bridge.simulator.scripts import Script
from srvpro_bridge.simulator.seats import Seat
from srvpro_bridge.simulator.server import DuelServer
from tests.browser.guests import Table
from tests.daemons import Daemon, running, settings
from tests.house import deck
from tests.website import Reader

TOKEN: Final = "token-of-the-plugin"
FASTER: Final = 10
"""How fast people play and look for their rooms, beside the daemon's clock."""
SLOWLY_S: Final = 10.0
"""A turn of somebody whose game ends only when time is called."""
SETTINGS: Final = """
web.verify_email = true
fixed_seed = "{seed}"
[[duel_server]]
id = "main"
title = "Main hall"
host = "duel.example.org"
link = "plugin"
plugin_token_file = "{token}"
habits = {{ default_environment = "goat" }}
"""


@dataclass(kw_only=True)
class Evening:
    """All of it."""

    daemon: Daemon
    server: DuelServer
    sessions: list[ClientSession] = field(default_factory=list)
    playing: dict[int, Player] = field(default_factory=dict)
    """Who plays by himself, by player number."""
    slow: set[str] = field(default_factory=set)
    """Codes of rooms in which nobody hurries."""

    @property
    def base(self) -> str:
        """Where the pages are."""
        return self.daemon.http

    def reader(self) -> Reader:
        """Return a new browser without a screen."""
        session = ClientSession(cookie_jar=CookieJar(unsafe=True), headers={"Accept-Language": "en"})
        self.sessions.append(session)
        return Reader(session, self.base)

    async def ask(self, method: str, **params: Any) -> Any:
        """Ask the daemon as its operator does, over the admin socket."""
        return await asyncio.to_thread(_asked, self.daemon.socket, method, params)

    async def tables(self, tournament: int, round_no: int) -> list[Table]:
        """Return the tables of a round as they stand."""
        shown: Mapping[str, Any] = await self.ask("table.list", tournament=tournament, round=round_no)
        return list(shown["tables"])

    async def table_of(self, tournament: int, round_no: int, player: int) -> Table:
        """Return where somebody sits."""
        found = await self.tables(tournament, round_no)
        return next(t for t in found if player in {t["a"]["player"], t["b"]["player"]})

    async def until_over(self, tournament: int, round_no: int, but: Iterable[str] = ()) -> None:
        """Wait until every table of a round has its result, except those named."""
        left_out = set(but)

        async def over() -> bool:
            found = await self.tables(tournament, round_no)
            return all(t["status"] == "confirmed" or t["table"] in left_out for t in found)

        await _until(over)

    async def until(self, so_far: Callable[[Mapping[str, Any]], object], tournament: int) -> None:
        """Wait until a tournament is so far."""

        async def shown() -> object:
            return so_far(await self.ask("tournament.show", tournament=tournament))

        await _until(shown)

    async def letter(self) -> str:
        """Return the path of the link that an operator reads in the log, without a mail server (R053)."""
        told = await asyncio.to_thread(self.daemon.said, "mail_not_configured")
        found = re.search(r"https?://[^/]+(/\S+)", told["text"])
        assert found is not None
        return found[1]

    # At the duel server

    def come(self, player: int, typed: str, password: str = "") -> None:
        """Let somebody come to the duel server under the name that he types; he plays whatever waits."""
        script = Script(
            name=typed,
            main=_cards().main,
            side=_cards().side,
            password=password,
            first_try_s=2,
            retry_s=5,
            deck_s=1,
            turn_s=1.5,
            side_s=2,
            dawdling_turn_s=SLOWLY_S,
        )
        self.playing[player] = Player(self.server, script, "evening", self._is_slow)
        self.playing[player].start()

    async def go(self, *players: int) -> None:
        """Let somebody leave the duel server."""
        for player in players:
            if player in self.playing:
                await self.playing.pop(player).stop()

    async def cut_off(self) -> None:
        """Cut the line between duel server and daemon: nobody is led to his table."""
        assert self.server.plugin is not None
        await self.server.plugin.stop()
        self.server.plugin.book.replace(())

    def joined_again(self) -> None:
        """Mend the line: what was kept is told."""
        assert self.server.plugin is not None
        self.server.plugin.start()

    async def friendly(self, room: str, winner: str, loser: str) -> None:
        """Play a best of three in a room of two people's own, without a room code, 2-0.

        The daemon reckons back from the length by the rooms' clock, so that much passes by its own, too.
        """
        began = self.server.clock.now()
        seats = [await self.server.join(name, room) for name in (winner, loser)]
        for seat in seats:
            seat.send_deck(_cards())
        seats[0].start()
        _won(seats[0].room, winner)
        _sided(seats)
        _won(seats[0].room, winner)
        for seat in seats:
            seat.leave()

        async def closed() -> bool:
            return seats[0].room.deleted

        await _until(closed)
        await asyncio.sleep(self.server.clock.now() - began)

    def _is_slow(self, room: Room) -> bool:
        return any(code in room.name for code in self.slow)

    async def close(self) -> None:
        """Let everybody go."""
        await self.go(*list(self.playing))
        for session in self.sessions:
            await session.close()


@asynccontextmanager
async def evening(folder: Path, seed: str) -> AsyncIterator[Evening]:
    """Start a daemon and a duel server that is linked to it."""
    with _daemon(folder, seed) as daemon:
        gateway = daemon.websocket.replace("/admin", "/plugin")
        link = PluginLink(url=gateway, server="main", token=TOKEN, retry_ms=20)
        config = ServerConfig(plugin=link, connect_limit=False)
        async with DuelServer(config, ScaledClock(FASTER)) as server:
            here = Evening(daemon=daemon, server=server)
            try:
                yield here
            finally:
                await here.close()


@contextmanager
def _daemon(folder: Path, seed: str) -> Iterator[Daemon]:
    token = folder / "token"
    token.write_text(TOKEN, encoding="utf-8")
    token.chmod(0o600)
    with running(settings(folder, SETTINGS.format(seed=seed, token=token))) as daemon:
        yield daemon


async def _until(true: Callable[[], Awaitable[object]]) -> None:
    """Wait for what another program, or a clock that runs by itself, does in its own time."""
    async with asyncio.timeout(60):
        while not await true():  # noqa: ASYNC110  no event of ours
            await asyncio.sleep(0.05)


def _asked(path: Path, method: str, params: Mapping[str, Any]) -> Any:
    client = Client(UnixWire(path))
    try:
        return client.call(method, **params)
    finally:
        client.close()


def _won(room: Room, winner: str) -> None:
    if room.stage is Stage.FINGER:
        room.toss()
    room.go_first(winner)
    room.win(winner)


def _sided(seats: Iterable[Seat]) -> None:
    for seat in seats:
        seat.send_deck(_cards())


def _cards() -> Deck:
    codes = [int(line) for line in deck().splitlines() if line.isdecimal()]
    return Deck(main=tuple(codes))
