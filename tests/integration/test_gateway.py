"""The gateway over a real WebSocket: who may speak, how it begins, goes on and ends (docs/protocol.md)."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from relayd.bridge.api import NoAnswer
from relayd.bridge.gateway import gateway, link
from relayd.bridge.tables import TableKey
from ruleset.errors import CommandRejected
from ruleset.ids import ServerId, TournamentNo
from ruleset.tournament import commands as c
from srvpro_bridge import protocol as p
from tests.bridging import counted
from tests.builders import NUMBER, SERVER, minutes, result, table_id
from tests.gateways import HELLO, TOKEN, Gate, Speaker, closed, gate, nick, opened, sight

TABLE_1 = TableKey(NUMBER, table_id(1, 1))


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Gate]:
    """A tournament of four in round 1, R1T1 and R1T2, on the duel server ``main``."""
    async with gate(tmp_path) as here:
        await here.here.begin(4)
        yield here


def errors(here: Gate, kind: str) -> float:
    """Return how often a plugin spoke badly in that way."""
    return counted(here.here.inside.metrics, "relayd_peer_errors_total", part="plugin", kind=kind)


def records(here: Gate, kind: str, outcome: str) -> float:
    """Return how often that became of a record."""
    labels = {"kind": kind, "outcome": outcome}
    return counted(here.here.inside.metrics, "relayd_plugin_records_total", **labels)


async def closing(plugin: Speaker) -> int:
    """Return with which code the connection is closed."""
    async with asyncio.timeout(20):
        try:
            while True:
                plugin.heard.append(p.from_daemon(await plugin.socket.recv()))
        except ConnectionClosed as closed:
            return 1006 if closed.rcvd is None else closed.rcvd.code


# Who may speak


@pytest.mark.parametrize(
    "token", ["wrong", TOKEN[:-1], TOKEN + "x", "", "ünïcödé".encode().decode("latin-1"), "x" * 4_000]
)
async def test_a_wrong_token_opens_nothing(here: Gate, token: str) -> None:
    """F11, F22: 401 before anything is said, whatever the characters; each attempt is counted."""
    for _ in range(3):
        with pytest.raises(InvalidStatus) as caught:
            await here.dial(token)
        assert caught.value.response.status_code == 401
    assert errors(here, "wrong_token") == 3


@pytest.mark.parametrize("header", [{}, {"Authorization": TOKEN}, {"Authorization": f"Basic {TOKEN}"}])
async def test_a_token_stands_behind_bearer(here: Gate, header: dict[str, str]) -> None:
    """docs/protocol.md: no header, or another scheme, is no token."""
    with pytest.raises(InvalidStatus):
        await connect(f"ws://127.0.0.1:{here.port}/plugin", additional_headers=header)
    assert errors(here, "wrong_token") == 1


async def test_the_token_must_be_that_of_the_server(here: Gate) -> None:
    """F11: a duel server cannot speak for another one; it is told, closed, and counted."""
    async with here.plugin("other-token") as plugin:
        await plugin.say(HELLO)
        assert (await plugin.hear(p.Goodbye)).code == "server"
        assert await closing(plugin) == 1002
    assert errors(here, "wrong_server") == 1


# How it begins


async def test_hello_and_welcome(here: Gate) -> None:
    """docs/protocol.md: version, how far the log is, and every table with all that it needs."""
    async with here.plugin() as plugin:
        welcome = await plugin.greet()
        assert (welcome.version, welcome.ack) == (1, 0)
        assert sorted(table.code for table in welcome.tables) == ["X12R1T1", "X12R1T2"]
        assert welcome.policy.report == "all"


async def test_the_best_common_version_is_taken(here: Gate) -> None:
    """Issue 3: versions are negotiated; without a common one the plugin is told so, and why."""
    async with here.plugin() as plugin:
        assert (await plugin.greet(replace(HELLO, versions=(9, 1)))).version == 1
    async with here.plugin() as plugin:
        await plugin.say(replace(HELLO, versions=(9,)))
        goodbye = await plugin.hear(p.Goodbye)
        assert (goodbye.code, "[9]" in goodbye.text) == ("version", True)
        assert await closing(plugin) == 1002
    assert errors(here, "version") == 1


@pytest.mark.parametrize(
    ("first", "code", "kind"),
    [
        (p.Trouble(place="x", text="y", count=1), 1002, "no_hello"),
        ("{", 1007, "not_json"),
        ("[" * 100_000, 1002, "wrong_shape"),
        ('{"type":"hello"}', 1002, "wrong_shape"),
        ('{"type":"welcome","seq":1}', 1002, "wrong_shape"),
        (p.encode(HELLO).encode(), 1002, "binary"),
    ],
)
async def test_whoever_begins_otherwise_is_let_go(here: Gate, first: Any, code: int, kind: str) -> None:
    """F17, F18: the right close code, and a line that says what was wrong."""
    async with here.plugin() as plugin:
        await plugin.say(first)
        assert await closing(plugin) == code
        (goodbye,) = plugin.heard
        assert isinstance(goodbye, p.Goodbye)
    assert errors(here, kind) == 1


async def test_nobody_is_waited_for_for_ever(here: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    """F13: a connection that says nothing is closed."""
    monkeypatch.setattr(gateway, "HELLO_S", 0.01)
    async with here.plugin() as plugin:
        assert await closing(plugin) == 1002
    assert errors(here, "no_hello") == 1


# How it goes on


async def test_records_are_acknowledged_once_they_are_durable(here: Gate) -> None:
    """docs/protocol.md: the last one of what came; then a new connection begins behind it."""
    table = here.here.table()
    async with here.plugin() as plugin:
        await plugin.begin()
        await plugin.say(*(opened(seq, table) for seq in range(1, 6)))
        await plugin.acked(5)
    async with here.plugin() as plugin:
        assert (await plugin.greet()).ack == 5
    assert records(here, "room_opened", "taken") == 5


async def test_a_record_that_comes_again_is_acknowledged_again(here: Gate) -> None:
    """F11, docs/protocol.md: (spool, seq) names a record for ever; it is taken once."""
    table = here.here.table()
    async with here.plugin() as plugin:
        await plugin.begin()
        await plugin.say(opened(1, table))
        await plugin.acked(1)
        await plugin.say(opened(1, table), opened(2, table))
        await plugin.acked(2)
    assert (records(here, "room_opened", "taken"), records(here, "room_opened", "again")) == (2, 1)


async def test_each_spool_counts_for_itself(here: Gate) -> None:
    """docs/protocol.md: a spool that was lost begins at 1 anew."""
    table = here.here.table()
    for spool in ("one", "two"):
        async with here.plugin() as plugin:
            assert (await plugin.begin(hello=replace(HELLO, spool=spool))).ack == 0
            await plugin.say(opened(1, table))
            await plugin.acked(1)


async def test_an_unreadable_record_is_set_aside(here: Gate) -> None:
    """docs/protocol.md: or the plugin would send it for ever; the connection goes on, and it is counted."""
    bad = json.loads(p.encode(opened(1, here.here.table()))) | {"best_of": 2}
    async with here.plugin() as plugin:
        await plugin.begin()
        await plugin.say(json.dumps(bad), opened(2, here.here.table()))
        await plugin.acked(2)
    assert records(here, "unknown", "unreadable") == 1


async def test_lines_of_a_damaged_spool_may_be_missing(here: Gate) -> None:
    """10.j: what was torn is skipped; but a number from nowhere would make all later ones old."""
    table = here.here.table()
    async with here.plugin() as plugin:
        await plugin.greet(replace(HELLO, next=6))
        await plugin.say(opened(2, table), opened(5, table), opened(6, table))
        await plugin.acked(6)
        await plugin.say(opened(9, table))
        assert (await plugin.hear(p.Goodbye)).code == "protocol"
    async with here.plugin() as plugin:
        assert (await plugin.greet()).ack == 6
    assert errors(here, "gap") == 1


@pytest.mark.parametrize(
    ("said", "code", "kind"),
    [
        (HELLO, 1002, "second_hello"),
        ('{"type":"nonsense"}', 1002, "wrong_shape"),
        ("nonsense", 1007, "not_json"),
        (b"{}", 1002, "binary"),
        ("x" * (p.LONGEST_FROM_PLUGIN + 1), 1009, "too_large"),
    ],
)
async def test_what_is_not_this_protocol_ends_it(here: Gate, said: Any, code: int, kind: str) -> None:
    """F17: 1002, 1007 or 1009, and the daemon lives on; the next connection is welcome."""
    async with here.plugin() as plugin:
        await plugin.begin()
        await plugin.say(said)
        assert await closing(plugin) == code
    async with here.plugin() as plugin:
        await plugin.greet()
    assert errors(here, kind) == 1


async def test_frames_up_to_the_bound_are_read(here: Gate) -> None:
    """docs/protocol.md: 1 MiB from a plugin, also where administrators may say less."""
    many = tuple(sight(here.here.table(), room=f"{n:060}") for n in range(2_000))
    frame = p.encode(p.Rooms(after=0, rooms=many))
    assert 700_000 < len(frame) < p.LONGEST_FROM_PLUGIN
    async with here.plugin() as plugin:
        await plugin.greet()
        await plugin.say(frame, opened(1, here.here.table()))
        await plugin.acked(1)


async def test_the_newest_connection_counts(here: Gate) -> None:
    """docs/protocol.md: half-open connections are a normal case; records are never taken by two at once."""
    async with here.plugin() as old, here.plugin() as newer, here.plugin() as newest:
        await old.begin()
        await newer.say(HELLO)
        await newest.say(HELLO)
        assert (await old.hear(p.Goodbye)).code == "replaced"
        assert await closing(old) == 1013
        lines = [asyncio.create_task(line.hear(p.Goodbye)) for line in (newer, newest)]
        done, waiting = await asyncio.wait(lines, timeout=20, return_when=asyncio.FIRST_COMPLETED)
        assert [task.result().code for task in done] == ["replaced"]
        for task in waiting:
            task.cancel()
        assert here.eye.connected is False


async def test_a_plugin_that_is_cut_off_is_noticed(here: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 3, 10.i: a connection that hangs open gives no sign of life, and is given up."""
    monkeypatch.setattr(link, "BEAT_S", 0.01)
    monkeypatch.setattr(link, "PONG_S", 0.05)
    async with here.plugin() as plugin:
        await plugin.begin()
        await here.looked()
        plugin.socket.transport.pause_reading()
        async with asyncio.timeout(20):
            while here.eye.connected:  # noqa: ASYNC110  nothing tells it but the eye
                await asyncio.sleep(0.01)


