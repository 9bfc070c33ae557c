"""Follows the log for every webhook, each at its own pace: in order, at least once, in nobody's way."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

import structlog

from relayd.errors import DependencyError
from relayd.observe.metrics import Metrics
from relayd.ports import Clock, Tournaments
from relayd.public import public_entry
from relayd.reducers import TOURNAMENT, stream_of
from relayd.storage.history import read, read_one
from relayd.storage.log import Entry, EventLog, Head, LogBroken, LogDamaged, start_of
from relayd.storage.webhooks import Hook, HookStore
from relayd.webhooks.delivery import GONE, Delivery
from ruleset.ids import MINUTE_MS, SECOND_MS, Instant, TournamentNo
from ruleset.tournament.state import Tournament

AT_ONCE: Final = 16
"""Messages under way."""
PAUSES_MS: Final = (
    *(5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS),
    *(60 * MINUTE_MS, 120 * MINUTE_MS, 240 * MINUTE_MS),
)
"""After each failure in a row; after the last of them a hook is switched off, some eight hours later."""
_AWAY_S: Final = 5.0
_log: Final = structlog.get_logger()


class Courier:
    """Tells hooks of entries. A worker runs for a hook only while there is something to tell it."""

    def __init__(  # noqa: PLR0913  what it works with
        self,
        store: HookStore,
        log: EventLog,
        tournaments: Tournaments,
        clock: Clock,
        deliver: Delivery,
        metrics: Metrics,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._store, self._log, self._tournaments, self._clock = store, log, tournaments, clock
        self._deliver, self._metrics, self._sleep = deliver, metrics, sleep
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._hooks: defaultdict[TournamentNo, set[int]] = defaultdict(set)
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._news: set[int] = set()
        self._group: asyncio.TaskGroup | None = None
        for outcome in ("done", "away", "broken"):
            metrics.effects.labels("webhook", outcome)

    async def run(self) -> None:
        """Tell every hook what it has not been told yet, until cancelled. Raises LogBroken, LogDamaged."""
        stop = self._tournaments.subscribe(self._heard)
        try:
            async with asyncio.TaskGroup() as self._group:
                await self._begin()
                await asyncio.Event().wait()
        finally:
            self._group = None
            stop()

    def wake(self, hook: Hook) -> None:
        """Take a hook up that is new or switched on again, and try it now."""
        self.forget(hook)
        self._hooks[hook.tournament].add(hook.id)
        self._wake(hook.id)

    def forget(self, hook: Hook) -> None:
        """Tell a hook nothing more."""
        self._hooks[hook.tournament].discard(hook.id)
        if (worker := self._workers.pop(hook.id, None)) is not None:
            worker.cancel()

    async def _begin(self) -> None:
        while True:
            try:
                hooks, versions = await self._store.active(), await self._log.streams()
            except (LogBroken, LogDamaged):
                raise
            except DependencyError:
                await self._sleep(_AWAY_S)
            else:
                break
        for hook in hooks:
            self._hooks[hook.tournament].add(hook.id)
            if hook.position < versions.get(stream_of(hook.tournament), 0):
                self._wake(hook.id)

    def _heard(self, number: TournamentNo, _entry: Entry, _state: Tournament) -> None:
        for hook in self._hooks.get(number, ()):
            self._wake(hook)

    def _wake(self, hook: int) -> None:
        self._news.add(hook)
        if self._group is not None and hook not in self._workers:
            self._workers[hook] = self._group.create_task(self._work(hook), name=f"webhook-{hook}")

    async def _work(self, hook: int) -> None:
        try:
            while hook in self._news:
                self._news.discard(hook)
                await self._try(hook)
        finally:
            if self._workers.get(hook) is asyncio.current_task():
                del self._workers[hook]

    async def _try(self, hook: int) -> None:
        try:
            await self._follow(hook)
        except (LogBroken, LogDamaged):
            raise
        except DependencyError as error:
            _log.warning("webhook_waits", hook=hook, code=error.code, why=str(error))
            self._news.add(hook)
            await self._sleep(_AWAY_S)
        except Exception:  # noqa: BLE001  root of a task: one hook must not stop the others
            self._metrics.effects.labels("webhook", "broken").inc()
            _log.exception("webhook_broken", hook=hook)

    async def _follow(self, number: int) -> None:
        """Tell a hook all that is durable, or switch it off."""
        hook = await self._store.hook(number)
        if hook is None or hook.off_at is not None:
            return
        stream = stream_of(hook.tournament)
        async for entry in read(self._log, stream, TOURNAMENT.codec, await self._head(stream, hook.position)):
            told = await self._tell(hook, entry)
            if told is None or told.off_at is not None:
                self._hooks[hook.tournament].discard(number)
                return
            hook = told

    async def _head(self, stream: str, version: int) -> Head:
        if version == 0:
            return start_of(stream)
        return (await read_one(self._log, stream, TOURNAMENT.codec, version)).head

    async def _tell(self, hook: Hook, entry: Entry) -> Hook | None:
        """Tell a hook of an entry, again and again until it is taken; ``None``: it is not there any more."""
        body, message = public_entry(hook.tournament, entry), f"t{hook.tournament}/{entry.version}"
        while hook.position < entry.version and hook.off_at is None:
            if hook.next_at is not None:
                await self._sleep(self._clock.seconds_until(hook.next_at))
            async with self._turns:
                trouble = await self._brought(hook, message, body)
            hook = self._after(hook, entry.version, trouble)
            self._note(hook, entry.version)
            if not await self._store.note(hook):
                return None
        return hook

    async def _brought(self, hook: Hook, message: str, body: bytes) -> str:
        try:
            return await self._deliver(hook, message, body)
        except Exception:  # noqa: BLE001  whatever a strange receiver brings about is a failure of its hook
            self._metrics.effects.labels("webhook", "broken").inc()
            _log.exception("webhook_broken", hook=hook.id)
            return "broken"

    def _after(self, hook: Hook, version: int, trouble: str) -> Hook:
        """Return a hook as it is once *version* was tried."""
        if not trouble:
            return replace(hook, position=version, failures=0, next_at=None, trouble="")
        now, failures = self._clock.now(), hook.failures + 1
        if trouble == GONE or failures > len(PAUSES_MS):
            return replace(hook, failures=failures, next_at=None, trouble=trouble, off_at=now)
        again = Instant(now + PAUSES_MS[failures - 1])
        return replace(hook, failures=failures, next_at=again, trouble=trouble)

    def _note(self, hook: Hook, version: int) -> None:
        outcome = "away" if hook.trouble else "done"
        self._metrics.effects.labels("webhook", outcome).inc()
        write = _log.warning if hook.off_at is not None else _log.info
        write(
            "effect" if hook.off_at is None else "webhook_off",
            sink="webhook",
            outcome=outcome,
            hook=hook.id,
            tournament=hook.tournament,
            version=version,
            code=hook.trouble,
            failures=hook.failures,
        )
