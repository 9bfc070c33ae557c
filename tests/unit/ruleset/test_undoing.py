"""Undo: the last action is taken back, if nothing rests on it (T22)."""

from dataclasses import replace

import pytest

from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId
from ruleset.tournament import commands as c
from ruleset.tournament.deadlines import cap_at, next_at, time_up_at
from ruleset.tournament.decide import decide
from ruleset.tournament.ranking import standings
from ruleset.tournament.settings import RatingRules, ScoreRules, ServerUse, Settings
from ruleset.tournament.state import EMPTY, Table, Tournament
from tests.builders import (
    SERVER,
    START,
    SWISS,
    after,
    all_won,
    clock,
    deck_of,
    entered,
    minutes,
    play_out,
    publish,
    report,
    result,
    started,
    table_id,
    tables,
    won,
)

R1T1 = table_id(1, 1)
CUP = Settings(title="Cup", format="elimination")


def undone(state: Tournament, at: float = 20) -> Tournament:
    """Return the state after the last action was undone."""
    return after(state, undo(state, at))


def undo(state: Tournament, at: float = 20) -> c.Undo:
    """Return the wish to take the last action back."""
    assert state.last_action is not None
    return c.Undo(action=state.last_action.number, granted=state.entrants, now=minutes(at))


def refused(state: Tournament, command: c.Command) -> str:
    """Return the code with which *command* is refused."""
    with pytest.raises(CommandRejected) as refusal:
        decide(state, command)
    return refusal.value.code


def table(state: Tournament) -> Table:
    """Return R1T1."""
    found = state.table(R1T1)
    assert found is not None
    return found


def same(one: Tournament, other: Tournament) -> bool:
    """Say whether two states differ only in what remembers the undoing and in the rows of DP."""
    plain = [replace(s, actions=0, last_action=None, rows_by_round=()) for s in (one, other)]
    return plain[0] == plain[1]


# results


def test_a_ruling_over_nothing_lets_the_match_go_on() -> None:
    """T22: what was known of it comes back, with the reports that came meanwhile; the round is open again."""
    playing = after(
        started(2),
        c.SeeRoom(table=R1T1, seated=("a", "b"), playing=True, wins=(1, 0), duel=2, now=minutes(5)),
    )
    ruled = after(playing, won(table(playing), "b", minutes(10)))
    assert (ruled.rounds[0].done_at, ruled.rounds[0].waiting_for) == (minutes(10), 0)
    back = undone(ruled)
    assert same(back, playing)
    late = after(ruled, report(2, 0, "a", now=minutes(11)))
    assert table(undone(late)).reports == table(late).reports
    assert len(table(undone(late)).reports) == 1


def test_a_ruling_over_a_result_brings_that_back_with_its_dp() -> None:
    """T22, 4.6: reversing rows; the list is as before."""
    state = after(started(10, replace(SWISS, rating=RatingRules())), report(2, 0, "a", now=minutes(5)))
    ruled = after(state, won(table(state), "b", minutes(10)))
    back = undone(ruled)
    assert table(back).result == table(state).result
    assert (back.dp, standings(back)) == (state.dp, standings(state))
    assert len(back.rows) == 10


def test_a_ruling_over_a_dispute_hands_it_to_the_judge_again() -> None:
    """T13, T22."""
    disputed = after(started(4), report("left", "left", "draw"))
    back = undone(after(disputed, won(table(disputed), "a", minutes(10))))
    assert (table(back).status, table(back).dispute) == ("disputed", "both_left")


def test_it_works_behind_the_next_pairing_and_behind_the_end_where_a_result_stood() -> None:
    """T22, decisions 16: a correction is a correction."""
    done = all_won(started(4), "a", minutes(5))
    paired = after(done, c.Tick(now=minutes(8)))
    corrected = after(paired, won(table(paired), "b", minutes(9)))
    assert same(undone(corrected), paired)
    end = play_out(started(4))
    changed = after(end, won(table(end), "b", minutes(200)))
    assert undone(changed, 201).places == end.places


def test_a_match_is_not_opened_again_behind_the_next_pairing() -> None:
    """T22: the pairing is kept, so a round that is over stays over."""
    waiting = all_won(started(4), "a", minutes(5))
    opened = after(waiting, c.Reopen(table=R1T1, now=minutes(6)))
    ruled = after(opened, won(table(opened), "b", minutes(7)))
    paired = after(ruled, c.Tick(now=minutes(10)))
    assert refused(paired, replace(undo(ruled), action=ruled.actions)) == "outdated_action"


