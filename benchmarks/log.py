"""The log at 1 to 1,000 concurrent reporters beside two peers (``python -m benchmarks.log``).

Each reporter waits for its answer before it reports again. Peers: ``floor`` appends the bare bytes to a file
and shares each fdatasync; ``single`` writes the bare row in an SQLite transaction of its own. Ours: ``log``
appends sealed entries, ``desk`` carries out whole commands (digest, decide, evolve, encode, hash, append),
both in one tournament and in a hundred. What counts is the ratio inside one run; each cell is measured
several times in turns and the median taken. A second pass adds 5 ms to every sync.
"""

import argparse
import asyncio
import gc
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from itertools import count, cycle
from pathlib import Path
from statistics import median, quantiles
from typing import Final, TypeAlias

from relayd.desk import Desk
from relayd.reducers import TOURNAMENT, stream_of
from relayd.storage.codec import digest_of
from relayd.storage.group import Append, GroupCommit
from relayd.storage.log import Entry, Head, LogError, start_of
from relayd.storage.sqlite.log import SqliteLog
from ruleset.ids import Instant, PlayerId, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.decks import DeckList, FrozenTable
from ruleset.tournament.events import Event
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import Tournament

REPORTERS: Final = (1, 10, 100, 1_000)
NOW: Final = Instant(1_800_000_000_000)
DELAY: Final = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
static int slowly(const char *name, int file) {
  usleep(5000);
  return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
}
int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
"""

Report: TypeAlias = Callable[[int], Awaitable[object]]
"""What the reporter with that number does once."""
TournamentDesk: TypeAlias = Desk[Tournament, c.Command, Event]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What came of one cell."""

    rate: float
    """Durable reports per second."""
    p50_ms: float
    p99_ms: float


async def measure(report: Report, reporters: int, seconds: float) -> Measure:
    """Let so many reporters report for a while."""
    waits: list[float] = []
    gc.collect()
    gc.freeze()
    begin = time.perf_counter()
    end = begin + seconds

    async def work(number: int) -> None:
        while (before := time.perf_counter()) < end:
            await report(number)
            waits.append(time.perf_counter() - before)

    await asyncio.gather(*(work(number) for number in range(reporters)))
    took = time.perf_counter() - begin
    cuts = quantiles(waits, n=100) if len(waits) > 1 else waits * 99
    return Measure(rate=len(waits) / took, p50_ms=cuts[49] * 1_000, p99_ms=cuts[98] * 1_000)


def started(number: int, players: int = 64) -> list[c.Command]:
    """Return the commands that bring a tournament into its first round."""
    settings = Settings(title="Bench", format="swiss", rounds=6)
    environment = FrozenTable(key="ocg", list_name="", list_hash=0, pool_hash="", table=b"")
    commands: list[c.Command] = [
        c.Publish(
            number=TournamentNo(number),
            settings=settings,
            environment=environment,
            seed="00" * 32,
            now=NOW,
        ),
    ]
    for player in map(PlayerId, range(1, players + 1)):
        deck = DeckList(main=(player,) * 40, sha256=f"{player:064x}")
        commands += [
            c.Register(player=player, nickname=f"Nick{player}", now=NOW),
            c.SubmitDeck(player=player, deck=deck, verdict="legal"),
            c.SignIn(player=player, by_host=True, now=NOW),
        ]
    granted = dict.fromkeys(map(PlayerId, range(1, players + 1)), 1_000)
    return [*commands, c.Start(confirmed=True, granted=granted, now=NOW)]


class Told:
    """Reports of one player each, no two in a row alike: every one changes something."""

    def __init__(self, state: Tournament) -> None:
        self._tables = [*state.rounds[0].tables.values()]
        self._words = {table.id: cycle((("a", (2, 0)), ("b", (0, 2)))) for table in self._tables}

    def command(self, reporter: int) -> c.ReportByPlayer:
        """Return the next report of that reporter's table."""
        table = self._tables[reporter % len(self._tables)]
        outcome, wins = next(self._words[table.id])
        return c.ReportByPlayer(table=table.id, player=table.a, outcome=outcome, wins=wins, now=NOW)  # type: ignore[arg-type]  # the literals above


