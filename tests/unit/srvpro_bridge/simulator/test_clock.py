"""Time in the rooms, and the alarms of a room."""

import asyncio
import time

from srvpro_bridge.simulator.alarms import Alarms
from srvpro_bridge.simulator.clock import ManualClock, ScaledClock


async def test_a_scaled_clock_runs_ahead_of_the_world() -> None:
    """An hour passes at once, alarms ring in their order and may be called off."""
    clock, rung = ScaledClock(1_000_000), list[str]()
    began, done = clock.now(), asyncio.Event()
    clock.call_at(began + 7_200, done.set)
    clock.call_at(began + 3_600, lambda: rung.append("hour"))
    clock.call_at(began + 1_800, lambda: rung.append("never")).cancel()
    await done.wait()
    assert clock.now() >= began + 7_200
    assert rung == ["hour"]


async def test_a_manual_clock_rings_in_order_when_told() -> None:
    """Each alarm sees its own moment; one that is set meanwhile rings, too, if it is due."""
    clock, rung = ManualClock(), list[tuple[str, float]]()

    def first() -> None:
        rung.append(("first", clock.now()))
        clock.call_at(clock.now() - 5, lambda: rung.append(("at once", clock.now())))

    clock.call_at(20, lambda: rung.append(("second", clock.now())))
    clock.call_at(10, first)
    clock.call_at(15, lambda: rung.append(("never", clock.now()))).cancel()
    clock.advance(9)
    assert rung == []
    clock.advance(91)
    assert rung == [("first", 10), ("at once", 10), ("second", 20)]
    assert clock.now() == 100


async def test_a_late_machine_rings_in_order_and_at_the_right_moments() -> None:
    """Decisions 18: what follows from a late alarm is still before what was due after it."""
    clock, rung, done = ScaledClock(1_000_000), list[tuple[str, float]](), asyncio.Event()
    began = clock.now()

    def ring(name: str) -> None:
        rung.append((name, round(clock.now() - began)))

    def back() -> None:
        ring("back")
        clock.call_at(clock.now() + 20, lambda: ring("turn"))

    clock.call_at(began + 180, lambda: ring("time is up"))
    clock.call_at(began + 80, back)
    clock.call_at(began + 180, done.set)
    time.sleep(0.001)  # noqa: ASYNC251  the loop stands still for 1,000 s of the rooms
    await done.wait()
    assert rung == [("back", 80), ("turn", 100), ("time is up", 180)]


def test_late_alarms_ring_at_their_own_moments() -> None:
    """What follows from an alarm counts from when it was due, however late one looks."""
    now, rung = [0.0], list[tuple[str, float]]()
    alarms = Alarms(lambda: now[0])

    def left() -> None:
        rung.append(("left", alarms.now()))
        alarms.set_in("close", 5, lambda: rung.append(("closed", alarms.now())))

    alarms.set_in("left", 90, left)
    alarms.set_in("other", 93, lambda: rung.append(("other", alarms.now())))
    alarms.set_in("off", 1, left)
    alarms.off("off")
    assert alarms.next == 90
    now[0] = 1_000.0
    alarms.run()
    assert rung == [("left", 90), ("other", 93), ("closed", 95)]
    assert alarms.now() == 1_000
    assert not alarms.is_set("close")
