"""How a duel server answers: whether it is there, since when it is not, and one log line at each change."""

from typing import Literal

import structlog

from relayd.bridge.api import NoAnswer, Outcome
from relayd.ports import ServerHealth
from ruleset.ids import SECOND_MS, Instant, ServerId

LOST_AFTER_MS = 10 * SECOND_MS
"""How long a duel server may be silent before its tables pause (5.5-8)."""
_log = structlog.get_logger()


class Contact:
    """The condition of one duel server, as the looks at it went through one eye."""

    def __init__(self, server: ServerId, eye: str, began: Instant) -> None:
        self._server, self._eye, self._began = server, eye, began
        self._last: Instant | None = None
        self._rooms = 0
        self._failure: NoAnswer | None = None
        self._failing_since: Instant | None = None
        self.failures = 0
        """Looks in a row that failed."""

    @property
    def since(self) -> Instant:
        """The last contact; before the first one, when the daemon began to look."""
        return self._began if self._last is None else self._last

    def lost(self, now: Instant) -> bool:
        """Whether it has been silent for too long, by more than one look."""
        return self._failing_since is not None and now - self._failing_since > LOST_AFTER_MS

    def answered(self, now: Instant, rooms: int) -> None:
        """Note a look that went well."""
        if self._failure is not None or self._last is None:
            told = {"server": self._server, "eye": self._eye, "rooms": rooms, "failures": self.failures}
            _log.info("duel_server_answers", **told)
        self._last, self._rooms = now, rooms
        self._failure, self._failing_since, self.failures = None, None, 0

    def failed(self, asked: Instant, failure: NoAnswer) -> None:
        """Note a look that began at *asked* and brought nothing; only another way to fail is logged anew."""
        if self._outcome() != failure.outcome:
            told = {"server": self._server, "eye": self._eye, "outcome": failure.outcome, "why": failure.why}
            _log.warning("duel_server_fails", **told)
        self._failing_since = asked if self._failing_since is None else self._failing_since
        self._failure, self.failures = failure, self.failures + 1

    def health(self, now: Instant) -> ServerHealth:
        """Return how it is doing."""
        return ServerHealth(
            server=self._server,
            state=self._state(now),
            last_contact=self._last,
            rooms=self._rooms,
            failure="" if self._failure is None else self._failure.why,
        )

    def _state(self, now: Instant) -> Literal["up", "lost", "unknown"]:
        if self.lost(now):
            return "lost"
        return "unknown" if self._last is None else "up"

    def _outcome(self) -> Outcome | None:
        return None if self._failure is None else self._failure.outcome
