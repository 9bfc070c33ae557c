"""F02: torn and flipped files: a clean prefix or a clear refusal, never a silent wrong state."""

import asyncio
import re
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest

from relayd.audit import audit
from relayd.exits import Exit
from relayd.reducers import TOURNAMENT, reducer_of
from relayd.storage.history import read
from relayd.storage.log import (
    Head,
    LogDamaged,
    LogEntry,
    LogError,
    LogRefused,
    LogUnavailable,
    start_of,
)
from relayd.storage.sqlite.log import SqliteLog
from ruleset.ids import Instant
from ruleset.tournament.events import SigninOpened
from tests.streams import registration

Either: TypeAlias = Callable[[int, int], int]
Story: TypeAlias = dict[str, list[LogEntry[object]]]

STREAMS = ("directory", "t1", "t2", "t3")
WAL_HEADER, FRAME = 32, 24 + 4096


def opening(number: int, stream: str, after: Head) -> LogEntry[object]:
    """Return an entry of a tournament."""
    events = (SigninOpened(at=Instant(number)),)
    return TOURNAMENT.codec.seal(
        after, command_id=f"c{number}", digest=b"", at=Instant(0), by=stream, events=events
    )


async def write(path: Path, rounds: int) -> Story:
    """Write *rounds* entries to each stream, each in a transaction of its own, in turns.

    The files are copied away while the log is open, as a kill would leave them.
    """
    story: Story = {stream: [] for stream in STREAMS}
    log = SqliteLog(path / "open.db")
    for number in range(1, rounds + 1):
        for stream, entries in story.items():
            after = entries[-1].head if entries else start_of(stream)
            entries.append(
                registration(number, after) if stream == "directory" else opening(number, stream, after)
            )
            await log.append(stream, after, entries[-1])
    for suffix in ("", "-wal"):
        shutil.copy(path / f"open.db{suffix}", path / f"killed.db{suffix}")
    await log.close()
    shutil.copy(path / "open.db", path / "closed.db")
    return story


async def found(path: Path) -> Story | LogError:
    """Start on the file, as the daemon does, and read all of it; or return why it is refused."""
    try:
        log = SqliteLog(path)
    except LogError as refusal:
        return refusal
    try:
        return {stream: [entry async for entry in entries_of(log, stream)] for stream in await log.streams()}
    except LogError as refusal:
        return refusal
    finally:
        await log.close()


def entries_of(log: SqliteLog, stream: str) -> AsyncIterator[LogEntry[object]]:
    """Read a stream by its own rules."""
    rules = reducer_of(stream)
    assert rules is not None
    return read(log, stream, rules.codec)


def is_prefix(found: Story, story: Story) -> bool:
    """Say whether *found* is what the log was at some earlier moment: streams were written in turns."""
    lengths = [len(found.get(stream, ())) for stream in STREAMS]
    in_turns = sorted(lengths, reverse=True) == lengths and lengths[0] - lengths[-1] <= 1
    return in_turns and all(entries == story[stream][: len(entries)] for stream, entries in found.items())


def says_so(refusal: LogError, path: Path) -> bool:
    """Say whether a refusal is one of those that stop the daemon, and names the file."""
    return isinstance(refusal, LogDamaged | LogRefused | LogUnavailable) and str(path) in str(refusal)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Story]:
    """Files with forty entries in four streams: killed in the middle, and closed in peace."""
    path = tmp_path_factory.mktemp("story")
    return path, asyncio.run(write(path, 10))


def taken(source: Path, to: Path, *, wal: bytes | None = None, main: bytes | None = None) -> Path:
    """Lay out a file, and its write-ahead log if it has one, with other bytes where they are given."""
    to.mkdir(exist_ok=True)
    path = to / "relayd.db"
    for old in to.iterdir():
        old.unlink()
    path.write_bytes(source.read_bytes() if main is None else main)
    log = source.with_name(source.name + "-wal")
    if log.exists():
        (to / "relayd.db-wal").write_bytes(log.read_bytes() if wal is None else wal)
    return path


async def test_a_whole_file_is_read_whole(story: tuple[Path, Story], tmp_path: Path) -> None:
    """F02: the measure of the others: killed or closed, all is there."""
    for name in ("killed.db", "closed.db"):
        assert await found(taken(story[0] / name, tmp_path / "f")) == story[1]


async def test_a_torn_write_ahead_log_is_a_clean_prefix(
    story: tuple[Path, Story], tmp_path: Path, either: Either
) -> None:
    """F02: cut at every byte offset of the last frames; a cut at a frame's end loses the fewest."""
    folder, truth = story
    wal = (folder / "killed.db-wal").read_bytes()
    cuts = {*range(len(wal) - 4 * FRAME, len(wal), either(151, 1)), *range(0, len(wal), either(FRAME, 499))}
    lengths = set()
    for cut in sorted(cuts):
        read_back = await found(taken(folder / "killed.db", tmp_path / "f", wal=wal[:cut]))
        assert not isinstance(read_back, LogError), cut
        assert is_prefix(read_back, truth), cut
        lengths.add(sum(len(entries) for entries in read_back.values()))
    assert max(lengths) < 40
    assert len(lengths) > 30


