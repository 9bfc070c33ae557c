"""Wishes, in the imperative. What the daemon adds on receipt is marked; the rest the sender said."""

from dataclasses import dataclass
from typing import TypeAlias

from ruleset.added import Added
from ruleset.ids import Instant, PlayerId, TournamentNo


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterPlayer:
    """Give the next player number to a new account (R004)."""

    nickname: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RenamePlayer:
    """Change a nickname; the number stays (R004)."""

    player: PlayerId
    nickname: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReserveTournament:
    """Give the next tournament number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterPlayers:
    """Let a tournament that starts have those of *players* who run nowhere else (R057)."""

    tournament: TournamentNo
    players: tuple[PlayerId, ...]
    """In order of sign-in."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeavePlayers:
    """The tournament runs for these players no more: dropped or eliminated (R057)."""

    tournament: TournamentNo
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndTournament:
    """It runs for nobody any more: finished or cancelled (R057)."""

    tournament: TournamentNo


Command: TypeAlias = (
    RegisterPlayer | RenamePlayer | ReserveTournament | EnterPlayers | LeavePlayers | EndTournament
)
