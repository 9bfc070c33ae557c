"""One matching over everybody: the optimum by all wishes, for fields that are small enough."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from ruleset.pairing.contender import Contender
from ruleset.pairing.costs import Costs
from ruleset.pairing.matching import Edge, cheapest
from ruleset.pairing.task import Found, Task


def exact(task: Task, reach: int | None = None) -> Found:
    """Pair a round as well as possible, with rematches only if there is no other way (4.10-3).

    *reach* limits how far apart in the order two may stand: for fields too large for all pairs, and no proof.
    """
    nodes: list[Contender | None] = [*task.players, *([None] if len(task.players) % 2 else [])]
    matched = cheapest(len(nodes), _edges(nodes, Costs(task, legal=True), reach, legal=True))
    if matched is None:
        matched = cheapest(len(nodes), _edges(nodes, Costs(task, legal=False), reach, legal=False)) or []
    return task.found([(nodes[a], nodes[b]) for a, b in matched], "all" if reach is None else "none")


def _edges(
    nodes: Sequence[Contender | None], costs: Costs, reach: int | None, *, legal: bool
) -> Iterator[Edge]:
    players = costs.task.players
    for i, j in combinations(range(len(players)), 2) if reach is None else _near(len(players), reach):
        a, b = players[i], players[j]
        allowed = costs.task.legal(a, b)
        if allowed or not legal:
            yield i, j, costs.table(a, b) + (0 if allowed else costs.illegal(a, b))
    if len(nodes) > len(players):
        burden = costs.task.wishes.burden
        least = min(map(burden, players))
        spared = ((i, c) for i, c in enumerate(players) if not legal or burden(c) == least)
        yield from ((i, len(players), costs.bye(contender)) for i, contender in spared)


def _near(count: int, reach: int) -> Iterator[tuple[int, int]]:
    return ((i, j) for i in range(count) for j in range(i + 1, min(i + 1 + reach, count)))
