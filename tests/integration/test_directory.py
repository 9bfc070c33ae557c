"""The directory on a real log (R004, R057, decisions 2 and 3)."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from relayd.directory import Directory
from relayd.storage.log import CommandIdReused
from relayd.storage.sqlite.log import SqliteLog
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, TournamentNo
from tests.clocks import FakeClock


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[SqliteLog]:
    """An empty log."""
    log = SqliteLog(tmp_path / "relayd.db")
    yield log
    await log.close()


@pytest.fixture
async def directory(log: SqliteLog) -> Directory:
    """A directory with players 1 to 4 and tournaments 1 and 2."""
    directory = await opened(log)
    for name in "abcd":
        await directory.register(f"Nick{name}", by="web")
    for _ in range(2):
        await directory.new_tournament(by="web")
    return directory


async def opened(log: SqliteLog) -> Directory:
    """Return a directory that has read its stream."""
    directory = Directory(log, FakeClock().now)
    await directory.open()
    return directory


async def test_numbers_are_given_once(directory: Directory) -> None:
    """R004, F08: a hundred at once get a hundred numbers; the same command again gets the first one."""
    numbers = await asyncio.gather(*(directory.register("Nick", by="web") for _ in range(100)))
    assert sorted(numbers) == [*range(5, 105)]
    again = [await directory.register("Joey", by="web", command_id="j") for _ in range(2)]
    assert again == [105, 105]
    with pytest.raises(CommandIdReused):
        await directory.register("Mai", by="web", command_id="j")
    assert [await directory.new_tournament(by="web", command_id="t") for _ in range(2)] == [3, 3]


async def test_nicknames_are_known_at_once(directory: Directory) -> None:
    """Decisions 3: what was answered can be read; who is unknown or badly called is refused."""
    await directory.rename(PlayerId(2), " Joey ", by="web")
    assert [directory.nickname(PlayerId(n)) for n in (1, 2)] == ["Nicka", "Joey"]
    with pytest.raises(CommandRejected, match="unknown_player"):
        directory.nickname(PlayerId(9))
    with pytest.raises(CommandRejected, match="bad_nickname"):
        await directory.rename(PlayerId(2), "P1", by="web")


async def test_two_starts_at_one_instant_never_share_a_player(directory: Directory) -> None:
    """R057: whoever asks first has them, whole; a repeated start gets the same answer."""
    everybody = [PlayerId(n) for n in (3, 1, 2, 4)]
    one, two = await asyncio.gather(
        directory.enter(TournamentNo(1), everybody[:3], command_id="s1"),
        directory.enter(TournamentNo(2), everybody, command_id="s2"),
    )
    assert (one, two) == ((3, 1, 2), (4,))
    assert await directory.enter(TournamentNo(1), everybody[:3], command_id="s1") == (3, 1, 2)
    assert await directory.enter(TournamentNo(2), everybody) == (4,)
    assert [directory.running_in(PlayerId(n)) for n in range(1, 6)] == [1, 1, 1, 2, None]


async def test_players_are_let_go(directory: Directory) -> None:
    """R057: who dropped at once, the others at the end; both may be said twice."""
    one, two = TournamentNo(1), TournamentNo(2)
    await directory.enter(one, [PlayerId(1), PlayerId(2)])
    for _ in range(2):
        await directory.leave(one, [PlayerId(1)])
    assert await directory.enter(two, [PlayerId(1), PlayerId(2)]) == (1,)
    for _ in range(2):
        await directory.end(one)
    assert await directory.enter(two, [PlayerId(1), PlayerId(2)]) == (1, 2)
    assert [*directory.state.open_tournaments()] == [two]


async def test_a_restart_knows_it_all(directory: Directory, log: SqliteLog) -> None:
    """F01: the stream is all there is."""
    await directory.enter(TournamentNo(1), [PlayerId(4)])
    again = await opened(log)
    assert again.state == directory.state
    assert await again.register("Nick", by="web") == 5