# What the plugin is told


async def test_changes_are_pushed_as_they_happen(here: Gate) -> None:
    """Issue 3: time is called, a match ends, the next round comes, the tournament is over."""
    async with here.plugin() as plugin:
        await plugin.begin()
        await here.here.do(c.CallTime(now=minutes(40)))
        assert (await plugin.told("X12R1T1", death=True)).sudden_death is False
        await here.here.do(c.Rule(table=table_id(1, 1), result=result("a", (2, 0)), now=minutes(41)))
        assert (await plugin.told("X12R1T1", finished=True)).death is False
        await here.here.do(c.Rule(table=table_id(1, 2), result=result("a", (2, 0)), now=minutes(42)))
        await here.here.do(c.NextRound(now=minutes(43)))
        assert {(await plugin.hear(p.TableGone)).code for _ in range(2)} == {"X12R1T1", "X12R1T2"}
        assert (await plugin.told("X12R2T1")).finished is False
        await here.here.do(c.Cancel(now=minutes(44)))
        assert {(await plugin.hear(p.TableGone)).code for _ in range(2)} == {"X12R2T1", "X12R2T2"}


async def test_a_new_connection_knows_what_the_old_one_missed(here: Gate) -> None:
    """Issue 3: level-triggered: never stale after a reconnect."""
    async with here.plugin() as plugin:
        await plugin.begin()
    await here.here.do(c.CallTime(now=minutes(40)))
    async with here.plugin() as plugin:
        assert all(table.death for table in (await plugin.greet()).tables)


