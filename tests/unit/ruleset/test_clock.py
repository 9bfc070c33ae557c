"""The clock of a round: late, time-up, cap, gap; pauses, postpones, lost servers (rules.md 5)."""

from dataclasses import replace

import pytest

from ruleset.errors import CommandRejected
from ruleset.ids import MINUTE_MS, Instant, PlayerId, Seat
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament.deadlines import cap_due, next_deadline
from ruleset.tournament.decide import decide
from ruleset.tournament.settings import ServerUse
from ruleset.tournament.state import Table, Tournament
from tests.builders import (
    SERVER,
    START,
    SWISS,
    after,
    all_won,
    clock,
    entered,
    minutes,
    report,
    start,
    started,
    table_id,
    tables,
    won,
)

R1T1 = table_id(1, 1)
ROUND = started(2)
SERVED = replace(SWISS, servers=(ServerUse(id=SERVER),))


def tick(at: float, *, held: bool = False) -> c.Tick:
    """Return a tick so many minutes after the start."""
    return c.Tick(now=minutes(at), held=held)


def seated(at: float, *seats: Seat, playing: bool = False, **more: object) -> c.SeeRoom:
    """Return what the room of R1T1 shows."""
    return c.SeeRoom(table=R1T1, seated=seats, playing=playing, now=minutes(at), **more)  # type: ignore[arg-type]


def playing(state: Tournament, at: float = 1) -> Tournament:
    """Return the state with both players of R1T1 in their first game."""
    return after(state, seated(at, "a", "b", playing=True))


def table(state: Tournament) -> Table:
    """Return R1T1."""
    found = state.table(R1T1)
    assert found is not None
    return found


def outcome(state: Tournament) -> tuple[str, str] | None:
    """Return outcome and reason of R1T1."""
    result = table(state).result
    return None if result is None else (result.outcome, result.reason)


def present(state: Tournament, seat: Seat, at: float) -> Tournament:
    """Return the state after the player at *seat* of R1T1 pressed 报到."""
    return after(state, c.ReportPresent(table=R1T1, player=table(state).player(seat), now=minutes(at)))


# late


@pytest.mark.parametrize(("limit", "round_no"), [(15, 1), (20, 2)])
def test_the_late_limit_is_15_minutes_in_round_1_and_20_later(limit: int, round_no: int) -> None:
    """R067, T6: nobody there is a double loss at the limit, not before."""
    state = ROUND
    begun = START
    if round_no == 2:
        state = after(all_won(started(4), "a", minutes(5)), c.Tick(now=minutes(8)))
        begun = minutes(8)
    limit_at = minutes(limit, begun)
    assert next_deadline(state) == limit_at
    assert decide(state, c.Tick(now=Instant(limit_at - 1))) == ()
    after_limit = after(state, c.Tick(now=limit_at))
    assert {t.result.outcome for t in after_limit.rounds[round_no - 1].tables.values() if t.result} == {
        "double_loss"
    }


@pytest.mark.parametrize("seat", ["a", "b"])
@pytest.mark.parametrize("how", ["button", "room"])
def test_who_is_there_wins_against_who_is_not(seat: Seat, how: str) -> None:
    """R067, T5, 5.7: 报到 or seen in the room; 3 points, no game counts."""
    state = present(ROUND, seat, 14) if how == "button" else after(ROUND, seated(14, seat))
    state = after(state, tick(15))
    assert outcome(state) == (seat, "late")
    assert table(state).result == replace(table(state).result, games=())  # type: ignore[type-var]


def test_a_table_that_plays_is_exempt() -> None:
    """R067, T7: room stage not BEGIN, or a game of it reported."""
    assert decide(playing(ROUND), tick(15)) == ()
    assert decide(after(ROUND, report(1, 0, now=minutes(10))), tick(15)) == ()


def test_the_button_counts_for_ten_minutes() -> None:
    """5.5-5: after that only being in the room counts."""
    state = present(present(ROUND, "a", 4), "b", 14)
    assert outcome(after(state, tick(15))) == ("b", "late")
    both = after(present(ROUND, "a", 6), seated(7, "b"))
    assert decide(both, tick(15)) == ()
    assert next_deadline(both) == minutes(16)
    assert outcome(after(both, tick(16))) == ("b", "late")


