"""What the rules cost: reports decided, events folded, deadlines asked, tables kept (performance.md 3 and 6).

One tournament is played through its reports. Beside our fold stands the bare reading of its entries from
bytes, by msgspec as the log does it and by the standard library, so that each ratio is of one run. All times
are of the processor, so that a busy machine counts less.
"""

import argparse
import gc
import json
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from relayd.reducers import TOURNAMENT
from relayd.storage.log import Entry, start_of
from ruleset.ids import MINUTE_MS, Instant, PlayerId, ServerId, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.deadlines import next_deadline
from ruleset.tournament.decks import DeckList, FrozenTable
from ruleset.tournament.events import Event
from ruleset.tournament.evolve import replay
from ruleset.tournament.reports import Report, SeatScore
from ruleset.tournament.settings import ServerUse, Settings
from ruleset.tournament.state import EMPTY, Table, Tournament

SERVER: Final = ServerId("main")
NOW: Final = Instant(1_800_000_000_000)
SIZES: Final = {512: 9, 4096: 3}
"""Players and rounds."""
MOST_BYTES: Final = 1_024
"""Of a table with three games (performance.md 6)."""


@dataclass(kw_only=True)
class Course:
    """A tournament in the making, with its log."""

    state: Tournament = EMPTY
    now: Instant = NOW

    def __post_init__(self) -> None:
        self.entries: list[Entry] = []
        self.report_s: list[float] = []

    def send(self, *commands: c.Command) -> None:
        """Carry commands out and keep their entries."""
        for command in commands:
            events = TOURNAMENT.decide(self.state, command)
            if events:
                self.state = TOURNAMENT.replay(events, self.state)
                self._keep(events)

    def report(self, command: c.FileReport) -> None:
        """Carry a report out, and note how long that takes: to decide it, and to take in what comes of it."""
        begin = time.process_time()
        events = TOURNAMENT.decide(self.state, command)
        self.state = TOURNAMENT.replay(events, self.state)
        self.report_s.append(time.process_time() - begin)
        self._keep(events)

    def _keep(self, events: Iterable[Event]) -> None:
        after = self.entries[-1].head if self.entries else start_of("t1")
        command_id = f"c{after.version + 1}"
        self.entries.append(
            TOURNAMENT.codec.seal(
                after, command_id=command_id, digest=b"x" * 32, at=self.now, by="server:main", events=events
            )
        )


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[*SIZES])
    largest = max([measure(size, SIZES.get(size, 6)) for size in parser.parse_args().sizes])
    if largest > MOST_BYTES:
        sys.exit(f"a table takes {largest:.0f} bytes, more than {MOST_BYTES}")


