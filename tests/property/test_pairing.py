"""The laws of pairing, for every state of a field that Hypothesis can think of."""

import networkx as nx  # type: ignore[import-untyped]  # an oracle, which comes without types
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleset.ids import PlayerId, RoundNo
from ruleset.pairing.bracket import advanced, byes_for, pairs, placed, placings
from ruleset.pairing.contender import Contender, Wishes
from ruleset.pairing.matching import cheapest
from ruleset.pairing.report import report
from ruleset.pairing.swiss import pair
from ruleset.rating import prizes, table_delta
from ruleset.tournament.results import Outcome
from tests.pairing_oracle import best, cost_of

LAWS = settings(deadline=None, max_examples=150)
keys = st.binary(min_size=1, max_size=4)
wishes = st.builds(
    Wishes,
    within=st.sampled_from(("random", "rank")),
    bye_within=st.sampled_from(("random", "standing")),
    absence_counts_as_bye=st.booleans(),
    same_team=st.sampled_from(("off", "prefer", "must")),
)


@st.composite
def fields(draw: st.DrawFn, most: int = 8) -> list[Contender]:
    """Draw a field in any state: who met whom is symmetric, all else is free."""
    count = draw(st.integers(2, most))
    met: list[dict[PlayerId, RoundNo]] = [{} for _ in range(count)]
    for i in range(count):
        for j in range(i + 1, count):
            if number := draw(st.sampled_from((0, 0, 1, 2, 3))):
                met[i][PlayerId(j + 1)] = met[j][PlayerId(i + 1)] = RoundNo(number)
    return [
        Contender(
            player=PlayerId(n + 1),
            points=draw(st.sampled_from((0, 0, 1, 3, 3, 4, 6))),
            met=met[n],
            byes=draw(st.sampled_from((0, 0, 0, 1, 2))),
            absence_wins=draw(st.sampled_from((0, 0, 1))),
            floated=draw(st.sampled_from((None, "down", "up"))),
            team=draw(st.sampled_from((None, 1, 2))),
            position=n,
        )
        for n in range(count)
    ]


@LAWS
@given(fields(), keys, wishes)
def test_no_pairing_is_better(field: list[Contender], key: bytes, chosen: Wishes) -> None:
    """4.10: no rematch, no second bye while a legal round exists, else the order of 4.10-3, then wishes."""
    found = pair(field, key, chosen)
    assert cost_of(found, field, chosen) == best(field, chosen)


@LAWS
@given(fields(), keys, wishes, st.randoms(use_true_random=False))
def test_the_order_of_players_does_not_matter(
    field: list[Contender], key: bytes, chosen: Wishes, chance: object
) -> None:
    """Deterministic for a given state and key, however the players come in."""
    shuffled = field[:]
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert pair(shuffled, key, chosen) == pair(field, key, chosen)


@LAWS
@given(fields(), keys, wishes)
def test_the_report_tells_what_is_broken(field: list[Contender], key: bytes, chosen: Wishes) -> None:
    """4.10-3: a round is called legal exactly if it has no rematch, no second bye, nothing ruled out."""
    found = pair(field, key, chosen)
    told = report(found, field, chosen)
    ruled_out, burden, rematches, *_ = cost_of(found, field, chosen)
    again = any(contender.player == found.bye and contender.byes for contender in field)
    assert len(told.rematches) == rematches
    assert len(told.barred) == ruled_out
    assert (told.bye == "again") >= again
    assert told.legal == (not ruled_out and not rematches and told.bye != "again")
    assert burden == 0 or found.bye is not None


@LAWS
@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(0, 1 << 100)), max_size=24))
def test_matchings_are_those_of_another_library(drawn: list[tuple[int, int, int]]) -> None:
    """performance.md 1: perfect where one exists, of the least cost at a hundred bits, as networkx says."""
    edges = {(min(a, b), max(a, b)): cost for a, b, cost in drawn if a != b}
    graph = nx.Graph()
    graph.add_nodes_from(range(8))
    graph.add_weighted_edges_from((a, b, -cost) for (a, b), cost in edges.items())
    theirs = nx.max_weight_matching(graph, maxcardinality=True)
    ours = cheapest(8, [(a, b, cost) for (a, b), cost in edges.items()])
    assert (ours is None) == (len(theirs) < 4)
    if ours is not None:
        assert sum(edges[pair] for pair in ours) == sum(edges[min(pair), max(pair)] for pair in theirs)


@LAWS
@given(st.integers(2, 40), keys, st.data())
def test_a_bracket_gives_everybody_a_place(count: int, key: bytes, data: st.DataObject) -> None:
    """4.8, R020, 5.5-13: with any results, holes included, each has one place of 1, 2, 3, 5, 9 and so on."""
    players = [PlayerId(n) for n in range(1, count + 1)]
    places = first = placed(players, key)
    assert sum(place is None for place in first) == byes_for(count)
    outs = []
    while len(places) > 1:
        tables = [(a, b) for a, b in pairs(places) if a is not None and b is not None]
        losers = {data.draw(st.sampled_from(table)) for table in tables}
        both = {player for table in tables if data.draw(st.integers(0, 9)) == 0 for player in table}
        outs.append(losers | both)
        places = advanced(places, outs[-1])
    found = placings(first, outs)
    assert sorted(found) == players
    assert set(found.values()) <= {1, 2, *(2**n + 1 for n in range(1, 7))}
    assert list(found.values()).count(1) <= 1


@LAWS
@given(st.integers(0, 3_000), st.integers(0, 3_000), st.sampled_from(("a", "b", "draw")), st.integers(1, 40))
def test_dp_is_zero_sum_and_bounded(a: int, b: int, outcome: Outcome, k: int) -> None:
    """4.6: at most k each, nothing made or lost, and the same from the other side of the table."""
    delta = table_delta((a, b), outcome, "played", k=k)
    mirrored = table_delta((b, a), {"a": "b", "b": "a", "draw": "draw"}[outcome], "played", k=k)  # type: ignore[arg-type]
    assert delta is not None
    assert sum(delta) == 0
    assert max(delta) <= k
    assert mirrored == delta[::-1]


@LAWS
@given(st.integers(1, 2_000), st.lists(st.integers(1, 9), max_size=9))
def test_prizes_follow_ranks(entrants: int, ranks: list[int]) -> None:
    """R031: equal ranks have equal prizes, a better rank never a smaller one."""
    listed = [(PlayerId(n), rank) for n, rank in enumerate(sorted(ranks), 1)]
    paid = prizes(entrants, swiss=listed)
    amounts = [paid.get(player, 0) for player, _ in listed]
    assert amounts == sorted(amounts, reverse=True)
    by_rank = {rank: paid.get(player, 0) for player, rank in listed}
    assert all(paid.get(player, 0) == by_rank[rank] for player, rank in listed)
