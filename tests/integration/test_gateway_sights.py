"""What a plugin shows of rooms: presence, play, live tables, health; beside the poller, after restarts."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web
from msgspec.structs import replace

from relayd.bridge.gateway import eye
from relayd.bridge.gateway.closing import TEXT
from relayd.bridge.orders import GRACE_MS
from relayd.bridge.shouts import Shouts
from relayd.outbound.cursor import Cursor
from relayd.storage.log import LogBroken, LogUnavailable
from ruleset.ids import ServerId
from ruleset.tournament import commands as c
from srvpro_bridge import protocol as p
from srvpro_bridge.adminapi import Stage
from tests.bridging import ServerStub, counted, pair, room, serving
from tests.builders import NUMBER, SERVER, minutes, result, table_id
from tests.gateways import BOOT, HELLO, Gate, Speaker, closed, game_over, gate, nick, opened, seen, sight

QUESTION_MS = 15 * 60_000


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Gate]:
    """A tournament of four in round 1; its duel server has our plugin and no admin API."""
    async with gate(tmp_path) as here:
        await here.here.begin(4)
        yield here


@pytest.fixture
async def stub() -> AsyncIterator[ServerStub]:
    """The admin API of that server."""
    async with serving(ServerStub()) as stub:
        yield stub


@pytest.fixture
async def both(tmp_path: Path, stub: ServerStub) -> AsyncIterator[Gate]:
    """The same, with an admin API beside the plugin. Nothing looks by itself."""
    async with gate(tmp_path, api=stub.url) as here:
        here.running.cancel()
        await asyncio.gather(here.running, return_exceptions=True)
        await here.here.begin(4)
        yield here


async def show(here: Gate, plugin: Speaker, *sights: p.Sight) -> None:
    """Tell how rooms look, and let the daemon look at that."""
    for one in sights:
        await plugin.say(p.RoomChanged(sight=one))
    await told(plugin)
    await here.seen()


async def told(plugin: Speaker) -> None:
    """Wait until everything that was said has been read."""
    await plugin.say(p.AskKey(id="q", code="X12R1T1", seat="a", key=""))
    await plugin.hear(p.KeyJudged)


async def connected(here: Gate, plugin: Speaker, *sights: p.Sight, hello: p.Hello = HELLO) -> None:
    """Begin a connection, and let the daemon see all rooms."""
    welcome = await plugin.begin(*sights, hello=hello)
    await plugin.say(opened(welcome.ack + 1, here.here.table()))
    await plugin.acked(welcome.ack + 1)
    await here.seen()


# Presence and play


async def test_presence_comes_from_the_rooms(here: Gate) -> None:
    """T5, R067: who sits in the room is present, and who has left it is not."""
    table = here.here.table()
    async with here.plugin() as plugin:
        await connected(here, plugin)
        await show(here, plugin, sight(table, players=(seen(table, "b", 0),)))
        assert [p_.in_room for p_ in (here.here.table().presence_a, here.here.table().presence_b)] == [
            False,
            True,
        ]
        await show(here, plugin, sight(table, players=()))
        assert here.here.table().presence_b.in_room is False


async def test_a_match_that_has_begun_is_played(here: Gate) -> None:
    """T7, 5.1: out of BEGIN; then everything that people look at, without an entry for each turn."""
    table = here.here.table()
    async with here.plugin() as plugin:
        await connected(here, plugin)
        await show(here, plugin, sight(table, "finger"))
        assert here.here.table().status == "playing"
        entries = await here.here.log.streams()
        players = (seen(table, "a", 0, score=1, lp=4200), seen(table, "b", 1, lp=8000))
        await show(here, plugin, sight(table, "siding", game=1, death=5, players=players))
        live = here.bridge.live(NUMBER)[table_id(1, 1)]
        assert (live.stage, live.duel, live.death, live.wins, live.lp) == (
            "siding",
            1,
            "on",
            (1, 0),
            (4200, 8000),
        )
        assert here.here.table().wins == (1, 0)
        after = await here.here.log.streams()
        for turn in range(1, 9):
            await show(here, plugin, sight(table, "dueling", game=2, turn=turn, players=players))
        assert here.bridge.live(NUMBER)[table_id(1, 1)].turn == 8
        assert (await here.here.log.streams())["t12"] - after["t12"] <= 1
        assert after["t12"] > entries["t12"]


async def test_a_room_that_has_closed_is_seen_no_more(here: Gate) -> None:
    """Issue 3: its last record takes it away; nobody is present in it."""
    table = here.here.table()
    async with here.plugin() as plugin:
        await connected(here, plugin, sight(table))
        assert here.here.table().presence_a.in_room
        await plugin.say(closed(2, table, "", ending="unstarted", players=()))
        await plugin.acked(2)
        await here.seen()
        assert dict(here.bridge.live(NUMBER)) == {}
        assert here.here.table().presence_a.in_room is False


async def test_strangers_are_shown_to_the_host(here: Gate) -> None:
    """Decisions 4: whoever sits in a coded room and does not belong there."""
    stranger = p.SeenPlayer(pos=1, nickname="Eve", seat=None, score=0, lp=None, ready=True, away=False)
    table = here.here.table()
    async with here.plugin() as plugin:
        await connected(here, plugin, sight(table, players=(seen(table, "a", 0), stranger)))
    (odd,) = here.bridge.oddities(NUMBER)
    assert (odd.kind, odd.names) == ("strangers", (nick(table, "a"), "Eve"))


async def test_too_many_rooms_are_no_duel_server(here: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 3: bounded, whatever a plugin tells; known rooms may change all the same."""
    monkeypatch.setattr(eye, "MOST_ROOMS", 1)
    table = here.here.table()
    async with here.plugin() as plugin:
        await connected(here, plugin, sight(table))
        await show(here, plugin, sight(table, "finger"))
        await plugin.say(p.RoomChanged(sight=sight(table, room="another")))
        assert (await plugin.hear(p.Goodbye)).code == "protocol"


