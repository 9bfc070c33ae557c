"""The desk on a real log: commands that come together, appends that fail, bugs."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from relayd.desk import Desk
from relayd.errors import InvariantBroken
from relayd.reducers import DIRECTORY, OfDirectory
from relayd.storage.codec import digest_of
from relayd.storage.log import CommandIdReused, LogUnavailable, start_of
from relayd.storage.sqlite.log import SqliteLog
from ruleset.directory.commands import Command, EnterPlayers, RegisterPlayer, RenamePlayer, ReserveTournament
from ruleset.directory.events import Event
from ruleset.directory.state import Directory
from ruleset.errors import CommandRejected
from ruleset.ids import Instant, PlayerId, TournamentNo
from tests.streams import STREAM, DirectoryDesk, DirectoryEntry, desk_at, register, registration

RENAME = RenamePlayer(player=PlayerId(1), nickname="Other")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the log is."""
    return tmp_path / "relayd.db"


@pytest.fixture
async def log(path: Path) -> AsyncIterator[SqliteLog]:
    """An SQLite log that does not wait for locks."""
    log = SqliteLog(path, busy_timeout_s=0)
    yield log
    await log.close()


@pytest.fixture
def heard() -> list[DirectoryEntry]:
    """What the desk has published."""
    return []


@pytest.fixture
async def desk(log: SqliteLog, heard: list[DirectoryEntry]) -> DirectoryDesk:
    """A desk at work: player 1 is registered."""
    desk = desk_at(log, heard.append)
    await register(desk, 1)
    return desk


async def test_a_command_is_carried_out_once(desk: DirectoryDesk, heard: list[DirectoryEntry]) -> None:
    """F08, F12: the same five times: one entry, equal answers to the byte; another body: an error."""
    answers = await asyncio.gather(*(register(desk, 1) for _ in range(5)))
    assert [answer.entry for answer in answers] == [heard[0]] * 5
    with pytest.raises(CommandIdReused):
        await register(desk, 2, "c1")
    assert len(heard) == 1


async def test_what_changes_nothing_leaves_no_entry(desk: DirectoryDesk, heard: list[DirectoryEntry]) -> None:
    """F08: the second time it is true already; the answer is the state as it is."""
    first = await desk.handle(RENAME, command_id="r1", by="host")
    second = await desk.handle(RENAME, command_id="r2", by="host")
    assert (first.entry, second.entry) == (heard[1], None)
    assert second.state is first.state


async def test_a_retry_is_known_by_what_the_sender_said(
    desk: DirectoryDesk, heard: list[DirectoryEntry]
) -> None:
    """F08: it brings another ``now``. A refusal leaves no entry and may be asked again."""
    enter, again = (
        EnterPlayers(tournament=TournamentNo(1), players=(PlayerId(1),), now=Instant(n)) for n in (1, 2)
    )
    assert digest_of(enter) == digest_of(again)
    with pytest.raises(CommandRejected, match="unknown_tournament"):
        await desk.handle(enter, command_id="enter", by="host")
    await desk.handle(ReserveTournament(), command_id="t1", by="host")
    assert (await desk.handle(enter, command_id="enter", by="host")).entry == heard[2]
    assert (await desk.handle(again, command_id="enter", by="host")).entry == heard[2]


async def test_appends_that_wait_together_share_a_transaction(desk: DirectoryDesk, log: SqliteLog) -> None:
    """A hundred commands of one stream, then one of each of a hundred: a few transactions."""
    await asyncio.gather(*(register(desk, n) for n in range(2, 102)))
    assert log.transactions <= 10
    streams = [f"t{n}" for n in range(100)]
    await asyncio.gather(*(log.append(s, start_of(s), registration(1, start_of(s))) for s in streams))
    assert log.transactions <= 20


async def test_no_answer_rests_on_a_lost_append(
    desk: DirectoryDesk, heard: list[DirectoryEntry], path: Path
) -> None:
    """F03: neither an entry, nor that nothing changes, nor a refusal; later all is well."""
    taken = ReserveTournament()
    enter = EnterPlayers(tournament=TournamentNo(1), players=(PlayerId(9),), now=Instant(0))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        fates = await asyncio.gather(
            desk.handle(RENAME, command_id="r1", by="host"),
            desk.handle(RENAME, command_id="r2", by="host"),
            desk.handle(taken, command_id="t1", by="host"),
            desk.handle(enter, command_id="e1", by="host"),
            return_exceptions=True,
        )
    assert [type(fate) for fate in fates] == [LogUnavailable] * 4
    assert (await desk.state()).players.row(1).nickname == "Nick1"
    assert (await desk.handle(RENAME, command_id="r1", by="host")).entry == heard[1]


@pytest.mark.parametrize(
    ("nickname", "command_id", "by"),
    [("\ud800", "c", "host"), ("Nick", "\ud800", "host"), ("Nick", "c", "\ud800")],
)
async def test_text_that_cannot_be_written_is_refused(
    desk: DirectoryDesk, nickname: str, command_id: str, by: str
) -> None:
    """F18: half a surrogate pair stops neither the desk nor the log."""
    with pytest.raises(CommandRejected, match="bad_text"):
        await desk.handle(RegisterPlayer(nickname=nickname), command_id=command_id, by=by)
    assert (await register(desk, 2)).entry is not None