def test_leaving_the_waiting_room_for_a_moment_is_no_absence() -> None:
    """R067: a reconnect within a minute; then he is away."""
    state = after(ROUND, seated(3, "a", "b"), seated(20, "b"))
    assert decide(state, tick(20.9)) == ()
    assert decide(after(state, seated(20.5, "a", "b")), tick(25)) == ()
    assert outcome(after(state, tick(21))) == ("b", "late")


def test_a_press_again_moves_the_ten_minutes_but_not_every_second() -> None:
    """R018: one event at most in half a minute; none once the match runs."""
    state = present(ROUND, "a", 4)
    again = c.ReportPresent(table=R1T1, player=table(state).a, now=minutes(4.4))
    assert decide(state, again) == ()
    assert present(state, "a", 5) != state
    assert decide(playing(state), replace(again, now=minutes(9))) == ()


def test_the_late_limit_never_lies_behind_the_end_of_the_round() -> None:
    """5.5-4: limit = min(limit, length)."""
    state = started(2, clock(length_ms=10 * MINUTE_MS))
    assert outcome(after(state, tick(10))) == ("double_loss", "late")


def test_in_claim_mode_the_present_player_decides() -> None:
    """H219, H220, 5.5-5: claim, wait, or the win at time-up; a return takes the offer away."""
    state = after(started(2, clock(late_mode="claim")), seated(3, "a"), tick(15))
    mine = table(state).a
    assert (table(state).claimable_by, table(state).status, decide(state, tick(16))) == ("a", "waiting", ())
    claimed = after(state, c.ClaimAbsence(table=R1T1, player=mine, now=minutes(16)))
    assert outcome(claimed) == ("a", "late")
    assert outcome(after(state, tick(40))) == ("a", "late")
    back = after(state, seated(16, "a", "b"))
    with pytest.raises(CommandRejected, match="nothing_to_claim"):
        decide(back, c.ClaimAbsence(table=R1T1, player=mine, now=minutes(16)))


def test_in_claim_mode_nobody_there_is_a_double_loss_all_the_same() -> None:
    """5.5-5: in every mode."""
    assert outcome(after(started(2, clock(late_mode="claim")), tick(15))) == ("double_loss", "late")


def test_so_many_absences_drop_a_player() -> None:
    """5.5-5: ``drop_after_absences``, off by default."""
    state = after(started(4, clock(drop_after_absences=1)), tick(15))
    assert state.active() == ()
    assert after(started(4), tick(15)).active() != ()
    twice = after(started(4, clock(drop_after_absences=2)), tick(15))
    assert len(twice.active()) == 4
    assert after(twice, tick(18), tick(38)).active() == ()


# time-up and cap


def test_time_is_called_once_for_every_match_that_goes_on() -> None:
    """R065, T8: at 40 minutes; a table that is done gets no call (5.5-3)."""
    state = after(started(4), seated(1, "a", "b", playing=True))
    two = c.SeeRoom(table=table_id(1, 2), seated=("a", "b"), playing=True, now=minutes(1))
    state = after(state, two, won(table(state), "a", minutes(30)))
    assert decide(state, c.Tick(now=Instant(minutes(40) - 1))) == ()
    called = decide(state, tick(40))
    assert called == (
        e.TimeCalled(round_no=state.rounds[0].number, tables=(table_id(1, 2).table,), at=minutes(40)),
    )
    assert decide(after(state, tick(40)), tick(41)) == ()


def test_a_time_up_that_was_missed_is_called_now_and_the_cap_counts_from_now() -> None:
    """5.5-7, 5.5-21: fair to players."""
    state = after(playing(ROUND), tick(55))
    assert (table(state).time_called_at, next_deadline(state)) == (minutes(55), minutes(85))


def test_the_hard_cap_is_a_double_loss_that_keeps_finished_games() -> None:
    """R066, T10, 5.7, H205: 30 minutes after the call."""
    state = after(playing(ROUND), tick(40), seated(50, "a", "b", playing=True, wins=(1, 0), duel=1))
    assert not cap_due(state, minutes(69.9))
    assert cap_due(state, minutes(70))
    capped = after(state, tick(70))
    result = table(capped).result
    assert result is not None
    assert (result.outcome, result.reason, result.wins("a"), result.wins("b")) == ("double_loss", "cap", 1, 0)
    assert table(capped).capped