# Health, loss and return


async def test_a_server_is_there_as_long_as_its_plugin_is(here: Gate) -> None:
    """5.5-8: gone for more than 10 s: its tables pause from the last contact; back: they go on."""
    table = here.here.table()
    async with here.plugin() as plugin:
        await connected(here, plugin, sight(table, "dueling", game=1, turn=1))
        assert here.bridge.health()[SERVER].state == "up"
        assert here.bridge.free()[SERVER] == 98
    await away(here)
    last = here.here.clock.now()
    here.here.clock.advance(10)
    await here.seen()
    assert dict(here.here.state().lost_servers) == {}
    here.here.clock.advance(1)
    await here.seen()
    assert dict(here.here.state().lost_servers) == {SERVER: last}
    assert here.bridge.health()[SERVER].failure == "the plugin is not connected"
    assert here.bridge.free()[SERVER] == 0
    async with here.plugin() as plugin:
        await connected(here, plugin, sight(table, "dueling", game=1, turn=3))
        assert dict(here.here.state().lost_servers) == {}
        assert here.here.table().asked_until is None


async def away(here: Gate) -> None:
    """Wait until the daemon knows that the plugin has gone."""
    async with asyncio.timeout(20):
        while here.eye.connected:  # noqa: ASYNC110  nothing tells it but the eye
            await asyncio.sleep(0.01)
    await here.seen()


async def test_a_restarted_server_has_lost_its_matches(here: Gate) -> None:
    """5.5-8, F29: however fast it is back: rooms of another boot are gone, and the host is asked."""
    table = here.here.table()
    async with here.plugin() as plugin:
        await connected(here, plugin, sight(table, "dueling", game=1, turn=1))
    await away(here)
    async with here.plugin() as plugin:
        await connected(here, plugin, hello=replace(HELLO, boot="new"))
    assert here.here.table().asked_until == here.here.clock.now() + QUESTION_MS
    assert here.here.table(2).asked_until is None


async def test_a_match_that_was_decided_before_the_kill_is_no_question(here: Gate) -> None:
    """10.j: the last win was in the spool, the end of the room was not; in death as well."""
    one, two = here.here.table(1), here.here.table(2)
    async with here.plugin() as plugin:
        await connected(here, plugin, sight(one, "dueling", game=2), sight(two, "dueling", game=1))
    await away(here)
    async with here.plugin() as plugin:
        welcome = await plugin.greet(replace(HELLO, boot="new", next=4))
        await plugin.say(game_over(2, one, "aa"), game_over(3, two, "b", death="three"))
        await plugin.say(p.Rooms(after=3, rooms=()))
        await plugin.acked(3)
        await here.seen()
        assert welcome.ack == 1
    assert [here.here.table(n).status for n in (1, 2)] == ["confirmed", "confirmed"]
    assert here.here.table(2).result is not None
    assert here.here.table(2).result.reason == "time"  # type: ignore[union-attr]


