"""The log in one SQLite file, with group commit."""

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from relayd.storage.group import Append, GroupCommit, Watch, unwatched
from relayd.storage.log import Head, LogDamaged, LogEntry, LogError, Row
from relayd.storage.sqlite import append, tables
from relayd.storage.sqlite.database import Database


class SqliteLog:
    """One file, one process. After LogBroken or LogDamaged it answers nothing else: its owner must end.

    As nobody else writes, where each stream ends is remembered. ``transactions`` counts what was committed;
    appends share them.
    """

    def __init__(
        self,
        path: Path,
        *,
        group_limit: int = 500,
        busy_timeout_s: float = 5,
        read_only: bool = False,
        watch: Watch = unwatched,
    ) -> None:
        """Open the file, making it if need be; *read_only* takes it as it is, for an audit.

        Raises LogUnavailable, LogRefused or LogDamaged, each with a sentence that names the file.
        """
        self.transactions = 0
        self._db = Database(path, tables.SCHEMA, busy_timeout_s=busy_timeout_s, read_only=read_only)
        self._group = GroupCommit(self._commit, group_limit, watch)
        with self._db.closing_on_error():
            if not read_only:
                self._db.run_now(self._refuse_damage)
            self._known = self._db.run_now(partial(tables.streams, to_write=not read_only))

    @property
    def name(self) -> str:
        return str(self._db.path)

    def append(self, stream: str, after: Head, entry: LogEntry[object]) -> asyncio.Future[None]:
        return self._group.submit(Append(stream, after, entry))

    async def rows(self, stream: str, after: int = 0, limit: int = 250) -> Sequence[Row]:
        key = self._known.keys.get(stream)
        return await self._db.run(partial(tables.rows, key=key, after=after, limit=limit))

    async def streams(self) -> Mapping[str, int]:
        return {stream: head.version for stream, head in self._known.heads.items()}

    async def faults(self) -> Sequence[LogDamaged]:
        """Return what is wrong with the file beside its entries, all of it read (slow)."""
        return await self._db.run(lambda db: [*tables.faults(db, self.name), *self._db.unsound(db)])

    async def broken(self) -> LogError:
        return await self._db.broken()

    async def close(self) -> None:
        await self._group.drain()
        self._db.close()

    def _refuse_damage(self, db: sqlite3.Connection) -> None:
        for fault in tables.faults(db, self.name):
            raise fault

    async def _commit(self, appends: Sequence[Append]) -> Sequence[LogError | None]:
        fates = await self._db.run(partial(append.write, known=self._known, appends=appends))
        self.transactions += 1
        return fates