def test_an_open_table_needs_its_round() -> None:
    """T22: also where the end came with the ruling."""
    end = after(started(2, replace(SWISS, rounds=1)), won(tables(started(2))[0], "a", minutes(5)))
    assert (end.phase, refused(end, undo(end))) == ("finished", "ended")


def test_reopening_is_undone_until_somebody_plays() -> None:
    """T22, 5.5-6: the result is back with its history."""
    state = after(started(4), report(2, 0, "a", now=minutes(5)))
    opened = after(state, c.Reopen(table=R1T1, now=minutes(6)))
    assert same(undone(opened), state)
    told = c.ReportByPlayer(table=R1T1, player=table(state).a, outcome="a", wins=(2, 0), now=minutes(7))
    assert refused(after(opened, told), undo(opened)) == "changed_since"
    seen = c.SeeRoom(table=R1T1, seated=(), playing=True, wins=(1, 0), duel=2, now=minutes(7))
    assert refused(after(opened, seen), undo(opened)) == "changed_since"


def test_a_room_that_is_started_anew_is_no_action() -> None:
    """5.5-8."""
    state = after(
        started(2, replace(SWISS, servers=(ServerUse(id=SERVER),))),
        c.SeeRoom(table=R1T1, seated=("a", "b"), playing=True, now=minutes(1)),
        c.LoseServer(server=SERVER, since=minutes(2), now=minutes(3)),
        c.RegainServer(server=SERVER, rooms=(), now=minutes(4)),
        c.ResumeTable(table=R1T1, now=minutes(5)),
    )
    assert state.last_action is None
    assert refused(state, c.Undo(action=1, now=minutes(6))) == "nothing_to_undo"


def test_a_late_undo_is_no_trap() -> None:
    """R067: who was told that his match is over does not lose it by the late rule that came meanwhile."""
    ruled = after(started(2), won(tables(started(2))[0], "a", minutes(5)))
    assert table(undone(ruled, 10)).status == "waiting"
    assert table(undone(ruled, 15)).status == "playing"


def test_time_goes_on_for_a_match_that_comes_back() -> None:
    """T21, 5.5-8: extensions stay; a duel server that is away pauses it from now on."""
    served = replace(clock(cap_ms=None), servers=(ServerUse(id=SERVER),))
    state = after(started(2, served), c.SeeRoom(table=R1T1, seated=("a",), playing=True, now=minutes(1)))
    ruled = after(state, won(table(state), "a", minutes(5)))
    lost = after(ruled, c.LoseServer(server=SERVER, since=minutes(6), now=minutes(6)))
    back = undone(lost, 20)
    assert (table(back).lost_at, table(back).lost_ms) == (minutes(20), 0)
    again = after(back, c.RegainServer(server=SERVER, rooms=(R1T1,), now=minutes(25)))
    assert time_up_at(again, again.current_round, table(again)) == minutes(45)


def test_a_cap_counts_anew_for_a_match_that_comes_back() -> None:
    """R066, T22: as for one that is reopened."""
    called = after(started(2), c.SeeRoom(table=R1T1, seated=("a",), playing=True, now=minutes(1)))
    called = after(called, c.Tick(now=minutes(40)))
    back = undone(after(called, won(table(called), "a", minutes(50))), 60)
    assert cap_at(back, back.current_round, table(back)) == minutes(90)


# the field


def test_a_drop_is_undone_with_the_match_that_it_lost() -> None:
    """T23, T22: from the same round; somebody else's ruling on the match stands."""
    state = after(started(4), report(1, 0, now=minutes(5)))
    dropped = after(state, c.Drop(player=table(state).a, now=minutes(6)))
    assert table(dropped).result == result("b", (1, 0), "drop")
    assert same(undone(dropped), state)
    changed = after(dropped, c.Rule(table=R1T1, result=result("b", (1, 0), "drop"), now=minutes(7)))
    assert refused(changed, undo(dropped)) == "outdated_action"
    done = all_won(state, "a", minutes(5))
    gap = after(done, c.Drop(player=table(done).a, now=minutes(6)))
    assert same(undone(gap), done)


