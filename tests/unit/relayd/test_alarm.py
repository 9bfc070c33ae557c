"""The alarm wakes tournaments at their deadlines, once and in order (5.3, 5.5-7, T3, T10)."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from relayd.alarm import LONGEST_SLEEP_S, Alarm, Helpers
from relayd.errors import InvariantBroken
from relayd.ports import Answer, Listener
from relayd.reducers import TOURNAMENT
from relayd.storage.log import LogBroken, LogUnavailable, start_of
from ruleset.errors import CommandRejected
from ruleset.ids import Instant, RoundNo, ServerId, TournamentNo
from ruleset.tournament.commands import Command, SeeRoom, Tick
from ruleset.tournament.events import Event, RoundPostponed
from ruleset.tournament.state import Tournament
from tests.builders import SWISS, after, all_won, entered, minutes, started, table_id, tables
from tests.clocks import T0, FakeClock

ONE, TWO, THREE = TournamentNo(1), TournamentNo(2), TournamentNo(3)
TIMED = replace(SWISS, start_at=T0)


class Memory:
    """Tournaments without a log (relayd.ports.Tournaments), and a note of what was asked of them."""

    def __init__(self, states: Mapping[TournamentNo, Tournament]) -> None:
        self.states = dict(states)
        self.asked: list[tuple[TournamentNo, Command]] = []
        self.happened: list[tuple[TournamentNo, str]] = []
        self.asked_for = asyncio.Event()
        self.failures: list[Exception] = []
        self._listeners: list[Listener] = []

    async def handle(
        self, number: TournamentNo, command: Command, *, by: str, command_id: str | None = None
    ) -> Answer:
        """Carry a command out, unless a failure is in store."""
        assert (by, command_id) == ("system", None)
        self.asked.append((number, command))
        self.asked_for.set()
        if self.failures:
            raise self.failures.pop(0)
        return self.tell(number, *TOURNAMENT.decide(self.states[number], command))

    def tell(self, number: TournamentNo, *events: Event) -> Answer:
        """Let events happen."""
        state = self.states[number] = TOURNAMENT.replay(events, self.states[number])
        entry = TOURNAMENT.codec.seal(
            start_of("t"), command_id="c", digest=b"", at=Instant(0), by="system", events=events
        )
        for listener in self._listeners if events else ():
            listener(number, entry, state)
        self.happened += [(number, type(event).__name__) for event in events]
        return Answer(entry=entry, state=state)

    async def load(self, number: TournamentNo) -> Tournament:
        """Return a state."""
        return self.states[number]

    def running(self) -> Mapping[TournamentNo, Tournament]:
        """Return all."""
        return dict(self.states)

    def numbers(self) -> Sequence[TournamentNo]:
        """Return all."""
        return sorted(self.states)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call *listener* from now on."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)


class Bench:
    """An alarm at work on a still clock."""

    def __init__(self, **states: Tournament) -> None:
        self.clock = FakeClock()
        self.memory = Memory({TournamentNo(int(name[1:])): state for name, state in states.items()})
        self.started: list[TournamentNo] = []
        self.looked: list[TournamentNo] = []
        self.late: list[float] = []
        helpers = Helpers(start=self.start, last_look=self.look, free=self.free, late=self.late.append)
        self.alarm = Alarm(self.memory, self.clock, helpers, sleep=self.clock.sleep, last_look_s=0.01)

    async def start(self, number: TournamentNo) -> None:
        """Note who is started."""
        self.started.append(number)

    async def look(self, number: TournamentNo) -> None:
        """Note whose rooms are looked at."""
        self.looked.append(number)

    def free(self) -> Mapping[ServerId, int]:
        """Tell of one duel server."""
        return {ServerId("main"): 7}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Let the alarm work meanwhile."""
        work = asyncio.create_task(self.alarm.run())
        await quiet()
        yield
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    async def advance(self, seconds: float) -> None:
        """Let time go on, in the steps that a machine would take, and everything due happen."""
        for _ in range(int(seconds // LONGEST_SLEEP_S)):
            self.clock.advance(LONGEST_SLEEP_S)
            await quiet()
        self.clock.advance(seconds % LONGEST_SLEEP_S)
        await quiet()


def playing(now: Instant) -> Tournament:
    """Return a tournament of two who have played since *now*."""
    state = started(2, now=now)
    return after(state, SeeRoom(table=table_id(1, 1), seated=("a", "b"), playing=True, now=now))


def called() -> Tournament:
    """Return a tournament whose time was called at T0: the cap is due after 30 minutes."""
    return after(playing(minutes(-40)), Tick(now=T0))


async def quiet() -> None:
    """Let all run that can run without time going on."""
    for _ in range(30):
        await asyncio.sleep(0)


async def test_a_deadline_is_served_once_and_not_early() -> None:
    """5.3-1, R067: at 15:00 both tables end by absence, at 14:59 nothing was asked, later nothing again."""
    bench = Bench(t1=started(4))
    bench.alarm.release()
    async with bench.running():
        await bench.advance(15 * 60 - 1)
        assert bench.memory.asked == []
        await bench.advance(1)
        assert [name for _, name in bench.memory.happened].count("ResultConfirmed") == 2
        assert bench.memory.asked == [(ONE, Tick(free={ServerId("main"): 7}, now=minutes(15)))]
        await bench.advance(60)
        assert len(bench.memory.asked) == 1
    assert bench.late == [0]


async def test_a_deadline_that_moved_finds_nothing_due() -> None:
    """5.3-4: the alarm follows every entry; the old moment passes in silence."""
    bench = Bench(t1=started(2))
    bench.alarm.release()
    async with bench.running():
        bench.memory.tell(ONE, RoundPostponed(round_no=RoundNo(1), by_ms=300_000))
        await bench.advance(15 * 60)
        assert bench.memory.asked == []
        await bench.advance(5 * 60)
        assert len(bench.memory.asked) == 1


async def test_many_deadlines_come_in_order() -> None:
    """5.3-3: several tournaments, each at its own time; a tournament that nothing waits for is left alone."""
    states = {f"t{n}": started(2, now=minutes(-n)) for n in (1, 2, 3)}
    bench = Bench(**states, t9=all_won(started(2), "a", minutes(1)))
    bench.alarm.release()
    async with bench.running():
        await bench.advance(12 * 60)
        await bench.advance(180)
    confirmed = [number for number, name in bench.memory.happened if name == "ResultConfirmed"]
    assert confirmed[:3] == [THREE, TWO, ONE]


async def test_after_a_restart_absence_and_cap_wait_for_the_first_look() -> None:
    """5.5-7: ticks are held until the release; then what is overdue happens once, at once."""
    bench = Bench(t1=started(2, now=minutes(-16)))
    async with bench.running():
        await bench.advance(3)
        assert {command.held for _, command in bench.memory.asked if isinstance(command, Tick)} == {True}
        assert bench.memory.happened == []
        bench.alarm.release()
        await quiet()
        assert (ONE, "ResultConfirmed") in bench.memory.happened


async def test_the_hold_ends_by_itself() -> None:
    """5.5-7: after at most 60 s."""
    bench = Bench(t1=started(2, now=minutes(-16)))
    async with bench.running():
        await bench.advance(59)
        assert bench.alarm.held
        await bench.advance(1)
        assert not bench.alarm.held
        await bench.advance(1)
        assert (ONE, "ResultConfirmed") in bench.memory.happened


async def test_time_that_was_not_called_is_called_now() -> None:
    """5.5-7: also while the rest is held; the cap counts from now."""
    bench = Bench(t1=playing(minutes(-60)))
    async with bench.running():
        assert bench.memory.happened == [(ONE, "TimeCalled")]
        assert bench.alarm.held
    assert tables(bench.memory.states[ONE])[0].time_called_at == T0


async def test_a_tournament_starts_by_itself() -> None:
    """T3: at its start time the starter is asked, not the clock; after a pause again, if still due."""
    bench = Bench(t1=entered(2, TIMED))
    async with bench.running():
        assert bench.started == [ONE]
        await bench.advance(1)
        assert bench.started == [ONE, ONE]
    assert not any(isinstance(command, Tick) for _, command in bench.memory.asked)


async def test_starts_come_one_by_one_in_order() -> None:
    """R057: at one instant the lower number asks first, and the next one only when its start is through."""
    bench = Bench(t3=entered(2, TIMED), t1=entered(2, TIMED), t2=entered(2, TIMED))
    gate = asyncio.Event()

    async def start(number: TournamentNo) -> None:
        bench.started.append(number)
        await gate.wait()

    helpers = Helpers(start=start, last_look=bench.look)
    bench.alarm = Alarm(bench.memory, bench.clock, helpers, sleep=bench.clock.sleep)
    async with bench.running():
        assert bench.started == [ONE]
        gate.set()
        await quiet()
        assert bench.started == [ONE, TWO, THREE]


async def test_rooms_are_seen_once_more_before_a_cap() -> None:
    """T10: the last look comes before the tick, and only where tables would be capped."""
    bench = Bench(t1=called(), t2=started(2, now=minutes(-16)))
    order: list[str] = []

    async def look(number: TournamentNo) -> None:
        order.append(f"look {number}")
        assert all(asked != number for asked, _ in bench.memory.asked)

    helpers = Helpers(start=bench.start, last_look=look)
    bench.alarm = Alarm(bench.memory, bench.clock, helpers, sleep=bench.clock.sleep)
    bench.alarm.release()
    async with bench.running():
        await bench.advance(30 * 60)
    assert order == ["look 1"]
    assert (ONE, "CapReached") in bench.memory.happened


@pytest.mark.parametrize("failure", ["hangs", "fails"])
async def test_a_look_that_fails_does_not_stop_the_cap(failure: str) -> None:
    """T10: a duel server that hangs or lies costs some seconds, not the round."""
    bench = Bench(t1=called())

    async def look(number: TournamentNo) -> None:
        assert number == ONE
        if failure == "fails":
            raise OSError
        await asyncio.Event().wait()

    helpers = Helpers(start=bench.start, last_look=look)
    bench.alarm = Alarm(bench.memory, bench.clock, helpers, sleep=bench.clock.sleep, last_look_s=0.01)
    bench.alarm.release()
    async with bench.running():
        await bench.advance(30 * 60)
        async with asyncio.timeout(10):
            await bench.memory.asked_for.wait()
        await quiet()
        assert (ONE, "CapReached") in bench.memory.happened


@pytest.mark.parametrize("failure", [LogUnavailable("full"), CommandRejected("paused")])
async def test_what_failed_is_tried_again(failure: Exception) -> None:
    """F03: a log that is away for a moment costs a second of lateness, and is measured."""
    bench = Bench(t1=started(2, now=minutes(-16)))
    bench.memory.failures.append(failure)
    bench.alarm.release()
    async with bench.running():
        assert bench.memory.happened == []
        await bench.advance(1)
        assert (ONE, "ResultConfirmed") in bench.memory.happened
    assert bench.late == [61]


async def test_a_stopped_desk_is_left_alone() -> None:
    """InvariantBroken: that tournament rings no more, the others go on."""
    bench = Bench(t1=started(2, now=minutes(-17)), t2=started(2, now=minutes(-16)))
    bench.memory.failures.append(InvariantBroken("t1"))
    bench.alarm.release()
    async with bench.running():
        await bench.advance(30)
    assert [number for number, _ in bench.memory.asked] == [ONE, TWO]
    assert (TWO, "ResultConfirmed") in bench.memory.happened


async def test_a_broken_log_ends_the_alarm() -> None:
    """F03: what ends the daemon gets out of the alarm, also from a last look."""
    bench = Bench(t1=started(2, now=minutes(-16)))
    bench.memory.failures.append(LogBroken("io"))
    bench.alarm.release()
    with pytest.raises(ExceptionGroup) as ended:
        await bench.alarm.run()
    assert ended.group_contains(LogBroken)


async def test_a_log_that_breaks_during_a_last_look_ends_the_alarm() -> None:
    """F03, T10: a report that could not be written is no reason to cap its table."""
    bench = Bench(t1=after(playing(minutes(-71)), Tick(now=minutes(-31))))

    async def look(number: TournamentNo) -> None:
        raise LogBroken(f"{number}: io")

    alarm = Alarm(bench.memory, bench.clock, Helpers(start=bench.start, last_look=look))
    alarm.release()
    with pytest.raises(ExceptionGroup) as ended:
        await alarm.run()
    assert ended.group_contains(LogBroken)
    assert bench.memory.asked == []
