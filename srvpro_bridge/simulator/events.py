"""What happens in a room, for whoever stands around it: the server, its players, a plugin."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from srvpro_bridge.simulator.clients import Client

Pos: TypeAlias = Literal[0, 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """Somebody is in the room: seated, or a spectator."""

    client: Client


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """Somebody is out of it for good: before the start he may come again, after it he has lost."""

    client: Client


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A player's connection broke; he may return for a while."""

    client: Client


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """He is back."""

    client: Client


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The server wrote something into the chat."""

    text: str
    to: Client | None = None
    """``None``: everybody in the room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckTaken:
    """A deck was accepted: before the start its player is ready, in siding he has sided."""

    client: Client


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckRefused:
    """ERROR_MSG *msg* with *code*; before the start the player is not ready."""

    client: Client
    msg: int
    code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStarted:
    """The first DUEL_START: scores exist from now on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted:
    """MSG_START of one more game."""

    duel: int
    first: Client


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan:
    """MSG_NEW_TURN."""

    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeathCalled:
    """Extra turns are on."""

    death: int
    """The turn at whose begin life points are compared; -1 and -2 as in rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameWon:
    """MSG_WIN as position 0 sees it."""

    winner: Client | None
    reason: int
    """0 surrender or death, 1 life points, 2 deck out, 3 turn time, 4 left (duel-server.md 5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideAsked:
    """CHANGE_SIDE: the match goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """DUEL_END: the match is over, the process of the room is about to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """The room is gone; its scores, wins and marks stand as they were."""


Event: TypeAlias = (
    Entered
    | Left
    | Dropped
    | Returned
    | Said
    | DeckTaken
    | DeckRefused
    | MatchStarted
    | GameStarted
    | TurnBegan
    | DeathCalled
    | GameWon
    | SideAsked
    | Closing
    | Deleted
)
