"""The cut play-off: two who are equal in everything, one seat, one game (R033)."""

from dataclasses import replace

import pytest

from ruleset.errors import CommandRejected
from ruleset.ids import PLAYOFF, Seat
from ruleset.roomcode import room_of
from ruleset.tournament import commands as c
from ruleset.tournament.deadlines import next_deadline
from ruleset.tournament.decide import decide
from ruleset.tournament.ranking import playoff_pair, standings
from ruleset.tournament.results import Result
from ruleset.tournament.settings import ScoreRules, Settings
from ruleset.tournament.state import Table, Tournament
from tests.builders import (
    NUMBER,
    SWISS,
    after,
    all_won,
    minutes,
    play_out,
    report,
    result,
    started,
    table_id,
    tables,
    won,
)

P1T1 = table_id(PLAYOFF, 1)
BY_POINTS = ScoreRules(order=("points",))
SETTINGS = replace(SWISS, format="swiss_elimination", rounds=1, cut=5, cut_playoff=True, scores=BY_POINTS)


def one_seat_for_two(settings: Settings = SETTINGS) -> Tournament:
    """Return ten players in the gap: four winners, two with a draw, and five seats."""
    drawn = c.Rule(table=table_id(1, 5), result=result("draw", (1, 1)), now=minutes(4))
    return all_won(after(started(10, settings), drawn), "a", minutes(5))


PLAYING = after(one_seat_for_two(), c.Tick(now=minutes(8)))


def table(state: Tournament) -> Table:
    """Return P1T1."""
    found = state.table(P1T1)
    assert found is not None
    return found


def test_two_for_the_last_seat_play_one_game() -> None:
    """R033, R058: a room of its own code, no round of its own."""
    assert [(t.a, t.b) for t in tables(PLAYING)] == [playoff_pair(one_seat_for_two())]
    assert (len(PLAYING.rounds), PLAYING.playoff, PLAYING.seats) == (1, PLAYING.current_round, ())
    assert str(room_of(NUMBER, P1T1)) == "X12P1T1"
    assert str(table(PLAYING).id) == "P1T1"
    assert PLAYING.best_of(P1T1) == 1


@pytest.mark.parametrize("seat", ["a", "b"])
def test_the_winner_has_the_seat_and_nothing_else(seat: Seat) -> None:
    """R033, R035: not in Swiss points, not in DP; the bracket is the next round."""
    before = standings(PLAYING)
    told = report(*((1, 0) if seat == "a" else (0, 1)), seat, table=P1T1, now=minutes(10))
    done = after(PLAYING, told)
    assert standings(done) == before
    assert {row.table for row in done.rows} == {row.table for row in PLAYING.rows}
    cut = after(done, c.Tick(now=minutes(13)))
    winner = table(done).a if seat == "a" else table(done).b
    assert cut.seats[-1] == winner
    assert (len(cut.seats), cut.current_round.number, cut.current_round.stage) == (5, 2, "elimination")
    assert play_out(cut).phase == "finished"


def test_one_game_is_enough_even_in_a_room_for_three() -> None:
    """R033: the first game decides, whatever mode the duel server plays by itself."""
    seen = c.SeeRoom(table=P1T1, seated=("a", "b"), playing=True, wins=(0, 1), duel=2, now=minutes(10))
    assert table(after(PLAYING, seen)).result == result("b", (0, 1))


def test_a_drawn_game_goes_on_as_sudden_death() -> None:
    """R033: like elimination: an extra game; agreeing on a draw is refused."""
    tie = report(0, 0, "draw", table=P1T1, source="plugin", games=(), crashed=False, now=minutes(10))
    extra = after(PLAYING, tie)
    assert (table(extra).extra_games, str(room_of(NUMBER, P1T1, extra=True))) == (1, "X12P1T1S")
    drawn = c.Rule(table=P1T1, result=result("draw"), now=minutes(11))
    with pytest.raises(CommandRejected, match="draw_in_elimination"):
        decide(PLAYING, drawn)
    word = c.ReportByPlayer(table=P1T1, player=table(PLAYING).a, outcome="draw", now=minutes(11))
    with pytest.raises(CommandRejected, match="draw_in_elimination"):
        decide(PLAYING, word)


