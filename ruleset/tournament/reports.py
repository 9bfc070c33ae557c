"""What a duel server says of a table, brought to the table's own seats (rules.md 5.6)."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ruleset.ids import Instant, Seat, ServerId
from ruleset.tournament.results import Game

Source: TypeAlias = Literal["plugin", "challonge", "poller", "duellog"]
Ending: TypeAlias = Literal["", "left", "death", "match_card"]
"""The mark on a seat's score: none; -9: left or never came back; -1: lost by death; 99: a winning card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatScore:
    """What a report says of one seat."""

    wins: int | None = None
    """Games won; ``None`` where a mark stands in its place and the number is not told."""
    ending: Ending = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One message about one match.

    A report without *winner* is a sight of a match that goes on, never an end.
    """

    source: Source
    server: ServerId
    a: SeatScore
    b: SeatScore
    winner: Seat | Literal["draw"] | None = None
    games: tuple[Game, ...] | None = None
    """Every game in order with its reason, where the source knows them (plugin, duel log)."""
    crashed: bool | None = None
    """Whether the room ended by a crash, where the source knows it for certain (plugin)."""
    began_at: Instant | None = None
    """When the room was opened, where the source knows it; one older than its round counts for nothing."""
    body: str = ""
    """What makes two reports *the same*: the message, with its room instance where known (5.6-5)."""

    @property
    def final(self) -> bool:
        """Whether the match is said to be over."""
        return self.winner is not None