def test_finished_matches_wait_for_the_judge_and_are_never_capped() -> None:
    """T10: REPORTED and DISPUTED are no double loss."""
    state = after(playing(ROUND), tick(40), report("left", "left", "draw", now=minutes(41)))
    assert (table(state).status, decide(state, tick(75))) == ("disputed", ())
    mine = c.ReportByPlayer(table=R1T1, player=table(ROUND).a, outcome="a", wins=(2, 0), now=minutes(41))
    told = after(playing(ROUND), tick(40), mine)
    assert (table(told).status, decide(told, tick(75))) == ("reported", ())


def test_without_a_cap_nothing_is_ended() -> None:
    """R066, 5.5-23."""
    state = after(playing(started(2, clock(cap_ms=None))), tick(40))
    assert (next_deadline(state), decide(state, tick(999))) == (None, ())


def test_the_host_calls_time_early_and_the_cap_counts_from_there() -> None:
    """R068, T8', 5.5-21; twice is refused."""
    state = after(playing(ROUND), c.CallTime(now=minutes(10)))
    assert next_deadline(state) == minutes(40)
    with pytest.raises(CommandRejected, match="nothing_to_call"):
        decide(state, c.CallTime(now=minutes(11)))


def test_best_of_one_rounds_of_25_minutes_are_a_setting() -> None:
    """R062."""
    state = playing(started(2, clock(length_ms=25 * MINUTE_MS)))
    assert next_deadline(state) == minutes(25)


# gap and next round


def test_the_next_round_comes_three_minutes_after_the_last_result() -> None:
    """R064, T14, T15: paired and started in one entry."""
    state = all_won(started(4), "a", minutes(30))
    assert (state.rounds[0].done_at, next_deadline(state)) == (minutes(30), minutes(33))
    assert decide(state, c.Tick(now=Instant(minutes(33) - 1))) == ()
    paired = decide(state, tick(33))
    assert isinstance(paired[0], e.RoundPaired)
    assert (paired[0].round_no, paired[0].at) == (2, minutes(33))


def test_the_host_skips_the_gap_but_no_open_table() -> None:
    """T15', 5.5-17: refused with the tables that are open."""
    state = all_won(started(4), "a", minutes(30))
    assert len(after(state, c.NextRound(now=minutes(31))).rounds) == 2
    with pytest.raises(CommandRejected) as refusal:
        decide(started(4), c.NextRound(now=minutes(31)))
    assert refusal.value.code == "round_open"
    assert refusal.value.data["tables"] == {"R1T1": "waiting", "R1T2": "waiting"}


def test_a_reopened_table_cancels_the_gap() -> None:
    """R064, 5.5-16: the round runs again."""
    state = after(all_won(started(4), "a", minutes(30)), c.Reopen(table=R1T1, now=minutes(31)))
    assert (state.rounds[0].done_at, table(state).status) == (None, "playing")
    assert len(after(state, tick(34)).rounds) == 1


# pause, postpone, auto


def test_a_pause_freezes_and_moves_every_deadline() -> None:
    """R068, 5.3-4, 5.5-2: late, time-up; nothing fires meanwhile."""
    state = after(ROUND, c.Pause(now=minutes(10)))
    assert (next_deadline(state), decide(state, tick(60))) == (None, ())
    state = after(state, c.Resume(now=minutes(17)))
    assert next_deadline(state) == minutes(22)
    assert (
        decide(state, c.Resume(now=minutes(18)))
        == decide(after(state, c.Pause(now=minutes(18))), c.Pause(now=minutes(19)))
        == ()
    )


def test_a_pause_after_the_call_moves_the_cap_alone_and_one_before_does_not() -> None:
    """5.1: cap = call + cap + shift since the call."""
    state = after(playing(ROUND), c.Pause(now=minutes(5)), c.Resume(now=minutes(10)), tick(45))
    assert next_deadline(state) == minutes(75)
    state = after(state, c.Pause(now=minutes(50)), c.Resume(now=minutes(60)))
    assert next_deadline(state) == minutes(85)


