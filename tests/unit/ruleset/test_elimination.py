"""Brackets at work: the cut, byes, walkovers, double losses, placings."""

from dataclasses import replace

import pytest

from ruleset.ids import PlayerId
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament.brackets import out, places
from ruleset.tournament.deadlines import next_deadline
from ruleset.tournament.decide import decide
from ruleset.tournament.ranking import standings
from ruleset.tournament.results import Outcome, Result
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import Tournament
from tests.builders import SWISS, after, all_won, minutes, play_out, started, table_id, tables, won

CUP = Settings(title="Cup", format="elimination")
BOTH = replace(SWISS, format="swiss_elimination", rounds=3, cut=4)


def swiss_done(count: int, settings: Settings = BOTH) -> Tournament:
    """Return a tournament whose Swiss rounds are all played, in its last gap."""
    state, now = started(count, settings), minutes(5)
    for _ in range(settings.rounds - 1):
        state = all_won(state, "a", now)
        now = minutes(5, now)
        state = after(state, c.Tick(now=now))
        now = minutes(5, now)
    return all_won(state, "a", now)


def both_lost(state: Tournament, number: int, at: float) -> Tournament:
    """Return the state after a double loss at a table of the present round."""
    assert state.round is not None
    lost = Result(outcome="double_loss", reason="ruling")
    return after(state, c.Rule(table=table_id(state.round.number, number), result=lost, now=minutes(at)))


def test_a_cup_of_eight_gives_places_1_2_3_3_5() -> None:
    """R010, S135, 4.8: one loss is out."""
    state = play_out(started(8, CUP))
    assert [place for _, place in state.places] == [1, 2, 3, 3, 5, 5, 5, 5]
    assert (len(state.rounds), state.swiss_ranks) == (3, ())


def test_exactly_the_cut_goes_on_and_meets_1_4_and_2_3() -> None:
    """R002, R012, R023, T16, 4.9: in order of the list; rounds are numbered on (R058)."""
    state = swiss_done(9)
    order = [row.player for row in standings(state)]
    cut = after(state, c.Tick(now=minutes(60)))
    assert cut.seats == tuple(order[:4])
    assert [{t.a, t.b} for t in tables(cut)] == [{order[0], order[3]}, {order[1], order[2]}]
    assert (cut.rounds[-1].number, cut.rounds[-1].stage) == (4, "elimination")


def test_the_end_is_the_bracket_then_the_swiss_list() -> None:
    """4.9, R013: dropped players keep their place in the list."""
    state = play_out(started(9, BOTH))
    ranks = dict(state.swiss_ranks)
    assert [place for _, place in state.places[:4]] == [1, 2, 3, 3]
    rest = [player for player, _ in state.places[4:]]
    assert rest == sorted(rest, key=[q for q, _ in state.swiss_ranks].index)
    assert len(ranks) == 9


def test_dropped_players_take_no_cut_seat() -> None:
    """R023, G16: the next moves up until the bracket is drawn."""
    state = swiss_done(9)
    best = standings(state)[0].player
    cut = after(state, c.Drop(player=best, now=minutes(40)), c.Tick(now=minutes(60)))
    assert best not in cut.seats
    assert len(cut.seats) == 4
    assert dict(cut.swiss_ranks)[best] == 1


def test_a_cut_that_is_no_power_of_two_spares_the_best() -> None:
    """R012, R023: first-round byes; fewer active players than seats all go on."""
    cut = after(swiss_done(9, replace(BOTH, cut=6)), c.Tick(now=minutes(60)))
    assert cut.rounds[-1].byes == cut.seats[:2]
    few = after(swiss_done(3, replace(BOTH, cut=8)), c.Tick(now=minutes(60)))
    assert len(few.seats) == 3
    assert few.rounds[-1].byes == few.seats[:1]


def test_a_double_loss_lets_the_next_opponent_walk_over() -> None:
    """5.5-13: no table for him, the round has one less."""
    state = both_lost(started(8, CUP), 1, 5)
    state = after(all_won(state, "a", minutes(6)), c.Tick(now=minutes(9)))
    assert (len(tables(state)), len(state.rounds[-1].walkovers)) == (1, 1)
    end = play_out(state)
    assert [place for _, place in end.places] == [1, 2, 3, 5, 5, 5, 5, 5]


def test_a_final_that_both_lose_asks_the_host_and_has_no_champion() -> None:
    """5.5-13, G13, T17: both second; five minutes to rule otherwise."""
    final = after(all_won(started(4, CUP), "a", minutes(5)), c.Tick(now=minutes(8)))
    asked = both_lost(final, 1, 10)
    assert (asked.phase, asked.rounds[-1].asked_until, next_deadline(asked)) == (
        "running",
        minutes(15),
        minutes(15),
    )
    assert decide(asked, c.Tick(now=minutes(14))) == ()
    end = after(asked, c.Tick(now=minutes(15)))
    assert [place for _, place in end.places] == [2, 2, 3, 3]
    ruled = after(asked, won(tables(asked)[0], "b", minutes(12)))
    assert (ruled.phase, ruled.places[0]) == ("finished", (tables(asked)[0].b, 1))


def test_two_semi_finals_that_all_lose_leave_no_final() -> None:
    """5.5-13: all four third."""
    state = both_lost(both_lost(started(4, CUP), 1, 5), 2, 5)
    end = after(state, c.Tick(now=minutes(10)))
    assert [place for _, place in end.places] == [3, 3, 3, 3]


