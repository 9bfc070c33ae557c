"""What a result is (rules.md 5.7): games, outcome and reason are kept apart."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from ruleset.ids import Seat

Outcome: TypeAlias = Literal["a", "b", "draw", "double_loss"]
"""Seat A wins, seat B wins, both draw, both lose."""
Reason: TypeAlias = Literal[
    "played",
    "time",  # 死三
    "sudden_death",  # 猝死, 即死
    "concession",
    "disconnect",
    "late",
    "no_show",
    "foul",
    "drop",
    "cap",
    "bye",
    "walkover",
    "ruling",
]

UNPLAYED: Final[frozenset[Reason]] = frozenset({"late", "no_show", "walkover", "bye"})
"""Reasons whose match was not played: no game of it counts (rules.md 5.7, H205)."""
ABSENCE: Final[frozenset[Reason]] = frozenset({"late", "no_show"})
"""Reasons that say that somebody was not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One duel that was really played to its end."""

    winner: Seat | None
    """``None``: a drawn game."""
    reason: Reason = "played"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How a match ended."""

    outcome: Outcome
    reason: Reason
    games: tuple[Game, ...] = ()
    """Only those that count, in the order of play as far as it is known."""

    def wins(self, seat: Seat) -> int:
        """Return the games that *seat* won."""
        return [game.winner for game in self.games].count(seat)

    @property
    def drawn(self) -> int:
        """The games that nobody won."""
        return [game.winner for game in self.games].count(None)


def shared(result: Result) -> Result:
    """Return an equal result that many tables have together: there are few different ones."""
    return _shared(result.outcome, result.reason, tuple([(g.winner, g.reason) for g in result.games]))


@lru_cache(maxsize=4_096)
def _shared(outcome: Outcome, reason: Reason, games: tuple[tuple[Seat | None, Reason], ...]) -> Result:
    return Result(outcome=outcome, reason=reason, games=tuple(_game(*game) for game in games))


@lru_cache(maxsize=64)
def _game(winner: Seat | None, reason: Reason) -> Game:
    return Game(winner=winner, reason=reason)
