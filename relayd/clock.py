"""The clock of the daemon (5.3-2): goes on through suspends, never jumps, and may run fast for a demo."""

import time
from collections.abc import Callable
from typing import Final

from ruleset.ids import Instant

_NS_PER_MS: Final = 1_000_000
_STEP_NS: Final = 500 * _NS_PER_MS
"""A change of the wall clock beyond this, and beyond what may be slewed meanwhile, is a step."""
_SLEW: Final = 120
"""One part in 120 is 0.5 s a minute."""


def _ignore(_step_ms: int) -> None:
    pass


class BootClock:
    """Wall clock at the start plus CLOCK_BOOTTIME since, slewed by at most 0.5 s a minute towards the first.

    With *scale* it runs that many times as fast from *origin* on: the same two give the same time after a
    restart. Every reading looks at the wall clock, so it must be read now and then to follow it.
    """

    def __init__(
        self,
        *,
        scale: int = 1,
        origin: Instant | None = None,
        stepped: Callable[[int], None] = _ignore,
        wall_ns: Callable[[], int] = time.time_ns,
        boot_ns: Callable[[], int] = lambda: time.clock_gettime_ns(time.CLOCK_BOOTTIME),
    ) -> None:
        """*stepped* hears of each step of the wall clock, in milliseconds; it is ignored otherwise."""
        self._scale, self._stepped = scale, stepped
        self._wall_ns, self._boot_ns = wall_ns, boot_ns
        self._boot = boot_ns()
        self._apart = self._shown = self._wanted = wall_ns() - self._boot
        self._origin_ns = self._real_ns() if origin is None else origin * _NS_PER_MS

    def now(self) -> Instant:
        """Return the present moment; never less than before."""
        self._look()
        since = self._real_ns() - self._origin_ns
        return Instant((self._origin_ns + since * self._scale) // _NS_PER_MS)

    def seconds_until(self, moment: Instant) -> float:
        """Return how long a real sleep until *moment* takes; 0 where it has passed."""
        return max(0, moment - self.now()) / self._scale / 1_000

    def _real_ns(self) -> int:
        return self._boot + self._shown

    def _look(self) -> None:
        """Follow the wall clock as far as the time since the last look allows."""
        boot, wall = self._boot_ns(), self._wall_ns()
        most = (boot - self._boot) // _SLEW
        moved = wall - boot - self._apart
        if abs(moved) > _STEP_NS + most:
            self._stepped(round(moved / _NS_PER_MS))
        else:
            self._wanted += moved
        self._boot, self._apart = boot, wall - boot
        self._shown += max(-most, min(most, self._wanted - self._shown))