async def test_a_plugin_that_does_not_read_is_let_go(here: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 3: bounded queues, and no wait without an end; the rest of the daemon goes on."""
    monkeypatch.setattr(link, "SEND_S", 0.05)
    async with here.plugin() as plugin:
        await plugin.begin(sight(here.here.table(1)))
        await here.looked()
        plugin.socket.transport.pause_reading()
        async with asyncio.timeout(30):
            while here.eye.connected:
                says = [here.eye.say_at(TABLE_1, "x" * 500) for _ in range(500)]
                await asyncio.gather(*says, return_exceptions=True)
    assert here.here.state().phase == "running"


async def test_troubles_of_the_plugin_are_written_down(
    here: Gate, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """F21, F32: what went wrong inside of it, in bounds."""
    monkeypatch.setattr(link, "TROUBLES", 2)
    async with here.plugin() as plugin:
        await plugin.begin()
        await plugin.say(*(p.Trouble(place=f"place {n}", text="TypeError", count=1) for n in range(5)))
        await plugin.say(opened(1, here.here.table()))
        await plugin.acked(1)
    assert capsys.readouterr().out.count("plugin_trouble") == 2


async def test_questions_are_answered_while_records_wait(here: Gate) -> None:
    """10.g: a player waits for it at the door; nobody waits for the log."""
    handle, going_on = here.here.desks.handle, asyncio.Event()

    async def slow(*said: Any, **more: Any) -> Any:
        await going_on.wait()
        return await handle(*said, **more)

    async with here.plugin() as plugin:
        await plugin.begin()
        here.here.desks.handle = slow  # type: ignore[method-assign]
        await plugin.say(closed(1, here.here.table(), "aa"))
        await plugin.say(p.AskSeat(id="q7", nickname=nick(here.here.table(), "b"), typed="hello"))
        answer = await plugin.hear(p.SeatFound)
        assert (answer.id, answer.code, answer.seat) == ("q7", "X12R1T1", "b")
        going_on.set()
        await plugin.acked(1)


async def test_too_many_questions_at_once_end_it(here: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 3: bounded; the plugin is told why, and comes again later."""
    monkeypatch.setattr(link, "ASKED", 1)
    asked = p.AskDeck(id="q", code="X12R1T1", seat="a", siding=False, main=(1,) * 40, side=())
    async with here.plugin() as plugin:
        await plugin.begin()
        await plugin.say(*(asked for _ in range(50)))
        assert (await plugin.hear(p.Goodbye)).code == "busy"
        assert await closing(plugin) == 1013


async def test_a_question_that_breaks_us_is_not_answered(here: Gate) -> None:
    """House 4: the plugin knows what to do without an answer; the connection goes on."""
    running = here.here.desks.running

    def broken() -> Any:
        here.here.desks.running = running  # type: ignore[method-assign]
        raise ValueError

    async with here.plugin() as plugin:
        await plugin.begin()
        await here.looked()
        here.running.cancel()
        await asyncio.gather(here.running, return_exceptions=True)
        here.here.desks.running = broken  # type: ignore[method-assign]
        await plugin.say(p.AskSeat(id="q1", nickname="Eve", typed=""))
        await plugin.say(p.AskSeat(id="q2", nickname="Eve", typed=""))
        assert (await plugin.hear(p.SeatFound)).id == "q2"


# Orders


async def test_words_reach_a_room_or_one_player(here: Gate) -> None:
    """Issue 3: through the plugin a host speaks to the rooms of his tournament and to no other."""
    async with here.plugin() as plugin:
        await plugin.begin(sight(here.here.table(1)))
        await here.looked()
        await here.seen()
        saying = asyncio.create_task(here.eye.say(NUMBER, "Five minutes left."))
        said = [await plugin.hear(p.Say) for _ in range(2)]
        assert [one.code for one in said] == ["X12R1T1", "X12R1T2"]
        assert {(one.seat, one.text) for one in said} == {(None, "Five minutes left.")}
        await plugin.say(p.Done(id=said[0].id, ok=True, outcome="done"))
        await plugin.say(p.Done(id=said[1].id, ok=False, outcome="no_room"))
        await saying
        saying_at = asyncio.create_task(here.eye.say_at(TABLE_1, "Please hurry.", "b"))
        one = await plugin.hear(p.Say)
        assert (one.code, one.seat) == ("X12R1T1", "b")
        await plugin.say(p.Done(id=one.id, ok=True, outcome="done"))
        assert await saying_at == "done"


async def test_a_player_is_thrown_out(here: Gate) -> None:
    """Issue 3, 10.f: by his seat; what the plugin could not do is an error that says so."""
    async with here.plugin() as plugin:
        await plugin.begin(sight(here.here.table(1)))
        await here.looked()
        await here.seen()
        kicking = asyncio.create_task(here.eye.kick_from(TABLE_1, "a", "You were asked to leave."))
        kick = await plugin.hear(p.Kick)
        assert (kick.code, kick.seat, kick.nickname) == ("X12R1T1", "a", None)
        await plugin.say(p.Done(id="another", ok=True, outcome="done"))
        await plugin.say(p.Done(id=kick.id, ok=False, outcome="no_player"))
        with pytest.raises(NoAnswer, match="no_player"):
            await kicking


async def test_a_judge_reaches_one_table(here: Gate) -> None:
    """Issue 3, decisions 4: a word or a removal by table; what was not done is refused with why."""
    async with here.plugin() as plugin:
        await plugin.begin(sight(here.here.table(1)))
        await here.looked()
        await here.seen()
        saying = asyncio.create_task(here.bridge.say_at(NUMBER, table_id(1, 1), "Judge!", "b"))
        said = await plugin.hear(p.Say)
        assert (said.code, said.seat, said.text) == ("X12R1T1", "b", "Judge!")
        await plugin.say(p.Done(id=said.id, ok=True, outcome="done"))
        await saying
        kicking = asyncio.create_task(here.bridge.kick_from(NUMBER, table_id(1, 1), "a", "Leave, please."))
        kick = await plugin.hear(p.Kick)
        await plugin.say(p.Done(id=kick.id, ok=False, outcome="no_player"))
        with pytest.raises(CommandRejected, match=r"not_heard.*no_player"):
            await kicking
        with pytest.raises(CommandRejected, match="unknown_table"):
            await here.bridge.say_at(NUMBER, table_id(7, 1), "Hello?")
        with pytest.raises(CommandRejected, match="unknown_table"):
            await here.bridge.say_at(TournamentNo(99), table_id(1, 1), "Hello?")
    here.bridge.plugins.clear()
    with pytest.raises(CommandRejected, match="has no plugin"):
        await here.bridge.say_at(NUMBER, table_id(1, 1), "Hello?")


async def test_orders_end_with_their_connection(here: Gate) -> None:
    """House 4: nobody waits for an answer that cannot come."""
    async with here.plugin() as plugin:
        await plugin.begin(sight(here.here.table(1)))
        await here.looked()
        await here.seen()
        saying = asyncio.create_task(here.eye.say_at(TABLE_1, "Hello?"))
        await plugin.hear(p.Say)
    with pytest.raises(NoAnswer, match="gone"):
        await saying
    with pytest.raises(NoAnswer, match="not connected"):
        await here.eye.say(NUMBER, "Is anybody there?")


async def test_an_order_that_nobody_answers_is_given_up(here: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    """House 4: bounded in time."""
    monkeypatch.setattr(link, "ORDER_S", 0.01)
    async with here.plugin() as plugin:
        await plugin.begin(sight(here.here.table(1)))
        await here.looked()
        await here.seen()
        with pytest.raises(NoAnswer, match="does not answer"):
            await here.eye.say_at(TABLE_1, "Hello?")
        with pytest.raises(NoAnswer, match="no match"):
            await here.eye.say_at(TableKey(NUMBER, table_id(1, 3)), "Hello?")


async def test_new_tokens_are_taken_up(here: Gate) -> None:
    """F28: an old token opens nothing any more, the new one does; whoever was connected by it is let go."""
    known = [changed(server, plugin_token="new") for server in here.servers]
    async with here.plugin() as plugin:
        await plugin.begin()
        here.bridge.use(known)
        here.gateway.use(known)
        assert await closing(plugin) == 1006
    with pytest.raises(InvalidStatus):
        await here.dial()
    assert ServerId(SERVER) in here.bridge.plugins
