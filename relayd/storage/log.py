"""The log as the daemon sees it: streams of entries, chained by hash. Every store keeps the same promises."""

from asyncio import Future
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import ClassVar, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from relayd.errors import DependencyError
from ruleset.ids import Instant
from ruleset.tournament.events import Event

E_co = TypeVar("E_co", covariant=True)


class Head(NamedTuple):
    """Where a stream ends: a version and the hash there, so that no other history fits on it."""

    version: int
    hash: bytes


Row: TypeAlias = tuple[int, bytes, bytes]
"""Version, body and hash of an entry, as a store keeps them."""


def start_of(stream: str) -> Head:
    """Return the head of *stream* before its first entry: no entry of another stream follows from it."""
    return Head(0, sha256(stream.encode()).digest())


def chained(before: bytes, body: bytes) -> bytes:
    """Return the hash of the entry with *body* behind the entry with the hash *before*."""
    return sha256(before + body).digest()


@dataclass(frozen=True, kw_only=True)  # no slots: in 3.11 a generic class with both is not called by an alias
class LogEntry(Generic[E_co]):
    """What one accepted command left behind, whole or not at all."""

    version: int
    """1, 2, 3, … without gaps."""
    command_id: str
    """Chosen by the sender; unique in its stream."""
    digest: bytes
    """SHA-256 of what the sender said."""
    at: Instant
    """For people; the rules take their times from commands."""
    by: str
    """Account, judge token, server or system."""
    events: tuple[E_co, ...]
    hash: bytes
    """SHA-256 of the hash before and *body*."""
    body: bytes = field(repr=False)
    """The fields above *hash*, as stores keep them."""

    @property
    def head(self) -> Head:
        """The place that the next entry is sealed on."""
        return Head(self.version, self.hash)


Entry: TypeAlias = LogEntry[Event]
"""An entry of a tournament's stream."""


class LogError(Exception):
    """Base of the errors of all stores; each begins with who must act."""

    code: ClassVar[str] = "log_error"


class VersionConflict(LogError):
    """The desk: the stream does not end there, or knows the command_id; read it and decide again."""

    code = "version_conflict"


class CommandIdReused(LogError):
    """The sender: this command_id belongs to another command (F12)."""

    code = "command_id_reused"


class LogUnavailable(LogError, DependencyError):
    """Nobody: busy, full or away. The outcome is unknown: send the same command_id again later."""

    code = "log_unavailable"


class LogBroken(LogError):
    """The owner: a write or sync failed, so no later ok would be true. Close, exit non-zero, replay (F03)."""

    code = "log_broken"


class LogRefused(LogError):
    """The operator: this is no file of ours, or one of a newer program (F30)."""

    code = "log_refused"


class LogDamaged(LogError):
    """The operator: what was stored is not there as it was stored (F02)."""

    code = "log_damaged"


class HistoryBroken(LogDamaged):
    """The operator: from *version* of *stream* on torn, flipped, rewritten or from a newer program."""

    def __init__(self, name: str, stream: str, version: int, why: str) -> None:
        super().__init__(f"{name}: stream {stream} is broken from version {version} on: {why}")
        self.stream, self.version, self.why = stream, version, why


class EventLog(Protocol):
    """What a store implements; history.py reads and verifies through it."""

    @property
    def name(self) -> str:
        """What the operator calls it: a path or an address."""
        ...

    def append(self, stream: str, after: Head, entry: LogEntry[object]) -> Future[None]:
        """Queue *entry*, sealed on *after*, and return at once; the future ends when it is durable.

        Appends are tried in the order of the calls, each by itself, and none can be called off.
        Raises VersionConflict (also for a command_id that the stream knows), LogUnavailable or LogBroken.
        """
        ...

    async def rows(self, stream: str, after: int = 0, limit: int = 250) -> Sequence[Row]:
        """Return the first *limit* rows above *after*, in order, unchecked; none: that is the end."""
        ...

    async def streams(self) -> Mapping[str, int]:
        """Return every stream with its last version."""
        ...

    async def broken(self) -> LogError:
        """Return once the store takes nothing more, LogBroken or LogDamaged: the daemon must end."""
        ...

    async def close(self) -> None:
        """Finish what is queued and let go of the store."""
        ...
