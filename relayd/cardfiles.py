"""The operator's files of lists and cards, read again when they have changed. Blocking."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

import structlog

from deckcheck.environments import Environment, retro
from deckcheck.errors import SourceBroken
from deckcheck.pools import POOLS, PoolKey
from deckcheck.snapshot import freeze_environment
from deckcheck.sources import Reloading, load_cards, load_ocg, load_own
from deckcheck.usage import read_set_names
from relayd.settings import EnvironmentSettings
from ruleset.tournament.decks import FrozenTable

_log: Final = structlog.get_logger()


class CardFiles:
    """What the files make: frozen tables by key, and the names of archetypes."""

    def __init__(self, settings: EnvironmentSettings) -> None:
        self._settings: Final = settings
        cards, lists = settings.cdb_paths, tuple(filter(None, (settings.lflist_path,)))
        self._tables: Final = {"ocg": Reloading((*lists, *cards), lambda: _frozen(self._ocg()))}
        for key in POOLS:
            self._tables[key] = Reloading(cards, partial(self._retro, key))
        for own in settings.own:
            self._tables[own.key] = Reloading((own.file, *cards), partial(self._own, own.key, own.file))
        strings = tuple(filter(None, (settings.strings_path,)))
        self._names: Final = Reloading(strings, self._read_names)

    @property
    def keys(self) -> tuple[str, ...]:
        """The environments that there are, whether their files are there or not."""
        return tuple(self._tables)

    def frozen(self, key: str) -> FrozenTable:
        """Return the environment *key* as the files are now. Raises SourceBroken with what is missing."""
        return self._tables[key].present()

    def set_names(self) -> Mapping[int, str]:
        """Return the names of archetypes by setcode; none where no file tells them."""
        return self._names.present()

    def _ocg(self) -> Environment:
        settings = self._settings
        if settings.lflist_path is None:
            raise SourceBroken("list_missing", "set environment.lflist_path and environment.cdb_paths")
        return load_ocg(
            settings.lflist_path,
            settings.cdb_paths,
            allow_prerelease=settings.allow_prerelease,
            ocg_rule=settings.ocg_rule,
        )

    def _retro(self, key: PoolKey) -> FrozenTable:
        """Freeze a retro environment: complete without any card database, which gives names alone (D44)."""
        paths = self._settings.cdb_paths
        try:
            return _frozen(retro(key, load_cards(paths) if paths else None))
        except SourceBroken as error:
            _log.warning("cards_unreadable", environment=key, code=error.code, why=error.message)
            return _frozen(retro(key))

    def _own(self, key: str, file: Path) -> FrozenTable:
        return _frozen(load_own(file, self._settings.cdb_paths, key=key))

    def _read_names(self) -> Mapping[int, str]:
        path = self._settings.strings_path
        try:
            return read_set_names(path.read_text("utf-8-sig", "replace")) if path else {}
        except OSError as error:
            _log.warning("set_names_unreadable", path=str(path), why=error.strerror)
            return {}


def _frozen(environment: Environment) -> FrozenTable:
    return FrozenTable(
        key=environment.key,
        list_name=environment.list_name,
        list_hash=int(environment.list_hash, 16),
        pool_hash=environment.pool_hash,
        table=freeze_environment(environment),
    )
