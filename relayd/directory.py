"""Facts across tournaments (decisions 2 and 3, R057): the ``directory`` stream at work."""

from collections.abc import Callable, Sequence
from typing import TypeVar
from uuid import uuid4

from relayd.desk import Desk, Reply
from relayd.reducers import DIRECTORY, DIRECTORY_STREAM
from relayd.storage.log import EventLog
from ruleset.directory import commands as c
from ruleset.directory import events as e
from ruleset.directory.decide import sorted_out
from ruleset.directory.state import Directory as State
from ruleset.errors import CommandRejected
from ruleset.ids import Instant, PlayerId, TournamentNo

T = TypeVar("T")


class Directory:
    """Gives numbers and says who is running where. Every answer is durable before it is given."""

    def __init__(self, log: EventLog, clock: Callable[[], Instant]) -> None:
        """Call ``open`` before anything else."""
        self._clock = clock
        self._desk = Desk(DIRECTORY_STREAM, log, DIRECTORY, clock, publish=lambda _entry, _state: None)

    async def open(self) -> None:
        """Read the stream. Raises HistoryBroken."""
        await self._desk.state()

    @property
    def state(self) -> State:
        """All that is durable."""
        return self._desk.durable

    async def register(self, nickname: str, *, by: str, command_id: str | None = None) -> PlayerId:
        """Give the next player number (R004). Raises CommandRejected ``bad_nickname``."""
        reply = await self._handle(c.RegisterPlayer(nickname=nickname), by, command_id)
        return _only(reply, e.PlayerRegistered).player

    async def rename(
        self, player: PlayerId, nickname: str, *, by: str, command_id: str | None = None
    ) -> None:
        """Change a nickname. Raises CommandRejected ``bad_nickname`` or ``unknown_player``."""
        await self._handle(c.RenamePlayer(player=player, nickname=nickname), by, command_id)

    def nickname(self, player: PlayerId) -> str:
        """Return the nickname of *player*. Raises CommandRejected ``unknown_player``."""
        if (found := self.state.players.get(player)) is None:
            raise CommandRejected("unknown_player", player=player)
        return found.nickname

    def running_in(self, player: PlayerId) -> TournamentNo | None:
        """Return the tournament that has *player* (R057)."""
        found = self.state.players.get(player)
        return None if found is None else found.running

    async def new_tournament(self, *, by: str, command_id: str | None = None) -> TournamentNo:
        """Give the next tournament number."""
        reply = await self._handle(c.ReserveTournament(), by, command_id)
        return _only(reply, e.TournamentReserved).tournament

    async def enter(
        self,
        tournament: TournamentNo,
        players: Sequence[PlayerId],
        *,
        by: str = "system",
        command_id: str | None = None,
    ) -> tuple[PlayerId, ...]:
        """Take *players* for a tournament that starts; return those that it has, in the same order (R057).

        One entry for all; who was taken before stays taken. Raises CommandRejected ``unknown_tournament``,
        ``tournament_ended``, ``unknown_player``.
        """
        command = c.EnterPlayers(tournament=tournament, players=tuple(players), now=self._clock())
        reply = await self._handle(command, by, command_id)
        if reply.entry is None:
            return sorted_out(reply.state, tournament, players)[0]
        return _only(reply, e.PlayersEntered).granted

    async def leave(
        self, tournament: TournamentNo, players: Sequence[PlayerId], *, by: str = "system"
    ) -> None:
        """Let *players* run elsewhere: dropped or eliminated. Again changes nothing."""
        await self._handle(c.LeavePlayers(tournament=tournament, players=tuple(players)), by)

    async def end(self, tournament: TournamentNo, *, by: str = "system") -> None:
        """Let all players of a tournament run elsewhere, for good. Again changes nothing."""
        await self._handle(c.EndTournament(tournament=tournament), by)

    async def _handle(
        self, command: c.Command, by: str, command_id: str | None = None
    ) -> Reply[State, e.Event]:
        return await self._desk.handle(command, command_id=command_id or uuid4().hex, by=by)


def _only(reply: Reply[State, e.Event], kind: type[T]) -> T:
    """Return the one event that a command of its kind brings."""
    events = () if reply.entry is None else reply.entry.events
    (event,) = (event for event in events if isinstance(event, kind))
    return event
