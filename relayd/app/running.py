"""The daemon at work: its tasks, and how it ends."""

import asyncio
import gc
import signal
import sys
from collections.abc import Coroutine, Mapping
from typing import Any, Final

from relayd.app.core import Core
from relayd.app.parties import Parties
from relayd.app.reloading import Reloading
from relayd.settings import SettingsError
from relayd.storage.sqlite.log import SqliteLog
from relayd.systemd import Notifier

TURN_S: Final = 0.001
"""After so long a thread that computes lets the event loop go on; five times as long is usual."""


def settle() -> None:
    """Have the event loop stopped for as short as can be from now on (performance 6).

    What is there by now is there for good, so the collector need not look at it again and again.
    """
    sys.setswitchinterval(TURN_S)
    gc.collect()
    gc.freeze()


class Signals:
    """What is wanted of the daemon by signals; from now on none of them ends it where it stands."""

    def __init__(self, notifier: Notifier) -> None:
        self.stop, self.reload = asyncio.Event(), asyncio.Event()
        self._notifier = notifier
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop)
        loop.add_signal_handler(signal.SIGHUP, self.reload.set)

    async def reload_with(self, reloading: Reloading) -> None:
        """Read the settings anew at each SIGHUP, until cancelled; the manager hears of begin and end."""
        while True:
            await self.reload.wait()
            self.reload.clear()
            self._notifier.reloading()
            try:
                await reloading.reload()
                self._notifier.status("")
            except SettingsError as error:
                self._notifier.status(f"the old settings hold on: {error.problems[0]}")
            self._notifier.ready()

    def _stop(self) -> None:
        """Tell the manager at once, whatever is still to be done (F28)."""
        self._notifier.stopping()
        self.stop.set()


def tasks_of(core: Core, parties: Parties) -> Mapping[str, Coroutine[Any, Any, object]]:
    """Return everything that runs as long as the daemon does, by name."""
    return {
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
