"""The laws of standings, for every tournament that Hypothesis can think of."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from ruleset.ids import PlayerId, RoundNo
from ruleset.standings.criteria import CRITERIA
from ruleset.standings.cut import cut, play_off
from ruleset.standings.explain import calculation, comparison
from ruleset.standings.live import LiveStandings
from ruleset.standings.presets import PRESETS
from ruleset.standings.record import Match, MatchKind, MatchOutcome, Record
from ruleset.standings.scoring import Scoring
from ruleset.standings.table import Standings, rank
from tests.records import MIRRORED

LAWS = settings(deadline=None, max_examples=120)
Records = dict[PlayerId, Record]
Put = tuple[Record, ...]

orders = st.permutations([key for key in CRITERIA if key not in {"signin", "lot"}]).flatmap(
    lambda keys: st.integers(1, 6).map(lambda count: tuple(keys[:count]))
)
scorings = st.builds(
    Scoring,
    bye=st.sampled_from((2, 3)),
    best_of=st.sampled_from((1, 3)),
    floor=st.sampled_from((Fraction(33, 100), Fraction(1, 3), Fraction(0))),
    floor_own_gw=st.booleans(),
    floor_ogw=st.booleans(),
    bye_games=st.booleans(),
    bye_is_win=st.booleans(),
    noshow_counts_as_bye=st.booleans(),
)


@st.composite
def histories(draw: st.DrawFn) -> list[Put]:
    """Draw a tournament as the records that each result brings, one or two at a time."""
    count = draw(st.integers(2, 7))
    state = {PlayerId(n): Record(player=PlayerId(n), signin=n) for n in range(1, count + 1)}
    history: list[Put] = [(record,) for record in state.values()]
    for number in range(1, draw(st.integers(1, 4)) + 1):
        order = draw(st.permutations([p for p in state if not state[p].dropped]))
        for a, b in zip(order[::2], order[1::2], strict=False):
            own, other = _table(draw, RoundNo(number), a, b)
            state[a] = replace(state[a], matches=(*state[a].matches, own))
            state[b] = replace(
                state[b], matches=(*state[b].matches, other), dropped=draw(st.integers(0, 9)) == 0
            )
            history.append((state[a], state[b]))
        if len(order) % 2:
            bye = Match(round_no=RoundNo(number), opponent=None, outcome="win", kind="bye")
            state[order[-1]] = replace(state[order[-1]], matches=(*state[order[-1]].matches, bye))
            history.append((state[order[-1]],))
    return history


def _table(draw: st.DrawFn, round_no: RoundNo, a: PlayerId, b: PlayerId) -> tuple[Match, Match]:
    outcome: MatchOutcome = draw(st.sampled_from(("win", "draw", "loss")))
    kind: MatchKind = "played"
    if outcome == "win" and draw(st.integers(0, 3)) == 0:
        kind = "absence"
    games = (0, 0, 0) if kind == "absence" else draw(st.tuples(*(st.integers(0, 2),) * 3))
    own = Match(
        round_no=round_no, opponent=b, outcome=outcome, kind=kind, won=games[0], lost=games[1], drawn=games[2]
    )
    other = replace(own, opponent=a, outcome=MIRRORED[outcome], won=games[1], lost=games[0])
    if draw(st.integers(0, 9)) == 0:
        own, other = replace(own, outcome="loss"), replace(other, outcome="loss")
    return own, other


def last(history: list[Put]) -> Records:
    """Return the records at the end."""
    return {record.player: record for put in history for record in put}


@LAWS
@given(histories(), orders, scorings)
def test_ranks_are_a_weak_order(history: list[Put], order: tuple[str, ...], scoring: Scoring) -> None:
    """4.8, R031: 1 + the number of strictly better ones; positions are 1 to N, each once, by rank."""
    rows = rank(last(history), order=order, scoring=scoring)
    assert [row.position for row in rows] == list(range(1, len(rows) + 1))
    for upper, lower in pairwise(rows):
        assert lower.rank in {upper.rank, lower.position}
        assert (upper.rank == lower.rank) == all(upper.values[key] == lower.values[key] for key in order)


@LAWS
@given(histories(), orders, scorings)
def test_kept_result_by_result(history: list[Put], order: tuple[str, ...], scoring: Scoring) -> None:
    """performance.md 2: after every result, in whatever order, the same rows as the full computation."""
    start = {put[0].player: replace(put[0], matches=()) for put in history if not put[0].matches}
    live = LiveStandings(Standings(start, order=order, scoring=scoring, rounds=2))
    state: Records = dict(start)
    for put in history:
        state |= {record.player: record for record in put}
        live.put(*put)
        rows = rank(state, order=order, scoring=scoring)
        places = [live.place(row.player) for row in rows]
        assert places == [(row.rank, row.position) for row in rows]
        assert live.now().rows == rows


@LAWS
@given(histories(), st.randoms(use_true_random=False), st.sampled_from(list(PRESETS)))
def test_the_order_of_results_does_not_matter(history: list[Put], chance: object, key: str) -> None:
    """F09: permuted, the same records lead to the same rows."""
    records = last(history)
    shuffled = list(records.items())
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    preset = PRESETS[key]
    rows = rank(records, order=preset.order, scoring=preset.scoring)
    assert rank(dict(shuffled), order=preset.order, scoring=preset.scoring) == rows


@LAWS
@given(histories())
def test_points_are_conserved(history: list[Put]) -> None:
    """R007: 3 for a table with a winner, 2 for a draw, 0 for a double loss, 3 for a bye."""
    records = last(history)
    matches = [match for record in records.values() for match in record.matches]
    worth = {"win": 3, "draw": 1, "loss": 0}
    assert sum(row.values["points"] for row in rank(records)) == sum(worth[m.outcome] for m in matches)  # type: ignore[misc]


@LAWS
@given(histories(), st.integers(1, 8), st.sets(st.integers(1, 7)))
def test_the_cut_has_exactly_its_size(history: list[Put], seats: int, gone: set[PlayerId]) -> None:
    """R002, R023: exactly the seats, or all who are left; the play-off changes who, never how many."""
    rows = rank(last(history), order=("points",))
    left = [row for row in rows if row.player not in gone]
    taken = cut(rows, seats, gone)
    assert list(taken) == [row.player for row in left][:seats]
    pair = play_off(rows, seats, gone)
    if pair is not None:
        assert {*cut(rows, seats, gone, pair[1])} ^ {*taken} == {*pair}


@LAWS
@given(histories(), orders, scorings)
def test_values_are_exact_and_explained(history: list[Put], order: tuple[str, ...], scoring: Scoring) -> None:
    """4, H203: integers over a common denominator are the plain Fractions, and the terms make the value."""
    standings = Standings(last(history), order=order, scoring=scoring)
    for row in standings.rows:
        for key in order:
            found = calculation(standings, row.player, key)
            counted = [term.number for term in found.terms if term.counts]
            assert found.value == row.values[key]
            if found.fold in {"sum", "inner_sum"}:
                assert found.value == sum(counted)
            if found.fold == "mean":
                assert found.value == sum(counted, Fraction()) / (len(counted) or 1)


@LAWS
@given(histories(), scorings)
def test_shares_are_those_of_the_formula(history: list[Put], scoring: Scoring) -> None:
    """4.1: OMW%, GW% and OGW% written down with Fractions as in the specification."""
    records = last(history)
    for row in rank(records, scoring=scoring):
        matches = records[row.player].matches
        met = [m.opponent for m in matches if m.opponent is not None and not scoring.is_bye(m)]
        floors = [max(_match_share(records[q], scoring), scoring.floor) for q in met]
        assert row.values["omw"] == (sum(floors) / Fraction(len(met)) if met else 0)
        low = scoring.floor if scoring.floor_ogw else Fraction(0)
        games = [max(_game_share(records[q], scoring), low) for q in met]
        assert row.values["ogw"] == (sum(games) / Fraction(len(met)) if met else 0)
        own = _game_share(records[row.player], scoring)
        assert row.values["gw"] == (max(own, scoring.floor) if scoring.floor_own_gw else own)


def _match_share(record: Record, scoring: Scoring) -> Fraction:
    points = sum(3 if m.outcome == "win" and m.kind != "bye" else m.outcome == "draw" for m in record.matches)
    byes = sum(scoring.bye for m in record.matches if m.kind == "bye")
    return Fraction(points + byes, 3 * len(record.matches)) if record.matches else Fraction(0)


def _game_share(record: Record, scoring: Scoring) -> Fraction:
    byes = (
        sum(m.kind == "bye" for m in record.matches) * scoring.bye_games * (2 if scoring.best_of == 3 else 1)
    )
    won = sum(m.won for m in record.matches) + byes
    drawn = sum(m.drawn for m in record.matches)
    total = won + drawn + sum(m.lost for m in record.matches)
    return Fraction(3 * won + drawn, 3 * total) if total else Fraction(0)


@LAWS
@given(histories(), orders)
def test_two_neighbours_are_told_apart(history: list[Put], order: tuple[str, ...]) -> None:
    """R024-R030: the criterion that separates them is the first in which they differ."""
    standings = Standings(last(history), order=order)
    for upper, lower in pairwise(standings.rows):
        found = comparison(standings, lower.player, upper.player)
        keys = (*order, "signin")
        first = next(key for key in keys if upper.values[key] != lower.values[key])
        assert (found.upper.player, found.upper.criterion) == (upper.player, first)
