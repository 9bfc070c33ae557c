"""The poller beside a duel server that answers over HTTP: sights, orders, and everything that goes wrong."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from relayd.bridge.api import AdminApi
from relayd.bridge.bridge import Bridge
from relayd.bridge.orderer import Orderer
from relayd.bridge.poller import Poller
from relayd.bridge.servers import Pace
from relayd.bridge.sighting import read_rooms
from relayd.ports import Answer, LiveTable
from relayd.storage.log import LogBroken, LogUnavailable
from ruleset.ids import TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.state import Table, Tournament
from srvpro_bridge.adminapi import Stage
from tests.bridging import (
    ACCOUNT,
    ServerStub,
    World,
    counted,
    duel_server,
    pair,
    person,
    room,
    serving,
    world,
)
from tests.builders import NUMBER, SERVER, report, table_id


@pytest.fixture
async def stub() -> AsyncIterator[ServerStub]:
    """A duel server without rooms."""
    async with serving(ServerStub()) as stub:
        yield stub


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[World]:
    """A tournament of four in round 1, R1T1 and R1T2, on that server."""
    async with world(tmp_path) as here:
        await here.begin(4)
        yield here


@pytest.fixture
def bridge(here: World, stub: ServerStub) -> Bridge:
    """The daemon's side."""
    return Bridge([duel_server(stub.url)], here.http, here.inside)


@pytest.fixture
def poller(bridge: Bridge) -> Poller:
    """The eyes at that server."""
    return bridge.pollers[SERVER]


async def test_presence_and_score_come_from_the_rooms(here: World, stub: ServerStub, poller: Poller) -> None:
    """T5, T7, R067: in the room is present; out of BEGIN is playing; then games as they are won."""
    table = here.table()
    stub.rooms = [room("M#X12R1T1", pair(table)[0])]
    await poller.look()
    assert (here.table().presence_a.in_room, here.table().presence_b.in_room) == (True, False)
    stub.rooms = [room("M#X12R1T1", *pair(table, (1, 0)), stage=Stage.SIDING, duel=1)]
    await poller.look()
    assert (here.table().status, here.table().wins, here.table().duel) == ("playing", (1, 0), 1)


async def test_leaving_the_waiting_room_is_seen(here: World, stub: ServerStub, poller: Poller) -> None:
    """R067: nobody is present in a room that is gone."""
    stub.rooms = [room("M#X12R1T1", pair(here.table())[0])]
    await poller.look()
    stub.rooms = []
    await poller.look()
    assert here.table().presence_a.in_room is False
    assert here.table().presence_a.left_at == here.clock.now()


async def test_what_is_known_is_not_said_again(here: World, stub: ServerStub, poller: Poller) -> None:
    """House 3: a look that shows nothing new leaves no entry."""
    stub.rooms = [room("M#X12R1T1", *pair(here.table(), (1, 0)), stage=Stage.SIDING, duel=1)]
    await poller.look()
    entries = await here.log.streams()
    for _ in range(5):
        await poller.look()
    assert await here.log.streams() == entries


async def test_people_see_the_live_table(
    here: World, stub: ServerStub, bridge: Bridge, poller: Poller
) -> None:
    """5.1: stage, game, turn and life points, without an entry for each."""
    people = (*pair(here.table(), (1, 0)), person("Watcher", 7))
    stub.rooms = [room("M#X12R1T1", *people, stage=Stage.DUELING, duel=2, turn=3)]
    await poller.look()
    live: LiveTable = bridge.live(NUMBER)[table_id(1, 1)]
    assert (live.stage, live.duel, live.turn, live.wins) == ("dueling", 2, 3, (1, 0))
    assert bridge.free()[SERVER] == 98
    assert bridge.health()[SERVER].state == "up"