def test_the_hosts_call_works_in_a_pause_and_the_cap_stays_frozen() -> None:
    """5.5-1."""
    state = after(playing(ROUND), c.Pause(now=minutes(10)), c.CallTime(now=minutes(12)))
    assert next_deadline(state) is None
    assert next_deadline(after(state, c.Resume(now=minutes(20)))) == minutes(50)


def test_a_postpone_moves_what_has_not_fired() -> None:
    """T19, 5.5-10: +5 minutes, repeatable; after the call only the cap."""
    state = after(ROUND, c.Postpone(), c.Postpone())
    assert next_deadline(state) == minutes(25)
    called = after(playing(ROUND), tick(40), c.Postpone())
    assert next_deadline(called) == minutes(75)
    gap = after(all_won(started(4), "a", minutes(30)), c.Postpone())
    assert next_deadline(gap) == minutes(38)


def test_a_pause_in_the_gap_moves_the_next_round() -> None:
    """T18: GAP can be paused, too."""
    state = after(all_won(started(4), "a", minutes(30)), c.Pause(now=minutes(31)), c.Resume(now=minutes(41)))
    assert next_deadline(state) == minutes(43)


def test_a_round_that_the_host_starts_in_a_pause_is_frozen_from_its_start() -> None:
    """T15', T18: the pause goes on; its own length counts from the pairing."""
    state = after(
        all_won(started(4), "a", minutes(30)), c.Pause(now=minutes(31)), c.NextRound(now=minutes(40))
    )
    assert next_deadline(state) is None
    assert next_deadline(after(state, c.Resume(now=minutes(45)))) == minutes(40 + 5 + 20)


def test_auto_off_fires_nothing_and_auto_on_fires_what_is_overdue_once_in_order() -> None:
    """T20, 5.5-19: late first; the cap then counts from the call."""
    state = after(started(4), seated(1, "a", "b", playing=True), c.SetAuto(on=False))
    assert (next_deadline(state), decide(state, tick(100))) == (None, ())
    assert decide(state, c.SetAuto(on=False)) == ()
    fired = decide(after(state, c.SetAuto(on=True)), tick(100))
    assert [type(event) for event in fired] == [e.ResultConfirmed, e.TimeCalled]
    assert next_deadline(after(state, c.SetAuto(on=True), tick(100))) == minutes(130)


def test_one_table_can_have_more_time() -> None:
    """T21: its time-up and its cap move, not its late limit."""
    state = playing(after(ROUND, c.ExtendTable(table=R1T1, by_ms=7 * MINUTE_MS)))
    assert next_deadline(after(ROUND, c.ExtendTable(table=R1T1, by_ms=7 * MINUTE_MS))) == minutes(15)
    assert next_deadline(state) == minutes(47)
    called = after(state, tick(47), c.ExtendTable(table=R1T1, by_ms=MINUTE_MS))
    assert next_deadline(called) == minutes(78)


def test_time_is_called_at_one_table_alone() -> None:
    """S128, 5.5-21: its cap counts from there; the others and the warnings go on as they were."""
    state = after(started(4, clock(warn_at_min=(10,))), seated(1, "a", "b", playing=True))
    two = table_id(1, 2)
    state = after(state, c.SeeRoom(table=two, seated=(), playing=True, now=minutes(1)))
    state = after(state, c.CallTableTime(table=R1T1, now=minutes(20)))
    assert [t.time_called_at for t in tables(state)] == [minutes(20), None]
    assert state.rounds[0].time_called_at is None
    assert [type(event) for event in decide(state, tick(30))] == [e.TimeWarned]
    state = after(state, tick(30), tick(40))
    assert [t.time_called_at for t in tables(state)] == [minutes(20), minutes(40)]
    state = after(state, tick(50))
    assert [t.status for t in tables(state)] == ["confirmed", "playing"]
    for table, code in ((R1T1, "table_decided"), (two, "time_is_up")):
        with pytest.raises(CommandRejected, match=code):
            decide(state, c.CallTableTime(table=table, now=minutes(51)))


