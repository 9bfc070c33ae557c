"""Cursors in an SQLite file: one of their own, or beside the effects that they count."""

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from relayd.storage.sqlite.database import Database, Schema, transaction

TABLE: Final = """
CREATE TABLE cursor (
  name TEXT NOT NULL, stream TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (name, stream)
) STRICT, WITHOUT ROWID
"""
_SCHEMA: Final = Schema(application=0x72_6C_79_33, version=1, tables=TABLE)
_MOVE: Final = """
INSERT INTO cursor (name, stream, version) VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET version = excluded.version WHERE excluded.version > version
"""


def versions(db: sqlite3.Connection, name: str) -> Mapping[str, int]:
    """Return the version that *name* has reached in each stream."""
    return dict(db.execute("SELECT stream, version FROM cursor WHERE name = ?", (name,)).fetchall())


def move(db: sqlite3.Connection, name: str, stream: str, version: int) -> bool:
    """Move a cursor forward; say whether it moved."""
    return db.execute(_MOVE, (name, stream, version)).rowcount == 1


class SqliteCursors:
    """A file of cursors."""

    def __init__(self, path: Path) -> None:
        """Raises LogUnavailable, LogRefused or LogDamaged."""
        self._db = Database(path, _SCHEMA)

    async def of(self, name: str) -> Mapping[str, int]:
        return await self._db.run(lambda db: versions(db, name))

    async def move(self, name: str, stream: str, version: int) -> None:
        def job(db: sqlite3.Connection) -> None:
            with transaction(db):
                move(db, name, stream, version)

        await self._db.run(job)

    async def close(self) -> None:
        self._db.close()
