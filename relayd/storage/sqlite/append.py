"""Appending a group of entries in one transaction."""

import sqlite3
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from relayd.storage.group import Append
from relayd.storage.log import Head, LogError, VersionConflict, start_of
from relayd.storage.sqlite.database import transaction
from relayd.storage.sqlite.tables import Streams

_OPEN: Final = "INSERT INTO stream (id, name, start) VALUES (?, ?, ?)"
_APPEND: Final = "INSERT INTO entry (stream, version, command, hash, body) VALUES (?, ?, ?, ?, ?)"


def write(db: sqlite3.Connection, known: Streams, appends: Sequence[Append]) -> Sequence[LogError | None]:
    """Write all that fit, and say of each what went wrong; *known* learns what is durable."""
    try:
        return _write(db, known, appends, at_once=True)
    except sqlite3.IntegrityError:  # a command_id is known: find out whose
        return _write(db, known, appends, at_once=False)


def _write(
    db: sqlite3.Connection, known: Streams, appends: Sequence[Append], *, at_once: bool
) -> Sequence[LogError | None]:
    group = _Group(db, known)
    with transaction(db):
        fates = [group.take(append, at_once=at_once) for append in appends]
        db.executemany(_APPEND, group.rows)
    known.update(group.new)
    return fates


class _Group:
    """What one transaction adds to the streams; forgotten if it fails."""

    def __init__(self, db: sqlite3.Connection, known: Streams) -> None:
        self._db, self._known, self.new = db, known, Streams()
        self.rows: list[tuple[int, int, bytes, bytes, bytes]] = []

    def take(self, append: Append, *, at_once: bool) -> LogError | None:
        """Insert an entry, or with *at_once* only put it among the rows that are inserted together."""
        stream, after, entry = append
        if self._head(stream) != after:
            return VersionConflict()
        command = sha256(entry.command_id.encode()).digest()[:16]
        row = (self._key(stream), entry.version, command, entry.hash, entry.body)
        if at_once:
            self.rows.append(row)
        elif not self._insert(row):
            return VersionConflict()
        self.new.heads[stream] = entry.head
        return None

    def _head(self, stream: str) -> Head:
        return self.new.heads.get(stream) or self._known.heads.get(stream) or start_of(stream)

    def _key(self, stream: str) -> int:
        key = self._known.keys.get(stream) or self.new.keys.get(stream)
        if key is None:
            key = self.new.keys[stream] = len(self._known.keys) + len(self.new.keys) + 1
            self._db.execute(_OPEN, (key, stream, start_of(stream).hash))
        return key

    def _insert(self, row: tuple[int, int, bytes, bytes, bytes]) -> bool:
        try:
            self._db.execute(_APPEND, row)
        except sqlite3.IntegrityError:
            return False
        return True
