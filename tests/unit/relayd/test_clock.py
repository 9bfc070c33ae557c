"""The clock of the daemon follows the wall clock slowly and never jumps (5.3-2, 5.5-9)."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relayd.clock import BootClock
from ruleset.ids import Instant

WALL = 1_800_000_000_000
"""Milliseconds that the wall clock shows at first."""


class Machine:
    """A machine with a wall clock and a boot-time clock, in milliseconds."""

    def __init__(self) -> None:
        self.wall, self.boot = WALL, 5_000
        self.steps: list[int] = []

    def clock(self, scale: int = 1, origin: Instant | None = None) -> BootClock:
        """Start a daemon on it."""
        return BootClock(
            scale=scale,
            origin=origin,
            stepped=self.steps.append,
            wall_ns=lambda: self.wall * 1_000_000,
            boot_ns=lambda: self.boot * 1_000_000,
        )

    def run(self, seconds: float, drift_ms: int = 0) -> None:
        """Let time go on; the wall clock gains *drift_ms* meanwhile."""
        self.boot += round(seconds * 1_000)
        self.wall += round(seconds * 1_000) + drift_ms


@pytest.fixture
def machine() -> Machine:
    """A machine whose wall clock is right."""
    return Machine()


def test_it_goes_on_with_the_boot_time(machine: Machine) -> None:
    """5.3-2: wall clock at the start plus CLOCK_BOOTTIME since; a suspend of eight hours counts."""
    clock = machine.clock()
    assert clock.now() == WALL
    machine.run(8 * 3_600)
    assert clock.now() == WALL + 8 * 3_600_000
    assert machine.steps == []


@pytest.mark.parametrize("step_ms", [86_400_000, -86_400_000, -3_600_000, 700])
def test_a_step_is_told_and_ignored(machine: Machine, step_ms: int) -> None:
    """F04: a wall clock that jumps changes nothing but a line in the log, and is followed from there on."""
    clock = machine.clock()
    machine.run(10)
    clock.now()
    machine.wall += step_ms
    assert clock.now() == WALL + 10_000
    machine.run(60, drift_ms=100)
    assert clock.now() == WALL + 70_100
    assert machine.steps == [step_ms]


def test_it_is_slewed_half_a_second_a_minute(machine: Machine) -> None:
    """5.3-2: of 0.4 s that the wall clock gained at once, 0.1 s are made good in 12 s, all after 48 s."""
    clock = machine.clock()
    machine.wall += 400
    shown = []
    for _ in range(5):
        machine.run(12)
        shown.append(clock.now() - WALL)
    assert shown == [12_100, 24_200, 36_300, 48_400, 60_400]
    assert machine.steps == []


def test_a_slow_drift_is_no_step_however_long_nobody_looked(machine: Machine) -> None:
    """5.3-2: three seconds in eight hours are within what may be slewed in that time."""
    clock = machine.clock()
    machine.run(8 * 3_600, drift_ms=3_000)
    assert clock.now() == machine.wall
    assert machine.steps == []


@given(st.lists(st.tuples(st.integers(0, 100_000), st.integers(-200_000, 200_000)), max_size=30))
def test_it_never_goes_back(moves: list[tuple[int, int]]) -> None:
    """5.3-2: whatever the wall clock does, and never more than 0.5 s a minute beside the boot time."""
    machine = Machine()
    clock = machine.clock()
    shown, boot = [clock.now()], [machine.boot]
    for milliseconds, drift in moves:
        machine.run(milliseconds / 1_000, drift)
        shown.append(clock.now())
        boot.append(machine.boot)
    for (before, after), (earlier, later) in zip(pairwise(shown), pairwise(boot), strict=True):
        assert abs((after - before) - (later - earlier)) <= (later - earlier) / 120 + 1
        assert after >= before


def test_a_fast_clock_is_the_same_after_a_restart(machine: Machine) -> None:
    """A demo's clock: 300 times as fast from its origin on; a daemon that starts anew reads the same time."""
    origin = Instant(WALL - 1_000)
    first = machine.clock(300, origin)
    machine.run(2)
    second = machine.clock(300, origin)
    assert first.now() == second.now() == origin + 3 * 300_000
    assert first.seconds_until(Instant(first.now() + 60_000)) == pytest.approx(0.2)


def test_the_past_needs_no_sleep(machine: Machine) -> None:
    """A deadline that has come is served at once."""
    clock = machine.clock()
    assert clock.seconds_until(Instant(WALL - 1)) == 0
    assert clock.seconds_until(Instant(WALL + 1_500)) == 1.5


def test_it_reads_the_machine() -> None:
    """Without a fake it shows the wall clock and goes on."""
    clock = BootClock()
    first = clock.now()
    assert first > WALL - 10**12
    assert clock.now() >= first
