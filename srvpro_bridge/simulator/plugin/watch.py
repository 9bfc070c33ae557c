"""What the plugin knows of one room beside the duel server itself, and the records that it makes of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from ruleset import roomcode
from ruleset.ids import Instant, Seat
from srvpro_bridge import protocol as p
from srvpro_bridge.simulator import events as e
from srvpro_bridge.simulator.clients import SPECTATOR, Client
from srvpro_bridge.simulator.passwords import MATCH
from srvpro_bridge.simulator.people import LEFT_MARK
from srvpro_bridge.simulator.play import Stage
from srvpro_bridge.simulator.room import Room
from srvpro_bridge.simulator.rules import OFF

Make = Callable[[int], p.Fact]
_STAGES: Final[dict[Stage, p.Stage]] = {
    Stage.BEGIN: "begin",
    Stage.FINGER: "finger",
    Stage.FIRSTGO: "firstgo",
    Stage.DUELING: "dueling",
    Stage.SIDING: "siding",
    Stage.END: "end",
}


@dataclass(slots=True, kw_only=True, eq=False)
class Watch:
    """One instance of a room, from its opening to its end."""

    room: Room
    id: str
    now: Callable[[], Instant]
    seat_of: Callable[[Client], Seat | None]
    games: list[p.Game] = field(default_factory=list)
    started_at: Instant | None = None
    closed: bool = False
    """By an order of the daemon."""
    death_by_us: bool = False
    turn: int = 0
    death: int = OFF
    """Of the game that runs, as it was at its last turn."""

    @property
    def code(self) -> str | None:
        """The room code in its name."""
        code = roomcode.find(self.room.name)
        return None if code is None else str(code)

    @property
    def best_of(self) -> Literal[1, 3]:
        """Games that it was made for."""
        return 3 if self.room.options.mode == MATCH else 1

    def ahead(self, table: p.Table) -> Client | None:
        """Return who leads in the match, the games of a lost room included (rules 5.5-8)."""
        one, other = (self._total(player, table) for player in self._players)
        if one == other or (self.room.leader is None and self.room.duel_count == 0):
            return None
        return self._players[one < other]

    def _total(self, player: Client, table: p.Table) -> int:
        seat = self.seat_of(player)
        carried = 0 if seat is None else table.carried[seat == "b"]
        return self.room.score.of(player) + carried

    def scores(self) -> tuple[int, int]:
        """What srvpro has booked, by position."""
        one, other = (self.room.score.of(player) for player in self._players)
        return one, other

    # Records

    def opened(self, *, table: bool) -> Make:
        """A room was made."""
        options = self.room.options
        return lambda seq: p.RoomOpened(
            **self._here(seq),
            best_of=self.best_of,
            lflist=options.lflist,
            rule=0,
            time_limit=options.time_limit_s,
            table=table,
        )

    def of(
        self,
        kind: type[p.PlayerSeated | p.PlayerLeft | p.PlayerDropped | p.PlayerReturned | p.PlayerGone],
        client: Client,
    ) -> Make:
        """Something happened to one player."""
        player = self._player(client)
        return lambda seq: kind(**self._here(seq), player=player)

    def record_of(self, event: e.Event) -> Make | None:
        """Return the record of what has happened; ``None``: it leaves none."""
        match event:
            case e.Entered(client=client) if client.pos != SPECTATOR:
                return self.of(p.PlayerSeated, client)
            case e.Left(client=client) if client.pos != SPECTATOR:
                return self.of(p.PlayerLeft if self.room.stage is Stage.BEGIN else p.PlayerGone, client)
            case e.Dropped(client=client):
                return self.of(p.PlayerDropped, client)
            case e.Returned(client=client):
                return self.of(p.PlayerReturned, client)
            case _:
                return self._of_match(event)

    def _of_match(self, event: e.Event) -> Make | None:
        match event:
            case e.MatchStarted():
                return self.begun()
            case e.GameStarted():
                return self.game_begun()
            case e.GameWon(winner=winner, reason=reason):
                return self.won(winner, reason)
            case e.SideAsked():
                return self.siding()
            case e.Deleted():
                return self.gone()
            case _:
                return None

    def judged(self, client: Client, *, siding: bool, refused: str | None) -> Make:
        """A deck was judged; *refused*: why."""
        player = self._player(client)
        return lambda seq: p.DeckJudged(
            **self._here(seq),
            player=player,
            siding=siding,
            verdict="accepted" if refused is None else "refused",
            reason=refused or "",
        )

    def begun(self) -> Make:
        """The match has begun."""
        self.started_at = self.now()
        return lambda seq: p.MatchStarted(**self._here(seq), players=self._both())

    def game_begun(self) -> Make:
        """A game has begun."""
        self.turn, self.death = 0, self.room.death
        return lambda seq: p.GameStarted(
            **self._here(seq), game=self.room.duel_count, first=_pos(self.room.first[-1].pos)
        )

    def won(self, winner: Client | None, reason: int) -> Make:
        """A game is over; all that is known so far rides along."""
        first = _pos(self.room.first[-1].pos)
        won = "draw" if winner is None else _pos(winner.pos)
        self.games.append(p.Game(winner=won, reason=reason, first=first))
        return lambda seq: p.GameOver(
            **self._here(seq),
            players=self._both(),
            game=self.room.duel_count,
            winner=won,
            reason=reason,
            turn=self.turn,
            death=_death(self.death),
            scores=self.scores(),
            games=tuple(self.games),
            best_of=self.best_of,
        )

    def siding(self) -> Make:
        """Both are asked for their side decks."""
        return lambda seq: p.SidingBegan(**self._here(seq), game=self.room.duel_count, scores=self.scores())

    def death_changed(self, state: Literal["off", "three", "sudden", "ended"]) -> Make:
        """We have called death, called it off, or ended a match by it."""
        return lambda seq: p.DeathChanged(**self._here(seq), state=state)

    def gone(self) -> Make:
        """The room is gone: the final word on its match."""
        room, begun = self.room, bool(self.room.score.points)
        players = tuple(
            p.Scored(pos=_pos(c.pos), nickname=c.name, seat=self.seat_of(c), score=room.score.of(c))
            for c in (self._players if begun else ())
        )
        away = [c.pos for c in self._players if begun and (c.away or room.score.of(c) == LEFT_MARK)]
        return lambda seq: p.RoomClosed(
            **self._here(seq),
            ending=self._ending(begun=begun),
            best_of=self.best_of,
            stage=_STAGES[room.stage],
            players=players,
            games=tuple(self.games),
            begun=room.duel_count,
            finished=room.ended,
            finished_by_death=room.finished_by_death,
            scores_before=None,
            away=tuple(map(_pos, away)),
            duel_end=(0, 1) if room.ended else (),
            exit=None,
            started_at=self.started_at,
        )

    def sight(self) -> p.Sight:
        """How the room looks now."""
        room = self.room
        return p.Sight(
            room=self.id,
            name=room.name,
            code=self.code,
            stage=_STAGES[room.stage],
            best_of=self.best_of,
            game=room.duel_count,
            turn=room.turn,
            death=room.death,
            players=tuple(self._seen(client) for client in self._players),
            watchers=len(room.people.watchers),
        )

    @property
    def _players(self) -> list[Client]:
        return sorted(self.room.people.players, key=lambda client: client.pos)

    def _ending(self, *, begun: bool) -> Literal["played", "closed", "kicked", "crashed", "unstarted"]:
        if not begun:
            return "unstarted"
        if self.closed:
            return "closed"
        if self.room.kicked:
            return "kicked"
        return "played" if self.room.ended else "crashed"

    def _here(self, seq: int) -> dict[str, Any]:
        """Return what every record of a room begins with."""
        return {
            "seq": seq,
            "at": self.now(),
            "room": self.id,
            "name": self.room.name,
            "code": self.code,
        }

    def _both(self) -> tuple[p.Player, p.Player]:
        one, other = self._players
        return self._player(one), self._player(other)

    def _player(self, client: Client) -> p.Player:
        return p.Player(pos=_pos(client.pos), nickname=client.name, seat=self.seat_of(client))

    def _seen(self, client: Client) -> p.SeenPlayer:
        return p.SeenPlayer(
            pos=_pos(client.pos),
            nickname=client.name,
            seat=self.seat_of(client),
            score=self.room.score.of(client),
            lp=client.lp,
            ready=client.ready,
            away=client.away,
        )


def _pos(pos: int) -> Literal[0, 1]:
    return 0 if pos == 0 else 1


def _death(death: int) -> p.DeathState:
    if death == OFF:
        return "off"
    return "three" if death > OFF else "sudden"