async def test_what_rests_on_an_outdated_view_is_refused(desk: DirectoryDesk) -> None:
    """5.5-18: two press at once, knowing the same version: one wins, and his retry is answered as before."""
    fates = await asyncio.gather(
        desk.handle(RENAME, command_id="r1", by="host", expected_version=1),
        desk.handle(ReserveTournament(), command_id="t1", by="host", expected_version=1),
        desk.handle(RENAME, command_id="r1", by="host", expected_version=1),
        return_exceptions=True,
    )
    assert isinstance(fates[1], CommandRejected)
    assert (fates[1].code, fates[1].data) == ("outdated", {"expected": 1, "version": 2})
    assert not isinstance(fates[0], BaseException)
    assert not isinstance(fates[2], BaseException)
    assert fates[0].entry == fates[2].entry
    assert desk.version == 2


async def test_a_sender_who_leaves_takes_nothing_along(
    desk: DirectoryDesk, heard: list[DirectoryEntry]
) -> None:
    """A wait that is cancelled cancels no append."""
    sender = asyncio.create_task(register(desk, 2))
    await asyncio.sleep(0)
    sender.cancel()
    assert (await register(desk, 2)).entry == heard[1]


async def test_another_node_was_first(desk: DirectoryDesk, log: SqliteLog) -> None:
    """F07, F12: a desk that has not read an entry yet gives it, or refuses its id, as if it had."""
    one, two = desk_at(log), desk_at(log)
    assert await register(one, 1) == await register(two, 1)
    assert (await register(desk, 2)).entry == (await register(one, 2)).entry
    with pytest.raises(CommandIdReused):
        await register(two, 3, "c2")


async def test_a_state_is_told_with_its_own_entry(log: SqliteLog) -> None:
    """Each listener call carries the state as it was behind that entry, in order."""
    told: list[tuple[int, int]] = []

    def publish(entry: DirectoryEntry, state: Directory) -> None:
        told.append((entry.version, len(state.players)))

    desk = Desk(STREAM, log, DIRECTORY, lambda: Instant(0), publish)
    await asyncio.gather(*(register(desk, n) for n in range(1, 31)))
    assert told == [(n, n) for n in range(1, 31)]


async def test_an_opened_desk_tells_only_what_is_new(log: SqliteLog) -> None:
    """What was in the log at first is known to whoever reads the log; it is not news."""
    await register(desk_at(log), 1)
    heard: list[DirectoryEntry] = []
    late = desk_at(log, heard.append)
    assert len((await late.state()).players) == 1
    await register(late, 2)
    assert [entry.version for entry in heard] == [2]


async def test_a_desk_that_forgot_knows_everything(desk: DirectoryDesk, heard: list[DirectoryEntry]) -> None:
    """The log has it all: state, ids of commands, and where to go on."""
    before = await desk.state()
    desk.forget()
    assert (await register(desk, 1)).entry == heard[0]
    desk.forget()
    assert await desk.state() == before
    await register(desk, 2)
    assert [entry.version for entry in heard] == [1, 2]


async def test_a_desk_forgets_nothing_on_its_way(desk: DirectoryDesk) -> None:
    """What is being appended is not thrown away."""
    sent = asyncio.create_task(register(desk, 2))
    await asyncio.sleep(0)
    desk.forget()
    assert len((await sent).state.players) == 2
    assert len((await desk.state()).players) == 2


def bug(_state: Directory, _command_or_event: object) -> NoReturn:
    """Fail as nobody foresaw."""
    raise ZeroDivisionError


@pytest.mark.parametrize(
    "rules", [replace(DIRECTORY, decide=bug), replace(DIRECTORY, evolve=bug)], ids=["decide", "evolve"]
)
async def test_a_bug_stops_its_desk_alone(log: SqliteLog, rules: OfDirectory) -> None:
    """InvariantBroken, from then on for every command, and nothing of it is in the log; others go on."""
    broken: Desk[Directory, Command, Event] = Desk(
        "t1", log, rules, lambda: Instant(0), lambda _entry, _state: None
    )
    for _ in range(2):
        with pytest.raises(InvariantBroken, match="t1: RegisterPlayer: ZeroDivisionError"):
            await register(broken, 1)
    assert broken.failure is not None
    assert await broken.state() == DIRECTORY.empty
    assert await log.streams() == {}
    assert (await register(desk_at(log), 1)).entry is not None


async def test_a_history_that_cannot_be_replayed_stops_its_desk(desk: DirectoryDesk, log: SqliteLog) -> None:
    """F30: the log keeps what it has, and whoever asks hears that it is our bug."""
    broken: Desk[Directory, Command, Event] = Desk(
        STREAM, log, replace(DIRECTORY, evolve=bug), lambda: Instant(0), lambda _entry, _state: None
    )
    with pytest.raises(InvariantBroken, match="replay of version 1"):
        await broken.state()
    assert (await register(desk, 2)).entry is not None
