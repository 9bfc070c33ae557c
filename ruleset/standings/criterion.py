"""What a criterion is: numbers, and a fold that makes one value of them.

The explanation shows the same numbers and the same fold, so a value and its explanation cannot differ (H203).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from ruleset.ids import PlayerId
from ruleset.standings.field import Field, Key, Number, Tally
from ruleset.standings.record import Match, Record

Tied: TypeAlias = Collection[PlayerId]
Numbers: TypeAlias = Callable[[Field, Record, Tied], Sequence[Number]]
"""The numbers of a player; the third argument is the group that he is compared with, where that matters."""
Group: TypeAlias = Callable[[Field, Tied], Mapping[PlayerId, Key]]
"""The values of players who are equal on all criteria before."""
Fold: TypeAlias = Literal["sum", "share", "mean", "inner_sum", "sorted", "self", "table"]
"""How numbers become a value: added; as a part of a whole; the mean; added without one highest and one lowest
(4.3); highest first (S166); the number itself; in a table of the tied alone (4.4)."""
Over: TypeAlias = Literal["rounds", "opponents", "faced", "self"]
"""What stands behind each number: a match, an opponent, one whose absence is no bye, or nothing."""
AppliesTo: TypeAlias = Literal["matches", "boards"]
"""Kind of event (S156): ``boards`` needs the scores of a duplicate event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One criterion (排名依据)."""

    key: str
    row: str
    """Its row in the specification."""
    numbers: Numbers
    fold: Fold = "sum"
    over: Over = "rounds"
    scale: int = 0
    """0: plain numbers; 1: shares in ``unit``; one more for every mean of them."""
    lower_first: bool = False
    reach: int | None = 0
    """Whose results can change it: 0 his own, 1 his opponents', 2 theirs, too; ``None``: anybody's."""
    seats_only: bool = False
    """It fills cut seats, but never separates ranks and prizes (R031)."""
    kept: Callable[[Field], Mapping[PlayerId, Key]] | None = None
    """Where the field keeps the sum of the numbers already."""
    behind: Callable[[Field, Match], Tally] | None = None
    """The part and the whole that stand behind the number of a match."""
    group: Group | None = None
    """The values in a group that is equal on all criteria before (4.2, 4.4)."""
    alone: Key = 0
    """The value of a player who is equal to nobody, for a criterion with ``group``."""
    applies_to: AppliesTo = "matches"

    def value(self, field: Field, record: Record) -> Key:
        """Return the value in its scale; *field* keeps it."""
        known = self.kept(field) if self.kept else field.known[self.key]
        if record.player not in known:
            value = FOLDS[self.fold](field, self.numbers(field, record, ()))
            field.known[self.key][record.player] = value
        return known[record.player]

    def unit_of_numbers(self, field: Field) -> int:
        """Return what each number is to be divided by."""
        return field.unit * field.mean_unit ** (self.scale - 2) if self.scale > 1 else 1

    def unit(self, field: Field) -> int:
        """Return what a value is to be divided by."""
        return field.unit * field.mean_unit ** (self.scale - 1) if self.scale else 1


def _mean(field: Field, numbers: Sequence[Number]) -> Key:
    return sum(numbers) * (field.mean_unit // len(numbers)) if numbers else 0


def _inner_sum(_field: Field, numbers: Sequence[Number]) -> Key:
    return sum(numbers) - max(numbers) - min(numbers) if len(numbers) > 2 else 0


FOLDS: Final[Mapping[Fold, Callable[[Field, Sequence[Number]], Key]]] = {
    "sum": lambda _, numbers: sum(numbers),
    "mean": _mean,
    "inner_sum": _inner_sum,
    "sorted": lambda _, numbers: tuple(sorted(numbers, reverse=True)),
    "self": lambda _, numbers: numbers[0],
}
