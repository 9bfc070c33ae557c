"""What duel servers, players and judges say of a match, and what becomes of it (rules.md 5.4-5.7)."""

from dataclasses import replace

import pytest

from ruleset.errors import CommandRejected
from ruleset.ids import MINUTE_MS, PlayerId
from ruleset.tournament import commands as c
from ruleset.tournament.decide import decide
from ruleset.tournament.results import Game, Result
from ruleset.tournament.settings import ServerUse, Settings
from ruleset.tournament.state import Table, Tournament
from tests.builders import (
    SERVER,
    SWISS,
    after,
    all_won,
    minutes,
    report,
    result,
    started,
    table_id,
    tables,
    won,
)

R1T1 = table_id(1, 1)
SEEN = c.SeeRoom(table=R1T1, seated=("a", "b"), playing=True, now=minutes(1))
BO3 = after(started(4), SEEN)
BO1 = after(started(4, replace(SWISS, best_of=1)), SEEN)
CUP = Settings(title="Cup", format="elimination")
FINAL = after(started(2, CUP), SEEN)


def table(state: Tournament) -> Table:
    """Return R1T1."""
    found = state.table(R1T1)
    assert found is not None
    return found


def told(state: Tournament, command: c.Command) -> tuple[str, str, int, int] | str:
    """Return outcome, reason and games won after *command*; a string: why it is disputed, or its status."""
    settled = table(after(state, command))
    if settled.result is None:
        return settled.dispute or settled.status
    return settled.result.outcome, settled.result.reason, settled.result.wins("a"), settled.result.wins("b")


# real endings (5.6-6, 5.7, duel-server.md 3)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (report(2, 1, "a"), ("a", "played", 2, 1)),
        (report(0, 2, "b"), ("b", "played", 0, 2)),
        (report(1, "left", "a"), ("a", "disconnect", 1, 0)),
        (report(0, "left", "a"), ("a", "disconnect", 0, 0)),
        (report("left", 0, "b"), ("b", "disconnect", 0, 0)),
        (report(1, "death", "a"), ("a", "time", 1, 0)),
        (report("death", 1, "b"), ("b", "time", 0, 1)),
        (report("match_card", 0, "a"), ("a", "played", 1, 0)),
        (report(0, "match_card", "b"), ("b", "played", 0, 1)),
    ],
)
def test_a_best_of_three_ends_with_full_wins_or_a_mark(
    command: c.FileReport, expected: tuple[str, str, int, int]
) -> None:
    """R059, H207, 4.5, 5.7: 2 wins; -9 disconnect, finished games stay; -1 time; 99 a match-winning card."""
    assert told(BO3, command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [(report(1, 0, "a"), ("a", "played", 1, 0)), (report(0, "left", "a"), ("a", "disconnect", 0, 0))],
)
def test_a_best_of_one_ends_with_one_win(command: c.FileReport, expected: tuple[str, str, int, int]) -> None:
    """R059: first to one."""
    assert told(BO1, command) == expected


def test_a_win_by_time_says_so_in_its_game() -> None:
    """H206: the deciding game counts."""
    state = table(after(BO3, report(1, "death", "a")))
    assert state.result == Result(outcome="a", reason="time", games=(Game(winner="a", reason="time"),))


@pytest.mark.parametrize(
    "command",
    [report(1, 0, "a"), report(0, 1, "b"), report(1, 1, "draw"), report(0, 0, "a"), report(0, 0, "draw")],
)
def test_a_crashed_room_is_never_booked(command: c.FileReport) -> None:
    """5.6-6, F29: without a mark or full wins the judge decides."""
    assert told(BO3, command) == "suspect"


def test_a_best_of_one_tie_is_always_disputed_without_the_plugin() -> None:
    """5.6-6: both LP to 0 looks like a crash."""
    assert told(BO1, report(0, 0, "draw")) == "suspect"


def test_both_gone_is_for_the_judge() -> None:
    """T13: -9--9."""
    assert told(BO3, report("left", "left", "draw")) == "both_left"


def test_a_winner_who_left_is_an_unknown_code() -> None:
    """T13: the message contradicts itself."""
    assert told(BO3, report("left", 0, "a")) == "unknown_code"


