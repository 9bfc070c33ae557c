"""The log, watched: how large its groups are, how long they take, and whether it takes commands at all."""

import time
from collections.abc import Callable
from typing import Final

from relayd.observe.metrics import Metrics
from relayd.storage.log import LogError, LogUnavailable

REMEMBERED_S: Final = 60.0
"""How long a failure counts against the log when nobody has written since."""


class LogWatch:
    """Hears of each group that was written or lost (relayd.storage.group.Watch)."""

    def __init__(self, metrics: Metrics, now: Callable[[], float] = time.monotonic) -> None:
        self._metrics, self._now = metrics, now
        self._failure: LogError | None = None
        self._failed_at = 0.0

    def __call__(self, appends: int, seconds: float, failure: LogError | None) -> None:
        """Count a group."""
        self._failure, self._failed_at = failure, self._now()
        if failure is not None:
            kind = "unavailable" if isinstance(failure, LogUnavailable) else "broken"
            self._metrics.log_failures.labels(kind).inc()
            return
        self._metrics.log_group_size.observe(appends)
        self._metrics.log_sync_seconds.observe(seconds)

    def why_not(self) -> str:
        """Return why the log takes no commands, as far as the last group tells; empty: it does."""
        if self._failure is None or self._now() - self._failed_at > REMEMBERED_S:
            return ""
        return str(self._failure)
