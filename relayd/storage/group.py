"""Group commit: appends that wait together are written together, in order, and share one fsync."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from time import perf_counter
from typing import NamedTuple, TypeAlias

from relayd.storage.log import Head, LogBroken, LogEntry, LogError


class Append(NamedTuple):
    """An entry and where it shall stand."""

    stream: str
    after: Head
    entry: LogEntry[object]


Write: TypeAlias = Callable[[Sequence[Append]], Awaitable[Sequence[LogError | None]]]
"""Makes a group durable and says of each append what went wrong, or raises a LogError for all of them."""


Watch: TypeAlias = Callable[[int, float, LogError | None], None]
"""Hears of each group: how many appends, how many seconds, and why it was not written, if it was not."""


def unwatched(_appends: int, _seconds: float, _failure: LogError | None) -> None:
    """Hear of groups and do nothing."""


class GroupCommit:
    """The queue in front of a store: while one group is being written, the next one gathers."""

    def __init__(self, write: Write, limit: int, watch: Watch = unwatched) -> None:
        self._write, self._limit, self._watch = write, limit, watch
        self._waiting: list[tuple[Append, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None

    def submit(self, append: Append) -> asyncio.Future[None]:
        """Queue *append*; the future ends when its group, of at most *limit* appends, is durable or lost."""
        future = asyncio.get_running_loop().create_future()
        self._waiting.append((append, future))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._work())
        return future

    async def drain(self) -> None:
        """Wait until nothing is queued."""
        if self._writer is not None:
            await self._writer

    async def _work(self) -> None:
        while group := self._waiting[: self._limit]:
            del self._waiting[: self._limit]
            failures = await self._failures([append for append, _ in group])
            for (_, future), failure in zip(group, failures, strict=True):
                if future.cancelled():  # at the end of the loop: nobody waits any more
                    continue
                if failure is None:
                    future.set_result(None)
                else:
                    future.set_exception(failure)

    async def _failures(self, appends: Sequence[Append]) -> Sequence[LogError | None]:
        begin, failure = perf_counter(), None
        try:
            return await self._write(appends)
        except LogError as error:
            failure = error
        except Exception as error:  # noqa: BLE001  root of a task: nobody may be left waiting
            failure = LogBroken(repr(error))
        finally:
            self._watch(len(appends), perf_counter() - begin, failure)
        return [failure] * len(appends)
