"""Reports that name a room and two players find their table, or wait for somebody who knows it (5.6)."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from relayd.bridge.intake import STRAYS, Intake, Outcome, RoomReport
from relayd.sweeps import SettledElsewhere
from ruleset.ids import PlayerId, ServerId, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.reports import Report, SeatScore
from srvpro_bridge.matching import Names
from tests.bridging import HERE, SERVER_B, World, counted, world
from tests.builders import NUMBER, SERVER, minutes, result, table_id

TWO = TournamentNo(13)


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[World]:
    """A tournament of four in round 1, R1T1 and R1T2."""
    async with world(tmp_path) as here:
        await here.begin(4)
        yield here


def said(
    names: Names, room: str = "M#X12R1T1", *, server: ServerId = SERVER, body: str = "17956 1"
) -> RoomReport:
    """Return a report by which the first of *names* won 2-1."""
    told = Report(
        source="duellog", server=server, a=SeatScore(wins=2), b=SeatScore(wins=1), winner="a", body=body
    )
    return RoomReport(room_name=room, names=names, report=told)


def sitting(here: World, table: int = 1) -> Names:
    """Return the nicknames of a table, A first."""
    found = here.table(table)
    return f"Nick{found.a}", f"Nick{found.b}"


async def take(here: World, report: RoomReport) -> Outcome:
    """Hand *report* in."""
    return await Intake(here.inside).take(report)


@pytest.mark.parametrize("room", ["M#X12R1T1", "x12r1t1", "anything"])
async def test_two_names_of_a_table(here: World, room: str) -> None:
    """5.6-1, 5.6-2: by the code, or without one by the names alone; a number does as well as a nickname."""
    a, b = here.table().a, here.table().b
    assert await take(here, said((f"nick{a}", f"{b:06d}"), room)) == "filed"
    assert here.table().result == result("a", (2, 1))


async def test_the_first_name_may_have_seat_b(here: World) -> None:
    """5.6: scores follow the names to their seats."""
    a, b = sitting(here)
    assert await take(here, said((b, a))) == "filed"
    assert here.table().result == result("b", (1, 2))


async def test_the_same_report_again(here: World) -> None:
    """F08, 5.6-5: nothing changes."""
    assert await take(here, said(sitting(here))) == "filed"
    assert await take(here, said(sitting(here))) == "again"


async def test_one_name_waits_for_somebody_who_knows(here: World) -> None:
    """5.6-1: one resolves: parked with its candidate, once; then the host accepts it."""
    _, b = sitting(here)
    report = said(("Eve", b))
    assert [await take(here, report) for _ in range(2)] == ["parked", "again"]
    (parked,) = here.state().parked.values()
    assert (parked.why, parked.candidates, parked.names) == ("one_name", (table_id(1, 1),), ("Eve", b))
    assert here.table().result is None
    await here.do(c.AcceptParked(id=parked.id, table=table_id(1, 1), now=minutes(30)))
    assert here.table().result == result("a", (2, 1))


async def test_strangers_in_a_coded_room_are_told(here: World) -> None:
    """5.6-1, F11: outsiders' names never become a result."""
    assert await take(here, said(("Eve", "Mallory"))) == "parked"
    (parked,) = here.state().parked.values()
    assert parked.why == "strangers"


async def test_the_wrong_server_is_parked(here: World) -> None:
    """F11: the names are right, the duel server is not the table's."""
    assert await take(here, said(sitting(here), server=SERVER_B)) == "parked"
    assert here.table().result is None


async def test_nobodys_room(here: World) -> None:
    """5.6: no code, no table: not ours, and counted."""
    assert await take(here, said(("Eve", "Mallory"), "lobby")) == "not_ours"
    labels = {"source": "duellog", "outcome": "not_ours"}
    assert counted(here.inside.metrics, "relayd_reports_total", **labels) == 1
    assert await take(here, said(sitting(here), "X99R1T1")) == "not_ours"