def test_a_tie_is_a_draw_if_the_third_game_was_seen() -> None:
    """5.6-6, duel-server.md 2 (f): one win each and a drawn third game."""
    state = after(BO3, replace(SEEN, wins=(1, 1), duel=3))
    assert told(state, report(1, 1, "draw")) == ("draw", "played", 1, 1)
    assert table(after(state, report(1, 1, "draw"))).result == Result(
        outcome="draw", reason="played", games=(Game(winner="a"), Game(winner="b"), Game(winner=None))
    )


def test_the_games_of_a_leaver_are_kept_from_what_was_seen() -> None:
    """5.6-6, H207: -9 overwrites his wins; an earlier report and the poller's last sight are merged in."""
    state = after(BO3, report(1, 0, now=minutes(10)))
    assert told(state, report("left", 0, "b")) == ("b", "disconnect", 1, 0)
    state = after(BO3, replace(SEEN, wins=(0, 1), duel=2))
    assert told(state, report(1, "left", "a")) == ("a", "disconnect", 1, 1)


def test_games_stand_in_the_order_in_which_they_were_seen() -> None:
    """5.7: the score alone tells no order, the reports in the middle do."""
    state = after(BO3, report(1, 0, now=minutes(10)), report(1, 1, now=minutes(15)), report(2, 1, "a"))
    final = table(state).result
    assert final is not None
    assert [game.winner for game in final.games] == ["a", "b", "a"]


def test_a_last_game_that_somebody_saw_makes_a_torn_report_whole() -> None:
    """5.6-6, duel-server.md 10.0-1: the exit race told 1-0, the poller had seen 2-0."""
    assert told(after(BO3, replace(SEEN, wins=(2, 0), duel=2)), report(1, 0, "a")) == ("a", "played", 2, 0)


def test_the_plugin_knows_how_a_room_ended() -> None:
    """5.6-6: a crash is a crash whatever the score; a clean end needs no mark, and carries its games."""
    games = (Game(winner="a", reason="played"),)
    assert told(BO3, report(2, 0, "a", source="plugin", crashed=True)) == "suspect"
    assert told(BO3, report(1, 0, "a", source="plugin", crashed=False, games=games)) == ("a", "played", 1, 0)
    drawn = report(0, 0, "draw", source="plugin", crashed=False, games=(Game(winner=None),))
    assert told(BO1, drawn) == ("draw", "played", 0, 0)
    card = report("match_card", 0, "a", source="plugin", crashed=False, games=games)
    assert told(BO3, card) == ("a", "played", 1, 0)


# Order and repetition: rows 5.6-4 and 5.6-5.


def test_a_report_in_the_middle_ends_nothing_and_never_overwrites_an_end() -> None:
    """Duel-server.md 3: PUTs can arrive out of order."""
    state = after(BO3, report(1, 0, now=minutes(10)))
    assert (table(state).status, table(state).wins) == ("playing", (1, 0))
    done = after(BO3, report(2, 0, "a"))
    assert decide(done, report(1, 0, now=minutes(21))) == ()
    assert decide(state, report(0, 0, now=minutes(21))) == ()


def test_a_report_in_the_middle_says_that_the_table_plays() -> None:
    """T7: a game of it has been reported."""
    assert table(after(started(4), report(1, 0, now=minutes(10)))).status == "playing"


def test_the_same_report_again_changes_nothing() -> None:
    """5.6-5, F08: also when it comes a fifth time, or from another source."""
    done = after(BO3, report(2, 1, "a"))
    assert decide(done, report(2, 1, "a", now=minutes(30))) == ()
    assert decide(done, report(2, 1, "a", source="poller")) == ()
    suspect = after(BO3, report(0, 0, "draw"))
    assert decide(suspect, report(0, 0, "draw")) == ()


def test_death_in_a_new_room_does_not_know_of_the_games_before() -> None:
    """5.5-8, 5.6-6: with games carried from a lost room its leader does not lead the match."""
    served = after(started(4, replace(SWISS, servers=(ServerUse(id=SERVER),))), SEEN)
    state = after(
        after(served, report(1, 0, now=minutes(5))),
        c.LoseServer(server=SERVER, since=minutes(6), now=minutes(6)),
        c.RegainServer(server=SERVER, rooms=(), now=minutes(7)),
        c.ResumeTable(table=R1T1, now=minutes(8)),
    )
    assert table(state).carried == (1, 0)
    assert told(state, report("death", 1, "b", now=minutes(20))) == "suspect"
    assert told(state, report(0, "death", "a", now=minutes(20))) == ("a", "time", 1, 0)


