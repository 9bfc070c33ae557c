"""A clock for tests: time goes on when the test says so."""

import asyncio
import heapq

from ruleset.ids import Instant

T0 = Instant(1_800_000_000_000)
"""Where it begins."""


class FakeClock:
    """Stands still between calls of ``advance`` (relayd.ports.Clock)."""

    def __init__(self, now: Instant = T0) -> None:
        self._now = now
        self._sleepers: list[tuple[Instant, int, asyncio.Event]] = []
        self._count = 0

    def now(self) -> Instant:
        """Return the present moment."""
        return self._now

    def seconds_until(self, moment: Instant) -> float:
        """Return how long a sleep until *moment* takes; 0 where it has passed."""
        return max(0, moment - self._now) / 1_000

    async def sleep(self, seconds: float) -> None:
        """Sleep until so much time has been advanced by; at least let others run."""
        woken = asyncio.Event()
        self._count += 1
        heapq.heappush(self._sleepers, (Instant(self._now + round(seconds * 1_000)), self._count, woken))
        self._wake()
        await woken.wait()

    def advance(self, seconds: float) -> None:
        """Let time go on at once, and wake who slept no longer than that."""
        self._now = Instant(self._now + round(seconds * 1_000))
        self._wake()

    def _wake(self) -> None:
        while self._sleepers and self._sleepers[0][0] <= self._now:
            heapq.heappop(self._sleepers)[2].set()
