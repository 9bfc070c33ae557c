"""Environments of decks: made of files at publishing, frozen with the tournament (R045, D45)."""

import asyncio
from functools import lru_cache
from pathlib import Path
from typing import Final, get_args

from deckcheck.environments import Environment, retro
from deckcheck.errors import SourceBroken
from deckcheck.pools import PoolKey
from deckcheck.snapshot import freeze_environment, thaw_environment
from deckcheck.sources import Reloading, load_ocg
from relayd.settings import EnvironmentSettings
from ruleset.errors import CommandRejected
from ruleset.tournament.decks import FrozenTable

CURRENT: Final = "ocg"
KEYS: Final[tuple[str, ...]] = (CURRENT, *get_args(PoolKey))
THAWED: Final = 16
"""Environments of running tournaments that are kept ready."""


class Environments:
    """Freezes them for new tournaments, and thaws those of old ones to judge decks by."""

    def __init__(self, settings: EnvironmentSettings) -> None:
        self._settings: Final = settings
        self._current = Reloading(_files(settings), self._load)
        self._thawed = lru_cache(maxsize=THAWED)(thaw_environment)

    async def freeze(self, key: str) -> FrozenTable:
        """Return the environment of *key* as it is now.

        Raises CommandRejected ``unknown_environment``, ``environment_unavailable`` where files are missing.
        """
        if key not in KEYS:
            raise CommandRejected("unknown_environment", environment=key, known=KEYS)
        try:
            return await asyncio.to_thread(self._freeze, key)
        except SourceBroken as error:
            raise CommandRejected("environment_unavailable", environment=key, why=error.message) from error

    async def thaw(self, frozen: FrozenTable) -> Environment:
        """Return the environment that *frozen* holds. Raises SourceBroken if it is damaged."""
        return await asyncio.to_thread(self._thawed, frozen.table)

    def _freeze(self, key: str) -> FrozenTable:
        environment = self._current.environment() if key == CURRENT else _retro(key)
        return FrozenTable(
            key=key,
            list_name=environment.list_name,
            list_hash=int(environment.list_hash, 16),
            pool_hash=environment.pool_hash,
            table=freeze_environment(environment),
        )

    def _load(self) -> Environment:
        settings = self._settings
        if settings.lflist_path is None:
            raise SourceBroken("list_missing", "set environment.lflist_path and environment.cdb_paths")
        return load_ocg(
            settings.lflist_path,
            settings.cdb_paths,
            allow_prerelease=settings.allow_prerelease,
            ocg_rule=settings.ocg_rule,
        )


def _files(settings: EnvironmentSettings) -> tuple[Path, ...]:
    lists = () if settings.lflist_path is None else (settings.lflist_path,)
    return (*lists, *settings.cdb_paths)


@lru_cache
def _retro(key: str) -> Environment:
    (pool,) = (known for known in get_args(PoolKey) if known == key)
    return retro(pool)
