"""Facts, in the past tense. Written once, never edited; a new meaning gets a new class."""

from dataclasses import dataclass
from typing import TypeAlias

from ruleset.ids import Instant, PlayerId, TournamentNo


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRegistered:
    """A player number is taken (R004)."""

    player: PlayerId
    nickname: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRenamed:
    """A player goes by another nickname."""

    player: PlayerId
    nickname: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentReserved:
    """A tournament number is taken."""

    tournament: TournamentNo


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersEntered:
    """The answer to a tournament that starts (R057)."""

    tournament: TournamentNo
    granted: tuple[PlayerId, ...]
    """All that were asked for and run in this tournament from here on, in the order of the question."""
    elsewhere: tuple[tuple[PlayerId, TournamentNo], ...]
    """The others, with the tournament that has each of them."""
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersLeft:
    """These players are free for another tournament."""

    tournament: TournamentNo
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentEnded:
    """All of its players are free."""

    tournament: TournamentNo


Event: TypeAlias = (
    PlayerRegistered | PlayerRenamed | TournamentReserved | PlayersEntered | PlayersLeft | TournamentEnded
)
