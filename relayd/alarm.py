"""Wakes tournaments at their deadlines (5.3). Knows when to look, never what is due: the state says that."""

import asyncio
import heapq
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Final

import structlog

from relayd.errors import InvariantBroken
from relayd.ports import Clock, LastLook, Tournaments
from relayd.storage.log import Entry, LogBroken, LogDamaged
from ruleset.ids import Instant, ServerId, TournamentNo
from ruleset.tournament.commands import Tick
from ruleset.tournament.deadlines import cap_due, next_deadline, start_due
from ruleset.tournament.state import Tournament

LONGEST_SLEEP_S: Final = 30
"""So that the clock is read, and follows the wall clock (5.3-2)."""
RETRY_S: Final = 1
"""Pause before a deadline is served again that did not go away: held, or the log was away."""

_log: Final = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Helpers:
    """What the alarm asks of others."""

    start: Callable[[TournamentNo], Awaitable[object]]
    """Starts a tournament by itself; asked one by one, in order of start time and number (R057)."""
    last_look: LastLook
    """Awaited before tables are capped (T10)."""
    free: Callable[[], Mapping[ServerId, int]] = dict
    """The rooms that each duel server has left."""
    late: Callable[[float], None] = lambda _seconds: None
    """Hears how many seconds behind its deadline each was served."""


class Alarm:
    """Sends ``Tick`` when a deadline has come, or has the tournament started (T3)."""

    def __init__(
        self,
        tournaments: Tournaments,
        clock: Clock,
        helpers: Helpers,
        *,
        sleep: Callable[[float], Coroutine[Any, Any, None]] = asyncio.sleep,
        hold_s: float = 60,
        last_look_s: float = 5,
    ) -> None:
        """Hold late, cap and absence for *hold_s* or until ``release``."""
        self._tournaments, self._clock, self._helpers, self._sleep = tournaments, clock, helpers, sleep
        self._hold_s, self._last_look_s = hold_s, last_look_s
        self._states: dict[TournamentNo, Tournament] = {}
        self._news: set[TournamentNo] = set()
        self._deadlines: dict[TournamentNo, Instant] = {}
        self._heap: list[tuple[Instant, TournamentNo]] = []
        self._serving: set[TournamentNo] = set()
        self._changed, self._released = asyncio.Event(), asyncio.Event()
        self._starts = asyncio.Lock()

    @property
    def held(self) -> bool:
        """Whether late, cap and absence still wait for the first look at the duel servers (5.5-7)."""
        return not self._released.is_set()

    def release(self) -> None:
        """End the hold after a restart: all servers have been looked at. Again changes nothing."""
        self._released.set()

    async def run(self) -> None:
        """Serve deadlines until cancelled. Raises a group of what ends the daemon: LogBroken, LogDamaged."""
        unsubscribe = self._tournaments.subscribe(self._hear)
        try:
            for number, state in self._tournaments.running().items():
                self._note(number, state)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._end_hold())
                while True:
                    self._ring(tasks)
                    await self._rest()
        finally:
            unsubscribe()

    async def _end_hold(self) -> None:
        """Wait for the release, but not for ever."""
        await self._first_of(self._released.wait(), self._sleep(self._hold_s))
        self._released.set()

    def _hear(self, number: TournamentNo, _entry: Entry, state: Tournament) -> None:
        self._note(number, state)

    def _note(self, number: TournamentNo, state: Tournament) -> None:
        self._states[number] = state
        self._news.add(number)
        self._changed.set()

    def _ring(self, tasks: asyncio.TaskGroup) -> None:
        """Start serving all that is due, by deadline and number."""
        self._changed.clear()
        while self._news:
            self._schedule(self._news.pop())
        now = self._clock.now()
        while self._heap and self._heap[0][0] <= now:
            deadline, number = heapq.heappop(self._heap)
            if self._deadlines.get(number) == deadline and number not in self._serving:
                self._serving.add(number)
                tasks.create_task(self._serve(number, deadline))

    def _schedule(self, number: TournamentNo) -> None:
        """Set the alarm of a tournament as its state wants it; after it was served, if it is being served."""
        state = self._states.get(number)
        if state is None or number in self._serving:
            return
        deadline = next_deadline(state)
        if deadline is None:
            self._forget(number)
        elif deadline != self._deadlines.get(number):
            self._deadlines[number] = deadline
            heapq.heappush(self._heap, (deadline, number))

    def _forget(self, number: TournamentNo) -> None:
        self._deadlines.pop(number, None)
        self._states.pop(number, None)

    async def _rest(self) -> None:
        """Wait for news or for the first deadline."""
        seconds = self._clock.seconds_until(self._heap[0][0]) if self._heap else LONGEST_SLEEP_S
        await self._first_of(self._changed.wait(), self._sleep(min(seconds, LONGEST_SLEEP_S)))

    async def _first_of(self, *waits: Coroutine[Any, Any, object]) -> None:
        tasks = [asyncio.ensure_future(wait) for wait in waits]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()

    async def _serve(self, number: TournamentNo, deadline: Instant) -> None:
        try:
            await self._act(number)
        except (LogBroken, LogDamaged):
            raise
        except InvariantBroken as error:
            _log.error("alarm_stopped", tournament=number, reason=str(error))
            self._forget(number)
        except Exception as error:  # noqa: BLE001  root of a task: the alarm of the others goes on
            _log.warning("alarm_retries", tournament=number, reason=repr(error))
        await self._finish(number, deadline)

    async def _finish(self, number: TournamentNo, deadline: Instant) -> None:
        """Schedule the next deadline, after a pause if it is this one again."""
        if (state := self._states.get(number)) is not None:
            if next_deadline(state) == deadline:
                await self._pause()
            else:
                self._helpers.late((self._clock.now() - deadline) / 1_000)
            self._deadlines.pop(number, None)
            self._news.add(number)
        self._serving.discard(number)
        self._changed.set()

    async def _pause(self) -> None:
        if self.held:
            await self._first_of(self._released.wait(), self._sleep(RETRY_S))
        else:
            await self._sleep(RETRY_S)

    async def _act(self, number: TournamentNo) -> None:
        state = self._states[number]
        if start_due(state, self._clock.now()):
            async with self._starts:
                await self._helpers.start(number)
            return
        if not self.held and cap_due(state, self._clock.now()):
            await self._look(number)
        tick = Tick(held=self.held, free=self._helpers.free(), now=self._clock.now())
        await self._tournaments.handle(number, tick, by="system")

    async def _look(self, number: TournamentNo) -> None:
        """See the rooms once more, as far as they can be seen: results first (5.3-3, T10)."""
        try:
            async with asyncio.timeout(self._last_look_s):
                await self._helpers.last_look(number)
        except (LogBroken, LogDamaged):
            raise
        except Exception as error:  # noqa: BLE001  the cap does not wait for what cannot be seen
            _log.warning("last_look_failed", tournament=number, reason=repr(error))
