"""One SQLite file: WAL, synchronous=FULL, one connection in one thread, one process."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from relayd.storage.log import LogBroken, LogDamaged, LogError, LogRefused, LogUnavailable
from relayd.storage.sqlite.lock import FileLock

T = TypeVar("T")

_PASSING: Final = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
}
# The SQL is always the same: where it is wrong, the file is not as it was written.
_DAMAGE: Final = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_SCHEMA,
    sqlite3.SQLITE_FORMAT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_TOOBIG,
}
_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""The second where a message quotes a damaged file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """What a file is for, and what stands in it."""

    application: int
    """``PRAGMA application_id``: tells our files from others and from each other."""
    version: int
    """``PRAGMA user_version``; a file with a higher one is refused."""
    tables: str
    """SQL that makes an empty file one of this version."""
    upgrades: Mapping[int, str] = field(default_factory=dict)
    """SQL that leads from each older version to the next."""


class Database:
    """Runs jobs on the one connection, one after the other; every error is a LogError that names the file.

    After LogBroken or LogDamaged it answers nothing else: its owner must end.
    """

    def __init__(
        self, path: Path, schema: Schema, *, busy_timeout_s: float = 5, read_only: bool = False
    ) -> None:
        """Open the file, making it if need be. *read_only* takes no lock and changes nothing.

        Raises LogUnavailable (no folder, no access, open elsewhere), LogRefused or LogDamaged.
        """
        if read_only and not path.is_file():
            raise LogRefused(f"{path}: there is no such file")
        self.path = path
        self._fault: LogError | None = None
        self._broken = asyncio.Event()
        self._lock = None if read_only else FileLock(path)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=path.stem)
        try:
            self._db = self._here(lambda: _connect(path, busy_timeout_s, read_only=read_only))
        except BaseException:
            self._let_go()
            raise
        with self.closing_on_error():
            self.run_now(lambda db: _prepare(db, path, schema, read_only=read_only))

    @contextmanager
    def closing_on_error(self) -> Iterator[None]:
        """Let go of the file if the store that opens it cannot use it."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    def run_now(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Run *job* and wait for it, at a time when nothing else runs: while a store is being opened."""
        return self._here(lambda: job(self._db))

    async def run(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Run *job* in the thread of the connection."""
        if self._fault is not None:
            raise LogBroken(f"{self.path}: failed before") from self._fault
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, job, self._db)
        except _ERRORS as error:
            raise self._failure(error) from error

    async def broken(self) -> LogError:
        """Return why nothing more is answered, once that is so."""
        while self._fault is None:
            await self._broken.wait()
        return self._fault

    def close(self) -> None:
        """Wait for the last job and let go of the file."""
        self._thread.submit(self._db.close).result()
        self._let_go()

    def unsound(self, db: sqlite3.Connection) -> Sequence[LogDamaged]:
        """Return what SQLite's own check of every page finds."""
        found = [line for (line,) in db.execute("PRAGMA integrity_check")]
        return [] if found == ["ok"] else [LogDamaged(f"{self.path}: {line}") for line in found]

    def _here(self, job: Callable[[], T]) -> T:
        try:
            return self._thread.submit(job).result()
        except _ERRORS as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> LogError:
        """Sort what may pass (a lock, no space, no access) from damage and from what breaks the log."""
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE) & 0xFF
        if code in _PASSING:
            return LogUnavailable(f"{self.path}: {error}")
        damaged = code in _DAMAGE or isinstance(error, UnicodeDecodeError)
        fault = (LogDamaged if damaged else LogBroken)(f"{self.path}: {error}")
        if self._lock is not None:
            self._fault = self._fault or fault
            self._broken.set()
        return fault

    def _let_go(self) -> None:
        self._thread.shutdown()
        if self._lock is not None:
            self._lock.release()


def _connect(path: Path, busy_timeout_s: float, *, read_only: bool) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
    db = sqlite3.connect(address, uri=True, timeout=busy_timeout_s, isolation_level=None)
    db.text_factory = partial(str, encoding="utf-8", errors="replace")  # damaged names are judged, not raised
    return db


def _prepare(db: sqlite3.Connection, path: Path, schema: Schema, *, read_only: bool) -> None:
    db.execute("PRAGMA cell_size_check = ON")
    fresh, version = _judge(db, path, schema)
    if fresh and read_only:
        raise LogRefused(f"{path}: nothing was ever written to it")
    if read_only:
        return
    if db.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
        raise LogUnavailable(f"{path}: its file system cannot keep a write-ahead log")
    db.execute("PRAGMA synchronous = FULL")
    steps = [schema.tables] if fresh else [schema.upgrades[old] for old in range(version, schema.version)]
    if steps:
        with transaction(db):
            for statement in ";".join(steps).split(";"):
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {schema.application}")
            db.execute(f"PRAGMA user_version = {schema.version}")


def _judge(db: sqlite3.Connection, path: Path, schema: Schema) -> tuple[bool, int]:
    """Refuse what is not ours; say whether there is nothing yet, and which version stands there."""
    application, version, tables = (
        db.execute(question).fetchone()[0]
        for question in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_schema")
    )
    if (application, version, tables) == (0, 0, 0):
        return True, 0
    if application != schema.application:
        raise LogRefused(f"{path}: this is not a file of relayd, or of another use")
    if version > schema.version:
        raise LogRefused(
            f"{path}: its format {version} is newer than this program, which knows {schema.version}"
        )
    if not all(old in schema.upgrades for old in range(version, schema.version)):
        raise LogDamaged(f"{path}: a format {version} was never written")
    return False, version


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Make what happens inside durable, or undo it."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        yield
