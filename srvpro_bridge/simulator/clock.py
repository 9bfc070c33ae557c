"""Time in the rooms: as fast as wished, or only when told. What happens over HTTP takes real time.

Both clocks ring their alarms strictly in order, and while one rings the time is its own moment: a machine
that runs late changes nothing of what follows from what.
"""

import asyncio
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Protocol


class Cancellable(Protocol):
    """What an alarm can be called off by."""

    def cancel(self) -> object:
        """Call it off."""
        ...


class Clock(Protocol):
    """Seconds since some start."""

    def now(self) -> float:
        """Return the present moment."""
        ...

    def call_at(self, moment: float, wake: Callable[[], None]) -> Cancellable:
        """Call *wake* once at *moment*, soon if that has passed."""
        ...


class ManualClock:
    """Stands still until it is told to go on."""

    def __init__(self) -> None:
        self._now = 0.0
        self._alarms: list[tuple[float, int, _Alarm]] = []
        self._order = count()

    def now(self) -> float:
        return self._now

    def call_at(self, moment: float, wake: Callable[[], None]) -> Cancellable:
        alarm = _Alarm(wake)
        heappush(self._alarms, (max(moment, self._now), next(self._order), alarm))
        return alarm

    def advance(self, seconds: float) -> None:
        """Let *seconds* pass; what was due in them happens in order."""
        self.advance_to(self._now + seconds)

    def advance_to(self, moment: float) -> None:
        """Let time pass until *moment*."""
        while self._alarms and self._alarms[0][0] <= moment:
            self._now, _, alarm = heappop(self._alarms)
            alarm.ring()
        self._now = moment

    @property
    def next(self) -> float | None:
        """Return when the next alarm rings."""
        return self._alarms[0][0] if self._alarms else None


class ScaledClock:
    """Runs *scale* times as fast as the world."""

    def __init__(self, scale: float = 1.0) -> None:
        self._scale, self._loop = scale, asyncio.get_running_loop()
        self._start = self._loop.time()
        self._inner = ManualClock()
        self._ringing = False
        self._timer: asyncio.TimerHandle | None = None

    def now(self) -> float:
        return self._inner.now() if self._ringing else max(self._inner.now(), self._world())

    def call_at(self, moment: float, wake: Callable[[], None]) -> Cancellable:
        alarm = self._inner.call_at(moment, wake)
        self._arm()
        return alarm

    def _world(self) -> float:
        return (self._loop.time() - self._start) * self._scale

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        moment = self._inner.next
        if moment is not None and not self._ringing:
            self._timer = self._loop.call_at(self._start + moment / self._scale, self._ring)

    def _ring(self) -> None:
        self._ringing = True
        try:
            self._inner.advance_to(max(self._inner.now(), self._world()))
        finally:
            self._ringing = False
            self._arm()


class _Alarm:
    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake: Callable[[], None] | None = wake

    def cancel(self) -> None:
        self._wake = None

    def ring(self) -> None:
        if self._wake is not None:
            self._wake()