def room_lost() -> Tournament:
    """Return a tournament whose host is asked about R1T1: its room was lost at 1-0."""
    served = after(started(4, replace(SWISS, servers=(ServerUse(id=SERVER),))), SEEN)
    return after(
        after(served, report(1, 0, now=minutes(5))),
        c.LoseServer(server=SERVER, since=minutes(6), now=minutes(6)),
        c.RegainServer(server=SERVER, rooms=(), now=minutes(7)),
    )


def test_a_new_room_counts_from_the_host_s_answer_on() -> None:
    """5.5-8: no game of it is taken for one of the lost room, so that none counts twice."""
    state = after(room_lost(), replace(SEEN, wins=(0, 1), duel=2, now=minutes(9)), report(0, 1))
    assert (table(state).wins, table(state).status) == ((1, 0), "playing")
    resumed = after(state, c.ResumeTable(table=R1T1, now=minutes(10)))
    assert (table(resumed).carried, table(resumed).wins) == ((1, 0), (0, 0))
    level = after(resumed, replace(SEEN, wins=(0, 1), duel=2, now=minutes(11)))
    assert (table(level).wins_so_far, table(level).status) == ((1, 1), "playing")
    assert told(level, report(1, 1, now=minutes(12))) == ("a", "played", 2, 1)


def test_a_whole_match_in_a_new_room_before_the_host_has_answered() -> None:
    """5.5-8, 5.6-6: it counts where going on from 1-0 says the same; else the host decides."""
    state = room_lost()
    assert told(state, report(2, 0, "a")) == ("a", "played", 2, 0)
    assert told(state, report(0, 2, "b")) == ("b", "played", 1, 2)
    assert told(state, report(1, 2, "b")) == "suspect"
    assert told(after(state, c.ResumeTable(table=R1T1, now=minutes(8))), report(0, 2, "b")) == (
        "b",
        "played",
        1,
        2,
    )


def test_what_is_said_of_a_match_answers_the_question_about_its_room() -> None:
    """5.5-8, T13: a disputed or reported table is a finished match: no unanswered question reopens it."""
    word = c.ReportByPlayer(table=R1T1, player=table(room_lost()).a, outcome="a", wins=(2, 0), now=minutes(8))
    for said, status in ((report(1, 2, "b"), "disputed"), (word, "reported")):
        state = after(room_lost(), said)
        assert (table(state).status, table(state).asked_until) == (status, None)
        assert table(after(state, c.Tick(now=minutes(22)))).status == status


def test_a_second_report_that_differs_is_disputed_while_it_can_be() -> None:
    """5.6-5, F10: before the next round is paired and while nobody has ruled; a running gap is cancelled."""
    state = all_won(after(BO3, report(2, 1, "a")), "a", minutes(25))
    assert state.rounds[0].done_at == minutes(25)
    differs = after(state, report(1, 2, "b"))
    assert (table(differs).dispute, differs.rounds[0].done_at) == ("reports_differ", None)
    ruled = after(differs, won(table(differs), "b", minutes(27)))
    assert (table(ruled).ruled, ruled.rounds[0].done_at) == (True, minutes(27))
    assert told(ruled, report(2, 0, "a")) == ("b", "played", 0, 2)


def test_a_report_behind_a_ruling_or_a_later_round_is_kept_in_the_history() -> None:
    """5.6-5: it changes nothing else, and the host can read it."""
    state = after(BO3, won(table(BO3), "a", minutes(10)))
    kept = after(state, report(0, 2, "b"))
    assert (len(table(kept).reports), table(kept).result) == (1, table(state).result)
    later = after(all_won(after(BO3, report(2, 0, "a")), "a", minutes(25)), c.Tick(now=minutes(28)))
    kept = after(later, report(0, 2, "b", now=minutes(29)))
    assert (len(table(kept).reports), table(kept).result) == (2, table(later).result)
    assert decide(state, report(2, 0, "a")) == ()


