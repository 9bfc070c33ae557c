"""The numbers that a host may set: points, floors, what a bye is worth."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from ruleset.errors import RulesetError
from ruleset.standings.record import Match


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How results become numbers; the defaults are those of xingyi.

    Raises RulesetError bad_scoring: a win that is worth nothing, negative points, a floor outside 0 to 1.
    """

    win: int = 3
    draw: int = 1
    loss: int = 0
    bye: int = 3
    """R007; 2 in hanno (H204)."""
    best_of: Literal[1, 3] = 3
    floor: Fraction = Fraction(33, 100)
    """The least that an opponent's share counts in an average (R025)."""
    floor_own_gw: bool = False
    """R026: the own game-win share is raw."""
    floor_ogw: bool = True
    """R027: the opponents' game-win shares are floored, too."""
    bye_games: bool = True
    """A bye is 2-0 (best of one: 1-0) in the own game-win share (4.1)."""
    bye_is_win: bool = False
    """S161: a bye counts among the rounds won."""
    noshow_counts_as_bye: bool = False
    """R029: a win by absence is a bye for OMW%, OGW% and the number of byes."""
    boards_per: Literal["round", "board"] = "round"
    """S170, S172, S173: what one sign or quartile is taken of."""
    median_over: Literal["all", "direction"] = "all"
    """S171: whose scores the median is taken of."""

    def __post_init__(self) -> None:
        """Refuse numbers that no formula can use."""
        if self.win < 1 or min(self.draw, self.loss, self.bye) < 0 or not 0 <= self.floor <= 1:
            raise RulesetError("bad_scoring", scoring=self)

    def points(self, match: Match) -> int:
        """Return the points of *match* (R024)."""
        if match.kind == "bye":
            return self.bye
        if match.outcome == "win":
            return self.win
        return self.draw if match.outcome == "draw" else self.loss

    def is_bye(self, match: Match) -> bool:
        """Tell whether *match* is a bye to the criteria (R029)."""
        absent = match.kind == "absence" and match.outcome == "win"
        return match.kind == "bye" or (absent and self.noshow_counts_as_bye)

    def games(self, match: Match) -> tuple[int, int]:
        """Return the game points of *match* and how many were to be had, 3 for a game (4.1)."""
        if match.kind == "bye" and self.bye_games:
            return (3 * (self.best_of // 2 + 1),) * 2
        return 3 * match.won + match.drawn, 3 * (match.won + match.lost + match.drawn)


DEFAULT: Final = Scoring()
"""Xingyi's."""
