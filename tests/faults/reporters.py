"""A program to kill: ten reporters on one desk, and a ledger that follows.

``python -m tests.faults.reporters FOLDER`` prints each command_id that was acknowledged. It kills itself at
a failpoint with ``--die WHAT N``: ``statement``: as the log's Nth statement begins; ``commit``: behind its
Nth commit, before anybody hears of it.
"""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import NoReturn

from relayd.storage.cursors import effect_key
from relayd.storage.group import Append
from relayd.storage.history import read
from relayd.storage.ledger import LedgerRow
from relayd.storage.log import Head, LogError
from relayd.storage.sqlite.ledger import SqliteLedger
from relayd.storage.sqlite.log import SqliteLog
from ruleset.ids import PlayerId, TournamentNo
from tests.streams import CODEC, STREAM, DirectoryDesk, DirectoryEntry, desk_at, register

REPORTERS = 10


class Fragile(SqliteLog):
    """A log that dies at a failpoint."""

    def __init__(self, path: Path, what: str, number: int) -> None:
        super().__init__(path)
        self._what, self._left = what, number
        self._db.run_now(lambda db: db.set_trace_callback(lambda _sql: self._reach("statement")))

    async def _commit(self, appends: Sequence[Append]) -> Sequence[LogError | None]:
        fates = await super()._commit(appends)
        self._reach("commit")
        return fates

    def _reach(self, what: str) -> None:
        if what == self._what:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def row_of(entry: DirectoryEntry) -> LedgerRow:
    """Return the one effect of an entry."""
    return LedgerRow(
        key=effect_key(STREAM, entry.version, 0),
        tournament=TournamentNo(1),
        round=None,
        table=None,
        player=PlayerId(1),
        opponent=None,
        delta=1,
        dp_before=1_000,
        reason="table",
    )


async def report(desk: DirectoryDesk, first: int) -> NoReturn:
    """Send every tenth command, each after the answer to the one before; print what is acknowledged."""
    for number in count(first, REPORTERS):
        await register(desk, number)
        sys.stdout.write(f"c{number}\n")
        sys.stdout.flush()
    raise AssertionError


async def follow(log: SqliteLog, ledger: SqliteLedger) -> NoReturn:
    """Book the effect of each entry, from where the cursor stands."""
    head: Head | None = None
    done = (await ledger.cursor()).get(STREAM, 0)
    while True:
        async for entry in read(log, STREAM, CODEC, head):
            head = entry.head
            if entry.version > done:
                await ledger.take(STREAM, entry.version, [row_of(entry)])
        await asyncio.sleep(0)


async def main() -> None:
    """Report until killed; LogBroken ends it, as it ends the daemon."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--die", nargs=2, default=("never", "0"))
    given = parser.parse_args()
    what, number = given.die
    log = Fragile(given.folder / "relayd.db", what, int(number))
    ledger = SqliteLedger(given.folder / "ledger.db")
    desk = desk_at(log)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(follow(log, ledger))
        for first in range(REPORTERS):
            tasks.create_task(report(desk, first))


if __name__ == "__main__":
    asyncio.run(main())