def test_a_report_after_the_end_is_history() -> None:
    """T17, T24: a finished tournament keeps it, a cancelled one hears nothing."""
    one = after(started(2, replace(SWISS, rounds=1)), won(table(started(2)), "a", minutes(10)))
    assert one.phase == "finished"
    assert len(table(after(one, report(0, 2, "b"))).reports) == 1
    assert decide(after(BO3, c.Cancel(now=minutes(2))), report(2, 0, "a")) == ()


def test_a_room_older_than_its_round_counts_for_nothing() -> None:
    """5.6-4."""
    assert decide(BO3, report(2, 0, "a", began_at=minutes(-1))) == ()
    assert told(BO3, report(2, 0, "a", began_at=minutes(1))) == ("a", "played", 2, 0)


def test_a_certain_source_clears_a_suspicion_and_nothing_else() -> None:
    """5.6-6: the plugin's spool after a suspect PUT; players who differ stay with the judge."""
    games = (Game(winner="a"), Game(winner="a"))
    certain = report(2, 0, "a", source="plugin", crashed=False, games=games)
    assert told(after(BO3, report(1, 0, "a")), certain) == ("a", "played", 2, 0)
    assert told(after(BO3, report("left", "left", "draw")), certain) == "both_left"
    assert told(after(BO3, report(1, 0, "a")), report(2, 0, "a")) == "suspect"


# the extra game (R070, 5.5-12)

TIED = after(FINAL, replace(SEEN, wins=(1, 1), duel=3), report(1, 1, "draw"))


def test_a_tie_in_elimination_asks_for_an_extra_game() -> None:
    """R070: the table stays open, its room has the tail S."""
    assert (table(TIED).status, table(TIED).extra_games, table(TIED).result) == ("playing", 1, None)
    assert TIED.phase == "running"


def test_the_extra_game_decides_the_match() -> None:
    """5.5-12, 5.7: by sudden death; the games of the tie stay."""
    done = after(TIED, report(1, 0, "a", extra=True, now=minutes(30)))
    final = table(done).result
    assert final is not None
    assert (final.outcome, final.reason, len(final.games)) == ("a", "sudden_death", 4)
    assert done.phase == "finished"
    gone = table(after(TIED, report(0, "left", "a", extra=True, now=minutes(30)))).result
    assert gone is not None
    assert (gone.outcome, gone.reason, len(gone.games)) == ("a", "disconnect", 3)


def test_an_extra_game_without_a_winner_is_played_again() -> None:
    """5.5-12: both to 0 at once; only the plugin can tell it from a crash."""
    again = after(TIED, report(0, 0, "draw", extra=True, source="plugin", crashed=False))
    assert (table(again).extra_games, table(again).status) == (2, "playing")
    assert told(TIED, report(0, 0, "draw", extra=True)) == "suspect"
    assert told(TIED, report(0, 0, "a", extra=True)) == "suspect"
    assert told(TIED, report(1, 0, "a", extra=True, crashed=True)) == "suspect"
    assert told(TIED, report("left", "left", "draw", extra=True)) == "both_left"


def test_what_is_said_of_the_other_room_is_only_history() -> None:
    """5.5-12: the match room after its tie, an extra room that nobody ordered."""
    assert decide(TIED, report(1, 1, "draw", now=minutes(31))) == ()
    late = report(2, 1, "a", now=minutes(31))
    assert table(after(TIED, late)).status == "playing"
    assert decide(TIED, report(1, 1, now=minutes(31))) == ()
    assert table(after(FINAL, report(1, 0, "a", extra=True))).status == "playing"
    assert decide(TIED, replace(SEEN, wins=(1, 0), duel=1)) == ()
    assert decide(TIED, replace(SEEN, extra=True, wins=(1, 0), duel=1)) == ()
    assert decide(TIED, report(1, 0, extra=True)) == ()


def test_a_capped_extra_game_keeps_the_games_of_the_tie() -> None:
    """T10, 5.5-13."""
    called = after(TIED, c.CallTime(now=minutes(31)))
    capped = table(after(called, c.Tick(now=minutes(61)))).result
    assert capped is not None
    assert (capped.reason, len(capped.games)) == ("cap", 3)


# players


