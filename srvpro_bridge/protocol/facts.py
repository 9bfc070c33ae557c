"""What a plugin records: each fact has a number and comes again until the daemon acknowledges it."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from ruleset.ids import Seat
from srvpro_bridge.protocol.values import (
    Code,
    Count,
    DeathState,
    Id,
    Message,
    Millis,
    Name,
    Number,
    Part,
    Position,
    Score,
    Seq,
    Stage,
    Text,
)


class Recorded(Message, frozen=True):
    """Something that happened and must not be lost."""

    seq: Seq
    at: Millis


class InRoom(Recorded, frozen=True):
    """Something that happened in one room."""

    room: Id
    """One instance of a room, unlike every other of this and all other boots."""
    name: Name
    code: Code | None
    """The code in the room's name, whether a table of that code is known or not."""


class Player(Part, frozen=True):
    """Who sits where in a room."""

    pos: Position
    nickname: Name
    seat: Seat | None
    """His seat at the table; ``None``: the plugin does not know him there."""


class Game(Part, frozen=True):
    """One duel that ended."""

    winner: Literal[0, 1, "draw", "unknown"]
    """``unknown``: two players of one nickname, and nobody saw which of them."""
    reason: Annotated[int, Meta(ge=0, le=255)] | None
    """0 surrender or death, 1 life points, 2 deck out, 3 time, 4 left (duel-server.md 5), or not seen."""
    first: Position | None
    """Who began it."""


class RoomOpened(InRoom, frozen=True, tag="room_opened"):
    """A room was made."""

    best_of: Literal[1, 3]
    lflist: Number
    rule: Number
    time_limit: Number
    table: bool
    """Whether a table of its code was known, so that these are the table's options."""


class PlayerSeated(InRoom, frozen=True, tag="player_seated"):
    """Somebody sat down before the start."""

    player: Player


class PlayerLeft(InRoom, frozen=True, tag="player_left"):
    """Somebody got up before the start."""

    player: Player


class DeckJudged(InRoom, frozen=True, tag="deck_judged"):
    """A deck was sent and judged."""

    player: Player
    siding: bool
    verdict: Literal["accepted", "refused", "unchecked"]
    """``unchecked``: the daemon did not answer in time, and the table lets it pass."""
    reason: Text


class MatchStarted(InRoom, frozen=True, tag="match_started"):
    """Both are ready and the host has started: no late rule from here on (T7)."""

    players: tuple[Player, Player]


class GameStarted(InRoom, frozen=True, tag="game_started"):
    """A game began."""

    game: Seq
    first: Position


class GameOver(InRoom, frozen=True, tag="game_over"):
    """A game ended. All that is known so far rides along: after a crash this may be the last word (10.j)."""

    players: tuple[Player, Player]
    game: Seq
    winner: Literal[0, 1, "draw"]
    reason: Annotated[int, Meta(ge=0, le=255)]
    turn: Count
    death: DeathState
    """What it was played under."""
    scores: tuple[Score, Score]
    """By position, this game included."""
    games: Annotated[tuple[Game, ...], Meta(max_length=100)]
    best_of: Literal[1, 3]


class SidingBegan(InRoom, frozen=True, tag="siding_began"):
    """Both were asked for their side decks."""

    game: Seq
    """The game that has ended."""
    scores: tuple[Score, Score]


class PlayerDropped(InRoom, frozen=True, tag="player_dropped"):
    """A connection broke after the start; he may return within ``reconnect_ms``."""

    player: Player


class PlayerReturned(InRoom, frozen=True, tag="player_returned"):
    """He is back, or has taken his seat over from another device."""

    player: Player


class PlayerGone(InRoom, frozen=True, tag="player_gone"):
    """He left the running match for good: srvpro writes -9."""

    player: Player


class DeathChanged(InRoom, frozen=True, tag="death_changed"):
    """The plugin has called death, called it off, or ended a match by it."""

    state: Literal["off", "three", "sudden", "ended"]


class Scored(Part, frozen=True):
    """Who sat where, with what srvpro has as his score."""

    pos: Position
    nickname: Name
    seat: Seat | None
    score: Score


class Exit(Part, frozen=True):
    """How the room's process ended."""

    code: Number | None
    signal: Name | None
    killed: bool
    """The signal came from the duel server itself, not from outside."""


class RoomClosed(InRoom, frozen=True, tag="room_closed"):
    """A room is gone: the final word on its match (10.l)."""

    ending: Literal["played", "closed", "kicked", "crashed", "unstarted"]
    """A real end; an order of the daemon; the admin API; the process died under it; nobody ever started."""
    best_of: Literal[1, 3]
    stage: Stage
    players: Annotated[tuple[Scored, ...], Meta(max_length=2)]
    """By position; empty in a room that never started."""
    games: Annotated[tuple[Game, ...], Meta(max_length=100)]
    begun: Count
    """Games begun; more than ``games`` where one was cut short."""
    finished: bool
    finished_by_death: bool
    scores_before: tuple[Score, Score] | None
    """Where a kick has set them to 0: what they were."""
    away: Annotated[tuple[Position, ...], Meta(max_length=2)]
    """Who was not connected at the end, or had left."""
    duel_end: Annotated[tuple[Position, ...], Meta(max_length=2)]
    """Who was told by the game server that the match is over."""
    exit: Exit | None
    """``None``: the room went before its process."""
    started_at: Millis | None


class JoinRefused(Recorded, frozen=True, tag="join_refused"):
    """Somebody was not let in."""

    nickname: Name
    code: Code | None
    why: Literal["stranger", "finished", "key", "ambiguous", "daemon"]


Fact: TypeAlias = (
    RoomOpened
    | PlayerSeated
    | PlayerLeft
    | DeckJudged
    | MatchStarted
    | GameStarted
    | GameOver
    | SidingBegan
    | PlayerDropped
    | PlayerReturned
    | PlayerGone
    | DeathChanged
    | RoomClosed
    | JoinRefused
)