def test_who_plays_elsewhere_does_not_come_back() -> None:
    """R057: nobody is entered in two running tournaments."""
    dropped = after(started(4), c.Drop(player=PlayerId(1), now=minutes(6)))
    assert refused(dropped, replace(undo(dropped), granted=())) == "runs_elsewhere"


def test_a_drop_whose_match_was_ended_otherwise_is_not_undone() -> None:
    """T23: a second report behind it changed the result."""
    state = after(started(4), c.SeeRoom(table=R1T1, seated=("a", "b"), playing=True, now=minutes(5)))
    dropped = after(state, c.Drop(player=table(state).a, now=minutes(6)))
    disputed = after(dropped, report(2, 0, "a", now=minutes(7)))
    assert table(disputed).dispute == "reports_differ"
    assert refused(disputed, undo(disputed)) == "changed_since"


def test_the_return_of_a_dropped_player_is_undone() -> None:
    """T23."""
    done = all_won(started(4), "a", minutes(5))
    gone = after(done, c.Drop(player=PlayerId(1), now=minutes(6)))
    back = after(gone, c.UndoDrop(player=PlayerId(1)))
    assert same(undone(back), gone)


def test_what_a_player_is_dropped_for_is_no_action_of_the_host() -> None:
    """5.5-5: dropped for absences."""
    state = after(started(4, clock(drop_after_absences=1)), c.Tick(now=minutes(15)))
    assert state.last_action is None


# the clock


def test_postponing_and_extending_are_undone_while_the_round_runs() -> None:
    """T19, T21: by the same length."""
    state = after(started(2), c.Postpone(), c.Postpone())
    assert undone(state).rounds[0].postponed_ms == 5 * 60_000
    longer = after(started(2), c.ExtendTable(table=R1T1, by_ms=60_000), c.CallTime(now=minutes(40)))
    back = undone(longer, 41)
    assert table(back).ext_ms == 0
    assert cap_at(back, back.current_round, table(back)) == minutes(69)
    later = after(all_won(state, "a", minutes(5)), c.SetAuto(on=False))
    assert undone(after(later, c.SetAuto(on=True))).auto is False
    moved = after(all_won(after(started(4), c.Postpone()), "a", minutes(5)))
    assert moved.last_action is not None
    assert moved.last_action.what == "ruled"


def test_the_clock_of_a_round_that_is_over_stays() -> None:
    """T19."""
    final = after(started(4, CUP), report(2, 0, "a", now=minutes(4)))
    final = after(final, report(2, 0, "a", table_id(1, 2), now=minutes(4)), c.Postpone())
    paired = after(final, c.Tick(now=minutes(13)))
    assert refused(paired, undo(final)) == "outdated_action"
    assert refused(undone(paired, 14), c.Undo(action=paired.actions, now=minutes(15))) == "nothing_to_undo"


# pairings


def test_a_pairing_is_undone_until_somebody_plays() -> None:
    """T15': the gap begins anew, so that a result can still be corrected."""
    done = all_won(started(4), "a", minutes(5))
    paired = after(done, c.NextRound(now=minutes(6)))
    back = undone(paired, 7)
    assert (len(back.rounds), next_at(back, back.current_round)) == (1, minutes(10))
    playing = c.SeeRoom(table=table_id(2, 1), seated=("a",), playing=True, now=minutes(7))
    assert refused(after(paired, playing), undo(paired)) == "round_begun"
    assert refused(started(4), c.Undo(action=1, now=minutes(1))) == "nothing_to_undo"


def test_a_cut_is_undone_with_its_prizes() -> None:
    """T16, 4.7: DP prizes go back until it is made again; so does a play-off."""
    both = Settings(title="Both", format="swiss_elimination", rounds=1, cut=4)
    done = all_won(started(40, both), "a", minutes(5))
    cut = after(done, c.Tick(now=minutes(8)))
    back = undone(cut, 9)
    assert (back.seats, back.swiss_ranks, back.dp) == ((), (), done.dp)
    again = after(back, c.Tick(now=minutes(12)))
    assert (again.seats, again.dp) == (cut.seats, cut.dp)


