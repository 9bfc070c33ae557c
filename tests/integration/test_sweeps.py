"""What a push missed, a sweep finds; where nothing was missed it finds nothing (house.md 6)."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from relayd.storage.log import LogBroken
from relayd.sweeps import Overdue, SettledElsewhere, Sweep, Sweeps
from ruleset.ids import TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.deadlines import next_deadline
from tests.bridging import World, counted, world
from tests.builders import NUMBER


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[World]:
    """A tournament of four in round 1."""
    async with world(tmp_path) as here:
        await here.begin(4)
        yield here


async def test_a_forgotten_deadline_is_served(here: World) -> None:
    """5.3: past at two sweeps in a row: nobody woke the tournament, so the sweep does."""

    async def serve(number: TournamentNo) -> None:
        await here.do(c.Tick(now=here.clock.now()), number=number)

    overdue = Overdue(here.desks, here.clock, serve)
    assert [await overdue() for _ in range(3)] == [0, 0, 0]
    here.clock.advance(16 * 60)
    deadline = next_deadline(here.state())
    assert deadline is not None
    assert deadline < here.clock.now()
    assert [await overdue() for _ in range(3)] == [0, 1, 0]
    assert here.table().result is not None


async def test_a_deadline_that_is_held_is_no_repair(here: World) -> None:
    """5.5-7: woken, and it waits all the same."""
    woken: list[int] = []

    async def serve(number: TournamentNo) -> None:
        woken.append(number)

    overdue = Overdue(here.desks, here.clock, serve)
    here.clock.advance(16 * 60)
    assert [await overdue() for _ in range(3)] == [0, 0, 0]
    assert woken == [NUMBER, NUMBER]


async def test_sweeps_are_counted_and_independent(here: World) -> None:
    """House 4: one that fails does not keep the others from their work; what was repaired is counted."""
    done: list[str] = []

    async def fails() -> int:
        done.append("fails")
        raise ValueError

    async def repairs() -> int:
        done.append("repairs")
        return 3

    sweeps = [Sweep(name="fails", repair=fails), Sweep(name="two", repair=repairs)]
    await Sweeps(sweeps, here.inside.metrics).once()
    assert done == ["fails", "repairs"]
    assert counted(here.inside.metrics, "relayd_sweep_repairs_total", kind="two") == 3


async def test_sweeps_run_until_the_log_breaks(here: World) -> None:
    """F03: what ends the daemon goes through; until then they come round again and again."""
    rounds = 0

    async def sweep() -> int:
        nonlocal rounds
        rounds += 1
        if rounds == 3:
            raise LogBroken
        return 0

    async def no_pause(_seconds: float) -> None:
        await asyncio.sleep(0)

    sweeps = Sweeps([Sweep(name="log", repair=sweep)], here.inside.metrics, sleep=no_pause)
    async with asyncio.timeout(10):
        with pytest.raises(LogBroken):
            await sweeps.run()


async def test_a_healthy_daemon_needs_no_repair(here: World) -> None:
    """House 6: nothing parked, nothing to put away."""
    assert await SettledElsewhere(here.desks)() == 0
