"""What standings need to know of a player: his matches, one for each round that he took part in."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ruleset.ids import PlayerId, RoundNo, Seat

MatchOutcome: TypeAlias = Literal["win", "draw", "loss"]
"""From the player's own side; a double loss is a loss for both."""
MatchKind: TypeAlias = Literal["played", "absence", "bye", "walkover"]
"""``absence``: late or no-show, of the other side or of both; ``walkover``: nobody was left to play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One round of one player, seen from his side, with the games that count (rules.md 5.7)."""

    round_no: RoundNo
    opponent: PlayerId | None
    """``None``: a bye or a walkover."""
    outcome: MatchOutcome
    kind: MatchKind = "played"
    won: int = 0
    lost: int = 0
    drawn: int = 0
    seat: Seat = "a"
    """His direction in a duplicate event (S169)."""
    boards: tuple[int, ...] = ()
    """His score on each board of a duplicate event (S167-S173); empty elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A player's way through the rounds; after a drop no match is added, so all denominators stay (4.1)."""

    player: PlayerId
    signin: int
    """The place in the order of sign-in, from 1 up, unique (R017)."""
    matches: tuple[Match, ...] = ()
    """In the order of rounds."""
    dropped: bool = False
