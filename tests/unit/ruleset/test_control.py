"""Drops, ends, announcements, parked reports."""

from dataclasses import replace

import pytest

from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament.decide import decide
from ruleset.tournament.parking import swapped
from ruleset.tournament.results import Game
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import EMPTY, Table, Tournament
from tests.builders import (
    SWISS,
    after,
    all_won,
    entered,
    minutes,
    play_out,
    publish,
    report,
    started,
    table_id,
    tables,
    won,
)

R1T1 = table_id(1, 1)
CUP = Settings(title="Cup", format="elimination")


def table(state: Tournament) -> Table:
    """Return R1T1."""
    found = state.table(R1T1)
    assert found is not None
    return found


# drops


def test_a_drop_gives_the_running_match_away_and_keeps_its_games() -> None:
    """T23, H225: reason ``drop``; twice changes nothing; the round in which he dropped counts (4.1)."""
    state = after(started(4), report(1, 0, now=minutes(5)))
    loser = table(state).a
    dropped = after(state, c.Drop(player=loser, now=minutes(6)))
    settled = table(dropped).result
    assert settled is not None
    assert (settled.outcome, settled.reason, settled.wins("a")) == ("b", "drop", 1)
    assert dropped.players[loser].dropped_in == 1
    assert decide(dropped, c.Drop(player=loser, now=minutes(7))) == ()


def test_a_dropped_player_is_not_paired_until_the_drop_is_undone() -> None:
    """T23, 4.10-5."""
    state = all_won(started(5), "a", minutes(5))
    gone = table(state).a
    state = after(state, c.Drop(player=gone, now=minutes(6)))
    paired = after(state, c.Tick(now=minutes(8)))
    assert gone not in {p for t in tables(paired) for p in (t.a, t.b)} | set(paired.rounds[-1].byes)
    back = after(state, c.UndoDrop(player=gone))
    assert gone in back.active()
    assert decide(back, c.UndoDrop(player=gone)) == ()


def test_only_who_entered_can_drop() -> None:
    """T23: a player who was left out has nothing to leave."""
    state = started(5, replace(CUP, odd_field="truncate"))
    with pytest.raises(CommandRejected, match="not_entered"):
        decide(state, c.Drop(player=PlayerId(5), now=minutes(1)))


def test_a_match_that_is_with_the_judge_stays_there() -> None:
    """T23: dropping decides no dispute."""
    state = after(started(4), report("left", "left", "draw"))
    assert table(after(state, c.Drop(player=table(state).a, now=minutes(25)))).status == "disputed"


def test_all_but_one_dropped_ends_it() -> None:
    """T17, 5.5-15: Swiss ranks by its list with the dropped in it; the last one in a bracket is champion."""
    swiss = started(3)
    for player in swiss.entrants[1:]:
        swiss = after(swiss, c.Drop(player=player, now=minutes(5)))
    assert swiss.phase == "finished"
    assert {player for player, _ in swiss.places} == {1, 2, 3}
    cup = all_won(started(4, CUP), "a", minutes(5))
    first, second = (t.a for t in cup.rounds[0].tables.values())
    champion = after(cup, c.Drop(player=second, now=minutes(6)), c.Tick(now=minutes(8)))
    assert champion.phase == "finished"
    assert champion.places[:2] == ((first, 1), (second, 2))


def test_the_last_two_of_a_swiss_play_on_with_rematches() -> None:
    """5.5-14, 4.10-3: the fewest there can be; the host may finish."""
    state = after(all_won(started(2), "a", minutes(5)), c.Tick(now=minutes(8)))
    assert (len(state.rounds), state.rounds[1].rematches) == (2, 1)
    done = all_won(state, "a", minutes(20))
    finished = after(done, c.Finish(now=minutes(21)))
    assert (finished.phase, finished.ended_at) == ("finished", minutes(21))


def test_a_host_finishes_only_between_rounds_and_only_a_swiss() -> None:
    """5.5-14, 5.5-17."""
    with pytest.raises(CommandRejected, match="round_open"):
        decide(started(4), c.Finish(now=minutes(1)))
    cup = all_won(started(4, CUP), "a", minutes(5))
    with pytest.raises(CommandRejected, match="bracket_open"):
        decide(cup, c.Finish(now=minutes(6)))


def test_one_active_player_finishes_the_swiss_when_the_gap_ends() -> None:
    """5.5-25, T17: nobody is left to pair."""
    state = all_won(started(3), "a", minutes(5))
    state = after(state, c.Drop(player=state.entrants[0], now=minutes(6)))
    assert state.phase == "running"
    assert (
        after(state, c.Drop(player=state.entrants[1], now=minutes(6)), c.Tick(now=minutes(8))).phase
        == "finished"
    )


# on one's own


