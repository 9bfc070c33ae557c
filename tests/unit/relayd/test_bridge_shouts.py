"""The host's words reach the rooms once, with the tournament named (duel-server.md 1)."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from relayd.bridge.bridge import Bridge
from relayd.bridge.shouts import LONGEST, Shouts, lines
from relayd.outbound.cursor import Cursor
from relayd.storage.sqlite.cursors import SqliteCursors
from ruleset.tournament.commands import Announce, Cancel, SeeRoom, Tick
from tests.bridging import HERE, ServerStub, World, counted, duel_server, serving, world
from tests.builders import minutes, table_id


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[World]:
    """A tournament of two in round 1."""
    async with world(tmp_path) as here:
        await here.begin(2)
        yield here


@pytest.fixture
async def stub() -> AsyncIterator[ServerStub]:
    """Its duel server."""
    async with serving(ServerStub()) as stub:
        yield stub


@pytest.fixture
async def cursor(here: World, stub: ServerStub, tmp_path: Path) -> AsyncIterator[Cursor]:
    """What carries the words there."""
    cursors = SqliteCursors(tmp_path / "cursors.db")
    bridge = Bridge([duel_server(stub.url)], here.http, here.inside)
    shouts = Shouts(bridge.voice, cursors, here.inside)
    yield Cursor(shouts, here.log, here.desks, here.inside.metrics)
    await cursors.close()


async def test_words_are_said_once(here: World, stub: ServerStub, cursor: Cursor) -> None:
    """Issue 2: shout, with the tournament before the text, whatever characters it has."""
    await here.do(Announce(text="Runde 2 beginnt & 请就座 'jetzt'", now=here.clock.now()))
    assert await cursor.catch_up() == 1
    assert await cursor.catch_up() == 0
    assert stub.orders == [("shout", "[Weekly] Runde 2 beginnt & 请就座 'jetzt'")]


async def test_old_words_are_not_said(here: World, stub: ServerStub, cursor: Cursor) -> None:
    """After an outage the moment has passed; nor for a tournament that has ended."""
    await here.do(Announce(text="Pizza!", now=here.clock.now()))
    here.clock.advance(301)
    assert await cursor.catch_up() == 1
    await here.do(Announce(text="Pizza!", now=here.clock.now()), Cancel(now=minutes(9)))
    assert await cursor.catch_up() == 1
    assert stub.orders == []


async def test_players_hear_how_much_of_the_round_is_left(tmp_path: Path, stub: ServerStub) -> None:
    """S104: at the minutes of the settings, by shout, whose text names the tournament; never late."""
    warned = replace(HERE, clock=replace(HERE.clock, warn_at_min=(10, 5)))
    async with world(tmp_path) as here:
        await here.begin(2, warned)
        begun = here.state().current_round.started_at
        cursors = SqliteCursors(tmp_path / "cursors.db")
        bridge = Bridge([duel_server(stub.url)], here.http, here.inside)
        cursor = Cursor(Shouts(bridge.voice, cursors, here.inside), here.log, here.desks, here.inside.metrics)
        here.clock.advance(30 * 60)
        await here.do(SeeRoom(table=table_id(1, 1), seated=("a", "b"), playing=True, now=begun))
        await here.do(Tick(now=minutes(30, begun)))
        await cursor.catch_up()
        assert stub.orders == [("shout", "[Weekly] 本轮还剩 10 分钟 / 10 min left")]
        await here.do(Tick(now=minutes(35, begun)))
        here.clock.advance(5 * 60 + 21)
        await cursor.catch_up()
        assert len(stub.orders) == 1
        await cursors.close()


async def test_a_server_that_is_away_hears_nothing(here: World, tmp_path: Path) -> None:
    """F29: counted; the log goes on."""
    cursors = SqliteCursors(tmp_path / "cursors.db")
    bridge = Bridge([duel_server("http://127.0.0.1:9")], here.http, here.inside)
    cursor = Cursor(Shouts(bridge.voice, cursors, here.inside), here.log, here.desks, here.inside.metrics)
    await here.do(Announce(text="Hello", now=here.clock.now()))
    assert await cursor.catch_up() == 1
    assert counted(here.inside.metrics, "relayd_orders_total", kind="shout", stage="failed") == 1
    await cursors.close()


@pytest.mark.parametrize("text", ["word " * 100, "字" * 300, "🃏" * 300, "one\n\n two \nthree"])
def test_long_words_become_several_lines(text: str) -> None:
    """duel-server.md 10.f: a chat line holds 256 UTF-16 units with its prefix; nothing gets lost."""
    said = [*lines("A very long title of a tournament 🏆", text)]
    assert all(len(line.encode("utf-16-le")) // 2 <= 245 for line in said)
    kept = "".join(line.partition("] ")[2] for line in said)
    assert kept.replace(" ", "") == "".join(text.split())
    assert max(len(line.partition("] ")[2]) for line in said) <= LONGEST