async def test_time_up_reaches_every_open_room(here: World, stub: ServerStub, poller: Poller) -> None:
    """T8, T9: rooms that play at once, the one that waits when it starts; then nothing more."""
    one, two = here.table(1), here.table(2)
    playing = room("M#X12R1T1", *pair(one), stage=Stage.DUELING, duel=1, turn=7, roomid="1")
    stub.rooms = [playing, room("M#X12R1T2", *pair(two), roomid="2")]
    await poller.look()
    await here.do(c.CallTime(now=here.clock.now()))
    await poller.look()
    assert stub.orders == [("death", "M#X12R1T1")]
    armed = replace(playing, death="on", last_turn=10)
    stub.rooms = [armed, room("M#X12R1T2", *pair(two), stage=Stage.COIN, roomid="2")]
    await poller.look()
    assert stub.orders[1:] == [("death", "M#X12R1T2")]
    here.clock.advance(60)
    stub.rooms[1] = replace(stub.rooms[1], death="on", last_turn=4)
    await poller.look()
    assert len(stub.orders) == 2
    assert counted(here.inside.metrics, "relayd_orders_total", kind="death", stage="confirmed") == 2


async def test_orders_that_fail_are_tried_again(here: World, stub: ServerStub, poller: Poller) -> None:
    """T8: an order that was not taken is no order: counted, and given again at a later look."""
    stub.rooms = [room("M#X12R1T1", *pair(here.table(), (1, 0)), stage=Stage.SIDING, duel=1)]
    await here.do(c.CallTime(now=here.clock.now()))
    stub.deaf = True
    await poller.look()
    stub.deaf = False
    for _ in range(3):
        here.clock.advance(1)
        await poller.look()
    assert stub.orders == [("death", "M#X12R1T1")] * 2
    metrics = here.inside.metrics
    stages = ("wanted", "failed", "sent")
    assert [counted(metrics, "relayd_orders_total", kind="death", stage=stage) for stage in stages] == [1] * 3


async def test_a_server_that_goes_away_gets_no_more_orders(here: World, stub: ServerStub) -> None:
    """F29: the rest waits for the next look; nobody stands in line for time-outs."""
    stub.rooms = [room(f"M#X12R1T{n}", *pair(here.table(n)), stage=Stage.COIN, roomid=str(n)) for n in (1, 2)]
    await here.do(c.CallTime(now=here.clock.now()))
    sights = read_rooms(here.inside.tables.index(), here.desks.running(), SERVER, stub.rooms)
    away = AdminApi(here.http, "http://127.0.0.1:9", ACCOUNT, 2_000)
    await Orderer(SERVER, away, here.inside, at_once=1).give(sights)
    assert counted(here.inside.metrics, "relayd_orders_total", kind="death", stage="failed") == 1


async def test_a_bug_in_a_look_does_not_end_the_poller(here: World, stub: ServerStub) -> None:
    """House 4: counted, and the next look goes on; what ends the daemon goes through."""
    bridge = Bridge([duel_server(stub.url)], here.http, here.inside)
    poller, errors = bridge.pollers[SERVER], [ValueError(), LogBroken()]

    async def broken(_request: web.Request) -> web.StreamResponse:
        here.desks.running = raising(errors)  # type: ignore[method-assign]
        return web.json_response({"rooms": []})

    stub.instead = broken
    async with asyncio.timeout(10):
        with pytest.raises(LogBroken):
            await poller.run()
    assert counted(here.inside.metrics, "relayd_polls_total", outcome="broken") == 1


def raising(errors: list[Exception]) -> Callable[[], Mapping[TournamentNo, Tournament]]:
    """Return a function that raises them one by one, then finds nothing."""

    def running() -> Mapping[TournamentNo, Tournament]:
        if errors:
            raise errors.pop(0)
        return {}

    return running


async def test_a_log_that_is_away_does_not_end_the_look(
    here: World, stub: ServerStub, poller: Poller
) -> None:
    """F03: what was not taken is said again at the next look."""
    stub.rooms = [room("M#X12R1T1", pair(here.table())[0])]
    handle = here.desks.handle

    async def away(*_said: object, **_more: object) -> Answer:
        raise LogUnavailable

    here.desks.handle = away  # type: ignore[method-assign]
    await poller.look()
    here.desks.handle = handle  # type: ignore[method-assign]
    assert here.table().presence_a.in_room is False
    await poller.look()
    assert here.table().presence_a.in_room is True


