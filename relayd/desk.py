"""One stream at work: decide, append, evolve; no answer leaves before what it rests on is durable."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, NamedTuple, NoReturn, Protocol, TypeVar

from relayd.errors import InvariantBroken
from relayd.storage.codec import Codec, digest_of
from relayd.storage.history import read, read_one
from relayd.storage.log import CommandIdReused, EventLog, Head, LogEntry, VersionConflict, start_of
from ruleset.errors import CommandRejected, RulesetError
from ruleset.ids import Instant

S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")
S_co = TypeVar("S_co", covariant=True)
E_contra = TypeVar("E_contra", contravariant=True)


class Fold(Protocol[S_co, E_contra]):
    """A state under a run of events."""

    @property
    def state(self) -> S_co:
        """What it is after all of them so far; it never changes once it was looked at."""
        ...

    def tell(self, event: E_contra) -> None:
        """Let *event* happen."""
        ...


@dataclass(slots=True)
class _OneByOne(Generic[S, E]):
    evolve: Callable[[S, E], S]
    state: S

    def tell(self, event: E) -> None:
        self.state = self.evolve(self.state, event)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reducer(Generic[S, C, E]):
    """What a stream is about: pure rules, and how its events look on disk."""

    empty: S
    decide: Callable[[S, C], tuple[E, ...]]
    """May refuse: raises CommandRejected."""
    evolve: Callable[[S, E], S]
    codec: Codec[E]
    draft: Callable[[S], Fold[S, E]] | None = None
    """Takes many events in with less work than ``evolve`` one by one."""

    def fold(self, start: S) -> Fold[S, E]:
        """Return *start*, ready to take events in."""
        return _OneByOne(self.evolve, start) if self.draft is None else self.draft(start)

    def replay(self, events: tuple[E, ...], start: S) -> S:
        """Fold *events* over *start*."""
        fold = self.fold(start)
        for event in events:
            fold.tell(event)
        return fold.state


class Reply(NamedTuple, Generic[S, E]):
    """What came of a command: its entry (``None``: it changed nothing) and the state with it."""

    entry: LogEntry[E] | None
    state: S


@dataclass(slots=True)
class _Memory(Generic[S]):
    """What the desk believes: the log, and what is on its way there. Thrown away when an append fails."""

    state: S
    head: Head
    seen: dict[str, int] = field(default_factory=dict)
    """The version of each command_id."""
    tail: asyncio.Future[None] | None = None
    """Done when all of it is durable."""

    def take(self, entry: LogEntry[object], state: S) -> None:
        self.state, self.head = state, entry.head
        self.seen[entry.command_id] = entry.version


class Desk(Generic[S, C, E]):
    """The only writer of its stream on this node. Holds no fact that the log does not hold."""

    def __init__(
        self,
        stream: str,
        log: EventLog,
        reducer: Reducer[S, C, E],
        clock: Callable[[], Instant],
        publish: Callable[[LogEntry[E], S], None],
    ) -> None:
        """*publish* hears of each entry once it is durable, in order, but of none that was there at first."""
        self._stream, self._log, self._rules = stream, log, reducer
        self._clock, self._publish = clock, publish
        self._memory: _Memory[S] | None = None
        self._reading = asyncio.Lock()
        self._published: int | None = None
        self.durable = reducer.empty
        """The state as far as it is in the log; empty before the first reading."""
        self.failure: InvariantBroken | None = None
        """Why it takes no more commands."""

    async def handle(
        self, command: C, *, command_id: str, by: str, expected_version: int | None = None
    ) -> Reply[S, E]:
        """Carry out *command* once; asked again with its command_id, give the entry of the first time.

        With *expected_version*, refuse as ``outdated`` if the stream has gone on since (5.5-18).
        Raises RulesetError (nothing changed), CommandIdReused, LogUnavailable (ask again), InvariantBroken,
        or what ends the daemon: LogBroken, LogDamaged.
        """
        digest = _digest(command, command_id, by)
        while True:
            memory = self._memory or await self._recall()
            # From here to the next await nobody comes between: this is the lock of the stream.
            known = memory.seen.get(command_id)
            answer = (
                known
                or _outdated(memory, expected_version)
                or self._decided(memory, command, command_id, digest, by)
            )
            state = memory.state
            try:
                await _durable(memory)
            except VersionConflict:
                continue  # another node wrote: now the log knows better
            if isinstance(answer, int):
                return await self._repeated(answer, digest, state)
            if isinstance(answer, RulesetError):
                raise answer
            return answer

    @property
    def version(self) -> int:
        """The version of the durable state; 0 before the first reading."""
        return self._published or 0

    async def state(self) -> S:
        """Return what is durable."""
        if self._memory is None:
            await self._recall()
        return self.durable

    def forget(self) -> None:
        """Give memory back; the log has it all. Does nothing while an append is on its way."""
        if self._memory is not None and (self._memory.tail is None or self._memory.tail.done()):
            self._memory, self.durable = None, self._rules.empty

    async def _recall(self) -> _Memory[S]:
        async with self._reading:
            if self._memory is None:
                self._memory = await self._read()
            return self._memory

    async def _read(self) -> _Memory[S]:
        memory = _Memory(self._rules.empty, start_of(self._stream))
        fold = self._rules.fold(memory.state)
        async for entry in read(self._log, self._stream, self._rules.codec):
            try:
                for event in entry.events:
                    fold.tell(event)
                memory.take(entry, memory.state if self._published is None else fold.state)
            except Exception as error:  # noqa: BLE001  nobody foresaw it
                self._stop(f"replay of version {entry.version}", error)
            self._tell(entry, memory.state)
        memory.state = fold.state
        self._published, self.durable = memory.head.version, memory.state
        return memory

    def _decided(
        self, memory: _Memory[S], command: C, command_id: str, digest: bytes, by: str
    ) -> Reply[S, E] | RulesetError:
        if self.failure is not None:
            raise InvariantBroken(str(self.failure)) from self.failure
        try:
            events = self._rules.decide(memory.state, command)
            if not events:
                return Reply(None, memory.state)
            entry = self._rules.codec.seal(
                memory.head, command_id=command_id, digest=digest, at=self._clock(), by=by, events=events
            )
            state = self._rules.replay(entry.events, memory.state)
        except RulesetError as refusal:
            return refusal
        except Exception as error:  # noqa: BLE001  nobody foresaw it
            self._stop(type(command).__name__, error)
        self._append(memory, entry, state)
        return Reply(entry, state)

    def _stop(self, doing: str, error: Exception) -> NoReturn:
        """Take no more commands: others go on, this stream waits for us."""
        self.failure = InvariantBroken(f"{self._stream}: {doing}: {error!r}")
        raise self.failure from error

    def _append(self, memory: _Memory[S], entry: LogEntry[E], state: S) -> None:
        memory.tail = self._log.append(self._stream, memory.head, entry)
        memory.tail.add_done_callback(partial(self._settle, memory, entry, state))
        memory.take(entry, state)

    def _settle(
        self, memory: _Memory[S], entry: LogEntry[E], state: S, appended: asyncio.Future[None]
    ) -> None:
        if not appended.cancelled() and appended.exception() is None:
            self._tell(entry, state)
        elif self._memory is memory:
            self._memory = None

    def _tell(self, entry: LogEntry[E], state: S) -> None:
        if self._published is not None and entry.version == self._published + 1:
            self._published, self.durable = entry.version, state
            self._publish(entry, state)

    async def _repeated(self, version: int, digest: bytes, state: S) -> Reply[S, E]:
        first = await read_one(self._log, self._stream, self._rules.codec, version)
        if first.digest != digest:
            raise CommandIdReused(first.command_id)
        return Reply(first, state)


def _digest(command: object, command_id: str, by: str) -> bytes:
    """Return the digest of a command; half a surrogate pair, which no text file holds, is refused (F18)."""
    try:
        f"{command_id} {by}".encode()
        return digest_of(command)
    except UnicodeEncodeError as error:
        raise CommandRejected("bad_text") from error


async def _durable(memory: _Memory[S]) -> None:
    """Wait until all that *memory* rests on is in the log; who waits may leave, the append goes on."""
    if memory.tail is not None:
        await asyncio.shield(memory.tail)


def _outdated(memory: _Memory[S], expected: int | None) -> CommandRejected | None:
    version = memory.head.version
    if expected is None or expected == version:
        return None
    return CommandRejected("outdated", expected=expected, version=version)