def measure(size: int, rounds: int) -> float:
    """Print one block of lines; return the bytes of a table with three games."""
    course = play(size, rounds)
    events = [event for entry in course.entries for event in entry.events]
    reports = sorted(course.report_s)
    print(f"{size} players, {rounds} rounds: {len(course.entries)} entries, {len(events)} events")
    _line("report decided and taken in, p50", reports[len(reports) // 2] * 1e6, "us")
    _line("report decided and taken in, p99", reports[-1 - len(reports) // 100] * 1e6, "us")
    _rates(course, events)
    deadline, half = course_in_a_round(size)
    _line("next deadline, all tables waiting", deadline * 1e6, "us")
    _line("next deadline, half of the tables done", half * 1e6, "us")
    bare, whole = table_bytes(size)
    _line("a table with three games", bare, "bytes")
    _line("the same with its report and its DP rows", whole, "bytes")
    return bare


def _rates(course: Course, events: list[Event]) -> None:
    fold = _best(lambda: replay(events)) / len(events)
    by_entry = _best(lambda: _entry_by_entry(course.entries)) / len(events)
    read = _best(lambda: [TOURNAMENT.codec.unseal(e.body, e.hash) for e in course.entries]) / len(events)
    plain = _best(lambda: [json.loads(entry.body) for entry in course.entries]) / len(events)
    for what, seconds in (
        ("our fold, all at once", fold),
        ("our fold, entry by entry", by_entry),
        ("reading entries (msgspec)", read),
        ("reading entries (json of the standard library)", plain),
    ):
        print(f"  {what:<48} {1 / seconds:>12,.0f} events/s  {plain / seconds:>7.2f} of plain json")


def _entry_by_entry(entries: Iterable[Entry]) -> Tournament:
    state = EMPTY
    for entry in entries:
        state = TOURNAMENT.replay(entry.events, state)
    return state


def _line(what: str, value: float, unit: str) -> None:
    print(f"  {what:<48} {value:>12,.1f} {unit}")


def play(size: int, rounds: int) -> Course:
    """Return a Swiss tournament that was played to its end, every match seen, scored and reported."""
    course, chance = started(size, rounds), random.Random(size)  # noqa: S311  which match ends when
    while course.state.phase == "running":
        tables = [*course.state.current_round.tables.values()]
        for table in tables:
            course.send(*sights(table, course.now))
        course.now = Instant(course.now + 20 * MINUTE_MS)
        for table in chance.sample(tables, len(tables)):
            course.report(report(table, course.now))
        course.now = Instant(course.now + 5 * MINUTE_MS)
        course.send(c.Tick(now=course.now))
    return course


def started(size: int, rounds: int) -> Course:
    """Return a tournament in its first round."""
    course = Course()
    settings = Settings(title="Bench", format="swiss", rounds=rounds, servers=(ServerUse(id=SERVER),))
    frozen = FrozenTable(key="ocg", list_name="now", list_hash=1, pool_hash="", table=b"")
    early = Instant(NOW - 60 * MINUTE_MS)
    course.send(
        c.Publish(number=TournamentNo(1), settings=settings, environment=frozen, seed="5eed" * 16, now=early)
    )
    for number in range(1, size + 1):
        player, deck = PlayerId(number), DeckList(main=(number,) * 40, sha256=f"{number:064x}")
        course.send(
            c.Register(player=player, nickname=f"Nick{number}", now=early),
            c.SubmitDeck(player=player, deck=deck, verdict="legal"),
            c.SignIn(player=player, by_host=True, now=early),
        )
    granted = dict.fromkeys(course.state.signed_in(), 1_000)
    course.send(c.Start(confirmed=True, granted=granted, now=NOW))
    return course


def sights(table: Table, now: Instant) -> Iterator[c.SeeRoom]:
    """Yield what a duel server shows of a match of three games."""
    for duel, wins in ((0, (0, 0)), (1, (0, 0)), (2, (1, 0)), (3, (1, 1))):
        yield c.SeeRoom(table=table.id, seated=("a", "b"), playing=duel > 0, wins=wins, duel=duel, now=now)


def report(table: Table, now: Instant) -> c.FileReport:
    """Return the report of a match that seat A won 2-1."""
    code = f"X1R{table.id.round_no}T{table.id.table}"
    body = f'{{"match":{{"scores_csv":"2-1","winner_id":{table.a},"match_id":"{code}"}}}}'
    told = Report(
        source="challonge", server=SERVER, a=SeatScore(wins=2), b=SeatScore(wins=1), winner="a", body=body
    )
    return c.FileReport(table=table.id, report=told, now=now)


def course_in_a_round(size: int) -> tuple[float, float]:
    """Return the seconds of asking for the next deadline at the beginning of a round and in its middle."""
    course = started(size, 3)
    waiting = _best(lambda: next_deadline(course.state), times=20)
    for table in [*course.state.current_round.tables.values()][::2]:
        course.send(*sights(table, NOW), report(table, NOW))
    return waiting, _best(lambda: next_deadline(course.state), times=20)


def table_bytes(size: int) -> tuple[float, float]:
    """Return what a table takes after three games in a state that was read from the log.

    First by itself, then with the report that ended it and what it changed of the ledger.
    """
    course = started(size, 3)
    for table in course.state.current_round.tables.values():
        course.send(*sights(table, NOW), report(table, NOW))
    seen: set[int] = set()
    state = replay(_read(course))
    _deep(replace(state, rounds=(), rows_by_round=()), seen)  # what others hold is not a table's
    tables = state.current_round.tables.values()
    bare = [replace(table, reports=(), rated=()) for table in tables]
    whole = _deep(tuple(tables), set(seen)) / len(bare)
    return _deep(tuple(bare), set(seen)) / len(bare), whole


def _read(course: Course) -> Iterator[Event]:
    for entry in course.entries:
        yield from TOURNAMENT.codec.unseal(entry.body, entry.hash).events


def _deep(value: object, seen: set[int]) -> int:
    """Return the bytes of *value* and of all that it holds, each once."""
    if id(value) in seen or value is None:
        return 0
    seen.add(id(value))
    size = sys.getsizeof(value)
    if isinstance(value, dict):
        return size + sum(_deep(key, seen) + _deep(held, seen) for key, held in value.items())
    if isinstance(value, tuple | list | frozenset):
        return size + sum(_deep(held, seen) for held in value)
    names = getattr(type(value), "__slots__", ())
    return size + sum(_deep(getattr(value, name), seen) for name in names)


def _best(call: Callable[[], object], times: int = 3) -> float:
    """Return the shortest of several times, in seconds."""
    gc.collect()
    gc.freeze()
    waits = []
    for _ in range(times):
        begin = time.process_time()
        call()
        waits.append(time.process_time() - begin)
    gc.unfreeze()
    return min(waits)


if __name__ == "__main__":
    main()