def test_an_extension_while_others_are_called() -> None:
    """T8, T21: each table is called at its own time; the round remembers the first call."""
    state = after(started(4), seated(1, "a", "b", playing=True))
    two = table_id(1, 2)
    state = after(state, c.SeeRoom(table=two, seated=(), playing=True, now=minutes(1)))
    state = after(state, c.ExtendTable(table=two, by_ms=5 * MINUTE_MS), tick(40))
    assert [t.time_called_at for t in tables(state)] == [minutes(40), None]
    state = after(state, tick(45))
    assert [t.time_called_at for t in tables(state)] == [minutes(40), minutes(45)]
    assert state.rounds[0].time_called_at == minutes(40)


@pytest.mark.parametrize("command", [c.Postpone(by_ms=0), c.ExtendTable(table=R1T1, by_ms=-1)])
def test_time_is_only_given(command: c.Command) -> None:
    """5.5-20: nobody shortens a round that runs."""
    with pytest.raises(CommandRejected, match="bad_time"):
        decide(ROUND, command)


# after a restart, lost servers


def test_after_a_restart_late_and_cap_wait_but_time_is_called() -> None:
    """5.5-7: until the duel servers have been looked at."""
    assert decide(ROUND, tick(15, held=True)) == ()
    state = playing(ROUND)
    assert [type(event) for event in decide(state, tick(40, held=True))] == [e.TimeCalled]
    called = after(state, tick(40))
    assert decide(called, tick(70, held=True)) == ()
    claim = after(started(2, clock(late_mode="claim")), seated(3, "a"), tick(15))
    assert [type(event) for event in decide(claim, tick(40, held=True))] == [e.TimeCalled]


def lost(state: Tournament, since: float, now: float | None = None) -> Tournament:
    """Return the state after the duel server was lost."""
    return after(state, c.LoseServer(server=SERVER, since=minutes(since), now=minutes(now or since)))


def regained(at: float, *rooms: int) -> c.RegainServer:
    """Return that the server is back with the rooms of these tables of round 1."""
    return c.RegainServer(server=SERVER, rooms=tuple(table_id(1, n) for n in rooms), now=minutes(at))


def test_a_lost_server_pauses_its_tables_from_the_last_contact() -> None:
    """5.5-8, F29: no late, time-up or cap there; back with the rooms it goes on by itself."""
    state = lost(playing(started(2, SERVED)), 10, 10.2)
    assert (next_deadline(state), decide(state, tick(100))) == (None, ())
    assert decide(state, c.LoseServer(server=SERVER, since=minutes(11), now=minutes(11))) == ()
    back = after(state, regained(30, 1))
    assert next_deadline(back) == minutes(60)
    assert decide(back, regained(31, 1)) == ()


def test_a_table_that_waited_needs_no_room_to_go_on() -> None:
    """5.5-8: its late limit moves by the time that the server was away."""
    back = after(lost(started(2, SERVED), 5), regained(15))
    assert next_deadline(back) == minutes(25)


def test_a_pause_while_the_server_is_away_is_not_counted_twice() -> None:
    """T18: a set of reasons; lost 10-30, paused 20-40: frozen for 30 minutes in all."""
    state = after(lost(playing(started(2, SERVED)), 10), c.Pause(now=minutes(20)), regained(30, 1))
    assert next_deadline(state) is None
    assert next_deadline(after(state, c.Resume(now=minutes(40)))) == minutes(40 + 30)


def test_the_host_is_asked_about_a_lost_room_and_it_restarts_by_itself() -> None:
    """5.5-8: after 15 minutes without an answer, under the same code from its last finished game."""
    state = after(playing(started(2, SERVED)), report(1, 0, now=minutes(5)))
    state = after(lost(state, 10), regained(20))
    assert (table(state).asked_until, next_deadline(state)) == (minutes(35), minutes(35))
    assert decide(state, tick(34)) == ()
    again = after(state, tick(35))
    assert (table(again).carried, table(again).wins, table(again).status) == ((1, 0), (0, 0), "playing")
    done = after(again, report(1, 0, now=minutes(36)))
    assert outcome(done) == ("a", "played")