def test_a_finalist_who_drops_hands_the_title_over() -> None:
    """T23, 5.5-15."""
    final = after(all_won(started(4, CUP), "a", minutes(5)), c.Tick(now=minutes(8)))
    table = tables(final)[0]
    end = after(final, c.Drop(player=table.a, now=minutes(9)))
    assert end.places[:2] == ((table.b, 1), (table.a, 2))


def test_a_bye_holder_plays_in_the_second_round() -> None:
    """R020: no two bye holders meet before they must."""
    state = after(all_won(started(6, CUP), "a", minutes(5)), c.Tick(now=minutes(8)))
    byes = set(state.rounds[0].byes)
    assert all(len({t.a, t.b} & byes) == 1 for t in tables(state))


def test_a_corrected_semi_final_before_the_final_is_paired_sends_the_other_on() -> None:
    """T22: free before the next round is paired; afterwards the pairing stays."""
    semi = all_won(started(4, CUP), "a", minutes(5))
    first = tables(semi)[0]
    corrected = after(semi, won(first, "b", minutes(6)), c.Tick(now=minutes(8)))
    assert first.b in {tables(corrected)[0].a, tables(corrected)[0].b}
    paired = after(semi, c.Tick(now=minutes(8)))
    kept = after(paired, won(first, "b", minutes(9)))
    assert [(t.a, t.b) for t in tables(kept)] == [(t.a, t.b) for t in tables(paired)]


@pytest.mark.parametrize("outcome", ["b", "double_loss"])
def test_a_corrected_bracket_result_never_stops_a_bracket_that_went_on(outcome: Outcome) -> None:
    """T22, decisions 16: who was paired on goes on; the bracket ends, and places follow the way it took."""
    semi = all_won(started(4, CUP), "a", minutes(5))
    first = tables(semi)[0]
    other = c.Rule(table=first.id, result=Result(outcome=outcome, reason="ruling"), now=minutes(9))
    plain = play_out(after(semi, c.Tick(now=minutes(8))))
    before_the_final_ends = play_out(after(semi, c.Tick(now=minutes(8)), other))
    behind_the_end = after(plain, replace(other, now=minutes(60)))
    assert before_the_final_ends.places == behind_the_end.places == plain.places
    assert [place for _, place in plain.places] == [1, 2, 3, 3]


def test_the_cut_needs_two_who_are_left() -> None:
    """T17, 5.5-15: with one left the Swiss list is final."""
    state = swiss_done(3, replace(BOTH, cut=2))
    for player in state.entrants[1:]:
        state = after(state, c.Drop(player=player, now=minutes(40)))
    end = after(state, c.Tick(now=minutes(60)))
    assert (end.phase, end.seats) == ("finished", ())


def test_a_correction_behind_the_end_makes_no_match_that_nobody_can_play() -> None:
    """Decisions 16, 5.5-13: the bye holder had become champion; the winner and he are second then."""
    end = after(started(3, CUP), c.Tick(now=minutes(15)))
    assert [place for _, place in end.places] == [1, 3, 3]
    corrected = after(end, won(end.rounds[0].tables[table_id(1, 1).table], "a", minutes(30)))
    assert [place for _, place in corrected.places] == [2, 2, 3]


def test_a_draw_is_a_point_for_both() -> None:
    """R007, R024: one each."""
    state = started(2)
    drawn = c.Rule(table=table_id(1, 1), result=Result(outcome="draw", reason="ruling"), now=minutes(5))
    assert [row.values["points"] for row in standings(after(state, drawn))] == [1, 1]


def test_without_a_bracket_nobody_has_a_place_in_it() -> None:
    """4.9."""
    assert places(started(4)) == {}
    assert standings(started(4, CUP)) == ()


def test_who_is_out_while_tables_are_open() -> None:
    """4.8: both players of an open table are still in; a bye holder, too."""
    state = after(started(6, CUP), won(tables(started(6, CUP))[0], "a", minutes(5)))
    assert state.round is not None
    assert out(state.round) == {tables(state)[0].b}


def test_the_host_need_not_wait_for_the_question() -> None:
    """5.5-13: "next round" ends a bracket without a champion at once; other tables may still be corrected."""
    final = after(all_won(started(4, CUP), "a", minutes(5)), c.Tick(now=minutes(8)))
    asked = both_lost(final, 1, 10)
    again = c.Rule(
        table=tables(asked)[0].id, result=Result(outcome="double_loss", reason="cap"), now=minutes(11)
    )
    assert after(asked, again).rounds[-1].asked_until == minutes(15)
    assert after(asked, c.NextRound(now=minutes(12))).phase == "finished"


@pytest.mark.parametrize("count", [2, 3, 5, 8, 13])
def test_every_cup_has_one_champion(count: int) -> None:
    """R010, R020: whatever the size of the field."""
    end = play_out(started(count, CUP))
    assert [place for _, place in end.places].count(1) == 1
    assert {player for player, _ in end.places} == {PlayerId(n) for n in range(1, count + 1)}


def test_a_round_of_walkovers_only_ends_at_once() -> None:
    """5.5-13, 5.5-25: a round without a table is done when it is paired."""
    state = started(8, CUP)
    for number in (1, 3):
        state = both_lost(state, number, 5)
    state = after(all_won(state, "a", minutes(6)), c.Tick(now=minutes(9)))
    assert (tables(state), len(state.rounds[1].walkovers)) == ([], 2)
    paired = decide(state, c.Tick(now=minutes(12)))
    assert isinstance(paired[0], e.RoundPaired)
    assert len(paired[0].tables) == 1
