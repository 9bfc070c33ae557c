"""Environments of decks: made of files at publishing, frozen with the tournament (R045, D45).

Everything that takes long runs in one thread of its own, one thing after the other, while the event loop goes
on. What is quick is done on the loop: handing it over and waiting for one's turn again would take longer.
"""

import asyncio
import gc
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeVar

from deckcheck.environments import Environment
from deckcheck.errors import SourceBroken
from deckcheck.pools import modern_codes
from deckcheck.snapshot import thaw_environment
from relayd.cardfiles import CardFiles
from relayd.settings import EnvironmentSettings
from ruleset.errors import CommandRejected
from ruleset.tournament.decks import FrozenTable

T = TypeVar("T")
THAWED: Final = 16
"""Environments of running tournaments that are kept ready."""
QUICK_BYTES: Final = 1_024
"""A deck is hardly longer; however bad such a text is, it is judged within a millisecond or two."""


class Environments:
    """Freezes them for new tournaments, and thaws those of old ones to judge decks by."""

    def __init__(self, settings: EnvironmentSettings) -> None:
        self._files = CardFiles(settings)
        self._thawed: Final = OrderedDict[bytes, asyncio.Task[Environment]]()
        self._thread: Final = ThreadPoolExecutor(1, thread_name_prefix="decks")

    def use(self, settings: EnvironmentSettings) -> None:
        """Take up new settings, for tournaments that are published from now on (D45)."""
        self._files = CardFiles(settings)

    @property
    def keys(self) -> tuple[str, ...]:
        """What tournaments may be published with."""
        return self._files.keys

    async def freeze(self, key: str) -> FrozenTable:
        """Return the environment of *key* as it is now.

        Raises CommandRejected ``unknown_environment``, ``environment_unavailable`` where files are missing.
        """
        files = self._files
        if key not in files.keys:
            raise CommandRejected("unknown_environment", environment=key, known=files.keys)
        try:
            return await self.work(lambda: files.frozen(key))
        except SourceBroken as error:
            raise CommandRejected("environment_unavailable", environment=key, why=error.message) from error

    async def thaw(self, frozen: FrozenTable) -> Environment:
        """Return the environment that *frozen* holds. Raises SourceBroken if it is damaged."""
        table, thawed = frozen.table, self._thawed
        if table not in thawed:
            thawed[table] = asyncio.create_task(self.work(partial(_thaw, table)))
            if len(thawed) > THAWED:
                thawed.popitem(last=False)
        thawed.move_to_end(table)
        return await asyncio.shield(thawed[table])

    async def ask(
        self, frozen: FrozenTable, question: Callable[[Environment], T], *, quick: bool = False
    ) -> T:
        """Return what *question* makes of the environment that *frozen* holds. Raises as both."""
        environment = await self.thaw(frozen)
        return question(environment) if quick else await self.work(partial(question, environment))

    async def set_names(self) -> Mapping[int, str]:
        """Return the names of archetypes by setcode; none where no file tells them."""
        return await self.work(self._files.set_names)

    async def work(self, job: Callable[[], T]) -> T:
        """Return what *job* returns, off the event loop. Raises whatever it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, _without_collector, job)


def _thaw(table: bytes) -> Environment:
    environment = thaw_environment(table)
    modern_codes()  # whoever freezes a deck on the loop finds them read
    gc.freeze()  # ten thousand cards, and no cycle among them: the collector need never look
    return environment


def _without_collector(job: Callable[[], T]) -> T:
    """Do *job*; ten thousand new cards would have the collector stop everybody to look for cycles."""
    gc.disable()
    try:
        return job()
    finally:
        gc.enable()