def test_pauses_grow_while_a_server_fails() -> None:
    """Issue 2: back-off with jitter, quicker while a round runs."""
    pace = Pace()
    assert [pace.pause_ms(0, 0.9, running=running) for running in (True, False)] == [1_000, 15_000]
    assert [pace.pause_ms(n, 0.5, running=True) for n in (1, 2, 3, 9, 99)] == [
        2_000,
        4_000,
        5_000,
        5_000,
        5_000,
    ]
    assert [pace.pause_ms(n, 0.5, running=False) for n in (1, 2, 3, 99)] == [30_000, 60_000, 60_000, 60_000]
    assert [pace.pause_ms(1, jitter, running=True) for jitter in (0, 1)] == [1_500, 2_500]
    assert Pace(idle_ms=90_000).pause_ms(5, 0.5, running=False) == 90_000


async def test_a_lead_and_nobody_sides(here: World, stub: ServerStub, poller: Poller) -> None:
    """Decisions 14: after a minute death is called off and again."""
    await here.do(c.CallTime(now=here.clock.now()))
    stub.rooms = [
        room("M#X12R1T1", *pair(here.table()), stage=Stage.DUELING, duel=1, turn=4, death="on", last_turn=4)
    ]
    await poller.look()
    stub.rooms = [room("M#X12R1T1", *pair(here.table(), (1, 0)), stage=Stage.SIDING, duel=1)]
    await poller.look()
    here.clock.advance(61)
    await poller.look()
    assert stub.orders == [("deathcancel", "M#X12R1T1"), ("death", "M#X12R1T1")]


async def test_the_hard_cap_closes_rooms(
    here: World, stub: ServerStub, bridge: Bridge, poller: Poller
) -> None:
    """T10: a last look takes in what the rooms show, then the match is over and the room is kicked."""
    await here.do(c.CallTime(now=here.clock.now()))
    stub.rooms = [room("M#X12R1T1", *pair(here.table(), (1, 0)), stage=Stage.SIDING, duel=1)]
    here.clock.advance(30 * 60)
    await bridge.last_look(NUMBER)
    assert stub.orders == []
    await here.do(c.Tick(now=here.clock.now()))
    await poller.look()
    assert stub.orders == [("kick", "M#X12R1T1")]
    result = here.table().result
    assert result is not None
    assert (result.outcome, result.wins("a")) == ("double_loss", 1)


async def failing(request: web.Request, answer: str) -> web.StreamResponse:
    """Answer what no duel server should."""
    refused = '{"rooms":[{"roomid":"0","roomname":"密码错误","needpass":"true"}]}'
    match answer:
        case "wrong_password":
            return web.Response(text=refused)
        case "html":
            return web.Response(text="<html>It works!</html>", content_type="text/html")
        case "nested":
            return web.Response(text="[" * 100_000)
        case "status":
            return web.Response(status=500)
        case "endless":
            return await _endless(request)
        case _:
            assert request.transport is not None
            request.transport.close()
            return web.Response()


async def _endless(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    for _ in range(10):
        await response.write(b" " * (1 << 20))
    return response


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("wrong_password", "wrong_password"),
        ("html", "no_json"),
        ("nested", "no_json"),
        ("status", "status"),
        ("endless", "no_json"),
        ("closed", "unreachable"),
    ],
)
async def test_bad_answers_are_counted_and_change_nothing(
    here: World, stub: ServerStub, bridge: Bridge, poller: Poller, answer: str, outcome: str
) -> None:
    """Issue 2, F18: wrong password, HTML, no JSON, a status, too much, nothing: counted, and tried again."""
    stub.instead = lambda request: failing(request, answer)
    entries = await here.log.streams()
    await poller.look()
    assert counted(here.inside.metrics, "relayd_polls_total", outcome=outcome) == 1
    assert bridge.health()[SERVER].failure
    assert await here.log.streams() == entries
    stub.instead = None
    await poller.look()
    assert (bridge.health()[SERVER].failure, bridge.health()[SERVER].state) == ("", "up")


async def test_a_server_that_hangs_is_given_up(here: World, stub: ServerStub) -> None:
    """F29: a look is bounded in time."""

    async def hang(_request: web.Request) -> web.StreamResponse:
        await asyncio.Event().wait()
        raise AssertionError

    stub.instead = hang
    server = duel_server(stub.url)
    slow = replace(server, pace=replace(server.pace, timeout_ms=50))
    await Bridge([slow], here.http, here.inside).pollers[SERVER].look()
    assert counted(here.inside.metrics, "relayd_polls_total", outcome="timeout") == 1


