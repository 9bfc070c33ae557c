"""A token bucket for each peer: short bursts are fine, floods are not (F27)."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

REMEMBERED: Final = 10_000
"""Peers whose last calls are remembered."""


class Buckets:
    """*rate* calls a second for each peer, up to *burst* at once."""

    def __init__(self, rate: float, burst: float, now: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, peer: str, calls: int = 1) -> float:
        """Take *calls*; return 0, or the seconds to wait first. More than *burst* at once take it whole."""
        wanted, level = min(float(calls), self._burst), self._level(peer)
        left = level - wanted if level >= wanted else level
        self._levels[peer] = (left, self._now())
        self._levels.move_to_end(peer)
        if len(self._levels) > REMEMBERED:
            self._levels.popitem(last=False)
        return 0.0 if level >= wanted else (wanted - level) / self._rate

    def empty(self, peer: str) -> bool:
        """Say whether a call of *peer* would have to wait, and take none."""
        return self._level(peer) < 1

    def _level(self, peer: str) -> float:
        level, then = self._levels.get(peer, (self._burst, self._now()))
        return min(self._burst, level + (self._now() - then) * self._rate)
