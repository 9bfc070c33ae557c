"""Golden logs put on a disk, as the program that wrote them left them there."""

from collections.abc import Sequence
from pathlib import Path

from relayd.reducers import TOURNAMENT
from relayd.storage.log import Entry, chained, start_of
from relayd.storage.sqlite.log import SqliteLog
from tests.golden.make import HERE
from tests.golden.story import STREAM

LOGS = sorted((HERE / "logs").glob("*.jsonl"))


def lines(path: Path) -> list[bytes]:
    """Return the lines of a file."""
    return path.read_bytes().splitlines()


def newer(bodies: Sequence[bytes], version: int) -> list[bytes]:
    """Return the log up to *version*, whose entry has a kind of event that nobody here knows."""
    unknown = bodies[version - 1].replace(b'[["', b'[["x', 1)
    return [*bodies[: version - 1], unknown]


async def stored(bodies: Sequence[bytes], path: Path) -> SqliteLog:
    """Return a log that holds *bodies*."""
    log = SqliteLog(path)
    head = start_of(STREAM)
    for version, body in enumerate(bodies, 1):
        entry = Entry(
            version=version,
            command_id=f"c{version}",
            digest=b"",
            at=TOURNAMENT.codec.unseal(bodies[0], b"").at,
            by="",
            events=(),
            hash=chained(head.hash, body),
            body=body,
        )
        await log.append(STREAM, head, entry)
        head = entry.head
    return log
