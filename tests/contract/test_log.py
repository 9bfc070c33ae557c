"""What every log promises; run against each of them."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from relayd.storage.history import read, read_one
from relayd.storage.log import EventLog, Head, HistoryBroken, VersionConflict, start_of
from relayd.storage.sqlite.log import SqliteLog
from tests.streams import CODEC, STREAM, DirectoryEntry, chain, desk_at, register, registration

START = start_of(STREAM)
FIRST, SECOND, THIRD = chain(3)


@pytest.fixture(params=["sqlite"])
async def log(tmp_path: Path) -> AsyncIterator[EventLog]:
    """An empty log of each kind."""
    log = SqliteLog(tmp_path / "relayd.db")
    yield log
    await log.close()


async def entries(log: EventLog, after: Head | None = None) -> list[DirectoryEntry]:
    """Return what stands behind *after*."""
    return [entry async for entry in read(log, STREAM, CODEC, after)]


async def write(log: EventLog, *written: DirectoryEntry) -> None:
    """Append entries, each behind the one before."""
    heads = [START, *(entry.head for entry in written)]
    await asyncio.gather(*(log.append(STREAM, *pair) for pair in zip(heads, written, strict=False)))


async def test_versions_have_no_gaps(log: EventLog) -> None:
    """What was appended is read back in order, over several pages, from any head."""
    written = chain(1_200)
    await write(log, *written)
    assert await entries(log) == written
    assert await entries(log, FIRST.head) == written[1:]
    assert await log.streams() == {STREAM: 1_200}


async def test_one_entry_can_be_read(log: EventLog) -> None:
    """The first, one in the middle, the last; one that is not there is missed."""
    await write(log, FIRST, SECOND, THIRD)
    assert [await read_one(log, STREAM, CODEC, version) for version in (1, 2, 3)] == [FIRST, SECOND, THIRD]
    with pytest.raises(HistoryBroken, match="version 4"):
        await read_one(log, STREAM, CODEC, 4)


async def test_an_id_belongs_to_one_command(log: EventLog) -> None:
    """F12: a known command_id is refused, however sealed; in another stream it is new."""
    await write(log, FIRST)
    with pytest.raises(VersionConflict):
        await log.append(STREAM, FIRST.head, registration(2, FIRST.head, FIRST.command_id))
    await log.append("other", start_of("other"), registration(1, start_of("other")))
    assert await entries(log) == [FIRST]


@pytest.mark.parametrize(
    "head", [START, Head(2, FIRST.hash), Head(1, SECOND.hash)], ids=["stale", "early", "foreign"]
)
async def test_only_the_last_head_is_written_on(log: EventLog, head: Head) -> None:
    """An old head, one that would leave a gap and one of another history are refused."""
    await write(log, FIRST)
    with pytest.raises(VersionConflict):
        await log.append(STREAM, head, registration(3, head))
    assert await entries(log) == [FIRST]


async def test_each_append_of_a_group_has_its_own_fate(log: EventLog) -> None:
    """A conflict fails, and what was sealed on it, and a retry, and a known id; the others stand (F08)."""
    loser = registration(3)
    again = registration(2, FIRST.head, FIRST.command_id)
    fates = await asyncio.gather(
        log.append(STREAM, START, FIRST),
        log.append(STREAM, START, loser),
        log.append(STREAM, loser.head, registration(4, loser.head)),
        log.append(STREAM, START, FIRST),
        log.append(STREAM, FIRST.head, again),
        log.append("other", start_of("other"), registration(1, start_of("other"))),
        log.append(STREAM, FIRST.head, SECOND),
        return_exceptions=True,
    )
    assert [type(fate) for fate in fates[1:5]] == [VersionConflict] * 4
    assert [fates[0], *fates[5:]] == [None, None, None]
    assert await entries(log) == [FIRST, SECOND]
    assert await log.streams() == {STREAM: 2, "other": 1}


async def test_the_first_broken_version_is_named(log: EventLog) -> None:
    """F02: changed bytes are found where they lie, with file, stream and version."""
    forged = replace(SECOND, body=SECOND.body.replace(b"host", b"them"))
    await asyncio.gather(
        log.append(STREAM, START, FIRST),
        log.append(STREAM, FIRST.head, forged),
        log.append(STREAM, SECOND.head, THIRD),
    )
    with pytest.raises(HistoryBroken, match="stream directory is broken from version 2 on") as broken:
        await entries(log)
    assert log.name in str(broken.value)


async def test_a_history_fits_no_other_stream(log: EventLog) -> None:
    """F02: entries that turn up under another stream's name are not believed."""
    await log.append("t1", start_of("t1"), registration(1, start_of("t1")))
    await log.append("t2", start_of("t2"), replace(registration(1, start_of("t1"))))
    with pytest.raises(HistoryBroken, match="stream t2 is broken from version 1 on"):
        await anext(read(log, "t2", CODEC))


async def test_two_desks_on_one_stream_lose_nothing(log: EventLog) -> None:
    """F07, F08: fifty commands through two desks, twenty of them through both: heard once and in order."""
    heard: tuple[list[DirectoryEntry], list[DirectoryEntry]] = ([], [])
    one, two = (desk_at(log, ears.append) for ears in heard)
    sent = [register(one, n) for n in range(35)] + [register(two, n) for n in range(15, 50)]
    answers = [reply.entry for reply in await asyncio.gather(*sent)]
    found = await entries(log)
    assert [entry.version for entry in found] == [*range(1, 51)]
    assert answers[15:35] == answers[35:55]
    assert all(ears == found[: len(ears)] for ears in heard)
    assert sum(len(ears) for ears in heard) >= 50
