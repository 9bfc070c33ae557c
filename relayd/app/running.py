"""The daemon at work: its tasks, and how it ends."""

import asyncio
import signal
from collections.abc import Coroutine, Mapping
from typing import Any

from relayd.app.core import Core
from relayd.app.parties import Parties
from relayd.storage.sqlite.log import SqliteLog


def stop_signal() -> asyncio.Event:
    """Return what is set once somebody wants the daemon to stop."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


def tasks_of(
    core: Core, parties: Parties, beat: Coroutine[Any, Any, None]
) -> Mapping[str, Coroutine[Any, Any, object]]:
    """Return everything that runs as long as the daemon does, by name."""
    return {
        "heartbeat": beat,
        "log": _ends_with(core.log),
        "bridge": parties.bridge.run(),
        "alarm": parties.alarm.run(),
        "hold": _release(parties),
        "starting": parties.starting.run(),
        "rating": parties.rating.run(),
        "shouts": parties.shouts.run(),
        "sweeps": parties.sweeps.run(),
    }


async def _release(parties: Parties) -> None:
    """End the hold after a restart once every duel server has been looked at (5.5-7)."""
    await parties.bridge.first_look()
    parties.alarm.release()


async def work_until(stop: asyncio.Event, work: Mapping[str, Coroutine[Any, Any, object]]) -> None:
    """Work until *stop*, or until something has gone wrong that only a new process can mend."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(job, name=name) for name, job in work.items()]
            await stop.wait()
            for task in tasks:
                task.cancel()
    except BaseExceptionGroup as group_error:
        raise _first_of(group_error) from group_error


def _first_of(group: BaseExceptionGroup[BaseException]) -> BaseException:
    first = group.exceptions[0]
    return _first_of(first) if isinstance(first, BaseExceptionGroup) else first


async def _ends_with(log: SqliteLog) -> None:
    """End the daemon when the log takes nothing more (F03)."""
    raise await log.broken()
