"""F03: a full disk, a folder that may not be written, an I/O error: no acknowledgement, nothing lost."""

import asyncio
import os
import resource
import shutil
import subprocess
from asyncio.subprocess import PIPE
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import pytest

from relayd.storage.history import read
from relayd.storage.log import LogBroken, LogUnavailable
from relayd.storage.sqlite.log import SqliteLog
from tests.faults.test_sqlite_kill import INJECT, PROGRAM, ROOT, check, needs_strace
from tests.streams import CODEC, STREAM, DirectoryDesk, chain, desk_at, register


def mounted(folder: Path, *options: str) -> bool:
    """Mount something on *folder*; ``False``: not here, not by us."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    return subprocess.run(["mount", *options, str(folder)], check=False, capture_output=True).returncode == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if not mounted(folder, "-t", "tmpfs", "-o", "size=1m", "tmpfs"):
        pytest.skip("a small disk cannot be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(path: Path) -> None:
    """Take all the space that is left."""
    with suppress(OSError), path.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


async def count_until_full(desk: DirectoryDesk) -> int:
    """Register players as long as there is space; return how many are acknowledged."""
    for number in count(2):
        try:
            await register(desk, number)
        except LogUnavailable:
            return number - 1
    raise AssertionError


async def test_a_full_disk_is_no_acknowledgement(small_disk: Path) -> None:
    """F03: LogUnavailable for what did not fit; when there is space again the same command goes through."""
    filler = small_disk / "filler"
    log = SqliteLog(small_disk / "relayd.db")
    desk = desk_at(log)
    await register(desk, 1)
    fill(filler)
    heard = await count_until_full(desk)
    many = (register(desk, n) for n in range(heard + 1, heard + 20))
    fates = await asyncio.gather(*many, return_exceptions=True)
    assert {(type(fate), "full" in str(fate)) for fate in fates} == {(LogUnavailable, True)}
    filler.unlink()
    assert (await register(desk, heard + 1)).entry is not None
    await log.close()
    log = SqliteLog(small_disk / "relayd.db")
    found = [entry.command_id async for entry in read(log, STREAM, CODEC)]
    assert found == [f"c{n}" for n in range(1, heard + 2)]
    await log.close()


async def test_a_disk_that_turned_read_only_is_no_acknowledgement(small_disk: Path) -> None:
    """F03: a remount after an error of the disk: nothing is acknowledged, what was is there."""
    log = SqliteLog(small_disk / "relayd.db")
    await register(desk_at(log), 1)
    await log.close()
    assert mounted(small_disk, "-o", "remount,ro")
    with pytest.raises(LogUnavailable, match=r"relayd\.db"):
        SqliteLog(small_disk / "relayd.db")
    assert mounted(small_disk, "-o", "remount,rw")
    log = SqliteLog(small_disk / "relayd.db")
    assert [entry.command_id async for entry in read(log, STREAM, CODEC)] == ["c1"]
    await log.close()


@contextmanager
def writes_fail_beyond(size: int) -> Iterator[None]:
    """Let every write beyond *size* bytes of a file fail with EFBIG, which SQLite reports as IOERR."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_after_a_failed_write_nothing_is_acknowledged(tmp_path: Path) -> None:
    """F03: LogBroken, and for ever, and the owner hears of it; a new process finds what was acknowledged."""
    path = tmp_path / "relayd.db"
    log = SqliteLog(path)
    desk = desk_at(log)
    first = (await register(desk, 1)).entry
    owner = asyncio.create_task(log.broken())
    with writes_fail_beyond(1), pytest.raises(LogBroken, match=r"relayd\.db"):
        await register(desk, 2)
    for number in (1, 2):
        with pytest.raises(LogBroken):
            await register(desk, number)
    assert isinstance(await owner, LogBroken)
    await log.close()
    log = SqliteLog(path)
    assert [entry async for entry in read(log, STREAM, CODEC)] == [first]
    await log.close()


@needs_strace
@pytest.mark.parametrize("call", ["fdatasync", "pwrite64"])
async def test_an_io_error_ends_the_program(tmp_path: Path, call: str) -> None:
    """F03: EIO at a sync or write: exit non-zero, and not one acknowledgement more than the log holds."""
    inject = f"inject={call}:error=EIO:when=40+"
    command = [*INJECT, inject, *PROGRAM, str(tmp_path)]
    ended = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=PIPE, stderr=PIPE)
    async with asyncio.timeout(60):
        heard, complaint = await ended.communicate()
    assert ended.returncode == 1
    assert b"LogBroken" in complaint
    entries = await check(tmp_path, {*heard.decode().split()})
    assert len(entries) >= 1


async def test_a_failed_sync_is_not_forgotten(tmp_path: Path) -> None:
    """F03: after one failed fsync later ones say ok, so a log that met one answers nothing any more."""
    log = SqliteLog(tmp_path / "relayd.db")
    first, second, third = chain(3)
    await register(desk_at(log), 1)
    with writes_fail_beyond(1), pytest.raises(LogBroken):
        await log.append(STREAM, first.head, second)
    with pytest.raises(LogBroken, match="failed before"):
        await log.append(STREAM, second.head, third)
    with pytest.raises(LogBroken, match="failed before"):
        await log.rows(STREAM)
    await log.close()
