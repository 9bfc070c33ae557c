"""Reading a stream: nobody sees an entry that does not follow from the ones before it."""

from collections.abc import AsyncIterator, Sequence
from typing import TypeVar

from msgspec import MsgspecError

from relayd.storage.codec import Codec, UnknownKind
from relayd.storage.log import EventLog, Head, HistoryBroken, LogDamaged, LogEntry, Row, chained, start_of

E = TypeVar("E")


async def read(
    log: EventLog, stream: str, codec: Codec[E], after: Head | None = None
) -> AsyncIterator[LogEntry[E]]:
    """Yield the entries behind *after*; HistoryBroken at the first that does not fit or cannot be read."""
    head = after or start_of(stream)
    while page := await _page(log, stream, head):
        for row in page:
            entry = _follow(log.name, stream, codec, head, row)
            yield entry
            head = entry.head


async def read_one(log: EventLog, stream: str, codec: Codec[E], version: int) -> LogEntry[E]:
    """Return one entry, checked against the one before it. Raises HistoryBroken."""
    rows = await log.rows(stream, max(version - 2, 0), min(version, 2))
    if len(rows) < min(version, 2):
        raise HistoryBroken(log.name, stream, version, "the entry is missing")
    before = start_of(stream).hash if version == 1 else rows[0][2]
    return _follow(log.name, stream, codec, Head(version - 1, before), rows[-1])


async def _page(log: EventLog, stream: str, head: Head) -> Sequence[Row]:
    try:
        return await log.rows(stream, head.version)
    except LogDamaged as damage:
        raise HistoryBroken(log.name, stream, head.version + 1, str(damage)) from damage


def _follow(name: str, stream: str, codec: Codec[E], head: Head, row: Row) -> LogEntry[E]:
    version, body, hash_ = row
    if version != head.version + 1:
        raise HistoryBroken(name, stream, head.version + 1, "the entry is missing")
    if hash_ != chained(head.hash, body):
        raise HistoryBroken(name, stream, version, "its hash does not fit")
    try:
        return codec.unseal(body, hash_)
    except (UnknownKind, MsgspecError) as error:
        raise HistoryBroken(name, stream, version, str(error)) from error
