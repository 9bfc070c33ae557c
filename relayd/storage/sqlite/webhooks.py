"""Webhooks in an SQLite file of their own: it holds secrets. A number is never used again."""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import astuple, replace
from pathlib import Path
from typing import Final, TypeVar

from relayd.storage.sqlite.database import Database, Schema, transaction
from relayd.storage.webhooks import Hook, HookKnown
from ruleset.ids import TournamentNo

T = TypeVar("T")

_SCHEMA: Final = Schema(
    application=0x72_6C_79_35,
    version=1,
    tables="""
CREATE TABLE hook (
  id INTEGER PRIMARY KEY AUTOINCREMENT, tournament INTEGER NOT NULL, url TEXT NOT NULL, secret BLOB NOT NULL,
  made_by TEXT NOT NULL, created_at INTEGER NOT NULL, position INTEGER NOT NULL, failures INTEGER NOT NULL,
  next_at INTEGER, trouble TEXT NOT NULL, off_at INTEGER, UNIQUE (tournament, url)
) STRICT
""",
)
# In the order of the fields of Hook.
_HOOKS: Final = """
SELECT id, tournament, url, secret, made_by, created_at, position, failures, next_at, trouble, off_at
FROM hook
"""
_ADD: Final = "INSERT OR IGNORE INTO hook VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_NOTE: Final = "UPDATE hook SET position = ?, failures = ?, next_at = ?, trouble = ?, off_at = ? WHERE id = ?"


class SqliteHooks:
    """The store of webhooks that comes with the daemon (storage.webhooks.HookStore)."""

    def __init__(self, path: Path) -> None:
        """Raises LogUnavailable, LogRefused or LogDamaged."""
        self._db = Database(path, _SCHEMA)

    async def add(self, hook: Hook) -> Hook:
        def job(db: sqlite3.Connection) -> int | None:
            cursor = db.execute(_ADD, astuple(hook)[1:])
            return cursor.lastrowid if cursor.rowcount == 1 else None

        number = await self._write(job)
        if number is None:
            raise HookKnown(hook.tournament)
        return replace(hook, id=number)

    async def hook(self, hook: int) -> Hook | None:
        return next(iter(await self._read(_HOOKS + "WHERE id = ?", hook)), None)

    async def of(self, tournament: TournamentNo) -> Sequence[Hook]:
        return await self._read(_HOOKS + "WHERE tournament = ? ORDER BY id", tournament)

    async def active(self) -> Sequence[Hook]:
        return await self._read(_HOOKS + "WHERE off_at IS NULL ORDER BY id")

    async def note(self, hook: Hook) -> bool:
        values = (hook.position, hook.failures, hook.next_at, hook.trouble, hook.off_at, hook.id)
        return await self._write(lambda db: db.execute(_NOTE, values).rowcount == 1)

    async def remove(self, tournament: TournamentNo, hook: int) -> bool:
        sql = "DELETE FROM hook WHERE id = ? AND tournament = ?"
        return await self._write(lambda db: db.execute(sql, (hook, tournament)).rowcount == 1)

    async def close(self) -> None:
        self._db.close()

    async def _read(self, sql: str, *values: object) -> list[Hook]:
        def job(db: sqlite3.Connection) -> list[Hook]:
            rows = db.execute(sql, values).fetchall()
            return [Hook(**dict(zip(Hook.__slots__, row, strict=True))) for row in rows]

        return await self._db.run(job)

    async def _write(self, job: Callable[[sqlite3.Connection], T]) -> T:
        def whole(db: sqlite3.Connection) -> T:
            with transaction(db):
                return job(db)

        return await self._db.run(whole)