async def test_a_link_that_broke_is_no_restart(here: Gate) -> None:
    """Issue 3: the same boot: rooms that are still there go on; one that ended meanwhile says so itself."""
    one, two = here.here.table(1), here.here.table(2)
    async with here.plugin() as plugin:
        await connected(here, plugin, sight(one, "dueling", game=1), sight(two, "dueling", game=1))
    await away(here)
    async with here.plugin() as plugin:
        await plugin.greet(replace(HELLO, next=3))
        await plugin.say(closed(2, two, "aa"), p.Rooms(after=2, rooms=(sight(one, "dueling", game=2),)))
        await plugin.acked(2)
        await here.seen()
    assert [here.here.table(n).asked_until for n in (1, 2)] == [None, None]
    assert here.here.table(2).result == result("a", (2, 0))


async def test_a_match_whose_room_is_gone_without_a_word(here: Gate) -> None:
    """F31, 5.5-8: a full spool lost its end: after half a minute the host is asked."""
    table = here.here.table()
    async with here.plugin() as plugin:
        await connected(here, plugin, sight(table, "dueling", game=1))
        await plugin.say(p.Rooms(after=1, rooms=()))
        await told(plugin)
        await here.seen()
        here.here.clock.advance(31)
        await here.seen()
    assert here.here.table().asked_until is not None


async def test_the_hold_ends_once_the_spool_is_drained(here: Gate) -> None:
    """5.5-7: late, cap and absence wait for what was played meanwhile, or until the server is given up."""
    waiting = asyncio.create_task(here.bridge.first_look())
    async with here.plugin() as plugin, here.plugin("other-token") as other:
        await plugin.greet(replace(HELLO, next=2))
        await other.begin(hello=replace(HELLO, server=ServerId("second")))
        await plugin.say(closed(1, here.here.table(), "aa"))
        await plugin.acked(1)
        await here.seen()
        assert not waiting.done()
        await plugin.say(p.Rooms(after=1, rooms=()))
        async with asyncio.timeout(20):
            await waiting
    assert here.here.table().result == result("a", (2, 0))


async def test_the_hold_ends_where_no_plugin_comes(here: Gate) -> None:
    """5.5-7: its tables are paused then."""
    here.here.clock.advance(11)
    async with asyncio.timeout(20):
        await here.bridge.first_look()
    assert SERVER in here.here.state().lost_servers


async def test_a_look_that_fails_does_not_end_the_eye(here: Gate) -> None:
    """House 4: a bug is counted and the next look goes on; what ends the daemon goes through."""
    errors = [ValueError(), LogBroken()]
    running = here.here.desks.running

    def broken() -> object:
        if errors:
            raise errors.pop(0)
        return running()

    async with here.plugin() as plugin:
        await connected(here, plugin, sight(here.here.table()))
        here.here.desks.running = broken  # type: ignore[method-assign, assignment]
        async with asyncio.timeout(20):
            (failed,) = await asyncio.gather(here.running, return_exceptions=True)
    assert isinstance(failed, BaseExceptionGroup)
    assert counted(here.here.inside.metrics, "relayd_polls_total", outcome="broken") == 1


# Beside the poller


async def test_the_plugin_wins_over_the_poller(both: Gate, stub: ServerStub) -> None:
    """Issue 3: of a room that both show the plugin's word counts; other rooms the poller adds."""
    one, two = both.here.table(1), both.here.table(2)
    stub.rooms = [
        room("X12R1T1", *pair(one), stage=Stage.DUELING, duel=1, turn=1, roomid="1"),
        room("ours", *pair(two), stage=Stage.DUELING, duel=1, turn=2, roomid="2"),
    ]
    async with both.plugin() as plugin:
        await connected(both, plugin, sight(one, "siding", game=1, death=5))
        await both.bridge.pollers[SERVER].look()
        live = both.bridge.live(NUMBER)
        assert [(seen_.stage, seen_.turn) for _, seen_ in sorted(live.items())] == [
            ("siding", 0),
            ("dueling", 2),
        ]
    await away(both)
    await both.bridge.pollers[SERVER].look()
    assert both.bridge.live(NUMBER)[table_id(1, 1)].stage == "dueling"


