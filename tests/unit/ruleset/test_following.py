"""The list kept beside the states of a tournament."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import reduce

import pytest

from ruleset.errors import RulesetError
from ruleset.ids import TournamentNo
from ruleset.standings.explain import calculation
from ruleset.tournament import commands as c
from ruleset.tournament import following
from ruleset.tournament.ranking import explained, standings
from ruleset.tournament.settings import Points, ScoreRules
from ruleset.tournament.state import Tournament
from tests.builders import SWISS, after, counted_anew, minutes, result, started, table_id, tables, won


def course(players: int) -> list[Tournament]:
    """Return the states of a tournament: results one by one, a correction, a drop, a round taken back."""
    states = [started(players)]
    for number in range(1, 4):
        for table in tables(states[-1]):
            seat = "a" if table.id.table % 3 else "b"
            states.append(after(states[-1], won(table, seat, minutes(20 * number))))  # type: ignore[arg-type]
        if number == 2:
            ruling = c.Rule(table=table_id(1, 1), result=result("draw", (1, 1)), now=minutes(45))
            leaves = c.Drop(player=tables(states[-1])[0].a, now=minutes(46), by_host=True)
            states += [after(states[-1], ruling), after(states[-1], ruling, leaves)]
        if number < 3:
            states.append(after(states[-1], c.NextRound(now=minutes(20 * number + 8))))
    return states


def test_each_state_has_its_own_list() -> None:
    """performance.md 2: result by result equal to the full computation, bit for bit, forth and back."""
    states = course(33)
    for state in [*states, *reversed(states), *states[::7]]:
        assert standings(state) == counted_anew(state)


def test_another_tournament_of_that_number_has_another_list() -> None:
    """Settings, seed and field are looked at, not the number alone."""
    state = course(8)[-1]
    points = replace(SWISS, scores=ScoreRules(points=Points(win=2), seats_by="lot"))
    others = [
        replace(
            state, settings=replace(points, scores=replace(points.scores, order=state.settings.scores.order))
        ),
        replace(state, seed="0b" * 32),
        started(5),
        started(9),
    ]
    for other in [*others, state, *others]:
        assert standings(other) == counted_anew(other)


def test_nothing_is_counted_twice() -> None:
    """What was looked at is there, and so are the lines of players whom no result concerns."""
    before = course(64)[40]
    (table,) = [t for t in tables(before) if t.open][:1]
    now = after(before, won(table, "a", minutes(30)))
    seen = {row.player: row.values for row in standings(before)}
    assert standings(before) is standings(before)
    kept = [row.player for row in standings(now) if row.values is seen[row.player]]
    assert {table.a, table.b}.isdisjoint(kept)
    assert kept


def test_what_was_asked_is_answered_anew_after_a_result() -> None:
    """H203: an explanation is of the state that it was asked of."""
    before = started(4)
    table = tables(before)[0]
    now = after(before, won(table, "a", minutes(5)))
    told = [calculation(explained(state), table.a, "points").value for state in (before, now, before)]
    assert told == [0, 3, 0]


def test_lists_are_counted_beside_each_other() -> None:
    """Two threads that look at one tournament each have its list, state by state."""
    states = course(17)
    with ThreadPoolExecutor(2) as threads:
        both = [threads.submit(lambda: [standings(state) for state in states]) for _ in range(2)]
        found = [each.result() for each in both]
    assert found[0] == found[1] == [counted_anew(state) for state in states]


def test_no_more_lists_are_kept_than_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded, whatever number of tournaments is looked at."""
    monkeypatch.setattr(following, "MOST", 2)
    state = course(4)[-1]
    others = [replace(state, number=TournamentNo(n)) for n in range(70, 75)]
    lists = [following.list_of(other) for other in others]
    assert following.list_of(others[-1]) is lists[-1]
    assert following.list_of(others[0]) is not lists[0]
    assert all(found.rows == counted_anew(state) for found in lists)


def test_an_order_that_cannot_be_leaves_nothing_behind() -> None:
    """S156: what is refused once is refused again."""
    state = reduce(after, [won(table, "a", minutes(5)) for table in tables(started(4))], started(4))
    for _ in range(2):
        with pytest.raises(RulesetError, match="nonsense"):
            following.list_of(replace(state, number=TournamentNo(80)), ("nonsense",))