def test_players_may_have_to_ask_the_host_before_they_give_up() -> None:
    """S138: on by default; off: match forfeit and drop are the host's."""
    state = started(4, replace(SWISS, self_forfeit=False))
    player = table(state).a
    for wish in (
        c.Concede(table=R1T1, player=player, now=minutes(5)),
        c.Drop(player=player, now=minutes(5)),
    ):
        with pytest.raises(CommandRejected, match="ask_the_host"):
            decide(state, wish)
        assert decide(state, replace(wish, by_host=True))
    free = after(started(4), c.Concede(table=R1T1, player=table(started(4)).a, now=minutes(5)))
    assert table(free).result is not None


# the end


def test_a_swiss_ends_with_its_last_round() -> None:
    """T17, R011: rounds are fixed; final ranks are the list."""
    state = play_out(started(8))
    assert (state.phase, len(state.rounds)) == ("finished", 3)
    assert state.places == state.swiss_ranks
    with pytest.raises(CommandRejected, match="ended"):
        decide(state, c.Pause(now=minutes(999)))


def test_cancelling_is_possible_before_the_end_only() -> None:
    """T24, S123."""
    assert after(entered(2), c.Cancel(now=minutes(0))).phase == "cancelled"
    with pytest.raises(CommandRejected, match="ended"):
        decide(play_out(started(4)), c.Cancel(now=minutes(999)))


def test_an_announcement_needs_words() -> None:
    """It is an event, said once in all rooms."""
    said = decide(started(2), c.Announce(text=" Deck check! ", now=minutes(1)))
    assert said == (e.Announced(text="Deck check!", at=minutes(1)),)
    assert after(started(2), c.Announce(text="hello", now=minutes(1))) == started(2)
    with pytest.raises(CommandRejected, match="empty_text"):
        decide(started(2), c.Announce(text=" ", now=minutes(1)))
    with pytest.raises(CommandRejected, match="unknown_tournament"):
        decide(EMPTY, c.Announce(text="x", now=minutes(1)))


def test_a_start_before_sign_in_closed_waits_for_a_pause_too() -> None:
    """T18: a pause before the start is a pause."""
    state = after(EMPTY, publish(), c.Pause(now=minutes(-5)), c.Resume(now=minutes(-4)))
    assert (state.paused_at, state.rounds) == (None, ())


# parked reports (5.6-1, 5.6-3)

REPORT = report(2, 0, "a").report
PARK = c.Park(
    id="p1",
    candidates=(R1T1, table_id(1, 2)),
    names=("Nick", "Nick"),
    why="nickname_collision",
    report=REPORT,
    now=minutes(20),
)
PARKED = after(started(4), PARK)


def test_a_parked_report_waits_and_changes_no_table() -> None:
    """5.6-3; the same again, by id or by content, is not kept twice."""
    assert [waiting.names for waiting in PARKED.parked.values()] == [("Nick", "Nick")]
    assert table(PARKED).status == "waiting"
    assert decide(PARKED, PARK) == decide(PARKED, replace(PARK, id="p2")) == ()
    assert decide(entered(2), PARK) == ()


def test_it_is_taken_for_the_table_that_somebody_names() -> None:
    """5.6-3: with the seats as the names sat, or swapped."""
    accepted = after(PARKED, c.AcceptParked(id="p1", table=R1T1, now=minutes(21)))
    assert (accepted.parked, table(accepted).result) == (
        {},
        table(after(started(4), report(2, 0, "a"))).result,
    )
    other = after(PARKED, c.AcceptParked(id="p1", table=R1T1, swapped=True, now=minutes(21)))
    swapped_result = table(other).result
    assert swapped_result is not None
    assert (swapped_result.outcome, swapped_result.wins("b")) == ("b", 2)


def test_it_is_taken_only_for_a_candidate_and_only_while_it_waits() -> None:
    """5.6-3: and it can be dismissed."""
    with pytest.raises(CommandRejected, match="unknown_table"):
        decide(PARKED, c.AcceptParked(id="p1", table=table_id(9, 9), now=minutes(21)))
    lone = after(started(4), replace(PARK, candidates=(R1T1,)))
    with pytest.raises(CommandRejected, match="not_a_candidate"):
        decide(lone, c.AcceptParked(id="p1", table=table_id(1, 2), now=minutes(21)))
    dismissed = after(PARKED, c.DismissParked(id="p1"))
    assert dismissed.parked == {}
    with pytest.raises(CommandRejected, match="unknown_report"):
        decide(dismissed, c.AcceptParked(id="p1", table=R1T1, now=minutes(22)))


def test_swapping_twice_is_the_same_report() -> None:
    """5.6: seats, winner and games change sides; a draw and a drawn game stay."""
    games = (Game(winner="a"), Game(winner=None), Game(winner="b"))
    whole = replace(REPORT, games=games, winner="draw")
    assert swapped(swapped(whole)) == whole
    assert swapped(REPORT).winner == "b"
    assert swapped(whole).games == (Game(winner="b"), Game(winner=None), Game(winner="a"))


def test_a_ruling_names_the_table() -> None:
    """T22: any round, but it must exist."""
    with pytest.raises(CommandRejected, match="unknown_table"):
        decide(started(2), replace(won(tables(started(2))[0], "a", minutes(1)), table=table_id(5, 5)))