async def test_the_poller_orders_only_rooms_that_no_plugin_shows(both: Gate, stub: ServerStub) -> None:
    """Issue 3: the plugin keeps death as its tables say; while it is away the API is the fallback."""
    one, two = both.here.table(1), both.here.table(2)
    stub.rooms = [
        room("X12R1T1", *pair(one), stage=Stage.DUELING, duel=1, turn=1, roomid="1"),
        room("ours", *pair(two), stage=Stage.DUELING, duel=1, turn=2, roomid="2"),
    ]
    await both.here.do(c.CallTime(now=both.here.clock.now()))
    async with both.plugin() as plugin:
        await connected(both, plugin, sight(one, "dueling", game=1, turn=1))
        await both.bridge.pollers[SERVER].look()
        assert stub.orders == [("death", "ours")]
    await away(both)
    await both.bridge.pollers[SERVER].look()
    assert ("death", "X12R1T1") in stub.orders


async def test_one_eye_is_enough(both: Gate, stub: ServerStub) -> None:
    """5.5-8: nobody pauses while either of both sees the server; what fails is said."""

    async def down(_request: web.Request) -> web.StreamResponse:
        return web.Response(status=500)

    poller = both.bridge.pollers[SERVER]
    await poller.look()
    await both.seen()
    both.here.clock.advance(60)
    await poller.look()
    await both.seen()
    assert (both.bridge.health()[SERVER].state, dict(both.here.state().lost_servers)) == ("up", {})
    assert both.bridge.health()[SERVER].failure == "the plugin is not connected"
    stub.instead = down
    async with both.plugin() as plugin:
        await connected(both, plugin)
        both.here.clock.advance(60)
        await poller.look()
        await told(plugin)
        await both.seen()
        assert (both.bridge.health()[SERVER].state, dict(both.here.state().lost_servers)) == ("up", {})
        assert both.bridge.health()[SERVER].failure == "answers with HTTP status 500"
    await away(both)
    both.here.clock.advance(60)
    await poller.look()
    assert SERVER in both.here.state().lost_servers


async def test_changing_eyes_is_no_restart(both: Gate, stub: ServerStub) -> None:
    """5.5-8: plugin and API name the same room differently; each eye compares with its own past."""
    table, poller = both.here.table(), both.bridge.pollers[SERVER]
    stub.rooms = [room("X12R1T1", *pair(table), stage=Stage.DUELING, duel=1, turn=1, roomid="17956")]
    async with both.plugin() as plugin:
        await connected(both, plugin, sight(table, "dueling", game=1, turn=1))
        await poller.look()
    await away(both)
    await poller.look()
    async with both.plugin() as plugin:
        await connected(both, plugin, sight(table, "dueling", game=1, turn=4))
        await poller.look()
    assert (both.here.table().asked_until, dict(both.here.state().lost_servers)) == (None, {})


# Closing rooms, speaking


async def test_a_room_that_outlives_its_table_is_closed(here: Gate) -> None:
    """T10: after the hard cap at once; its end says nothing then. Until it is gone, again and again."""
    table = here.here.table()
    async with here.plugin() as plugin:
        await connected(here, plugin, sight(table, "dueling", game=1), sight(here.here.table(2)))
        await here.here.do(c.CallTime(now=here.here.clock.now()))
        here.here.clock.advance(30 * 60)
        await here.here.do(c.Tick(now=here.here.clock.now()))
        looking = asyncio.create_task(here.seen())
        orders = {(order := await plugin.hear(p.Close)).code: order for _ in range(2)}
        assert (orders["X12R1T1"].text, orders["X12R1T1"].a) == (TEXT, None)
        await plugin.say(*(p.Done(id=order.id, ok=True, outcome="done") for order in orders.values()))
        await looking
        await plugin.say(closed(2, table, "", (0, 0), ending="closed", begun=1))
        await plugin.acked(2)
        await here.seen()
        here.here.clock.advance(3)
        looking = asyncio.create_task(here.seen())
        again = await plugin.hear(p.Close)
        assert again.code == "X12R1T2"
        await plugin.say(p.Done(id=again.id, ok=False, outcome="failed"))
        await looking
    labels = {"kind": "close", "stage": "confirmed"}
    assert counted(here.here.inside.metrics, "relayd_orders_total", **labels) == 1
    assert counted(here.here.inside.metrics, "relayd_orders_total", kind="close", stage="failed") == 1
    assert here.here.table().result is not None
    assert here.here.table().result.outcome == "double_loss"  # type: ignore[union-attr]


