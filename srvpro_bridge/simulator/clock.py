"""Time in the rooms: as fast as wished, or only when told. What happens over HTTP takes real time."""

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

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class ScaledClock:
    """Runs *scale* times as fast as the world."""

    def __init__(self, scale: float = 1.0) -> None:
        self._scale = scale
        self._start = asyncio.get_running_loop().time()

    def now(self) -> float:
        return (asyncio.get_running_loop().time() - self._start) * self._scale

    def call_at(self, moment: float, wake: Callable[[], None]) -> Cancellable:
        return asyncio.get_running_loop().call_at(self._start + moment / self._scale, wake)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self._scale)


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

    async def sleep(self, seconds: float) -> None:
        awake = asyncio.Event()
        self.call_at(self._now + seconds, awake.set)
        await awake.wait()

    def advance(self, seconds: float) -> None:
        """Let *seconds* pass; what was due in them happens in order."""
        until = self._now + seconds
        while self._alarms and self._alarms[0][0] <= until:
            self._now, _, alarm = heappop(self._alarms)
            alarm.ring()
        self._now = until


class _Alarm:
    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake: Callable[[], None] | None = wake

    def cancel(self) -> None:
        self._wake = None

    def ring(self) -> None:
        if self._wake is not None:
            self._wake()