def test_the_clock_of_a_lost_room_stands_still_until_it_plays_on() -> None:
    """5.5-8, T18: lost 10-20, asked up to 35: the 25 minutes are not the players'."""
    state = after(lost(playing(started(2, SERVED)), 10), regained(20))
    assert next_deadline(after(state, tick(35))) == minutes(40 + 25)
    answered = after(state, c.ResumeTable(table=R1T1, now=minutes(23)))
    assert next_deadline(answered) == minutes(40 + 13)


def test_a_table_that_is_reopened_while_its_server_is_away_waits_for_it() -> None:
    """5.5-8, T22: paused from then on, until the server is back."""
    state = lost(after(playing(started(4, SERVED)), report(2, 0, "a", now=minutes(5))), 10)
    state = after(state, c.Reopen(table=R1T1, now=minutes(12)))
    assert table(state).lost_at == minutes(12)
    assert table(after(state, regained(20, 1))).lost_ms == 8 * MINUTE_MS


def test_a_table_that_is_reopened_behind_the_call_has_the_whole_cap() -> None:
    """T22, 5.5-6, 5.5-7: it counts from then on, fair to the players; the one that is over does not fire."""
    capped = after(playing(ROUND), tick(40), tick(70))
    assert outcome(capped) == ("double_loss", "cap")
    again = after(capped, c.Reopen(table=R1T1, now=minutes(71)))
    assert (decide(again, tick(100)), next_deadline(again)) == ((), minutes(101))
    assert outcome(after(again, tick(101))) == ("double_loss", "cap")


def test_the_host_may_answer_at_once() -> None:
    """5.5-8: resume from the last finished game, or a result; only where a room was lost."""
    state = after(lost(playing(started(2, SERVED)), 10), regained(20))
    resumed = after(state, c.ResumeTable(table=R1T1, now=minutes(21)))
    assert (table(resumed).asked_until, table(resumed).status) == (None, "playing")
    assert outcome(after(state, won(table(state), "b", minutes(21)))) == ("b", "played")
    with pytest.raises(CommandRejected, match="room_not_lost"):
        decide(resumed, c.ResumeTable(table=R1T1, now=minutes(22)))


def test_a_round_that_is_paired_while_a_server_is_away_waits_for_it() -> None:
    """5.5-8: its tables there are paused from the pairing on."""
    state = lost(all_won(started(4, SERVED), "a", minutes(5)), 6)
    state = after(state, tick(8))
    assert (len(state.rounds), next_deadline(state)) == (2, None)
    assert next_deadline(after(state, regained(18))) == minutes(8 + 10 + 20)


def test_servers_come_and_go_without_a_tournament() -> None:
    """5.5-8: before the start and after the end nothing is paused."""
    waiting = entered(2)
    assert decide(waiting, c.LoseServer(server=SERVER, since=START, now=START)) == ()
    assert decide(waiting, regained(1)) == ()


def test_a_server_may_be_lost_between_rounds() -> None:
    """5.5-8: tables that are done have no clock to pause."""
    state = lost(all_won(started(2, SERVED), "a", minutes(5)), 6)
    assert next_deadline(state) == minutes(8)
    assert after(state, regained(7)).lost_servers == {}


def test_a_deadline_that_fired_stays_fired() -> None:
    """5.3-2: a step back of the clock never un-fires it, and it fires once."""
    state = after(playing(ROUND), tick(40))
    assert decide(state, tick(0)) == decide(state, tick(40)) == ()


def test_who_is_not_in_a_running_tournament_has_no_clock() -> None:
    """5.1: commands of the clock need a round; before the start and after the end they are refused."""
    for command in (
        c.CallTime(now=START),
        c.Postpone(),
        c.NextRound(now=START),
        c.Drop(player=PlayerId(1), now=START),
    ):
        with pytest.raises(CommandRejected, match="not_started"):
            decide(entered(2), command)
        with pytest.raises(CommandRejected, match="ended"):
            decide(after(ROUND, c.Cancel(now=minutes(1))), command)
    assert start(entered(2)).confirmed


# warnings


WARNED = started(2, clock(warn_at_min=(10, 5, 1)))


