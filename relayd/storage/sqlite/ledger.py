"""The DP ledger in one SQLite file, its cursor in the same transactions as its rows."""

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple
from functools import partial
from pathlib import Path
from typing import Final

from relayd.storage.ledger import FIRST_DP, LedgerConflict, LedgerRow
from relayd.storage.sqlite import cursors
from relayd.storage.sqlite.database import Database, Schema, transaction
from ruleset.ids import PlayerId, TournamentNo

_SCHEMA: Final = Schema(
    application=0x72_6C_79_32,
    version=1,
    tables=f"""
CREATE TABLE row (
  position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, tournament INTEGER NOT NULL, round INTEGER,
  tab INTEGER, player INTEGER NOT NULL, opponent INTEGER, delta INTEGER NOT NULL, dp_before INTEGER NOT NULL,
  reason TEXT NOT NULL, reverses TEXT
) STRICT;
CREATE INDEX row_of_player ON row (player, delta);
CREATE INDEX row_of_tournament ON row (tournament);
{cursors.TABLE}
""",
)
# In the order of the fields of LedgerRow.
_COLUMNS: Final = "key, tournament, round, tab, player, opponent, delta, dp_before, reason, reverses"
_BOOK: Final = f"INSERT OR IGNORE INTO row ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608  constants
_BOOKED: Final = f"SELECT {_COLUMNS} FROM row WHERE key = ?"  # noqa: S608  constants
_ROWS: Final = f"SELECT {_COLUMNS} FROM row WHERE tournament = ? ORDER BY position"  # noqa: S608  constants
_HISTORY: Final = f"SELECT {_COLUMNS} FROM row WHERE player = ? ORDER BY position"  # noqa: S608  constants
_SUM: Final = "SELECT ifnull(sum(delta), 0) FROM row WHERE player = ?"
_NAME: Final = "ledger"


class SqliteLedger:
    """The ledger that comes with the daemon."""

    def __init__(self, path: Path) -> None:
        """Raises LogUnavailable, LogRefused or LogDamaged."""
        self._db = Database(path, _SCHEMA)

    async def cursor(self) -> Mapping[str, int]:
        return await self._db.run(lambda db: cursors.versions(db, _NAME))

    async def take(self, stream: str, version: int, rows: Sequence[LedgerRow]) -> None:
        await self._db.run(partial(_take, stream=stream, version=version, rows=rows))

    async def dp(self, players: Collection[PlayerId]) -> Mapping[PlayerId, int]:
        return await self._db.run(lambda db: {player: _dp(db, player) for player in players})

    async def rows(self, tournament: TournamentNo) -> Sequence[LedgerRow]:
        return await self._db.run(lambda db: _rows(db, _ROWS, tournament))

    async def history(self, player: PlayerId) -> Sequence[LedgerRow]:
        return await self._db.run(lambda db: _rows(db, _HISTORY, player))

    async def close(self) -> None:
        self._db.close()


def _take(db: sqlite3.Connection, stream: str, version: int, rows: Sequence[LedgerRow]) -> None:
    with transaction(db):
        if cursors.move(db, _NAME, stream, version):
            for row in rows:
                _book(db, row)


def _book(db: sqlite3.Connection, row: LedgerRow) -> None:
    if db.execute(_BOOK, astuple(row)).rowcount == 1:
        return
    if db.execute(_BOOKED, (row.key,)).fetchone() != astuple(row):
        raise LedgerConflict(f"{row.key} is booked otherwise")


def _dp(db: sqlite3.Connection, player: PlayerId) -> int:
    total: int = db.execute(_SUM, (player,)).fetchone()[0]
    return FIRST_DP + total


def _rows(db: sqlite3.Connection, sql: str, number: int) -> list[LedgerRow]:
    names = LedgerRow.__slots__
    found = db.execute(sql, (number,)).fetchall()
    return [LedgerRow(**dict(zip(names, row, strict=True))) for row in found]
