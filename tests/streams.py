"""Builders for tests of the log and its desks: entries and commands of the plainest stream, the directory."""

from collections.abc import Callable

from relayd.desk import Desk, Reply
from relayd.reducers import DIRECTORY
from relayd.storage.codec import digest_of
from relayd.storage.log import EventLog, Head, LogEntry, start_of
from ruleset.directory.commands import Command, RegisterPlayer
from ruleset.directory.events import Event, PlayerRegistered
from ruleset.directory.state import Directory
from ruleset.ids import Instant, PlayerId

CODEC = DIRECTORY.codec
STREAM = "directory"

DirectoryDesk = Desk[Directory, Command, Event]
DirectoryEntry = LogEntry[Event]


def registration(number: int, after: Head | None = None, command_id: str = "") -> DirectoryEntry:
    """Return the entry of a player's registration, sealed on *after*; ``None``: the first of the stream."""
    nickname = f"Nick{number}"
    return CODEC.seal(
        start_of(STREAM) if after is None else after,
        command_id=command_id or f"c{number}",
        digest=digest_of(RegisterPlayer(nickname=nickname)),
        at=Instant(0),
        by="host",
        events=(PlayerRegistered(player=PlayerId(number), nickname=nickname),),
    )


def chain(length: int) -> list[DirectoryEntry]:
    """Return that many registrations, each sealed on the one before."""
    entries: list[DirectoryEntry] = []
    for number in range(1, length + 1):
        entries.append(registration(number, entries[-1].head if entries else None))
    return entries


def desk_at(log: EventLog, heard: Callable[[DirectoryEntry], None] = lambda _entry: None) -> DirectoryDesk:
    """Return a desk of the directory whose clock stands still."""
    return Desk(STREAM, log, DIRECTORY, lambda: Instant(0), lambda entry, _state: heard(entry))


async def register(desk: DirectoryDesk, number: int, command_id: str = "") -> Reply[Directory, Event]:
    """Send one registration."""
    command = RegisterPlayer(nickname=f"Nick{number}")
    return await desk.handle(command, command_id=command_id or f"c{number}", by="host")