async def test_a_decided_room_may_close_by_itself(here: Gate) -> None:
    """GRACE: replays and good-byes take a moment; only what stays is closed."""
    table = here.here.table()
    async with here.plugin() as plugin:
        await connected(here, plugin, sight(table, "dueling", game=2))
        await plugin.say(game_over(2, table, "aa"))
        await plugin.acked(2)
        await here.seen()
        assert not [message for message in plugin.heard if isinstance(message, p.Close)]
        here.here.clock.advance(GRACE_MS / 1_000 + 1)
        looking = asyncio.create_task(here.seen())
        assert (await plugin.hear(p.Close)).code == "X12R1T1"
        looking.cancel()


async def test_the_hosts_words_reach_his_rooms_and_no_others(here: Gate) -> None:
    """Issue 3: ``Announced`` through the plugin: said in the tournament's rooms only, once."""
    shouts = Shouts(here.bridge.voice, here.cursors, here.here.inside)
    cursor = Cursor(shouts, here.here.log, here.here.desks, here.here.inside.metrics)
    foreign = sight(here.here.table(2), room="x", code=None, name="lobby", players=())
    async with here.plugin() as plugin:
        await connected(here, plugin, sight(here.here.table()), foreign)
        await here.here.do(c.Announce(text="Round 2 soon", now=here.here.clock.now()))
        saying = asyncio.create_task(cursor.catch_up())
        said = [await plugin.hear(p.Say) for _ in range(2)]
        assert {one.text for one in said} == {"[Weekly] Round 2 soon"}
        assert [one.code for one in said] == ["X12R1T1", "X12R1T2"]
        await plugin.say(p.Done(id=said[0].id, ok=True, outcome="done"))
        await plugin.say(p.Done(id=said[1].id, ok=False, outcome="no_room"))
        assert await saying == 1
    await here.here.do(c.Announce(text="Nobody hears", now=here.here.clock.now()))
    await away(here)
    assert await cursor.catch_up() == 1
    labels = {"kind": "shout", "stage": "failed"}
    assert counted(here.here.inside.metrics, "relayd_orders_total", **labels) == 1


async def test_without_a_plugin_the_api_speaks(both: Gate, stub: ServerStub) -> None:
    """Issue 3: the fallback reaches every room of the server, so the tournament is named."""
    voice = both.bridge.voice(SERVER)
    assert voice is not None
    await voice.say(NUMBER, "[Weekly] hello")
    assert stub.orders == [("shout", "[Weekly] hello")]
    assert both.bridge.voice(ServerId("nobody")) is None


async def test_last_looks_take_in_what_the_plugin_showed(here: Gate) -> None:
    """T10: results and sights first, then the cap; no order is given by a last look."""
    table = here.here.table()
    async with here.plugin() as plugin:
        await connected(here, plugin)
        players = (seen(table, "a", 0, score=1), seen(table, "b", 1))
        await plugin.say(p.RoomChanged(sight=sight(table, "siding", game=1, players=players)))
        await told(plugin)
        await here.bridge.last_look(NUMBER)
        assert here.here.table().wins == (1, 0)
    await here.bridge.last_look(NUMBER)


async def test_death_that_the_plugin_called_is_counted(here: Gate) -> None:
    """House 5: orders are counted as confirmed where the rooms obey."""
    table = here.here.table()
    at = {"room": f"{BOOT}-{table.id}", "name": "X12R1T1", "code": "X12R1T1", "at": minutes(1)}
    async with here.plugin() as plugin:
        await connected(here, plugin)
        states = ("three", "sudden", "off")
        await plugin.say(*(p.DeathChanged(seq=n, state=s, **at) for n, s in enumerate(states, 2)))  # type: ignore[arg-type]
        await plugin.acked(4)
    labels = {"kind": "death", "stage": "confirmed"}
    assert counted(here.here.inside.metrics, "relayd_orders_total", **labels) == 2


async def test_what_the_log_did_not_take_is_said_again(here: Gate) -> None:
    """F03: the next look says it once more."""
    handle = here.here.desks.handle

    async def down(*_said: object, **_more: object) -> object:
        raise LogUnavailable

    async with here.plugin() as plugin:
        await connected(here, plugin)
        here.here.desks.handle = down  # type: ignore[method-assign, assignment]
        await show(here, plugin, sight(here.here.table()))
        assert here.here.table().presence_a.in_room is False
        here.here.desks.handle = handle  # type: ignore[method-assign]
        await here.seen()
        assert here.here.table().presence_a.in_room is True
