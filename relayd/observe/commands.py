"""One canonical line and one count for each command, whoever sent it."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import structlog

from relayd.errors import InvariantBroken
from relayd.observe.metrics import Metrics
from relayd.ports import Answer, Listener, VersionedTournaments
from relayd.storage.log import CommandIdReused, LogError
from ruleset.errors import CommandRejected
from ruleset.ids import TournamentNo
from ruleset.tournament.commands import Command, SeeRoom, Tick
from ruleset.tournament.state import Tournament

_QUIET: Final = (Tick, SeeRoom)
"""What comes all the time and mostly changes nothing: no line then."""
_log: Final = structlog.get_logger()


class Observed:
    """The tournaments, watched (ports.VersionedTournaments): everything passes, and is told."""

    def __init__(self, tournaments: VersionedTournaments, metrics: Metrics) -> None:
        self._tournaments, self._metrics = tournaments, metrics

    async def handle(
        self,
        number: TournamentNo,
        command: Command,
        *,
        by: str,
        command_id: str | None = None,
        expected_version: int | None = None,
    ) -> Answer:
        """Pass *command* on. Raises what comes back."""
        began, kind = time.perf_counter(), type(command).__name__
        outcome, code, version = "broken", "", None
        try:
            answer = await self._tournaments.handle(
                number, command, by=by, command_id=command_id, expected_version=expected_version
            )
            outcome = "unchanged" if answer.entry is None else "accepted"
            if answer.entry is not None:
                version, command_id = answer.entry.version, answer.entry.command_id
        except CommandRejected as refusal:
            outcome, code = "refused", refusal.code
            raise
        except CommandIdReused as refusal:
            outcome, code = "refused", refusal.code
            raise
        except LogError as error:
            outcome, code = "away", error.code
            raise
        except InvariantBroken as error:
            code = error.code
            raise
        finally:
            seconds = time.perf_counter() - began
            self._metrics.commands.labels(kind, outcome).inc()
            self._metrics.command_seconds.observe(seconds)
            if outcome != "unchanged" or not isinstance(command, _QUIET):
                ms = round(seconds * 1_000, 1)
                at = {"tournament": number, "version": version, "command_id": command_id, "ms": ms}
                _log.info("command", kind=kind, outcome=outcome, code=code, by=by, **at)
        return answer

    async def load(self, number: TournamentNo) -> Tournament:
        """Return its state. Raises CommandRejected ``unknown_tournament``."""
        return await self._tournaments.load(number)

    def version(self, number: TournamentNo) -> int:
        """Return the version of the state that ``load`` returned last."""
        return self._tournaments.version(number)

    def running(self) -> Mapping[TournamentNo, Tournament]:
        """Return every tournament that has not ended."""
        return self._tournaments.running()

    def numbers(self) -> Sequence[TournamentNo]:
        """Return the numbers of all tournaments."""
        return self._tournaments.numbers()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call *listener* after each entry."""
        return self._tournaments.subscribe(listener)
