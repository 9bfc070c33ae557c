"""What a match gives in criteria that count levels and boards (S162, S167-S173)."""

from collections.abc import Callable
from fractions import Fraction

from ruleset.standings.boards import WHOLE_ROUND, sign
from ruleset.standings.field import Field
from ruleset.standings.record import Match


def level26(_field: Field, match: Match) -> int:
    """Return the levels on the scale of 26: 13 each, moved by the lead (级差分, S162); a bye gives none."""
    if match.opponent is None:
        return 0
    lead = match.won - match.lost
    return min(26, 13 + lead) if lead > 0 else max(0, 13 + lead)


def board_sum(_field: Field, match: Match) -> int:
    """Return the points of its boards (S167, S168)."""
    return sum(match.boards)


def sci_dev(field: Field, match: Match) -> Fraction:
    """Return how far its boards are from the means of their direction (科学偏差分, S169)."""
    return sum(_deviations(field.boards.mean, match), Fraction())


def sci_points(field: Field, match: Match) -> int:
    """Return 2, 1 or 0 for being above, at or below the mean (科学场分, S170)."""
    return _signs(field, _deviations(field.boards.mean, match))


def med_dev(field: Field, match: Match) -> Fraction:
    """Return how far its boards are from the medians (中位数偏差分, S171)."""
    return sum(_deviations(field.boards.median, match), Fraction())


def med_points(field: Field, match: Match) -> int:
    """Return 2, 1 or 0 for being above, at or below the median (中位数场分, S172)."""
    return _signs(field, _deviations(field.boards.median, match))


def med5(field: Field, match: Match) -> Fraction:
    """Return 0 to 2 in halves by the quartiles (中位5段场分, S173)."""
    if not match.boards:
        return Fraction()
    boards = [WHOLE_ROUND] if field.scoring.boards_per == "round" else range(len(match.boards))
    return sum((field.boards.fifth(match, board) for board in boards), Fraction())


def _deviations(centre: Callable[[Match, int], Fraction], match: Match) -> list[Fraction]:
    return [score - centre(match, board) for board, score in enumerate(match.boards)]


def _signs(field: Field, deviations: list[Fraction]) -> int:
    whole = deviations and field.scoring.boards_per == "round"
    return sum(map(sign, [sum(deviations, Fraction())] if whole else deviations))
