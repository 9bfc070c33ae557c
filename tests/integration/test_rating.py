"""From the log to the ledger: every row once, reversals by name, whatever goes away in between (4.6, 4.7)."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from relayd.outbound.cursor import Cursor
from relayd.outbound.rating import PresentDp, RatingEffects
from relayd.storage.ledger import LedgerConflict, LedgerRow, RatingSink
from relayd.storage.log import LogUnavailable
from relayd.storage.sqlite.ledger import SqliteLedger
from ruleset.ids import PlayerId, TournamentNo
from ruleset.tournament import commands as c
from tests.bridging import HERE, World, counted, world
from tests.builders import NUMBER, minutes, report, result, table_id

CUP = replace(HERE, format="elimination", rounds=0)


class Shaky:
    """A ledger that is away for some calls, or meets a bug."""

    def __init__(self, ledger: SqliteLedger) -> None:
        self.ledger, self.away = ledger, 0
        self.broken = False
        self.taken = asyncio.Event()

    async def cursor(self) -> Mapping[str, int]:
        """Ask it."""
        self._maybe_fail()
        return await self.ledger.cursor()

    async def take(self, stream: str, version: int, rows: Sequence[LedgerRow]) -> None:
        """Tell it."""
        self._maybe_fail()
        await self.ledger.take(stream, version, rows)
        self.taken.set()

    async def close(self) -> None:
        """Let go."""
        await self.ledger.close()

    def _maybe_fail(self) -> None:
        if self.broken:
            raise LedgerConflict
        if self.away > 0:
            self.away -= 1
            raise LogUnavailable


@dataclass(slots=True)
class Books:
    """A daemon's inside with its ledger."""

    world: World
    sink: Shaky
    ledger: SqliteLedger
    pauses: list[float]

    def cursor(self, sink: RatingSink | None = None) -> Cursor:
        """Return a cursor that does not wait long."""

        async def sleep(seconds: float) -> None:
            self.pauses.append(seconds)
            await asyncio.sleep(0)

        metrics = self.world.inside.metrics
        effects = RatingEffects(sink or self.sink, self.world.log, metrics)
        return Cursor(effects, self.world.log, self.world.desks, metrics, sleep=sleep, jitter=lambda: 0.5)

    async def rows(self, number: TournamentNo = NUMBER) -> list[tuple[str, int, int, str, str | None]]:
        """Return the rows of a tournament, short."""
        found = await self.ledger.rows(number)
        return [(row.key, row.player, row.delta, row.reason, row.reverses) for row in found]


@pytest.fixture
async def books(tmp_path: Path) -> AsyncIterator[Books]:
    """A tournament of ten, so that its tables are rated (R052), in round 1."""
    async with world(tmp_path) as here:
        await here.begin(10)
        ledger = SqliteLedger(tmp_path / "ledger.db")
        yield Books(here, Shaky(ledger), ledger, [])
        await ledger.close()


async def test_a_confirmed_table_is_booked_once(books: Books) -> None:
    """R034, 4.6: ±8 between equals, with keys that stay; looking again adds nothing."""
    await books.world.do(report(2, 0, "a"))
    cursor = books.cursor()
    assert await cursor.catch_up() == 1
    assert await cursor.catch_up() == 0
    table, version = books.world.table(), (await books.world.log.streams())[f"t{NUMBER}"]
    assert await books.rows() == [
        (f"t{NUMBER}/{version}/0", table.a, 8, "table", None),
        (f"t{NUMBER}/{version}/1", table.b, -8, "table", None),
    ]
    assert await books.ledger.dp([table.a, table.b]) == {table.a: 1_008, table.b: 992}
    assert counted(books.world.inside.metrics, "relayd_rating_rows_total") == 2


async def test_a_correction_takes_its_rows_back_by_name(books: Books) -> None:
    """T22: reversing rows name what they end, also when the first rows were booked long before."""
    await books.world.do(report(2, 0, "a"))
    await books.cursor().catch_up()
    (won, _), (lost, _) = [(row[0], row[1]) for row in await books.rows()]
    await books.world.do(c.Rule(table=table_id(1, 1), result=result("b", (0, 2)), now=minutes(9)))
    await books.cursor().catch_up()
    later = (await books.rows())[2:]
    assert {row[4] for row in later} == {won, lost, None}
    await books.world.do(c.Rule(table=table_id(1, 1), result=result("a", (2, 1)), now=minutes(10)))
    await books.cursor().catch_up()
    assert len({row[0] for row in await books.rows()}) == 2 + 4 + 4
    reversed_twice = [row[4] for row in await books.rows() if row[4] is not None]
    assert len(reversed_twice) == len(set(reversed_twice)) == 4
    table = books.world.table()
    assert await books.ledger.dp([table.a, table.b]) == {table.a: 1_008, table.b: 992}