async def test_a_silent_server_pauses_its_tables(here: World, stub: ServerStub, poller: Poller) -> None:
    """5.5-8, F29: silent for more than 10 s: its tables pause from the last contact; then they go on."""
    stub.rooms = [room("M#X12R1T1", *pair(here.table()), stage=Stage.DUELING, duel=1, turn=1)]
    await poller.look()
    seen = here.clock.now()
    stub.instead = lambda request: failing(request, "status")
    for _ in range(3):
        here.clock.advance(5)
        await poller.look()
        assert dict(here.state().lost_servers) == {}
    here.clock.advance(1)
    await poller.look()
    assert dict(here.state().lost_servers) == {SERVER: seen}
    stub.instead = None
    here.clock.advance(60)
    await poller.look()
    assert dict(here.state().lost_servers) == {}
    assert [table.lost_at for table in tables(here)] == [None, None]
    assert here.table().lost_ms == 76_000


def tables(here: World) -> list[Table]:
    """Return both tables."""
    return [here.table(1), here.table(2)]


async def test_a_server_that_comes_back_empty(here: World, stub: ServerStub, poller: Poller) -> None:
    """5.5-8: the table that played has lost its room and the host is asked; the other one never had one."""
    stub.rooms = [room("M#X12R1T1", *pair(here.table()), stage=Stage.DUELING, duel=1, turn=1)]
    await poller.look()
    await lose(here, stub, poller)
    stub.instead, stub.rooms = None, []
    await poller.look()
    one, two = tables(here)
    assert one.asked_until == here.clock.now() + 15 * 60_000
    assert (two.lost_at, two.asked_until) == (None, None)


async def test_a_table_that_waits_for_a_new_room_has_lost_nothing(
    here: World, stub: ServerStub, poller: Poller
) -> None:
    """5.5-8: asked and answered once; if the server goes away again before they sit, nobody is asked anew."""
    await test_a_server_that_comes_back_empty(here, stub, poller)
    await here.do(c.ResumeTable(table=table_id(1, 1), now=here.clock.now()))
    await poller.look()
    await lose(here, stub, poller)
    stub.instead = None
    await poller.look()
    assert (here.table().lost_at, here.table().asked_until) == (None, None)


async def test_a_new_room_of_the_same_name_is_not_the_old_match(
    here: World, stub: ServerStub, poller: Poller
) -> None:
    """5.5-8: after a restart the players have begun from 0-0: the host is asked all the same."""
    playing = room("M#X12R1T1", *pair(here.table(), (1, 0)), stage=Stage.SIDING, duel=1, roomid="1")
    stub.rooms = [playing]
    await poller.look()
    await lose(here, stub, poller)
    stub.instead = None
    stub.rooms = [room("M#X12R1T1", *pair(here.table()), stage=Stage.DUELING, duel=1, roomid="2")]
    await poller.look()
    assert here.table().asked_until is not None


async def test_a_quick_restart_is_noticed(here: World, stub: ServerStub, poller: Poller) -> None:
    """F29: back within 10 s, but every room is gone: its matches are lost, too."""
    stub.rooms = [room("M#X12R1T1", *pair(here.table()), stage=Stage.DUELING, duel=1, turn=1)]
    await poller.look()
    stub.instead = lambda request: failing(request, "closed")
    await poller.look()
    stub.instead, stub.rooms = None, []
    here.clock.advance(2)
    await poller.look()
    assert here.table().asked_until is not None


async def lose(here: World, stub: ServerStub, poller: Poller) -> None:
    """Let the server be silent until it is lost."""
    stub.instead = lambda request: failing(request, "status")
    await poller.look()
    here.clock.advance(11)
    await poller.look()
    assert SERVER in here.state().lost_servers


async def test_a_result_that_never_came(here: World, stub: ServerStub, poller: Poller) -> None:
    """F31, 5.5-8: the room is gone and nobody reported: after half a minute the host is asked, once."""
    both = [
        room(f"M#X12R1T{n}", *pair(here.table(n)), stage=Stage.DUELING, duel=1, turn=1, roomid=str(n))
        for n in (1, 2)
    ]
    stub.rooms = both
    await poller.look()
    stub.rooms = both[:1]
    await poller.look()
    here.clock.advance(29)
    await poller.look()
    assert here.table(2).asked_until is None
    here.clock.advance(1)
    await poller.look()
    assert [table.asked_until is None for table in tables(here)] == [True, False]
    assert here.table(1).lost_ms == 0
    await here.do(c.ResumeTable(table=table_id(1, 2), now=here.clock.now()))
    for _ in range(3):
        here.clock.advance(31)
        await poller.look()
    assert here.table(2).asked_until is None


