"""Repair: what a push missed, a sweep finds. In a healthy daemon every sweep finds nothing."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import structlog

from relayd.errors import InvariantBroken
from relayd.observe.metrics import Metrics
from relayd.ports import Clock, Tournaments
from relayd.storage.log import LogBroken, LogDamaged, LogUnavailable
from ruleset.errors import CommandRejected
from ruleset.ids import Instant, TournamentNo
from ruleset.tournament.commands import DismissParked
from ruleset.tournament.deadlines import next_deadline
from ruleset.tournament.parking import swapped
from ruleset.tournament.reports import Report

EVERY_S: Final = 10.0
Serve: TypeAlias = Callable[[TournamentNo], Awaitable[object]]
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """One thing that is looked after."""

    name: str
    """Kind in the metrics."""
    repair: Callable[[], Awaitable[int]]
    """Puts right whatever is out of step and returns how much that was."""


class Sweeps:
    """Runs all of them again and again, each by itself."""

    def __init__(
        self,
        sweeps: Sequence[Sweep],
        metrics: Metrics,
        *,
        every_s: float = EVERY_S,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._sweeps, self._metrics, self._every_s, self._sleep = sweeps, metrics, every_s, sleep
        for sweep in sweeps:
            metrics.repairs.labels(sweep.name)

    async def run(self) -> None:
        """Sweep until cancelled. Raises what ends the daemon: LogBroken, LogDamaged."""
        while True:
            await self._sleep(self._every_s)
            await self.once()

    async def once(self) -> None:
        """Run every sweep once."""
        for sweep in self._sweeps:
            try:
                repairs = await sweep.repair()
            except (LogBroken, LogDamaged):
                raise
            except Exception as error:  # noqa: BLE001  root of a task: the other sweeps go on
                _log.warning("sweep_failed", kind=sweep.name, why=repr(error))
            else:
                self._count(sweep.name, repairs)

    def _count(self, name: str, repairs: int) -> None:
        if repairs:
            self._metrics.repairs.labels(name).inc(repairs)
            _log.warning("swept", kind=name, repairs=repairs)


class Overdue:
    """Finds tournaments whose deadline has passed and that nobody has woken; *serve* wakes one."""

    def __init__(self, tournaments: Tournaments, clock: Clock, serve: Serve) -> None:
        self._tournaments, self._clock, self._serve = tournaments, clock, serve
        self._before: Mapping[TournamentNo, Instant] = {}

    async def __call__(self) -> int:
        """Wake those that were overdue at the last sweep, too; return how many went on."""
        due = self._due()
        stuck = [number for number, deadline in due.items() if self._before.get(number) == deadline]
        self._before = due
        for number in stuck:
            await self._serve(number)
        after = self._due()
        return sum(after.get(number) != due[number] for number in stuck)

    def _due(self) -> Mapping[TournamentNo, Instant]:
        now = self._clock.now()
        deadlines = {n: next_deadline(state) for n, state in self._tournaments.running().items()}
        return {n: deadline for n, deadline in deadlines.items() if deadline is not None and deadline < now}


class SettledElsewhere:
    """Puts away parked reports that were taken for a table of another tournament (5.6-3)."""

    def __init__(self, tournaments: Tournaments) -> None:
        self._tournaments = tournaments

    async def __call__(self) -> int:
        """Dismiss them and return how many."""
        running = self._tournaments.running()
        waiting = [(n, parked) for n, state in running.items() for parked in state.parked.values()]
        if not waiting:
            return 0
        filed = [r for state in running.values() for table in state.all_tables() for r in table.reports]
        settled = [(n, parked.id) for n, parked in waiting if _known(parked.report, filed)]
        return sum([await self._dismiss(number, id_) for number, id_ in settled])

    async def _dismiss(self, number: TournamentNo, id_: str) -> int:
        try:
            await self._tournaments.handle(number, DismissParked(id=id_), by="system")
        except (CommandRejected, LogUnavailable, InvariantBroken):
            return 0
        return 1


def _known(report: Report, filed: Sequence[Report]) -> bool:
    return report in filed or swapped(report) in filed
