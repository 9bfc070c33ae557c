"""A few score groups matched exactly, and the bound that proves that no pairing of the field is better."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from ruleset.pairing.contender import Contender
from ruleset.pairing.costs import Costs
from ruleset.pairing.matching import Edge, cheapest
from ruleset.pairing.task import Couple, Found, Proof, Task, gaps

Span: TypeAlias = tuple[int, int]
"""First and last score group, from 0 for the most points."""
FINE: Final = 1 << 32
"""A squared difference in a proof, where soft costs are what is below."""


class Hall:
    """The tables of a round as they stand."""

    def __init__(self, task: Task, couples: Iterable[Couple], bye: Contender | None) -> None:
        self.task, self.costs, self.bye = task, Costs(task, legal=True), bye
        self.couples = list(couples)
        self.points = sorted({contender.points for contender in task.players}, reverse=True)
        """Of each score group."""
        self.index = {points: n for n, points in enumerate(self.points)}
        self.most_met = max(len(contender.met) for contender in task.players)

    @property
    def whole(self) -> Span:
        """The span of everybody."""
        return 0, len(self.points) - 1

    def span(self, couple: Couple) -> Span:
        """Return the score groups of a table's players, the higher first."""
        a, b = (self.index[contender.points] for contender in couple)
        return min(a, b), max(a, b)

    def stands(self, couple: Couple) -> bool:
        """Tell whether that table is still as it was."""
        return any(couple is one for one in self.couples)

    def around(self, span: Span) -> tuple[int | None, int | None]:
        """Return the points of the next score group above and below a span."""
        above = self.points[span[0] - 1] if span[0] > 0 else None
        return above, self.points[span[1] + 1] if span[1] < self.whole[1] else None


class Window:
    """Some score groups, those who play into them, and who is lent to them."""

    def __init__(self, hall: Hall, span: Span) -> None:
        self._hall, self.span = hall, span
        self._points = most, least = hall.points[span[0]], hall.points[span[1]]
        inside = [c for c in hall.task.players if least <= c.points <= most]
        self.core = [contender for contender in inside if contender is not hall.bye]
        self.spared = hall.bye if len(self.core) < len(inside) else None
        chosen, self.others = self._chosen(hall.couples)
        self.players = [contender for couple in chosen for contender in couple]

    def found(self) -> Found | None:
        """Return the best legal way to pair the window; ``None``: there is none."""
        nodes, task, costs = self._with_bye(self.players), self._hall.task, self._hall.costs
        edges = [
            (i, j, costs.bye(a) if b is None else costs.table(a, b))
            for (i, a), (j, b) in combinations(enumerate(nodes), 2)
            if a is not None and (self._may_be_spared(a) if b is None else task.legal(a, b))
        ]
        matched = cheapest(len(nodes), edges)
        return None if matched is None else task.found([(nodes[i], nodes[j]) for i, j in matched], "score")

    def proof(self, found: Found) -> Proof:
        """Tell whether no pairing of the field can do better here, the other tables being neighbours."""
        soft = self._hall.task.wishes.soft
        cost = sum((a.points - b.points) ** 2 * FINE + soft(a, b) for a, b in found.couples)
        points = sorted((c.points for c in self.players), reverse=True)
        least = gaps(points)
        if self.span == self._hall.whole or cost == least * FINE:
            return "all"
        bound = self._bound(points)
        if bound == cost:
            return "all"
        return "score" if cost // FINE in {least, bound // FINE} else "none"

    def _chosen(self, couples: Iterable[Couple]) -> tuple[list[Couple], list[Couple]]:
        """Return the tables of the window, and the others."""
        chosen, others = list[Couple](), list[Couple]()
        most, least = self._points
        left = len(self.core) + 2 * self._hall.most_met + 4
        lent: dict[int | None, int] = dict.fromkeys(self._hall.around(self.span), left)
        for couple in couples:
            high, low = couple[0].points, couple[1].points
            if high >= least and low <= most:
                chosen.append(couple)
            elif high == low and lent.get(high, 0) > 0:
                chosen.append(couple)
                lent[high] -= 2
            else:
                others.append(couple)
        return chosen, others

    def _with_bye(self, players: Sequence[Contender]) -> list[Contender | None]:
        """Return *players*, and the spared one with the bye itself if he is in the core."""
        return [*players] if self.spared is None else [*players, self.spared, None]

    def _may_be_spared(self, contender: Contender) -> bool:
        task, spared = self._hall.task, self.spared
        return spared is not None and task.bye_rank(contender) == task.bye_rank(spared)

    def _bound(self, points: Sequence[int]) -> int:
        """Return the least that the window's tables can cost in any pairing, as far as it is known.

        A table between core and outside costs at least what it costs to the nearest group outside, plus what
        it costs from there. So everybody outside has neighbours as his best, and the core is matched with as
        many leaving to each side as the number of players beyond demands, up to an even number.
        """
        higher = [p for p in points if p > self._points[0]]
        lower = [p for p in points if p < self._points[1]]
        odd = len(higher) % 2, len(lower) % 2  # as of all beyond: tables that lend nobody are even
        outside = gaps(higher[: len(higher) - odd[0]]) + gaps(lower[odd[1] :])
        return self._core_bound(odd) + outside * FINE

    def _core_bound(self, odd: tuple[int, int]) -> int:
        """Return the least cost of the core where anybody may leave to the next group on either side."""
        nodes, wishes = self._with_bye(self.core), self._hall.task.wishes
        edges = [
            (i, j, 0 if b is None else (a.points - b.points) ** 2 * FINE + wishes.soft(a, b))
            for (i, a), (j, b) in combinations(enumerate(nodes), 2)
            if a is not None and (self._may_be_spared(a) if b is None else wishes.legal(a, b))
        ]
        leavers = [(i, contender) for i, contender in enumerate(nodes) if contender is not None]
        count = len(nodes)
        for outside, parity in zip(self._hall.around(self.span), odd, strict=True):
            if outside is not None:
                ways, count = _exits(leavers, outside, parity, count)
                edges += ways
        cost = {(i, j): cost for i, j, cost in edges}
        return sum(cost[pair] for pair in cheapest(count, edges) or ())


def _exits(
    leavers: Sequence[tuple[int, Contender]], outside: int, parity: int, count: int
) -> tuple[list[Edge], int]:
    """Return a way out for each leaver, of which a number of the given parity is used.

    An exit that nobody uses is matched with another one, and one of them with a node of its own if that is
    needed to make them even.
    """
    exits = range(count, count + len(leavers))
    edges = [(i, door, _leaving(c, outside)) for (i, c), door in zip(leavers, exits, strict=True)]
    edges += [(a, b, 0) for a, b in combinations(exits, 2)]
    if (len(leavers) - parity) % 2 == 0:
        return edges, exits.stop
    return [*edges, *((door, exits.stop, 0) for door in exits)], exits.stop + 1


def _leaving(contender: Contender, outside: int) -> int:
    again = contender.floated == ("down" if contender.points > outside else "up")
    return (contender.points - outside) ** 2 * FINE + again
