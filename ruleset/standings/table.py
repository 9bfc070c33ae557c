"""The standings (瑞士榜): who is where, and by what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Final, Literal, TypeAlias, cast

from ruleset.ids import PlayerId
from ruleset.standings.criteria import CRITERIA, chosen
from ruleset.standings.criterion import Criterion
from ruleset.standings.field import Field, Key
from ruleset.standings.order import Compared, arranged, sort_key
from ruleset.standings.presets import PRESETS
from ruleset.standings.record import Record
from ruleset.standings.scoring import Scoring

SeatsBy: TypeAlias = Literal["signin", "lot"]
"""What splits cut seats between equals (R030)."""
XINGYI: Final = PRESETS["xingyi"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One player's line."""

    player: PlayerId
    rank: int
    """Shown and paid: 1 + the number of players who are strictly better (4.8), so equals share it (R031)."""
    position: int
    """From 1 up, each once: sign-in or lot splits equals (R030). It fills cut seats and nothing else."""
    values: Mapping[str, Key]
    """Every criterion in its order: counts are ints, shares and means are Fractions; head-to-head is the
    points among the tied, ``()`` where it does nothing."""


class Standings:
    """The order of a field, with what is needed to explain it.

    *order* may end with ``signin`` or ``lot``, which then replaces *seats_by*. *rounds* is how many are
    expected, which spares nothing but time.
    """

    def __init__(
        self,
        records: Mapping[PlayerId, Record],
        *,
        order: Sequence[str] = XINGYI.order,
        scoring: Scoring = XINGYI.scoring,
        seed: bytes = b"",
        seats_by: SeatsBy = "signin",
        rounds: int = 0,
    ) -> None:
        criteria = chosen(order, "boards")
        self.criteria = tuple(criterion for criterion in criteria if not criterion.seats_only)
        self.seats: Criterion = criteria[-1] if criteria[-1].seats_only else CRITERIA[seats_by]
        self.field = Field(records, scoring, tuple(order), seed, rounds)
        self.compared: dict[str, Compared] = {c.key: {} for c in self.criteria if c.group}
        self._comparing = [c for c in self.criteria if c.group]
        self.lines: dict[PlayerId, Mapping[str, Key]] = {}
        """Values as they were shown last."""

    @cached_property
    def groups(self) -> tuple[tuple[PlayerId, ...], ...]:
        """Groups of equals, best first; inside, the one whom seats are given to first."""
        groups = arranged(self.field, self.field.records, self.criteria, self.compared)
        return tuple(map(self.by_seats, groups))

    @property
    def rows(self) -> tuple[Row, ...]:
        """Everybody's line, in order of position."""
        rows, position = list[Row](), 0
        for group in self.groups:
            rows += (self._row(p, position + 1, n) for n, p in enumerate(group, position + 1))
            position += len(group)
        return tuple(rows)

    @property
    def in_order(self) -> tuple[Criterion, ...]:
        """All criteria, with the one that splits seats at the end."""
        return (*self.criteria, self.seats)

    def tied(self, criterion: Criterion, player: PlayerId) -> tuple[PlayerId, ...]:
        """Return with whom *player* was compared by a criterion that compares equals; nobody: ``()``."""
        return self._among_equals(criterion, player)[0]

    def value(self, criterion: Criterion, player: PlayerId) -> Key:
        """Return a player's value, exact, as it is shown."""
        if criterion.group:
            return self._among_equals(criterion, player)[1]
        return shown(criterion, self.field, criterion.value(self.field, self.field.records[player]))

    def _among_equals(self, criterion: Criterion, player: PlayerId) -> tuple[tuple[PlayerId, ...], Key]:
        compared = (
            self.compared.get(criterion.key, {}) if self.groups else {}
        )  # filled as the groups are found
        return compared.get(player, ((), criterion.alone))

    def _row(self, player: PlayerId, rank: int, position: int) -> Row:
        return Row(player=player, rank=rank, position=position, values=self._line(player))

    def _line(self, player: PlayerId) -> Mapping[str, Key]:
        line = self.lines.get(player)
        if line is None or any(line[c.key] != self.value(c, player) for c in self._comparing):
            line = self.lines[player] = {c.key: self.value(c, player) for c in self.in_order}
        return line

    def by_seats(self, group: Sequence[PlayerId]) -> tuple[PlayerId, ...]:
        """Return equals in the order in which seats are given to them (R030)."""
        if len(group) == 1:
            return tuple(group)
        return tuple(sorted(group, key=lambda p: (sort_key(self.field, p, (self.seats,)), -p), reverse=True))


def rank(
    records: Mapping[PlayerId, Record],
    *,
    order: Sequence[str] = XINGYI.order,
    scoring: Scoring = XINGYI.scoring,
    seed: bytes = b"",
    seats_by: SeatsBy = "signin",
) -> tuple[Row, ...]:
    """Return everybody's line in order of position; see :class:`Standings`.

    Every opponent must have a record, too. *seed* is needed for the lot only.
    """
    return Standings(records, order=order, scoring=scoring, seed=seed, seats_by=seats_by).rows


def shown(criterion: Criterion, field: Field, value: Key) -> Key:
    """Return *value* as it is shown: out of the common denominator."""
    return _share(cast("int", value), criterion.unit(field)) if criterion.scale else value


@lru_cache(maxsize=1 << 15)
def _share(part: int, whole: int) -> Fraction:
    """Return a share in its lowest terms; a field has few different ones, and shows them again and again."""
    return Fraction(part, whole)
