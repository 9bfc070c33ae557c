"""Whatever a log does to its appends, a desk says nothing that is not so (F01, F03, F08)."""

import asyncio
from collections.abc import Mapping, Sequence
from itertools import chain

from hypothesis import given, settings
from hypothesis import strategies as st

from relayd.desk import Desk
from relayd.reducers import DIRECTORY
from relayd.storage.history import read
from relayd.storage.log import (
    Head,
    LogEntry,
    LogError,
    LogUnavailable,
    Row,
    VersionConflict,
    start_of,
)
from ruleset.directory.commands import Command, EnterPlayers, RegisterPlayer, RenamePlayer, ReserveTournament
from ruleset.directory.events import Event
from ruleset.directory.state import Directory
from ruleset.errors import RulesetError
from ruleset.ids import Instant, PlayerId, TournamentNo
from tests.streams import CODEC, STREAM, DirectoryEntry

FATES = st.sampled_from(["written", "written", "written", "lost", "unknown"])
COMMANDS: st.SearchStrategy[Command] = st.one_of(
    st.builds(RegisterPlayer, nickname=st.sampled_from(["Yugi", "Joey"])),
    st.builds(RenamePlayer, player=st.integers(1, 4).map(PlayerId), nickname=st.sampled_from(["Mai", "Tea"])),
    st.just(ReserveTournament()),
    st.builds(
        EnterPlayers,
        tournament=st.integers(1, 2).map(TournamentNo),
        players=st.lists(st.integers(1, 4).map(PlayerId), max_size=3).map(tuple),
        now=st.just(Instant(0)),
    ),
)


class MoodyLog:
    """A log in memory that is slow, loses appends, and sometimes does not know whether it did."""

    name = "memory"

    def __init__(self, fates: Sequence[str]) -> None:
        self._fates = chain(fates, iter(lambda: "written", None))
        self._rows: list[Row] = []
        self._head = start_of(STREAM)
        self._appends = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def append(self, stream: str, after: Head, entry: LogEntry[object]) -> asyncio.Future[None]:
        """Append as fate has it, some turns of the loop later."""
        assert stream == STREAM
        task = asyncio.create_task(self._append(after, entry))
        self._tasks.add(task)
        return task

    async def _append(self, after: Head, entry: LogEntry[object]) -> None:
        async with self._appends:
            await asyncio.sleep(0)
            fate = next(self._fates)
            if fate == "lost":
                raise LogUnavailable(fate)
            if after != self._head:
                raise VersionConflict
            self._rows.append((entry.version, entry.body, entry.hash))
            self._head = entry.head
            if fate == "unknown":
                raise LogUnavailable(fate)

    async def rows(self, stream: str, after: int = 0, limit: int = 250) -> Sequence[Row]:
        """Return rows, after all that was appended before."""
        assert stream == STREAM
        async with self._appends:
            return self._rows[after : after + limit]

    async def streams(self) -> Mapping[str, int]:
        """Return the one stream."""
        return {STREAM: len(self._rows)}

    async def broken(self) -> LogError:
        """Never break."""
        await asyncio.Event().wait()
        raise AssertionError

    async def close(self) -> None:
        """Wait for the last append."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 8), COMMANDS), min_size=1, max_size=25), st.lists(FATES, max_size=12)
)
async def test_a_desk_says_nothing_that_is_not_so(sent: list[tuple[int, Command]], fates: list[str]) -> None:
    """Every answer is in the log, once; what was heard is the log, in order; the state is its replay.

    Commands come together and are tried again until they are answered; equal ids may carry other bodies.
    """
    log = MoodyLog(fates)
    heard: list[tuple[DirectoryEntry, Directory]] = []
    desk: Desk[Directory, Command, Event] = Desk(
        STREAM, log, DIRECTORY, lambda: Instant(0), lambda entry, state: heard.append((entry, state))
    )

    async def insist(command_id: str, command: Command) -> DirectoryEntry | None:
        while True:
            try:
                return (await desk.handle(command, command_id=command_id, by="host")).entry
            except LogUnavailable:
                continue
            except (RulesetError, LogError):
                return None

    answers = await asyncio.gather(*(insist(f"c{number}", command) for number, command in sent))
    await log.close()
    written = [entry async for entry in read(log, STREAM, CODEC)]
    assert all(answer is None or answer in written for answer in answers)
    assert len({entry.command_id for entry in written}) == len(written)
    assert [entry for entry, _ in heard] == written
    assert await desk.state() == DIRECTORY.replay(
        tuple(event for entry in written for event in entry.events), DIRECTORY.empty
    )
    assert [state for _, state in heard][-1:] == [await desk.state()][: len(written)]