def warned(state: Tournament, at: float) -> list[int]:
    """Return how many minutes are left by the warnings of a tick."""
    events = decide(state, tick(at))
    return [event.left_min for event in events if isinstance(event, e.TimeWarned)]


def test_players_are_warned_before_time_is_called() -> None:
    """S104: each warning once, at its minute; the alarm is told of it."""
    state = playing(WARNED)
    assert next_deadline(state) == minutes(30)
    assert warned(state, 29.9) == []
    assert warned(state, 30) == [10]
    state = after(state, tick(30))
    assert (warned(state, 34), next_deadline(state)) == ([], minutes(35))
    late = after(state, tick(38))
    assert (late.current_round.warned_min, next_deadline(late)) == (5, minutes(39))
    assert next_deadline(after(late, tick(39))) == minutes(40)


def test_of_several_warnings_the_last_is_told_and_none_behind_the_call() -> None:
    """S104, 5.3-2: after a suspension, what is true now; time that is up is called, not announced."""
    assert warned(playing(WARNED), 39.5) == [1]
    assert warned(playing(WARNED), 40) == []
    assert next_deadline(after(playing(WARNED), c.CallTime(now=minutes(20)))) == minutes(50)
    assert warned(after(playing(WARNED), c.CallTime(now=minutes(20))), 35) == []


def test_a_warning_moves_with_the_clock_and_is_mute_with_it() -> None:
    """S104, T18-T20: postponed, paused, extended by the first table whose time is up; off: shown only."""
    assert warned(after(playing(WARNED), c.Postpone()), 30) == []
    assert warned(after(playing(WARNED), c.Postpone()), 35) == [10]
    assert warned(after(playing(WARNED), c.ExtendTable(table=R1T1, by_ms=MINUTE_MS)), 31) == [10]
    paused = after(playing(WARNED), c.Pause(now=minutes(20)))
    assert (warned(paused, 30), next_deadline(paused)) == ([], None)
    assert warned(after(playing(WARNED), c.SetAuto(on=False)), 30) == []
    done = after(WARNED, report("left", "left", "draw"))
    assert (warned(done, 30), next_deadline(done)) == ([], None)


# when players may score


GATED = started(4, replace(SWISS, score_gate="clock"))


def word(state: Tournament, at: float, *, by_host: bool = False) -> c.ReportByPlayer:
    """Return the word of seat A of R1T1 that it won."""
    player = table(state).a
    return c.ReportByPlayer(
        table=R1T1, player=player, outcome="a", wins=(2, 0), by_host=by_host, now=minutes(at)
    )


def scoring(state: Tournament, at: float) -> bool:
    """Say whether players may tell a result."""
    try:
        decide(state, word(state, at))
    except CommandRejected as refusal:
        assert refusal.code == "scoring_closed"  # noqa: PT017  any other refusal is a failure
        return False
    return True


def test_players_score_only_while_the_clock_runs_if_the_host_wants_it_so() -> None:
    """S114, G5: refused after time-up, called or not; host, judge and duel server always pass."""
    assert scoring(GATED, 39.9)
    assert not scoring(GATED, 40)
    assert not scoring(after(GATED, c.CallTime(now=minutes(10))), 11)
    assert scoring(after(GATED, c.Postpone()), 44)
    assert scoring(started(4), 50)
    assert decide(GATED, word(GATED, 50, by_host=True))
    assert outcome(after(GATED, won(table(GATED), "a", minutes(50)))) == ("a", "played")
    assert outcome(after(GATED, report(2, 0, "a", now=minutes(50)))) == ("a", "played")


def test_a_clock_that_has_not_started_is_no_time_to_score() -> None:
    """S114: before the round clock starts; in a pause of it they may."""
    done = all_won(GATED, "a", minutes(5))
    frozen = after(done, c.Pause(now=minutes(6)), c.NextRound(now=minutes(7)))
    second = tables(frozen)[0]
    early = c.ReportByPlayer(table=second.id, player=second.a, outcome="a", wins=(2, 0), now=minutes(8))
    with pytest.raises(CommandRejected, match="scoring_closed"):
        decide(frozen, early)
    assert decide(after(frozen, c.Resume(now=minutes(8))), early)
    assert scoring(after(GATED, c.Pause(now=minutes(10))), 200)
