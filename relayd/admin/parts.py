"""What the calls of the admin sockets work with, and what one call knows."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol, TypeAlias

from pydantic import WithJsonSchema

from relayd.admin.roles import Peer, Role
from relayd.admin.rpc import Code, RpcError
from relayd.following import Feed, Following
from relayd.observe.logging import Level
from relayd.ports import Answer, Clock, LiveTable, Players, Sights, Starter, VersionedTournaments
from relayd.public import public_events
from relayd.publishing import Publishing
from relayd.storage.webhooks import Hook
from relayd.submitting import Submitting
from ruleset.errors import CommandRejected
from ruleset.ids import Instant, PlayerId, ServerId, TableId, TournamentNo
from ruleset.tournament.commands import Command, Reopen, Rule
from ruleset.tournament.reports import Report
from ruleset.tournament.state import Tournament
from srvpro_bridge.doctor import Finding


class Odd(Protocol):
    """Something about a room that the host should know of (relayd.bridge)."""

    @property
    def kind(self) -> str:
        """What it is: ``strangers``, ``second_room``, ``other_server``, ``unknown_table``."""
        ...

    @property
    def table(self) -> TableId:
        """The table that the room's name says."""
        ...

    @property
    def server(self) -> ServerId:
        """The duel server."""
        ...

    @property
    def room_name(self) -> str:
        """As it is there."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """Who is in it."""
        ...


class Reloaded(Protocol):
    """What came of reading the settings anew (relayd.app)."""

    @property
    def changed(self) -> tuple[str, ...]:
        """Settings that hold from now on."""
        ...

    @property
    def waiting(self) -> tuple[str, ...]:
        """Settings that need a restart."""
        ...


class Examined(Protocol):
    """What came of looking whether a duel server does what tournaments need (relayd.bridge.examining)."""

    @property
    def server(self) -> ServerId:
        """The duel server."""
        ...

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is not as it should be."""
        ...

    @property
    def checked(self) -> tuple[str, ...]:
        """What is."""
        ...

    @property
    def unchecked(self) -> tuple[str, ...]:
        """What could not be looked at, and why."""
        ...


Examine: TypeAlias = Callable[[ServerId], Awaitable[Examined]]
"""Looks at a duel server of the settings."""
Reload: TypeAlias = Callable[[], Awaitable[Reloaded]]
"""Reads the settings anew. Raises SettingsError where they cannot be used; the old ones hold on then."""


class Strayed(Protocol):
    """An end of a match that fits no tournament (relayd.bridge.intake)."""

    @property
    def at(self) -> Instant:
        """When it came."""
        ...

    @property
    def room_name(self) -> str:
        """As it is at the duel server."""
        ...

    @property
    def names(self) -> tuple[str, str]:
        """Who played."""
        ...

    @property
    def report(self) -> Report:
        """What is told of the match."""
        ...


class Hooks(Protocol):
    """The webhooks of all tournaments (relayd.webhooks.hooks). Raises CommandRejected."""

    async def of(self, tournament: TournamentNo) -> Sequence[Hook]:
        """Return those of a tournament, oldest first."""
        ...

    async def add(self, tournament: TournamentNo, url: str, *, by: str) -> tuple[Hook, str]:
        """Tell a URL of everything from now on; return the hook and its secret."""
        ...

    async def remove(self, tournament: TournamentNo, hook: int) -> None:
        """End a hook."""
        ...

    async def resume(self, tournament: TournamentNo, hook: int) -> Hook:
        """Try a hook now, also one that is switched off."""
        ...

    async def test(self, tournament: TournamentNo, hook: int) -> str:
        """Send a message without events; return what went wrong, empty where it was taken."""
        ...


Done = Annotated[
    dict[str, object],
    WithJsonSchema(
        {
            "type": "object",
            "required": ["changed"],
            "properties": {
                "changed": {"type": "boolean"},
                "version": {"type": "integer"},
                "events": {"type": "array", "items": {"type": "object", "required": ["kind"]}},
            },
        }
    ),
]
"""What came of a command, for the caller: whether something changed, and then the version with its events."""
Shown = dict[str, object]
"""An answer that is one thing."""
Rows = Sequence[object]
"""An answer that is a list."""


class Line(Protocol):
    """The way back to the caller, for what comes later."""

    def attach(self, following: Following) -> int:
        """Send what *following* brings as notifications ``live``; the number marks them."""
        ...

    def detach(self, number: int) -> bool:
        """End one of them; ``False``: there is none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The daemon, as far as administration reaches."""

    tournaments: VersionedTournaments
    players: Players
    roster: Callable[[], Iterable[tuple[PlayerId, str]]]
    """Every player number with its nickname, in order."""
    starter: Starter
    sights: Sights
    clock: Clock
    publishing: Publishing
    submitting: Submitting
    feed: Feed
    level: Level
    reload: Reload
    examine: Examine
    hooks: Hooks
    drop_avatar: Callable[[PlayerId], Awaitable[None]]
    """Forgets a player's picture."""
    oddities: Callable[[TournamentNo], Iterable[Odd]] = lambda _number: ()
    """What is odd at the duel servers about a tournament's rooms: strangers, second rooms, other servers."""
    strays: Callable[[], Iterable[Strayed]] = tuple
    """Ends of matches that fit no tournament, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call: who asks, what he may use, and what holds for whatever it changes."""

    peer: Peer
    parts: Parts
    line: Line
    number: TournamentNo | None = None
    command_id: str | None = None
    expected_version: int | None = None

    @property
    def tournament(self) -> TournamentNo:
        """The tournament that the call is about."""
        if self.number is None:
            raise RpcError(Code.INVALID_PARAMS, "name the tournament")
        return self.number

    @property
    def role(self) -> Role:
        """What the caller is in it."""
        return self.peer.role_in(self.number)

    async def state(self) -> Tournament:
        """Return the state of the tournament. Raises CommandRejected ``unknown_tournament``."""
        return await self.parts.tournaments.load(self.tournament)

    async def refuse_outdated(self) -> None:
        """Refuse what rests on an old view, where another part carries the change out."""
        await self.state()
        version = self.parts.tournaments.version(self.tournament)
        if self.expected_version not in {None, version}:
            raise CommandRejected("outdated", expected=self.expected_version, version=version)

    async def do(self, command: Command) -> Done:
        """Carry out *command* once, in the caller's name. Raises CommandRejected and LogErrors."""
        answer = await self.parts.tournaments.handle(
            self.tournament,
            command,
            by=self.peer.name,
            command_id=self.command_id,
            expected_version=self.expected_version,
        )
        return done(answer)

    async def correct(self, command: Rule | Reopen) -> Done:
        """Carry out *command* as ``do`` does; whom it brings back must be free (R057)."""
        answer = await self.parts.starter.correct(
            self.tournament,
            command,
            by=self.peer.name,
            command_id=self.command_id,
            expected_version=self.expected_version,
        )
        return done(answer)

    def live(self) -> dict[TableId, LiveTable]:
        """Return what the duel servers show of the tournament's tables."""
        return dict(self.parts.sights.live(self.tournament))


def done(answer: Answer) -> Done:
    """Return whether something changed, and then the version with its events."""
    entry = answer.entry
    if entry is None:
        return {"changed": False}
    return {"changed": True, "version": entry.version, "events": public_events(entry)}