async def test_a_result_that_is_late_asks_nobody(here: World, stub: ServerStub, poller: Poller) -> None:
    """5.5-11: the report comes within the half minute."""
    stub.rooms = [room("M#X12R1T1", *pair(here.table()), stage=Stage.DUELING, duel=1, turn=1)]
    await poller.look()
    stub.rooms = []
    await poller.look()
    here.clock.advance(20)
    await here.do(report(2, 0, "a"))
    here.clock.advance(20)
    await poller.look()
    assert (here.table().status, here.table().asked_until) == ("confirmed", None)


async def test_what_ended_while_the_daemon_was_away(here: World, stub: ServerStub, bridge: Bridge) -> None:
    """F31: at the first look a match that should be on has no room: what a server could not tell is asked."""
    playing = c.SeeRoom(table=table_id(1, 1), seated=("a", "b"), playing=True, duel=1, now=here.clock.now())
    await here.do(playing)
    poller = bridge.pollers[SERVER]
    await poller.look()
    here.clock.advance(30)
    await poller.look()
    assert here.table().asked_until is not None
    assert stub.orders == []


async def test_the_poller_looks_at_once_when_time_is_called(here: World, stub: ServerStub) -> None:
    """T8: the next look does not wait for its turn; the run ends when it is cancelled."""
    server = duel_server(stub.url)
    slow = replace(server, pace=replace(server.pace, running_ms=3_600_000))
    bridge = Bridge([slow], here.http, here.inside)
    running = asyncio.create_task(bridge.run())
    async with asyncio.timeout(10):
        await bridge.first_look()
        stub.rooms = [room("M#X12R1T1", *pair(here.table()), stage=Stage.DUELING, duel=1, turn=1)]
        await here.do(c.CallTime(now=here.clock.now()))
        await stub.ordered.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert stub.looks == 2


async def test_a_dead_server_does_not_hold_the_first_look_for_ever(here: World, stub: ServerStub) -> None:
    """5.5-7: the hold after a restart ends when its tables are paused."""
    stub.instead = lambda request: failing(request, "status")
    bridge = Bridge([duel_server(stub.url)], here.http, here.inside)
    waiting = asyncio.create_task(bridge.first_look())
    await bridge.pollers[SERVER].look()
    assert not waiting.done()
    here.clock.advance(11)
    await bridge.pollers[SERVER].look()
    async with asyncio.timeout(10):
        await waiting


async def test_servers_without_an_api_are_only_named(here: World) -> None:
    """Decisions 1: nothing to look at, nothing to wait for."""
    bridge = Bridge([duel_server(None)], here.http, here.inside)
    await bridge.first_look()
    await bridge.last_look(NUMBER)
    assert bridge.health()[SERVER].state == "unknown"
    assert (dict(bridge.live(NUMBER)), dict(bridge.free()), bridge.oddities(NUMBER)) == ({}, {}, ())


@pytest.mark.usefixtures("here")
async def test_join_strings_lead_to_the_room(bridge: Bridge) -> None:
    """Decisions 15: what works on that server; unknown tables are refused."""
    assert bridge.join_string(NUMBER, table_id(1, 2)) == "M#X12R1T2"
    with pytest.raises(Exception, match="unknown_table"):
        bridge.join_string(NUMBER, table_id(1, 3))


async def test_free_rooms_count_tables_without_a_room(here: World, stub: ServerStub, bridge: Bridge) -> None:
    """Decisions 1: a table needs its room even before its players have come; foreign rooms are taken."""
    assert dict(bridge.free()) == {}
    stub.rooms = [room("lobby", person("Eve", 0), person("Mallory", 1))]
    await bridge.pollers[SERVER].look()
    assert bridge.free()[SERVER] == 100 - 1 - 2
    await lose(here, stub, bridge.pollers[SERVER])
    assert bridge.free()[SERVER] == 0
