"""Statistics of the boards of a duplicate event: one score among all on the same board (S169-S173)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Final, Literal, TypeAlias

from ruleset.ids import RoundNo, Seat
from ruleset.standings.record import Match, Record

Board: TypeAlias = tuple[RoundNo, int, Seat | None]
"""Round, board from 0 up or ``WHOLE_ROUND``, and the direction; ``None``: both directions."""
WHOLE_ROUND: Final = -1


class Boards:
    """The scores of everybody, by board."""

    def __init__(self, records: Iterable[Record], median_over: Literal["all", "direction"]) -> None:
        self._records, self._by_direction = records, median_over == "direction"

    def mean(self, match: Match, board: int) -> Fraction:
        """Return the mean of the scores in the same direction (S169)."""
        scores = self._scores[match.round_no, board, match.seat]
        return Fraction(sum(scores), len(scores))

    def median(self, match: Match, board: int) -> Fraction:
        """Return the median of all scores, of an even number the mean of the two in the middle (S171)."""
        return quantile(self._compared(match, board), Fraction(1, 2))

    def fifth(self, match: Match, board: int) -> Fraction:
        """Return 0, 1/2, 1, 3/2 or 2 by the quartiles (S173)."""
        scores = self._compared(match, board)
        score = sum(match.boards) if board == WHOLE_ROUND else match.boards[board]
        low, middle, high = (quantile(scores, Fraction(n, 4)) for n in (1, 2, 3))
        if score == middle:
            return Fraction(1)
        return Fraction((score >= low) + (score > middle) + (score > middle) + (score > high), 2)

    @cached_property
    def _scores(self) -> Mapping[Board, list[int]]:
        """All scores; gathered when they are first asked for, since few events have boards."""
        scores: defaultdict[Board, list[int]] = defaultdict(list)
        for match in (match for record in self._records for match in record.matches if match.boards):
            for board, score in (*enumerate(match.boards), (WHOLE_ROUND, sum(match.boards))):
                scores[match.round_no, board, match.seat].append(score)
                scores[match.round_no, board, None].append(score)
        return scores

    def _compared(self, match: Match, board: int) -> list[int]:
        return self._scores[match.round_no, board, match.seat if self._by_direction else None]


def quantile(scores: Iterable[int], at: Fraction) -> Fraction:
    """Return the score at a part of the way from lowest to highest, linearly between two (S173)."""
    ordered = sorted(scores)
    place = (len(ordered) - 1) * at
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def sign(deviation: Fraction) -> int:
    """Return 2, 1 or 0 for a deviation above, at or below nothing (S170, S172)."""
    return 1 + (deviation > 0) - (deviation < 0)