def words(state: Tournament, *said: tuple[str, str, tuple[int, int]]) -> Tournament:
    """Return the state after the players at these seats said outcome and wins."""
    for seat, outcome, wins in said:
        player = table(state).player(seat)  # type: ignore[arg-type]
        state = after(
            state,
            c.ReportByPlayer(table=R1T1, player=player, outcome=outcome, wins=wins, now=minutes(20)),  # type: ignore[arg-type]
        )
    return state


def test_a_result_by_hand_needs_both() -> None:
    """S136, G6: equal words settle, different ones go to the judge; one alone waits."""
    one = words(BO3, ("a", "a", (2, 1)))
    assert (table(one).status, table(one).result) == ("reported", None)
    both = words(one, ("b", "a", (2, 1)))
    assert table(both).result == result("a", (2, 1))
    assert table(words(one, ("b", "b", (0, 2)))).dispute == "players_differ"


def test_one_word_is_enough_where_the_tournament_says_so() -> None:
    """S136: ``confirm=single``."""
    single = after(started(4, replace(SWISS, confirm="single")), SEEN)
    assert table(words(single, ("b", "draw", (1, 1)))).result == result("draw", (1, 1))


def test_a_duel_server_settles_what_players_differ_about() -> None:
    """S136, G6: its result counts as the word of both; a doubtful one leaves the table to the judge."""
    state = words(BO3, ("a", "a", (2, 0)), ("b", "b", (0, 2)))
    assert told(state, report(2, 1, "a")) == ("a", "played", 2, 1)
    assert told(state, report(1, 0, "a")) == "suspect"


def test_the_same_word_again_changes_nothing_and_a_duel_server_settles_it() -> None:
    """S136: a duel server's result counts as both."""
    one = words(BO3, ("a", "a", (2, 1)))
    again = c.ReportByPlayer(table=R1T1, player=table(one).a, outcome="a", wins=(2, 1), now=minutes(21))
    assert decide(one, again) == ()
    assert told(one, report(1, 2, "b")) == ("b", "played", 1, 2)


@pytest.mark.parametrize(
    ("outcome", "wins"),
    [("a", (0, 1)), ("b", (2, 0)), ("draw", (1, 0)), ("a", (3, 0)), ("double_loss", (0, 0))],
)
def test_impossible_scores_are_refused(outcome: str, wins: tuple[int, int]) -> None:
    """5.7: more games than a match has, or the loser ahead."""
    with pytest.raises(CommandRejected, match="bad_score"):
        words(BO3, ("a", outcome, wins))


@pytest.mark.parametrize("wins", [(5, 0), (2, 2), (0, 3)])
def test_a_ruling_counts_no_games_that_a_match_cannot_have(wins: tuple[int, int]) -> None:
    """5.7: as ruled, also against who leads in games, but nobody plays on behind the end of his match."""
    with pytest.raises(CommandRejected, match="bad_score"):
        decide(BO3, c.Rule(table=R1T1, result=result("a", wins, "ruling"), now=minutes(20)))
    fair = result("b", (1, 0), "foul")
    assert table(after(BO3, c.Rule(table=R1T1, result=fair, now=minutes(20)))).result == fair


def test_a_draw_by_agreement_is_refused_in_elimination() -> None:
    """R070: for players and for judges."""
    with pytest.raises(CommandRejected, match="draw_in_elimination"):
        words(FINAL, ("a", "draw", (1, 1)))
    with pytest.raises(CommandRejected, match="draw_in_elimination"):
        decide(FINAL, c.Rule(table=R1T1, result=result("draw"), now=minutes(20)))


def test_conceding_gives_the_match_and_keeps_finished_games() -> None:
    """S138, 5.7."""
    state = after(BO3, report(1, 0, now=minutes(10)))
    conceded = c.Concede(table=R1T1, player=table(state).a, now=minutes(20))
    assert told(state, conceded) == ("b", "concession", 1, 0)
    with pytest.raises(CommandRejected, match="table_decided"):
        decide(after(state, conceded), conceded)


