"""New settings while the daemon runs: read at SIGHUP, taken up whole or not at all."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import structlog

from relayd.observe.metrics import Metrics
from relayd.settings import Settings, SettingsError
from relayd.settings.changes import differences, taken_up

Apply: TypeAlias = Callable[[], None]
"""Puts what was readied into force. Must not fail."""
Ready: TypeAlias = Callable[[Settings], Apply]
"""Readies a part for new settings, off the event loop, and changes nothing yet. Raises SettingsError."""

_log: Final = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reloaded:
    """What came of reading the settings anew."""

    changed: tuple[str, ...]
    """Settings that hold from now on, as dotted paths."""
    waiting: tuple[str, ...]
    """Settings that differ and need a restart."""


class Reloading:
    """Holds the settings that are in force, and all who must hear of new ones."""

    def __init__(self, settings: Settings, reread: Callable[[], Settings], metrics: Metrics) -> None:
        """*reread* reads the settings from where they came. Raises SettingsError."""
        self._settings, self._reread, self._metrics = settings, reread, metrics
        self._parts: list[Ready] = []
        self._turn = asyncio.Lock()

    @property
    def settings(self) -> Settings:
        """The settings that are in force."""
        return self._settings

    def add(self, part: Ready) -> None:
        """Let *part* hear of new settings, after all that were there before it."""
        self._parts.append(part)

    async def reload(self) -> Reloaded:
        """Take up new settings. Raises SettingsError with every problem; the old ones hold on then (F28)."""
        async with self._turn:
            try:
                new, applies = await asyncio.to_thread(self._readied)
            except SettingsError as error:
                self._metrics.settings_refused.set(1)
                _log.error("settings_refused", problems=error.problems)
                raise
            present = taken_up(self._settings, new)
            told = Reloaded(changed=differences(self._settings, present), waiting=differences(present, new))
            for apply in applies:
                apply()
            self._settings = present
            self._metrics.settings_refused.set(0)
            self._metrics.settings_waiting.set(len(told.waiting))
            _log.info("settings_reloaded", changed=told.changed, needs_restart=told.waiting)
            return told

    def _readied(self) -> tuple[Settings, list[Apply]]:
        new = self._reread()
        return new, [ready(taken_up(self._settings, new)) for ready in self._parts]
