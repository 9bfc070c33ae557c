"""The usual case: neighbours in the order meet, and who may not exchanges seats with an equal.

Neighbours have the least squared differences that any pairing can have, and an exchange of equals changes no
difference. So if every table can be mended, nothing better exists: the round is certified.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product

from ruleset.pairing.contender import Contender
from ruleset.pairing.task import Couple, Task


class Neighbours:
    """Tables of neighbours, and who is spared."""

    def __init__(self, task: Task) -> None:
        self.task, self.bye = task, task.bye()
        self.players = [contender for contender in task.players if contender is not self.bye]
        self.seats = self.players[::2], self.players[1::2]
        self._floors: dict[tuple[int, int], int] = {}

    @property
    def couples(self) -> list[Couple]:
        """The tables as they are."""
        return [*zip(*self.seats, strict=True)]

    def mend(self) -> list[int]:
        """Mend the tables that are not good; return those that could not be mended."""
        stuck = [table for table in self._doubtful() if not self.good(table) and not self._mended(table)]
        return [table for table in stuck if not self.good(table)]

    def good(self, table: int) -> bool:
        """Tell whether a table is legal, and what it costs otherwise cannot be less here."""
        a, b = self.seats[0][table], self.seats[1][table]
        return self.task.legal(a, b) and self.task.wishes.soft(a, b) <= self.floor(a, b)

    def floor(self, a: Contender, b: Contender) -> int:
        """Return the least soft cost of a table between their score groups, one of which must be there."""
        if a.points == b.points or self.task.wishes.soft(a, b) == 0:
            return 0
        key = a.points, b.points
        if key not in self._floors:
            self._floors[key] = self._least_soft(self._groups[a.points], self._groups[b.points])
        return self._floors[key]

    def _doubtful(self) -> list[int]:
        guarded = bool(self.task.wishes.forbidden) or self.task.wishes.same_team != "off"
        return [
            table
            for table, (a, b) in enumerate(self.couples)
            if b.player in a.met or a.points != b.points or guarded
        ]

    def _mended(self, table: int) -> bool:
        return any(self._exchanged(table, other) for other in self._near(table)) or self._spared(table)

    def _spared(self, table: int) -> bool:
        """Spare somebody of this table instead, if nothing but the draw speaks against it."""
        bye, rank = self.bye, self.task.bye_rank
        for side in self.seats:
            player = side[table]
            if bye is not None and rank(player) == rank(bye):
                side[table], self.bye = bye, player
                if self.good(table):
                    return True
                side[table], self.bye = player, bye
        return False

    def _exchanged(self, table: int, other: int) -> bool:
        for here, there in product(self.seats, self.seats):
            x, y = here[table], there[other]
            if x.points == y.points:
                here[table], there[other] = y, x
                if self.good(table) and self.good(other):
                    return True
                here[table], there[other] = x, y
        return False

    def _near(self, table: int) -> Iterator[int]:
        """Yield the tables with an equal of either player, the nearest first."""
        points = {side[table].points for side in self.seats}
        ways = [iter(range(table - 1, -1, -1)), iter(range(table + 1, len(self.seats[0])))]
        while ways:
            for way in [*ways]:
                other = next(way, None)
                if other is None or points.isdisjoint(side[other].points for side in self.seats):
                    ways.remove(way)
                else:
                    yield other

    @cached_property
    def _groups(self) -> defaultdict[int, list[Contender]]:
        groups = defaultdict(list)
        for contender in self.task.players:  # who is spared could be another one of his group
            groups[contender.points].append(contender)
        return groups

    def _least_soft(self, higher: Sequence[Contender], lower: Sequence[Contender]) -> int:
        least: int | None = None
        for a, b in product(higher, lower):
            if self.task.legal(a, b):
                soft = self.task.wishes.soft(a, b)
                least = soft if least is None else min(least, soft)
                if least == 0:
                    break
        return least or 0