async def test_a_code_of_no_table(here: World) -> None:
    """5.6-1: the tournament runs, the table does not exist."""
    assert await take(here, said(sitting(here), "X12R7T7")) == "unmatched"
    assert await take(here, said(sitting(here), "X12P1T1")) == "unmatched"


async def test_a_report_of_an_earlier_round_is_history(here: World) -> None:
    """5.6-5: kept with its table, and the result stands."""
    names = sitting(here)
    for table in (1, 2):
        await here.do(c.Rule(table=table_id(1, table), result=result("b", (0, 2)), now=minutes(9)))
    await here.do(c.NextRound(now=minutes(10)))
    assert await take(here, said(names)) == "filed"
    old = here.state().table(table_id(1, 1))
    assert old is not None
    assert (len(old.reports), old.result) == (1, result("b", (0, 2)))
    assert await take(here, said(("Eve", "Mallory"))) == "unmatched"


async def test_a_shared_nickname_is_parked_in_every_tournament(here: World) -> None:
    """5.6-3: 撞车: whoever claims it gets it, and a sweep puts the other copy away."""
    table = here.table()
    names = {11: f"Nick{table.a}", 12: f"Nick{table.b}"}
    await here.begin(2, number=TWO, first=11, nicknames=names)
    assert await take(here, said(sitting(here), "lobby")) == "parked"
    ours, theirs = here.state().parked, here.state(TWO).parked
    assert [parked.why for parked in (*ours.values(), *theirs.values())] == ["nickname_collision"] * 2
    assert ours.keys() == theirs.keys()
    sweep = SettledElsewhere(here.desks)
    assert await sweep() == 0
    await here.do(c.AcceptParked(id=next(iter(ours)), table=table.id, now=minutes(30)))
    assert here.table().result == result("a", (2, 1))
    assert await sweep() == 1
    assert not here.state(TWO).parked
    assert await sweep() == 0


async def test_by_name_may_be_switched_off(here: World) -> None:
    """5.6-2: then only rooms with a code count."""
    await here.begin(2, replace(HERE, match_by_name=False), number=TWO, first=11)
    assert await take(here, said(("Nick11", "Nick12"), "lobby")) == "not_ours"
    table = here.table(number=TWO)
    assert await take(here, said((f"Nick{table.a}", f"Nick{table.b}"), "X13R1T1")) == "filed"


async def test_a_report_for_a_cancelled_tournament(here: World) -> None:
    """T24: nothing is booked any more."""
    names = sitting(here)
    await here.do(c.Cancel(now=minutes(5)))
    assert await take(here, said(names)) == "not_ours"
    found = await Intake(here.inside).table_of(SERVER, f"X{NUMBER}R1T1")
    assert found is not None
    assert await Intake(here.inside).file(found, said(names).report) == "again"


async def test_a_nickname_of_digits_is_nobodys_number(here: World) -> None:
    """5.6: while its owner is entered, "3" is he and not player 3."""
    await here.begin(2, number=TWO, first=11, nicknames={11: "3", 12: "Solo"})
    assert await take(here, said(("3", "Solo"), "lobby")) == "filed"
    assert here.table(number=TWO).result is not None
    assert PlayerId(3) in here.state().entrants


async def test_ends_that_fit_no_tournament_are_remembered(here: World) -> None:
    """5.6-1: the operator sees the last ones with room and names; sights and casual rooms are none."""
    intake = Intake(here.inside)
    await intake.take(said(sitting(here)))
    await intake.take(said(("Eve", "Mallory"), "a room of theirs"))
    sight = said(("Eve", "Mallory"))
    await intake.take(replace(sight, report=replace(sight.report, winner=None)))
    assert not intake.strays
    for number in range(STRAYS + 1):
        await intake.take(said(("Eve", "Mallory"), f"M#X12R7T{number + 1}"))
    assert len(intake.strays) == STRAYS
    assert (intake.strays[-1].room_name, intake.strays[-1].names) == (
        f"M#X12R7T{STRAYS + 1}",
        ("Eve", "Mallory"),
    )
