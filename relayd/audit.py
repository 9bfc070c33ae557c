"""Looking at a log from outside: is it as written, and what does it lead to (``verify-log``, ``replay``)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from relayd.desk import Reducer
from relayd.exits import Exit
from relayd.reducers import reducer_of
from relayd.storage.codec import fingerprint
from relayd.storage.history import read
from relayd.storage.log import EventLog, HistoryBroken, LogDamaged, LogError, LogRefused
from relayd.storage.sqlite.log import SqliteLog

S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamReport:
    """What one stream holds, up to the first entry that is not what was written."""

    stream: str
    entries: int = 0
    events: Mapping[str, int] = field(default_factory=dict)
    """Names of events with how many there are."""
    state: str = ""
    """Fingerprint of the state that they lead to, in hexadecimal: equal states, equal fingerprints."""
    damage: str = ""
    """Where it is broken, with stream and version; empty: nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogReport:
    """What a log holds."""

    streams: Sequence[StreamReport]
    """In order of their names."""
    faults: Sequence[str]
    """What is wrong with the file beside its entries."""

    @property
    def exit_code(self) -> Exit:
        """OK or DAMAGED."""
        damaged = self.faults or any(stream.damage for stream in self.streams)
        return Exit.DAMAGED if damaged else Exit.OK


async def audit(path: Path) -> LogReport:
    """Read all of the log at *path* and change nothing; a daemon may have it open.

    Raises LogRefused or LogUnavailable where it cannot be read, LogDamaged where it is no database any more.
    """
    log = SqliteLog(path, read_only=True)
    try:
        streams = [await _stream(log, stream) for stream in sorted(await log.streams())]
        return LogReport(streams=streams, faults=await _faults(log))
    finally:
        await log.close()


def state_fingerprint(state: object) -> str:
    """Return the fingerprint of a state as a StreamReport has it, to compare a live one with."""
    return fingerprint(state).hex()


def exit_code_of(error: LogError) -> Exit:
    """Return how a command ends that met *error*."""
    if isinstance(error, LogDamaged):
        return Exit.DAMAGED
    return Exit.UNREADABLE if isinstance(error, LogRefused) else Exit.AWAY


async def _faults(log: SqliteLog) -> list[str]:
    try:
        return [str(fault) for fault in await log.faults()]
    except LogDamaged as damage:
        return [str(damage)]


async def _stream(log: EventLog, stream: str) -> StreamReport:
    if (rules := reducer_of(stream)) is None:
        return StreamReport(stream=stream, damage=f"{log.name}: this program knows no stream {stream}")
    return await _replayed(log, stream, rules)


async def _replayed(log: EventLog, stream: str, rules: Reducer[S, C, E]) -> StreamReport:
    entries, events, fold, damage = 0, Counter[str](), rules.fold(rules.empty), ""
    try:
        async for entry in read(log, stream, rules.codec):
            for event in entry.events:
                fold.tell(event)
            entries = entry.version
            events.update(type(event).__name__ for event in entry.events)
    except HistoryBroken as broken:
        damage = str(broken)
    except Exception as error:  # noqa: BLE001  whatever the rules cannot apply is what the report is for
        damage = f"{log.name}: stream {stream} cannot be replayed from version {entries + 1} on: {error!r}"
    return StreamReport(
        stream=stream, entries=entries, events=events, state=state_fingerprint(fold.state), damage=damage
    )
