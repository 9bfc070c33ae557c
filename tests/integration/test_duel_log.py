"""A match whose room has gone without a report: the duel server's own log may prove how it ended (F31)."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from relayd.bridge.bridge import Bridge
from relayd.ports import Answer
from relayd.storage.log import LogUnavailable
from ruleset.ids import TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.results import Game
from ruleset.tournament.state import Table
from srvpro_bridge.adminapi import Stage
from tests.bridging import ServerStub, World, counted, duel_server, pair, room, serving, world
from tests.builders import SERVER, minutes, won


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


def log_of(table: Table, *winners: str, mode: int = 1, first: int = 1, roomid: int = 7, **more: Any) -> bytes:
    """Return the log of a room: who won its games, ``a``, ``b`` or nobody; B sits at position 0."""
    seated = (("b", table.b), ("a", table.a))
    games = [
        {
            "id": 100 * roomid + number,
            "time": "2026-11-29 19:52:06",
            "name": f"M#X12R1T{table.id.table} (Duel:{number})",
            "roomid": roomid,
            "roommode": mode,
            "players": [
                {"pos": pos, "name": more.get(seat, f"Nick{player}"), "winner": seat == winner}
                for pos, (seat, player) in enumerate(seated)
            ],
        }
        for number, winner in enumerate(winners, first)
    ]
    return json.dumps(games[::-1]).encode()


async def gone(here: World, stub: ServerStub, wins: tuple[int, int] = (0, 0), *tables: int) -> Bridge:
    """Let matches play, their rooms go, and half a minute pass."""
    bridge = Bridge([duel_server(stub.url)], here.http, here.inside)
    poller = bridge.pollers[SERVER]
    stub.rooms = [
        room(f"M#X12R1T{n}", *pair(here.table(n), wins), stage=Stage.DUELING, duel=1, turn=1, roomid=str(n))
        for n in tables or (1,)
    ]
    await poller.look()
    stub.rooms = []
    await poller.look()
    here.clock.advance(30)
    await poller.look()
    return bridge


async def test_the_log_proves_a_result(here: World, stub: ServerStub) -> None:
    """F31, duel-server.md 8: games come to their seats, the host is asked nothing, nothing comes twice."""
    stub.logged = log_of(here.table(), "b", "a", "a")
    bridge = await gone(here, stub)
    table = here.table()
    assert table.result is not None
    assert (table.status, table.result.outcome, table.asked_until) == ("confirmed", "a", None)
    assert table.result.games == (Game(winner="b"), Game(winner="a"), Game(winner="a"))
    assert stub.asked == ["M#X12R1T1"]
    here.clock.advance(60)
    await bridge.pollers[SERVER].look()
    assert stub.asked == ["M#X12R1T1"]
    assert counted(here.inside.metrics, "relayd_reports_total", source="duellog", outcome="filed") == 1


async def test_the_last_room_of_a_name_counts(here: World, stub: ServerStub) -> None:
    """5.5-8: what was played before a restart proves nothing of the match that was played anew."""
    whole, begun = log_of(here.table(), "a", "a"), log_of(here.table(), "b", roomid=8)
    stub.logged = json.dumps([*json.loads(begun), *json.loads(whole)]).encode()
    await gone(here, stub)
    assert (here.table().result, here.table().asked_until is None) == (None, False)


async def test_what_a_judge_took_back_does_not_return(here: World, stub: ServerStub) -> None:
    """T22, 5.5-8: of a table that was reopened the log cannot say which of its rooms a game was played in."""
    table = here.table()
    await here.do(won(table, "a", minutes(1)), c.Reopen(table=table.id, now=minutes(2)))
    stub.logged = log_of(table, "a", "a")
    await gone(here, stub)
    assert (here.table().result, here.table().asked_until is None) == (None, False)


async def test_a_name_that_begins_alike_is_another_room(here: World, stub: ServerStub) -> None:
    """duel-server.md 8: a server may show more rooms than were asked for: T10 is not T1."""
    own = json.loads(log_of(here.table(), "a", "a"))
    other = json.loads(log_of(here.table(), "b", "b", roomid=8))
    for row in other:
        row["name"] = row["name"].replace("T1", "T10")
    stub.logged = json.dumps([*other, *own]).encode()
    await gone(here, stub)
    found = here.table().result
    assert found is not None
    assert found.outcome == "a"


@pytest.mark.parametrize(
    ("winners", "more"),
    [
        ((), {}),
        (("a",), {}),
        (("a", "a"), {"first": 2}),
        (("a",), {"mode": 0}),
        (("a", "a"), {"b": "Mallory"}),
        (("b", "b"), {}),
    ],
    ids=["no game", "death or a crash", "a game is missing", "a single duel", "a stranger", "less than seen"],
)
async def test_what_the_log_does_not_prove_is_asked(
    here: World, stub: ServerStub, winners: tuple[str, ...], more: dict[str, Any]
) -> None:
    """5.5-8, 5.6-6: a match that the log does not hold whole is for the host to decide."""
    stub.logged = log_of(here.table(), *winners, **more)
    await gone(here, stub, (1, 0))
    table = here.table()
    assert (table.result, table.asked_until is None) == (None, False)


@pytest.mark.parametrize(
    "logged", [None, b"[{name:'\xe5\xaf\x86\xe7\xa0\x81\xe9\x94\x99\xe8\xaf\xaf'}]", b"{"]
)
async def test_a_server_without_a_log(here: World, stub: ServerStub, logged: bytes | None) -> None:
    """F31: no database, no right, nonsense: it is asked once, and the host is asked about every match."""
    stub.logged = logged
    await gone(here, stub, (0, 0), 1, 2)
    assert len(stub.asked) == 1
    assert [here.table(n).asked_until is None for n in (1, 2)] == [False, False]


async def test_a_result_that_cannot_be_written_is_asked_about(
    here: World, stub: ServerStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F04: the log of the daemon is away for a moment; the match is not lost from sight."""
    stub.logged = log_of(here.table(), "a", "a")
    handle = here.desks.handle

    async def away(number: TournamentNo, command: c.Command, **more: Any) -> Answer:
        if isinstance(command, c.FileReport):
            raise LogUnavailable("away")
        return await handle(number, command, **more)

    monkeypatch.setattr(here.desks, "handle", away)
    await gone(here, stub)
    assert (here.table().result, here.table().asked_until is None) == (None, False)


async def test_only_what_is_missing_is_looked_up(here: World, stub: ServerStub) -> None:
    """F31: a match whose room is there is left alone."""
    stub.logged = log_of(here.table(2), "a", "a")
    bridge = Bridge([duel_server(stub.url)], here.http, here.inside)
    rooms = [
        room(f"M#X12R1T{n}", *pair(here.table(n)), stage=Stage.DUELING, duel=1, turn=1, roomid=str(n))
        for n in (1, 2)
    ]
    poller, stub.rooms = bridge.pollers[SERVER], rooms
    await poller.look()
    stub.rooms = rooms[:1]
    await poller.look()
    here.clock.advance(30)
    await poller.look()
    assert stub.asked == ["M#X12R1T2"]
    assert (here.table(1).result, here.table(2).status) == (None, "confirmed")
