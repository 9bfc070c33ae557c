"""All tournaments of a node on a real log."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from relayd.audit import audit, state_fingerprint
from relayd.desks import Desks
from relayd.errors import InvariantBroken
from relayd.exits import Exit
from relayd.reducers import TOURNAMENT, stream_of
from relayd.storage.log import Entry, HistoryBroken, Row
from relayd.storage.sqlite.log import SqliteLog
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.events import DeckApproved
from ruleset.tournament.state import Tournament
from tests.builders import publish
from tests.clocks import T0, FakeClock

ONE, TWO, THREE = TournamentNo(1), TournamentNo(2), TournamentNo(3)
CANCEL = c.Cancel(now=T0)


class Watched(SqliteLog):
    """A log that notes which streams are read."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.read: list[str] = []

    async def rows(self, stream: str, after: int = 0, limit: int = 250) -> Sequence[Row]:
        """Read, and note it."""
        self.read.append(stream)
        return await super().rows(stream, after, limit)

    def were_read(self) -> set[str]:
        """Return what was read since the last time."""
        read, self.read = set(self.read), []
        return read


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[Watched]:
    """An empty log."""
    log = Watched(tmp_path / "relayd.db")
    yield log
    await log.close()


async def opened(log: SqliteLog, ended: frozenset[TournamentNo] = frozenset(), keep: int = 50) -> Desks:
    """Return desks that have read the log."""
    desks = Desks(log, FakeClock().now, ended_in_memory=keep)
    await desks.open(ended)
    return desks


@pytest.fixture
async def desks(log: SqliteLog) -> Desks:
    """Three tournaments, the second cancelled."""
    desks = await opened(log)
    for number in (ONE, TWO, THREE):
        await desks.handle(number, replace(publish(), number=number), by="host")
    await desks.handle(TWO, CANCEL, by="host")
    return desks


def registration(player: int) -> c.Register:
    """Return a player's registration."""
    return c.Register(player=PlayerId(player), nickname=f"Nick{player}", now=T0)


async def test_running_ones_are_at_hand(desks: Desks) -> None:
    """All are listed, those that ended are not running, and each is as its last entry left it."""
    answer = await desks.handle(ONE, registration(1), by="host")
    assert desks.numbers() == [1, 2, 3]
    assert [*desks.running()] == [ONE, THREE]
    assert desks.running()[ONE] is answer.state
    assert (await desks.load(TWO)).phase == "cancelled"


async def test_a_number_without_a_tournament_is_refused(desks: Desks) -> None:
    """Only publishing opens one; a publishing that is refused opens none."""
    with pytest.raises(CommandRejected, match="unknown_tournament"):
        await desks.handle(TournamentNo(4), registration(1), by="host")
    refused = replace(publish(), settings=replace(publish().settings, rounds=-1))
    with pytest.raises(CommandRejected):
        await desks.handle(TournamentNo(4), refused, by="host")
    with pytest.raises(CommandRejected, match="unknown_tournament"):
        await desks.load(TournamentNo(4))
    assert desks.numbers() == [1, 2, 3]


async def test_a_command_with_an_id_is_carried_out_once(desks: Desks) -> None:
    """F08: without one each is new."""
    one, two = [await desks.handle(ONE, registration(1), by="host", command_id="r") for _ in range(2)]
    assert one.entry is not None
    assert one.entry == two.entry
    assert (await desks.handle(ONE, registration(1), by="host")).entry is None


async def test_listeners_hear_what_is_durable_in_order(desks: Desks, log: SqliteLog) -> None:
    """Each entry with its state, until they leave; one that fails costs the next one nothing."""
    heard: list[tuple[TournamentNo, int, int]] = []
    failures: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: failures.append(context))

    def broken(_number: TournamentNo, _entry: Entry, _state: Tournament) -> None:
        raise ZeroDivisionError

    def listener(number: TournamentNo, entry: Entry, state: Tournament) -> None:
        heard.append((number, entry.version, len(state.players)))

    desks.subscribe(broken)
    leave = desks.subscribe(listener)
    await asyncio.gather(*(desks.handle(ONE, registration(n), by="host") for n in range(1, 11)))
    leave()
    await desks.handle(ONE, registration(11), by="host")
    assert heard == [(ONE, n + 1, n) for n in range(1, 11)]
    assert [type(failure["exception"]) for failure in failures] == [ZeroDivisionError] * 11
    assert await log.streams() == {"t1": 12, "t2": 2, "t3": 1}