def test_a_play_off_is_undone() -> None:
    """R033: before it is played, as a round is."""
    both = replace(SWISS, format="swiss_elimination", rounds=1, cut=3, cut_playoff=True)
    both = replace(both, scores=ScoreRules(order=("points",)))
    done = all_won(started(4, both), "a", minutes(5))
    playing = after(done, c.Tick(now=minutes(8)))
    assert playing.playoff is not None
    back = undone(playing, 9)
    assert (back.playoff, back.current_round.number) == (None, 1)
    again = after(playing, c.PairAgain(now=minutes(9)))
    assert tables(again)[0].a == tables(playing)[0].a


def test_an_exchange_of_seats_is_undone() -> None:
    """Issue 3: with the presence that was known."""
    state = started(5)
    first = tables(state)[0]
    state = after(state, c.ReportPresent(table=first.id, player=first.a, now=minutes(1)))
    (spared,) = state.current_round.byes
    swapped = after(state, c.SwapPlayers(one=first.a, other=spared, now=minutes(2)))
    assert same(undone(swapped), state)


def test_a_pair_that_was_ruled_out_or_allowed_is_as_before() -> None:
    """4.10."""
    state = after(started(4), c.ForbidPair(one=PlayerId(1), other=PlayerId(2)))
    assert undone(state).forbidden == ()
    assert undone(after(state, c.AllowPair(one=PlayerId(1), other=PlayerId(2)))).forbidden == ((1, 2),)


# settings


def test_settings_are_undone_as_long_as_they_can_be_changed() -> None:
    """R056, S101, S105, S118."""
    timed = replace(SWISS, start_at=START)
    state = after(EMPTY, publish(timed))
    edited = after(state, c.EditSettings(settings=replace(timed, rounds=5), now=minutes(-2_000)))
    assert undone(edited, -1_000).settings == timed
    assert refused(edited, undo(edited, -720)) == "too_late_to_edit"
    begun = after(entered(2), c.EditSettings(settings=replace(SWISS, rounds=5), now=minutes(-1)))
    granted = {PlayerId(1): 1_000, PlayerId(2): 1_000}
    running = after(begun, c.Start(confirmed=True, granted=granted, now=START))
    assert refused(running, undo(running)) == "already_started"
    steered = after(running, c.SetCoHosts(players=(PlayerId(1),)))
    assert undone(steered).settings.co_hosts == ()
    closed = after(state, c.SetRegistration(closed=True))
    assert undone(closed, -1).settings.registration.closed is False
    loose = replace(SWISS, rounds_locked=False)
    more = after(all_won(started(4, replace(loose, rounds=2)), "a", minutes(5)), c.Tick(now=minutes(8)))
    more = after(more, c.SetRounds(rounds=5, now=minutes(9)))
    assert undone(more).settings.rounds == 2


def test_a_look_at_a_deck_is_undone_while_the_deck_is_the_same() -> None:
    """R014, T22: the sign-in comes back with it."""
    state = entered(2)
    refused_deck = after(state, c.RevokeDeck(player=PlayerId(1), why="ban"))
    assert same(undone(refused_deck, -1), state)
    new = c.SubmitDeck(player=PlayerId(1), deck=deck_of(7), verdict="review")
    assert refused(after(refused_deck, new), undo(refused_deck)) == "changed_since"
    waiting = after(refused_deck, new)
    passed = after(waiting, c.ApproveDeck(player=PlayerId(1)))
    assert undone(passed, -1).players[PlayerId(1)].deck_status == "review"
    assert refused(after(waiting, new), c.Undo(action=9, now=minutes(-1))) == "outdated_action"


def test_a_team_is_as_before() -> None:
    """S107."""
    state = after(entered(2), c.AddTeam(name="Red"), c.AssignTeam(player=PlayerId(1), team=1))
    assert undone(state, -1).players[PlayerId(1)].team is None


def test_nothing_is_undone_twice_or_behind_the_end() -> None:
    """T24: and an action is named by its number."""
    state = after(started(2), c.SetAuto(on=False))
    assert refused(undone(state), c.Undo(action=1, now=minutes(21))) == "nothing_to_undo"
    assert refused(after(state, c.Cancel(now=minutes(5))), undo(state)) == "ended"
    again = after(undone(state), c.SetAuto(on=False))
    assert again.actions == 2
    assert refused(again, c.Undo(action=1, now=minutes(21))) == "outdated_action"
