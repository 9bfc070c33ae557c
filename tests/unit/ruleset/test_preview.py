"""What a correction would bring about, before anybody makes it (T22)."""

from dataclasses import replace

import pytest

from ruleset.errors import CommandRejected
from ruleset.tournament import commands as c
from ruleset.tournament.evolve import replay
from ruleset.tournament.preview import preview
from ruleset.tournament.settings import Settings
from tests.builders import SWISS, after, all_won, minutes, play_out, started, table_id, tables, won

R1T1 = table_id(1, 1)


def test_it_is_what_happens_and_nothing_has_happened() -> None:
    """T22: results, ranks and DP before and after."""
    state = all_won(started(10), "a", minutes(5))
    table = tables(state)[0]
    wish = won(table, "b", minutes(6))
    seen = preview(state, wish)
    assert replay(seen.events, state) == after(state, wish)
    assert seen.results == {R1T1: (table.result, wish.result)}
    assert seen.dp == {table.a: -16, table.b: 16}
    ranks = seen.ranks[table.b]
    assert (ranks[0] or 0) > (ranks[1] or 0)
    assert (seen.places, seen.warnings) == ({}, ())


def test_it_warns_of_what_stays_and_of_what_is_taken_back() -> None:
    """T22, 5.5-16: pairing kept; gap cancelled; a corrected list behind the cut changes no seat."""
    done = all_won(started(4), "a", minutes(5))
    assert preview(done, c.Reopen(table=R1T1, now=minutes(6))).warnings == ("gap_cancelled",)
    paired = after(done, c.Tick(now=minutes(8)))
    assert preview(paired, won(tables(done)[0], "b", minutes(9))).warnings == ("pairing_kept",)
    both = replace(SWISS, format="swiss_elimination", rounds=1, cut=2)
    swiss = all_won(started(4, both), "a", minutes(5))
    cut = after(swiss, c.Tick(now=minutes(8)))
    assert preview(cut, won(tables(swiss)[0], "b", minutes(9))).warnings == ("pairing_kept", "seats_kept")


def test_it_shows_the_end_and_places_that_change_behind_it() -> None:
    """T17, decisions 16."""
    last = started(2, replace(SWISS, rounds=1))
    seen = preview(last, won(tables(last)[0], "a", minutes(5)))
    assert seen.warnings == ("ends",)
    assert seen.places[tables(last)[0].a] == (None, 1)
    end = play_out(started(4, replace(SWISS, rounds=1)))
    changed = preview(end, won(end.rounds[0].tables[R1T1.table], "b", minutes(60)))
    assert changed.places[end.rounds[0].tables[R1T1.table].b] == (3, 1)


def test_a_pairing_taken_back_has_no_tables_any_more() -> None:
    """T15': undo of a pairing."""
    paired = after(all_won(started(4), "a", minutes(5)), c.Tick(now=minutes(8)))
    assert preview(paired, c.Undo(action=paired.actions, now=minutes(9))).results == {}


def test_what_would_be_refused_is_refused() -> None:
    """T22."""
    cup = started(4, Settings(title="Cup", format="elimination"))
    with pytest.raises(CommandRejected, match="table_open"):
        preview(cup, c.Reopen(table=R1T1, now=minutes(5)))
    before_the_start = preview(after(cup), c.SetAuto(on=False))
    assert before_the_start.warnings == ()