def test_a_no_show_loses_and_nobody_there_leaves_it_to_the_sign_in() -> None:
    """R033, R030: both absent or both out: sign-in or lot."""
    there = c.ReportPresent(table=P1T1, player=table(PLAYING).b, now=minutes(25))
    come = after(PLAYING, there, c.Tick(now=minutes(28)), c.Tick(now=minutes(31)))
    assert come.seats[-1] == table(PLAYING).b
    nobody = after(PLAYING, c.Tick(now=minutes(28)), c.Tick(now=minutes(31)))
    assert nobody.seats[-1] == min(table(PLAYING).a, table(PLAYING).b)
    assert next_deadline(PLAYING) == minutes(28)


def test_a_drop_hands_the_seat_over() -> None:
    """R033, T23: his open game is lost; a dropped player takes no cut seat (R023)."""
    gone = after(PLAYING, c.Drop(player=table(PLAYING).a, now=minutes(9)), c.Tick(now=minutes(12)))
    assert table(gone).result == Result(outcome="b", reason="drop")
    assert gone.seats[-1] == table(PLAYING).b


def test_it_is_off_by_default_and_not_for_three() -> None:
    """R033: off unless chosen; three or more: sign-in or lot."""
    off = replace(SETTINGS, cut_playoff=False)
    assert playoff_pair(one_seat_for_two(off)) is None
    assert after(one_seat_for_two(off), c.Tick(now=minutes(8))).playoff is None
    crowd = all_won(started(8, replace(SETTINGS, cut=2)), "a", minutes(5))  # four winners for two seats
    cut = after(crowd, c.Tick(now=minutes(8)))
    assert (cut.playoff, len(cut.seats)) == (None, 2)


def test_two_who_are_not_equal_in_everything_do_not_play() -> None:
    """R033: only with identical tie-breaks."""
    state = started(4, replace(SETTINGS, cut=2, scores=ScoreRules(order=("points", "game_diff"))))
    first, second = tables(state)
    level = after(state, won(first, "a", minutes(5)), won(second, "a", minutes(5)))
    assert playoff_pair(level) is None  # two winners, two seats
    one_seat = replace(SETTINGS, cut=3, scores=ScoreRules(order=("points", "game_diff")))
    losers = after(started(4, one_seat), won(first, "a", minutes(5)), won(second, "a", minutes(5)))
    assert playoff_pair(losers) is not None
    uneven = after(started(4, one_seat), won(first, "a", minutes(5)), won(second, "a", minutes(5), (2, 1)))
    assert after(uneven, c.Tick(now=minutes(8))).playoff is None


def test_results_before_it_stand_as_behind_a_pairing() -> None:
    """T22: reopening is refused; a correction keeps the game, which counts only where it still fits."""
    with pytest.raises(CommandRejected, match="later_round_paired"):
        decide(PLAYING, c.Reopen(table=table_id(1, 1), now=minutes(9)))
    drawn = PLAYING.rounds[0].tables[table_id(1, 5).table]
    corrected = after(PLAYING, won(drawn, "b", minutes(9)))
    assert corrected.current_round.number == PLAYOFF
    cut = after(corrected, won(table(corrected), "a", minutes(10), (1, 0)), c.Tick(now=minutes(13)))
    assert drawn.b in cut.seats
    assert drawn.a not in cut.seats


def test_it_can_be_corrected_and_played_again_while_it_is_the_last_thing() -> None:
    """T22, 5.5-16."""
    done = after(PLAYING, won(table(PLAYING), "a", minutes(9), (1, 0)))
    again = after(done, c.Reopen(table=P1T1, now=minutes(10)))
    assert (again.current_round.done_at, table(again).status) == (None, "playing")
    cut = after(done, c.Tick(now=minutes(12)))
    with pytest.raises(CommandRejected, match="later_round_paired"):
        decide(cut, c.Reopen(table=P1T1, now=minutes(13)))
    kept = after(cut, won(table(cut), "b", minutes(13), (0, 1)))
    assert kept.seats == cut.seats
    assert [t.id for t in kept.all_tables()][5] == P1T1


def test_it_may_be_a_round_robin_that_it_follows() -> None:
    """S100, R033: any first stage."""
    robin = replace(SETTINGS, format="round_robin_elimination", rounds=1, cut=2)
    state = started(6, robin)
    first, second, third = tables(state)
    state = after(
        state,
        won(first, "a", minutes(5)),
        c.Rule(table=second.id, result=result("draw", (1, 1)), now=minutes(5)),
        c.Rule(table=third.id, result=Result(outcome="double_loss", reason="ruling"), now=minutes(5)),
        c.Tick(now=minutes(8)),
    )
    assert {player for t in tables(state) for player in (t.a, t.b)} == {second.a, second.b}