async def test_a_restart_reads_what_runs_and_the_rest_when_asked(desks: Desks, log: Watched) -> None:
    """Performance 6: known ended ones are not read at the start; a forgotten one costs time, nothing else."""
    await desks.handle(ONE, registration(1), by="host")
    log.were_read()
    again = await opened(log, frozenset({TWO}))
    assert log.were_read() == {"t1", "t3"}
    assert again.running() == desks.running()
    assert again.numbers() == [1, 2, 3]
    assert await again.load(TWO) == await desks.load(TWO)
    assert (await opened(log)).running() == desks.running()


async def test_ended_ones_do_not_fill_the_memory(log: Watched) -> None:
    """Only the last few that were asked for stay, and a correction still finds its tournament."""
    desks = await opened(log, keep=1)
    for number in (ONE, TWO, THREE):
        await desks.handle(number, replace(publish(), number=number), by="host")
        await desks.handle(number, CANCEL, by="host")
    log.were_read()
    for number, read in ((THREE, set()), (ONE, {"t1"}), (ONE, set()), (THREE, {"t3"})):
        assert (await desks.load(number)).phase == "cancelled"
        assert log.were_read() == read
    with pytest.raises(CommandRejected):
        await desks.handle(TWO, registration(1), by="host")
    assert log.were_read() == {"t2"}


async def test_a_tournament_that_cannot_be_replayed_is_stopped_alone(desks: Desks, log: Watched) -> None:
    """InvariantBroken: it is counted and refuses commands; the others are there."""
    state = await desks.handle(ONE, registration(1), by="host")
    assert state.entry is not None
    impossible = TOURNAMENT.codec.seal(
        state.entry.head,
        command_id="x",
        digest=b"",
        at=T0,
        by="host",
        events=(DeckApproved(player=PlayerId(9)),),
    )
    await log.append(stream_of(ONE), state.entry.head, impossible)
    again = await opened(log)
    assert [*again.running()] == [THREE]
    assert [*again.stopped()] == [ONE]
    with pytest.raises(InvariantBroken, match="t1: replay of version 3"):
        await again.handle(ONE, registration(2), by="host")


async def test_a_damaged_tournament_refuses_the_start(desks: Desks, log: Watched) -> None:
    """F02: with file, stream and version; not one that is known to have ended and not asked for."""
    one, two = [await desks.handle(ONE, registration(n), by="host") for n in (1, 2)]
    assert one.entry is not None
    assert two.entry is not None
    forged = replace(two.entry, version=4, command_id="x")
    await log.append(stream_of(ONE), two.entry.head, forged)
    with pytest.raises(HistoryBroken, match=r"relayd\.db: stream t1 is broken from version 4 on"):
        await opened(log)
    assert [*(await opened(log, frozenset({ONE}))).running()] == [THREE]


async def test_an_audit_agrees_with_the_living(desks: Desks, log: Watched) -> None:
    """Issue 2: what ``replay`` computes from the file beside a running daemon is what the daemon has."""
    await desks.handle(ONE, registration(1), by="host")
    report = await audit(Path(log.name))
    assert report.exit_code == Exit.OK
    assert {s.stream: (s.entries, s.state) for s in report.streams} == {
        stream_of(n): (versions, state_fingerprint(await desks.load(n)))
        for n, versions in ((ONE, 2), (TWO, 2), (THREE, 1))
    }
    assert report.streams[1].events == {"TournamentPublished": 1, "TournamentCancelled": 1}


async def test_a_version_tells_how_new_a_state_is(desks: Desks, log: Watched) -> None:
    """5.5-18: a view that is older than the state is known by its version, also after a restart."""
    assert [desks.version(number) for number in (ONE, TWO, THREE)] == [1, 2, 1]
    await desks.handle(ONE, registration(1), by="host")
    assert desks.version(ONE) == (await opened(log)).version(ONE) == 2