def test_only_those_who_sit_there_and_only_in_this_round() -> None:
    """F11: strangers and old tables are refused."""
    stranger = next(p for p in BO3.entrants if table(BO3).seat_of(p) is None)
    with pytest.raises(CommandRejected, match="not_at_table"):
        decide(BO3, c.Concede(table=R1T1, player=stranger, now=minutes(2)))
    later = after(all_won(BO3, "a", minutes(5)), c.Tick(now=minutes(8)))
    with pytest.raises(CommandRejected, match="round_over"):
        decide(later, c.Concede(table=R1T1, player=table(later).a, now=minutes(9)))
    for missing in (table_id(9, 1), table_id(0, 1), table_id(1, 99)):
        with pytest.raises(CommandRejected, match="unknown_table"):
            decide(BO3, c.Concede(table=missing, player=stranger, now=minutes(2)))
    with pytest.raises(CommandRejected, match="table_decided"):
        words(after(BO3, report(2, 0, "a")), ("a", "a", (2, 0)))
    with pytest.raises(CommandRejected, match="nothing_to_claim"):
        decide(BO3, c.ClaimAbsence(table=R1T1, player=table(BO3).a, now=minutes(2)))


# judges


def test_a_ruling_stands_over_everything() -> None:
    """T12, T22: also over a confirmed result; the same again changes nothing."""
    state = after(BO3, report(2, 0, "a"))
    ruling = c.Rule(table=R1T1, result=Result(outcome="b", reason="ruling"), now=minutes(22))
    ruled = after(state, ruling)
    assert (table(ruled).result, table(ruled).ruled) == (ruling.result, True)
    assert decide(ruled, ruling) == ()


def test_a_result_can_be_taken_back_while_no_later_round_is_paired() -> None:
    """T22, 5.5-6: returned after an absence win; an open table has nothing to take back."""
    state = after(started(4), c.Tick(now=minutes(15)))
    again = after(state, c.Reopen(table=R1T1, now=minutes(16)))
    assert (table(again).status, table(again).result) == ("playing", None)
    with pytest.raises(CommandRejected, match="table_open"):
        decide(again, c.Reopen(table=R1T1, now=minutes(17)))
    with pytest.raises(CommandRejected, match="later_round_paired"):
        decide(after(state, c.Tick(now=minutes(18))), c.Reopen(table=R1T1, now=minutes(19)))
    replayed = after(again, report(2, 1, "a", now=minutes(30)))
    assert told(replayed, report(2, 1, "a", now=minutes(30))) == ("a", "played", 2, 1)


def test_a_correction_after_the_next_pairing_keeps_the_pairing() -> None:
    """T22: standings follow, the round goes on."""
    later = after(all_won(BO3, "a", minutes(5)), c.Tick(now=minutes(8)))
    pairs = [(t.a, t.b) for t in tables(later)]
    corrected = after(later, won(table(later), "b", minutes(9)))
    assert [(t.a, t.b) for t in tables(corrected)] == pairs
    assert (corrected.phase, len(corrected.rounds)) == ("running", 2)


def test_corrections_are_possible_for_a_week_after_the_end() -> None:
    """Decisions 16; never in a cancelled tournament."""
    end = after(started(2, replace(SWISS, rounds=1)), won(table(started(2)), "a", minutes(10)))
    week = 7 * 24 * 60 * MINUTE_MS
    assert end.ended_at is not None
    late = won(table(end), "b", minutes(10.001 + week / MINUTE_MS))
    with pytest.raises(CommandRejected, match="too_late"):
        decide(end, late)
    corrected = after(end, won(table(end), "b", minutes(10 + week / MINUTE_MS)))
    assert corrected.places == ((table(end).b, 1), (table(end).a, 2))
    with pytest.raises(CommandRejected, match="ended"):
        decide(after(BO3, c.Cancel(now=minutes(2))), won(table(BO3), "a", minutes(3)))


# sights


def test_only_what_is_new_in_a_room_becomes_an_event() -> None:
    """R067: a poll a second leaves no entry a second."""
    assert decide(BO3, SEEN) == ()
    waiting = after(started(4), replace(SEEN, playing=False))
    assert decide(waiting, replace(SEEN, playing=False)) == ()
    assert decide(after(BO3, report(2, 0, "a")), replace(SEEN, wins=(1, 0), duel=2)) == ()


def test_an_unknown_player_is_named() -> None:
    """F11: who is on no list cannot act."""
    with pytest.raises(CommandRejected, match="unknown_player"):
        decide(BO3, c.Drop(player=PlayerId(77), now=minutes(1)))