@asynccontextmanager
async def floor(folder: Path, _tournaments: int) -> AsyncIterator[Report]:
    """Append the bytes of an entry to a file; one fdatasync for all that wait."""
    entry, head = sealed(1)[0]
    file = os.open(folder / "floor.log", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    thread = ThreadPoolExecutor(1)

    def write(appends: Sequence[Append]) -> Sequence[LogError | None]:
        os.write(file, b"".join([append.entry.body for append in appends]))
        os.fdatasync(file)
        return [None] * len(appends)

    async def group(appends: Sequence[Append]) -> Sequence[LogError | None]:
        return await asyncio.get_running_loop().run_in_executor(thread, write, appends)

    commit = GroupCommit(group, 10_000)
    yield lambda _reporter: commit.submit(Append("t1", head, entry))
    await commit.drain()
    thread.shutdown()
    os.close(file)


@asynccontextmanager
async def single(folder: Path, _tournaments: int) -> AsyncIterator[Report]:
    """Insert the bytes of an entry in a transaction of its own, in one thread."""
    body = sealed(1)[0][0].body
    thread = ThreadPoolExecutor(1)

    def connect() -> sqlite3.Connection:
        db = sqlite3.connect(folder / "single.db", isolation_level=None)
        db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE e (body BLOB)")
        return db

    db = thread.submit(connect).result()

    def write() -> None:
        db.execute("INSERT INTO e VALUES (?)", (body,))

    yield lambda _reporter: asyncio.get_running_loop().run_in_executor(thread, write)
    thread.submit(db.close).result()
    thread.shutdown()


@asynccontextmanager
async def log(folder: Path, tournaments: int) -> AsyncIterator[Report]:
    """Append entries that were sealed before, each stream in its order."""
    opened = SqliteLog(folder / "log.db")
    chains = {stream_of(TournamentNo(n)): iter(sealed(120_000 // tournaments, n)) for n in range(tournaments)}
    streams = cycle(chains)

    def report(_reporter: int) -> Awaitable[object]:
        stream = next(streams)
        entry, after = next(chains[stream])
        return opened.append(stream, after, entry)

    yield report
    await opened.close()


@asynccontextmanager
async def desk(folder: Path, tournaments: int) -> AsyncIterator[Report]:
    """Carry out whole commands."""
    opened = SqliteLog(folder / "desk.db")
    desks = await asyncio.gather(*(running(opened, number) for number in range(1, tournaments + 1)))
    numbers = count()

    async def report(reporter: int) -> None:
        number = next(numbers)
        at_work, told = desks[number % len(desks)]
        command = told.command(reporter)
        await at_work.handle(command, command_id=f"bench-{number}", by="account:4711")

    yield report
    await opened.close()


async def running(opened: SqliteLog, number: int) -> tuple[TournamentDesk, Told]:
    """Return the desk of a tournament in its first round."""
    at_work: TournamentDesk = Desk(
        stream_of(TournamentNo(number)),
        opened,
        TOURNAMENT,
        lambda: NOW,
        lambda _entry, _state: None,
    )
    for command in started(number):
        await at_work.handle(command, command_id=f"start-{id(command)}", by="host")
    return at_work, Told(await at_work.state())


@cache
def sealed(length: int, number: int = 0) -> tuple[tuple[Entry, Head], ...]:
    """Return a chain of reports with the heads that they are sealed on."""
    state = TOURNAMENT.empty
    for command in started(1):
        state = TOURNAMENT.replay(TOURNAMENT.decide(state, command), state)
    command = Told(state).command(0)
    events, digest = TOURNAMENT.decide(state, command), digest_of(command)
    head, chain = start_of(stream_of(TournamentNo(number))), []
    for version in range(length):
        entry = TOURNAMENT.codec.seal(
            head,
            command_id=f"bench-{version}",
            digest=digest,
            at=NOW,
            by="account:4711",
            events=events,
        )
        chain.append((entry, head))
        head = entry.head
    return tuple(chain)


WRITERS: Final = {"floor": floor, "single": single, "log": log, "desk": desk}
CELLS: Final = (("floor", 1), ("single", 1), ("log", 1), ("log", 100), ("desk", 1), ("desk", 100))
"""Writers, with the number of tournaments that they write to."""


async def cell(folder: Path, writer: str, tournaments: int, reporters: int, seconds: float) -> Measure:
    """Measure one writer on a fresh file."""
    with tempfile.TemporaryDirectory(dir=folder) as fresh:
        async with WRITERS[writer](Path(fresh), tournaments) as report:
            return await measure(report, reporters, seconds)


def middle(measures: Sequence[Measure]) -> Measure:
    """Return the median of each figure."""
    return Measure(
        rate=median(m.rate for m in measures),
        p50_ms=median(m.p50_ms for m in measures),
        p99_ms=median(m.p99_ms for m in measures),
    )


def sync_ms(folder: Path) -> float:
    """Return the median cost of one small write and its sync."""
    file, took = os.open(folder / "sync", os.O_CREAT | os.O_WRONLY), []
    for _ in range(100):
        before = time.perf_counter()
        os.write(file, bytes(345))
        os.fdatasync(file)
        took.append((time.perf_counter() - before) * 1_000)
    os.close(file)
    return median(took)


def run(folder: Path, reporters: Sequence[int], turns: int, seconds: float) -> None:
    """Measure everything and print it."""
    sync = sync_ms(folder)
    print(f"one sync {sync:.2f} ms; {os.cpu_count()} cores; median of {turns} turns of {seconds:g} s")
    print("reporters   writer tournaments  reports/s   p50 ms   p99 ms  ratios")
    for number in reporters:
        found: dict[tuple[str, int], list[Measure]] = {key: [] for key in CELLS}
        for _ in range(turns):
            for writer, tournaments in CELLS:
                one = asyncio.run(cell(folder, writer, tournaments, number, seconds))
                found[writer, tournaments].append(one)
        show(number, {key: middle(measures) for key, measures in found.items()}, sync)


def show(reporters: int, found: dict[tuple[str, int], Measure], sync: float) -> None:
    """Print one number of reporters, with the ratios that performance.md 3 sets goals for."""
    for (writer, tournaments), m in found.items():
        ratios = (
            f"{m.rate / found['single', 1].rate:5.1f}x single  {m.rate / found['floor', 1].rate:5.2f}x floor"
        )
        late = "" if reporters > 100 or writer not in {"log", "desk"} else allowance(m, sync)
        print(
            f"{reporters:>9} {writer:>8} {tournaments:>11} {m.rate:>10,.0f} {m.p50_ms:>8.2f} {m.p99_ms:>8.2f}"
            f"  {ratios}{late}",
            flush=True,
        )


def allowance(m: Measure, sync: float) -> str:
    """Say how the median wait stands to 1.5 syncs and 2 ms."""
    return f"  p50 {m.p50_ms / (1.5 * sync + 2):.0%} of its allowance"


def delayed(folder: Path, arguments: Sequence[str]) -> None:
    """Run the same again with 5 ms more in every sync, by a library that is preloaded."""
    compiler = shutil.which("cc")
    if compiler is None:
        print("no C compiler: the pass with slow syncs is left out")
        return
    source, library = folder / "slow.c", folder / "slow.so"
    source.write_text(DELAY)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    command = [sys.executable, "-m", "benchmarks.log", "--fast-only", *arguments]
    subprocess.run(command, check=True, env={**os.environ, "LD_PRELOAD": str(library)})


def main() -> None:
    """Measure on the disk as it is, then with slow syncs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path(), help="on the disk to measure")
    parser.add_argument("--reporters", type=int, nargs="+", default=REPORTERS)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--fast-only", action="store_true", help="without the pass with slow syncs")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as fresh:
        run(Path(fresh), given.reporters, given.turns, given.seconds)
        if not given.fast_only:
            print("\n5 ms added to every sync:")
            sys.stdout.flush()
            delayed(Path(fresh), sys.argv[1:])


if __name__ == "__main__":
    main()