def flips(size: int, count: int, seed: int) -> Iterator[tuple[int, int]]:
    """Yield places and bits."""
    random = Random(seed)  # noqa: S311  repeatable
    return ((random.randrange(size), 1 << random.randrange(8)) for _ in range(count))


def flipped(content: bytes, place: int, bit: int) -> bytes:
    """Return *content* with one bit the other way."""
    return content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :]


async def test_a_flip_in_the_write_ahead_log_is_a_clean_prefix(
    story: tuple[Path, Story], tmp_path: Path, either: Either
) -> None:
    """F02: SQLite's checksums end the log at the first frame that is not whole."""
    folder, truth = story
    wal = (folder / "killed.db-wal").read_bytes()
    for place, bit in flips(len(wal), either(60, 400), seed=2):
        path = taken(folder / "killed.db", tmp_path / "f", wal=flipped(wal, place, bit))
        read_back = await found(path)
        assert says_so(read_back, path) if isinstance(read_back, LogError) else is_prefix(read_back, truth)


async def test_a_flip_in_the_file_is_refused_or_harmless(
    story: tuple[Path, Story], tmp_path: Path, either: Either
) -> None:
    """F02: all is there, or the file is named and refused; where nothing is left there never was a header."""
    folder, truth = story
    content = (folder / "closed.db").read_bytes()
    refused = 0
    header = [(place, 1 << bit) for place in range(100) for bit in range(0, 8, either(3, 1))]
    for place, bit in [*header, *flips(len(content), either(150, 4_000), seed=3)]:
        path = taken(folder / "closed.db", tmp_path / "f", main=flipped(content, place, bit))
        read_back = await found(path)
        refused += isinstance(read_back, LogError)
        assert says_so(read_back, path) if isinstance(read_back, LogError) else read_back == truth, (
            place,
            bit,
        )
    assert refused > either(20, 300)


async def test_one_flipped_byte_is_named_by_the_audit(story: tuple[Path, Story], tmp_path: Path) -> None:
    """Issue 2: with stream and version, wherever in an entry it lies."""
    content = (story[0] / "closed.db").read_bytes()
    for stream, entries in story[1].items():
        body = entries[6].body
        place = content.index(body) + len(body) // 2
        path = taken(story[0] / "closed.db", tmp_path / "f", main=flipped(content, place, 4))
        report = await audit(path)
        damage = {found.stream: found.damage for found in report.streams if found.damage}
        assert [*damage] == [stream]
        assert f"{path}: stream {stream} is broken from version 7 on" in damage[stream]
        assert report.exit_code == Exit.DAMAGED


async def test_damage_that_no_entry_shows_is_found_by_the_audit(
    story: tuple[Path, Story], tmp_path: Path
) -> None:
    """F02: an index that a start does not read is read by ``verify-log``."""
    content = (story[0] / "closed.db").read_bytes()
    key = sha256(story[1]["t1"][2].command_id.encode()).digest()[:16]
    places = [place for place in range(len(content)) if content.startswith(key, place)]
    assert len(places) == 2 * len(STREAMS)
    for place in places:
        path = taken(story[0] / "closed.db", tmp_path / "f", main=flipped(content, place, 1))
        assert await found(path) == story[1]
        report = await audit(path)
        assert all(str(path) in fault for fault in report.faults)
        assert report.exit_code == Exit.DAMAGED


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("UPDATE stream SET name = 't4' WHERE name = 't2'", "the name of stream 3 is not the one"),
        ("UPDATE stream SET id = 9 WHERE name = 't3'", "the name of stream 4 is not the one"),
        ("DELETE FROM stream WHERE name = 't3'", "1 streams have lost their names"),
        (
            "UPDATE entry SET version = 11 WHERE stream = 2 AND version = 10",
            "stream t1 is broken from version 11",
        ),
        ("DELETE FROM entry WHERE stream = 2 AND version = 5", "stream t1 is broken from version 10"),
        ("DELETE FROM entry WHERE stream = 2 AND version = 10", "40 entries, but the index tells of 39"),
    ],
)
async def test_what_names_and_keys_do_not_tell_is_refused_at_once(
    story: tuple[Path, Story], tmp_path: Path, damage: str, says: str
) -> None:
    """F02: also where every entry that is left is whole: a renamed, lost or shortened stream."""
    path = taken(story[0] / "closed.db", tmp_path / "f")
    with closing(sqlite3.connect(path)) as db:
        db.execute(damage)
        db.commit()
    refusal = await found(path)
    assert isinstance(refusal, LogDamaged)
    assert says in str(refusal)
    assert str(path) in str(refusal)
    report = await audit(path)
    assert any(says in fault for fault in report.faults)
    assert report.exit_code == Exit.DAMAGED


async def test_a_page_that_cannot_be_read_is_named_by_stream_and_version(
    story: tuple[Path, Story], tmp_path: Path
) -> None:
    """F02: where SQLite itself gives up in the middle of a stream."""
    content = bytearray((story[0] / "closed.db").read_bytes())
    place = content.index(story[1]["t3"][9].body) // 4096 * 4096
    content[place : place + 8] = bytes(8)
    path = taken(story[0] / "closed.db", tmp_path / "f", main=bytes(content))
    damage = {stream.stream: stream.damage for stream in (await audit(path)).streams}
    assert re.search(r"stream t3 is broken from version \d+ on: .*malformed", damage["t3"])
