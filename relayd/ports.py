"""What the parts of the daemon ask of each other. Who implements it stands beside each port."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from relayd.storage.log import Entry
from ruleset.ids import Instant, PlayerId, Seat, ServerId, TableId, TournamentNo
from ruleset.tournament.commands import Command, Reopen, Rule
from ruleset.tournament.state import Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of a command: its entry (``None``: it changed nothing) and the state with it."""

    entry: Entry | None
    state: Tournament


Listener = Callable[[TournamentNo, Entry, Tournament], None]
"""Called after an entry is durable, in order of its stream; must not block or raise."""


class Tournaments(Protocol):
    """All tournaments at work (relayd.desks.Desks)."""

    async def handle(
        self, number: TournamentNo, command: Command, *, by: str, command_id: str | None = None
    ) -> Answer:
        """Carry out *command* once. ``command_id`` ``None``: a fresh one.

        Raises CommandRejected (also ``unknown_tournament``) or a LogError.
        """
        ...

    async def load(self, number: TournamentNo) -> Tournament:
        """Return its state, from the log if need be. Raises CommandRejected ``unknown_tournament``."""
        ...

    def running(self) -> Mapping[TournamentNo, Tournament]:
        """Return every tournament that is not finished or cancelled, as it is right now."""
        ...

    def numbers(self) -> Sequence[TournamentNo]:
        """Return the numbers of all tournaments, ended ones too, in order."""
        ...

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call *listener* from now on; the returned function ends that."""
        ...


class VersionedTournaments(Tournaments, Protocol):
    """Tournaments for people who act on what they saw (relayd.desks.Desks, 5.5-18)."""

    async def handle(
        self,
        number: TournamentNo,
        command: Command,
        *,
        by: str,
        command_id: str | None = None,
        expected_version: int | None = None,
    ) -> Answer:
        """Carry out *command* once, if the stream still ends at *expected_version*.

        Raises as ``Tournaments.handle``, and CommandRejected ``outdated`` where somebody else was first.
        """
        ...

    def version(self, number: TournamentNo) -> int:
        """Return the version of the state that ``load`` returned last, and ``running`` has."""
        ...


class Starter(Protocol):
    """Starts tournaments: reserves their players, asks their DP, then sends Start (relayd.starting)."""

    async def start(
        self, number: TournamentNo, *, confirmed: bool, by: str, command_id: str | None = None
    ) -> Answer:
        """Start by hand (T3'). Raises CommandRejected, ``confirm_unsigned`` with who is missing."""
        ...

    async def undo_drop(
        self, number: TournamentNo, player: PlayerId, *, by: str, command_id: str | None = None
    ) -> Answer:
        """Let a dropped player play on (R057). Raises CommandRejected, ``runs_elsewhere`` with where."""
        ...

    async def undo(
        self, number: TournamentNo, action: int, *, by: str, command_id: str | None = None
    ) -> Answer:
        """Take the last action back, by its number (T22). Raises CommandRejected as the rules and above."""
        ...

    async def unset_ended(self, number: TournamentNo, *, by: str, command_id: str | None = None) -> Answer:
        """Let a tournament go on that had ended by itself (S137). Raises CommandRejected as above."""
        ...

    async def correct(
        self,
        number: TournamentNo,
        wish: Rule | Reopen,
        *,
        by: str,
        command_id: str | None = None,
        expected_version: int | None = None,
    ) -> Answer:
        """Rule a table or reopen it (T22). Raises CommandRejected as the rules and above."""
        ...


class Players(Protocol):
    """Player numbers and nicknames (relayd.directory.Directory)."""

    async def register(self, nickname: str, *, by: str, command_id: str | None = None) -> PlayerId:
        """Give a new player number. Raises CommandRejected ``bad_nickname``."""
        ...

    async def rename(self, player: PlayerId, nickname: str, *, by: str) -> None:
        """Change a nickname. Raises CommandRejected ``bad_nickname`` or ``unknown_player``."""
        ...

    def nickname(self, player: PlayerId) -> str:
        """Return the nickname of *player*. Raises CommandRejected ``unknown_player``."""
        ...

    async def new_tournament(self, *, by: str, command_id: str | None = None) -> TournamentNo:
        """Give a new tournament number."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveTable:
    """What a duel server shows of a table's room, for people; never in the log."""

    table: TableId
    server: ServerId
    room_name: str
    stage: Literal["none", "waiting", "coin", "dueling", "siding"]
    duel: int
    turn: int
    death: Literal["off", "on", "sudden"]
    """``off`` also where the server does not show it (siding)."""
    last_turn: int | None
    """The last turn before life points are compared."""
    wins: tuple[int | None, int | None]
    lp: tuple[int | None, int | None]
    in_room: tuple[bool, bool]
    strangers: tuple[str, ...]
    seen_at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerHealth:
    """How a duel server is doing."""

    server: ServerId
    state: Literal["up", "lost", "unknown"]
    last_contact: Instant | None
    rooms: int
    failure: str
    """Why the last look failed, in words; empty: it did not."""


class Sights(Protocol):
    """What duel servers show, and what can be done in the room of one table (relayd.bridge)."""

    def live(self, number: TournamentNo) -> Mapping[TableId, LiveTable]:
        """Return the rooms of a tournament's tables, as last seen."""
        ...

    def health(self) -> Mapping[ServerId, ServerHealth]:
        """Return every duel server of the settings."""
        ...

    def join_string(self, number: TournamentNo, table: TableId) -> str:
        """Return what players type to reach their table. Raises CommandRejected ``unknown_table``."""
        ...

    def free(self) -> Mapping[ServerId, int]:
        """Return how many more rooms each duel server takes."""
        ...

    async def say_at(self, number: TournamentNo, table: TableId, text: str, seat: Seat | None = None) -> None:
        """Say something in the room of a table, or to one of its players; only a plugin can.

        Raises CommandRejected ``unknown_table``, and ``not_heard`` with why.
        """
        ...

    async def kick_from(self, number: TournamentNo, table: TableId, seat: Seat, text: str) -> None:
        """Throw a player out of his room, who has then lost a match that had begun. Raises as ``say_at``."""
        ...


class Clock(Protocol):
    """Boot-time clock (relayd.clock): UTC milliseconds that never jump (5.3-2)."""

    def now(self) -> Instant:
        """Return the present moment."""
        ...

    def seconds_until(self, moment: Instant) -> float:
        """Return how long a real sleep until *moment* takes; 0 where it has passed."""
        ...


class LastLook(Protocol):
    """The look at the rooms before tables are capped (T10; relayd.bridge)."""

    def __call__(self, number: TournamentNo) -> Awaitable[None]:
        """Look at all rooms of the tournament once and hand in what they show."""
        ...
