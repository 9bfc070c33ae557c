"""Carries effects out from the log: it is the outbox, a cursor says how far each sink has followed it."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Final, Protocol

import structlog

from relayd.errors import DependencyError
from relayd.observe.metrics import Metrics
from relayd.ports import Tournaments
from relayd.reducers import TOURNAMENT, number_of, stream_of
from relayd.storage.history import read, read_one
from relayd.storage.log import Entry, EventLog, Head, LogBroken, LogDamaged, start_of
from ruleset.ids import TournamentNo
from ruleset.tournament.events import Event
from ruleset.tournament.state import Tournament

FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 30.0
_log = structlog.get_logger()


class Sink(Protocol):
    """What carries the effects of one kind out, and remembers how far it is."""

    @property
    def name(self) -> str:
        """Stands in log lines and metrics."""
        ...

    @property
    def wants(self) -> tuple[type[Event], ...]:
        """The events that have an effect here."""
        ...

    async def positions(self) -> Mapping[str, int]:
        """Return how far it is in each stream. Raises DependencyError."""
        ...

    async def take(self, stream: str, version: int, entries: Sequence[Entry]) -> None:
        """Carry out *entries*, the wanted ones of *stream* up to *version*, and note that it is done.

        The same again changes nothing. Raises DependencyError: try again later.
        """
        ...


class Cursor:
    """Follows all tournaments for one sink."""

    def __init__(
        self,
        sink: Sink,
        log: EventLog,
        tournaments: Tournaments,
        metrics: Metrics,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._sink, self._log, self._tournaments, self._metrics = sink, log, tournaments, metrics
        self._sleep, self._jitter = sleep, jitter
        self._positions: dict[str, int] = {}
        self._waiting: dict[TournamentNo, None] = {}
        self._turn = asyncio.Lock()
        self._news, self._idle = asyncio.Event(), asyncio.Event()
        self._failures = 0
        for outcome in ("done", "away", "broken"):
            metrics.effects.labels(sink.name, outcome)

    async def run(self) -> None:
        """Carry out whatever is not yet, until cancelled. Raises LogBroken, LogDamaged."""
        stop = self._tournaments.subscribe(self._heard)
        try:
            while not await self._try(self.catch_up):
                pass
            while True:
                await self._work()
                await self._news.wait()
        finally:
            stop()

    async def catch_up(self) -> int:
        """Look through every stream in which the sink is behind; return how many entries were left to do.

        After a start that is no wonder; in a sweep it is a repair. Raises LogErrors.
        """
        done = 0
        for stream, version in (await self._sink.positions()).items():
            self._positions[stream] = max(version, self._positions.get(stream, 0))
        for stream, version in (await self._log.streams()).items():
            number = number_of(stream)
            if number is not None and version > self._positions.get(stream, 0):
                done += await self._follow(number)
        return done

    async def settled(self) -> None:
        """Wait until all that is durable now has been carried out."""
        await self._idle.wait()

    def _heard(self, number: TournamentNo, entry: Entry, _state: Tournament) -> None:
        if self._wanted(entry):
            self._wait_for(number)
            self._news.set()

    def _wait_for(self, number: TournamentNo) -> None:
        self._waiting[number] = None
        self._idle.clear()

    async def _work(self) -> None:
        self._news.clear()
        while self._waiting:
            number = next(iter(self._waiting))
            del self._waiting[number]
            if not await self._try(partial(self._follow, number)):
                self._wait_for(number)
        self._idle.set()

    async def _try(self, job: Callable[[], Awaitable[object]]) -> bool:
        """Do *job*; say whether it is over and done with. What is away is waited for."""
        try:
            await job()
        except (LogBroken, LogDamaged):
            raise
        except DependencyError as error:
            await self._back_off(error)
            return False
        except Exception:  # noqa: BLE001  root of a task: one stream must not stop the others
            self._metrics.effects.labels(self._sink.name, "broken").inc()
            _log.exception("effect_broken", sink=self._sink.name)
        self._failures = 0
        return True

    async def _back_off(self, error: DependencyError) -> None:
        if self._failures == 0:
            _log.warning("sink_away", sink=self._sink.name, code=error.code, why=str(error))
        self._metrics.effects.labels(self._sink.name, "away").inc()
        pause = min(FIRST_PAUSE_S * 2**self._failures, LONGEST_PAUSE_S)
        self._failures = min(self._failures + 1, 10)
        await self._sleep(pause * (0.75 + self._jitter() / 2))

    async def _follow(self, number: TournamentNo) -> int:
        """Carry out what is left to do in one stream; return how many entries that was."""
        stream = stream_of(number)
        async with self._turn:
            began, head = time.monotonic(), await self._head(stream)
            entries = [entry async for entry in read(self._log, stream, TOURNAMENT.codec, head)]
            wanted = [entry for entry in entries if self._wanted(entry)]
            if entries:
                await self._sink.take(stream, entries[-1].version, wanted)
                self._positions[stream] = entries[-1].version
            self._told(number, wanted, round((time.monotonic() - began) * 1_000))
        return len(wanted)

    async def _head(self, stream: str) -> Head:
        version = self._positions.get(stream, 0)
        if version == 0:
            return start_of(stream)
        return (await read_one(self._log, stream, TOURNAMENT.codec, version)).head

    def _wanted(self, entry: Entry) -> bool:
        return any(isinstance(event, self._sink.wants) for event in entry.events)

    def _told(self, number: TournamentNo, entries: Sequence[Entry], ms: int) -> None:
        for entry in entries:
            self._metrics.effects.labels(self._sink.name, "done").inc()
            at = {"tournament": number, "version": entry.version, "command_id": entry.command_id}
            _log.info("effect", sink=self._sink.name, outcome="done", ms=ms, **at)
