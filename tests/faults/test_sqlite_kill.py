"""F01: kill -9 at every write and at random: what was acknowledged stands, nothing happened twice."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest

from relayd.audit import audit
from relayd.exits import Exit
from relayd.storage.history import read
from relayd.storage.sqlite.ledger import SqliteLedger
from relayd.storage.sqlite.log import SqliteLog
from ruleset.ids import TournamentNo
from tests.faults.reporters import row_of
from tests.streams import CODEC, STREAM, DirectoryEntry

Either: TypeAlias = Callable[[int, int], int]

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "tests.faults.reporters"]
INJECT = ["strace", "-f", "-qq", "-o", "/dev/null", "-e"]
needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="no strace on PATH")


def acknowledged(command: list[str], kill_after: int | None = None) -> set[str]:
    """Run the reporters until they are dead, by their own hand or ours; return what was acknowledged."""
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as reporters:
        lines: Iterator[str] = reporters.stdout or iter(())
        heard = [*islice(lines, kill_after)]
        reporters.kill()
        heard += lines
    assert reporters.returncode in {-signal.SIGKILL, 128 + signal.SIGKILL}
    return {line.strip() for line in heard if line.endswith("\n")}


async def check(folder: Path, heard: set[str]) -> list[DirectoryEntry]:
    """See that all of it is in the log, whole and once, and that each effect was booked at most once."""
    log, ledger = SqliteLog(folder / "relayd.db"), SqliteLedger(folder / "ledger.db")
    entries = [entry async for entry in read(log, STREAM, CODEC)]
    rows, done = await ledger.rows(TournamentNo(1)), (await ledger.cursor()).get(STREAM, 0)
    await log.close()
    await ledger.close()
    assert (await audit(folder / "relayd.db")).exit_code == Exit.OK
    assert heard <= {entry.command_id for entry in entries}
    assert rows == [row_of(entry) for entry in entries[:done]]
    return entries


async def test_random_kills_lose_nothing_acknowledged(tmp_path: Path, either: Either) -> None:
    """F01: after each kill under load every acknowledged entry is there, versions without gap."""
    random, heard = Random(1), set[str]()  # noqa: S311  repeatable
    for _ in range(either(6, 500)):
        kill_after = random.randrange(1, 600)
        news = acknowledged([*PROGRAM, str(tmp_path)], kill_after)
        heard |= news
        assert len(news) >= kill_after
        await check(tmp_path, heard)


@pytest.mark.parametrize("what", ["statement", "commit"])
async def test_kills_at_every_step_of_a_commit(tmp_path: Path, what: str, either: Either) -> None:
    """F01: before, between and behind the statements of a transaction, and before anybody hears of it."""
    heard: set[str] = set()
    for number in range(1, either(8, 40)):
        heard |= acknowledged([*PROGRAM, str(tmp_path), "--die", what, str(number)])
        await check(tmp_path, heard)


@needs_strace
@pytest.mark.parametrize("call", ["pwrite64", "fdatasync"])
async def test_kills_at_every_write(tmp_path: Path, call: str, either: Either) -> None:
    """F01: as a write or sync of the file enters the kernel, one after the other."""
    heard: set[str] = set()
    for number in range(1, 90, either(13, 1)):
        inject = f"inject={call}:signal=SIGKILL:when={number}"
        heard |= acknowledged([*INJECT, inject, *PROGRAM, str(tmp_path)])
        await check(tmp_path, heard)