async def test_prizes_have_no_table(books: Books) -> None:
    """4.7: with 33 players the champion has 128; every row is in the ledger and the sum is the state's."""
    number = TournamentNo(13)
    await books.world.begin(33, CUP, number=number, first=101)
    while number in books.world.desks.running():
        await _win_all(books.world, number)
    await books.cursor().catch_up()
    prizes = [row for row in await books.ledger.rows(number) if row.reason == "elimination_prize"]
    assert sorted(row.delta for row in prizes) == [32, 32, 64, 128]
    assert {(row.round, row.table, row.opponent) for row in prizes} == {(None, None, None)}
    state = await books.world.desks.load(number)
    assert await books.ledger.dp(state.entrants) == dict(state.dp)


async def _win_all(here: World, number: TournamentNo) -> None:
    state = here.state(number)
    assert state.round is not None
    for table in state.round.open_tables:
        await here.do(replace(report(2, 0, "a"), table=table.id), number=number)
    if number in here.desks.running():
        await here.do(c.NextRound(now=minutes(30)), number=number)


async def test_a_cancelled_tournament_gives_everything_back(books: Books) -> None:
    """T24, R006: the rows stay, their sum is nothing."""
    await books.world.do(report(2, 0, "a"), c.Cancel(now=minutes(9)))
    await books.cursor().catch_up()
    assert sum(row[2] for row in await books.rows()) == 0
    assert len(await books.rows()) == 4
    players = [PlayerId(n) for n in range(1, 11)]
    assert set((await books.ledger.dp(players)).values()) == {1_000}


async def test_rows_are_pushed_while_the_daemon_runs(books: Books) -> None:
    """House 3: no sweep is needed; what is away is tried again, ever more rarely, and nothing is lost."""
    cursor = books.cursor()
    running = asyncio.create_task(cursor.run())
    async with asyncio.timeout(10):
        await cursor.settled()
        books.sink.away = 4
        await books.world.do(report(2, 0, "a"))
        await cursor.settled()
    assert [round(pause, 3) for pause in books.pauses] == [0.5, 1, 2, 4]
    assert len(await books.rows()) == 2
    assert await cursor.catch_up() == 0
    running.cancel()


async def test_a_ledger_that_is_away_at_the_start(books: Books) -> None:
    """F03: the cursor waits for it."""
    await books.world.do(report(2, 0, "a"))
    books.sink.away = 3
    cursor = books.cursor()
    running = asyncio.create_task(cursor.run())
    async with asyncio.timeout(10):
        await cursor.settled()
    assert (len(books.pauses), len(await books.rows())) == (3, 2)
    running.cancel()


async def test_one_broken_stream_does_not_stop_the_others(books: Books) -> None:
    """House 4: counted, logged, and left to the next sweep."""
    cursor = books.cursor()
    running = asyncio.create_task(cursor.run())
    async with asyncio.timeout(10):
        await cursor.settled()
        books.sink.broken = True
        await books.world.do(report(2, 0, "a"))
        await cursor.settled()
        books.sink.broken = False
        await books.world.do(report(2, 0, "a", table=table_id(1, 2)))
        await cursor.settled()
    assert counted(books.world.inside.metrics, "relayd_effects_total", sink="rating", outcome="broken") == 1
    assert len(await books.rows()) == 4
    running.cancel()


async def test_dp_at_a_start_is_that_of_all_decided_tables(books: Books) -> None:
    """4.6: a tournament that starts right after another one waits for its rows."""
    cursor = books.cursor()
    running = asyncio.create_task(cursor.run())
    async with asyncio.timeout(10):
        await books.world.do(report(2, 0, "a"))
        table = books.world.table()
        assert await PresentDp(books.ledger, cursor)([table.a]) == {table.a: 1_008}
    running.cancel()


async def test_dp_is_asked_even_if_the_cursor_is_stuck(books: Books) -> None:
    """F03: a start is not held for ever by effects that do not get through."""
    cursor = books.cursor()
    assert await PresentDp(books.ledger, cursor, patience_s=0)([PlayerId(1)]) == {1: 1_000}


async def test_streams_without_rating_are_looked_through_once(books: Books) -> None:
    """Performance 6: a restart does not read again what holds nothing for the ledger."""
    assert await books.cursor().catch_up() == 0
    positions = await books.ledger.cursor()
    assert positions == await books.world.log.streams()
