"""The start: who enters, N, the first round."""

from dataclasses import replace

import pytest

from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, ServerId
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament.deadlines import NEVER, next_deadline, signin_closes_at, start_due
from ruleset.tournament.decide import decide
from ruleset.tournament.settings import ServerUse, Settings
from ruleset.tournament.starting import check_start
from ruleset.tournament.state import EMPTY, Tournament
from tests.builders import (
    START,
    SWISS,
    after,
    clock,
    deck_of,
    entered,
    minutes,
    numbers,
    publish,
    start,
    started,
    tables,
)

TIMED = replace(SWISS, start_at=START)
CUP = Settings(title="Cup", format="elimination", start_at=START)


def automatic(state: Tournament, granted: int, now: float = 0) -> c.Start:
    """Return the daemon's start, with the first *granted* sign-ins free."""
    free = dict.fromkeys(state.signed_in()[:granted], 1_000)
    return c.Start(automatic=True, granted=free, now=minutes(now))


def test_sign_in_opens_and_closes_by_the_clock() -> None:
    """T1, T2, R015, R016: 60 and 30 minutes before the start; the alarm is told each time."""
    state = after(EMPTY, publish(TIMED))
    assert next_deadline(state) == minutes(-60)
    assert decide(state, c.Tick(now=minutes(-60.001))) == ()
    state = after(state, c.Tick(now=minutes(-60)))
    assert (state.phase, next_deadline(state)) == ("signin_open", minutes(-30))
    state = after(state, c.Tick(now=minutes(-30)))
    assert (state.phase, next_deadline(state)) == ("signin_closed", START)


def test_without_a_start_time_sign_in_opens_at_publishing_and_stays_open() -> None:
    """T1, R015, R016."""
    state = after(EMPTY, publish(), c.Tick(now=minutes(-7 * 24 * 60)))
    assert (state.phase, next_deadline(state), signin_closes_at(state)) == ("signin_open", None, NEVER)


def test_the_start_follows_the_clock() -> None:
    """R063, S124, T3: at start time, with two signed in; N is frozen with everybody's DP (R013)."""
    state = entered(2, TIMED)
    assert not start_due(state, minutes(-0.001))
    assert start_due(state, START)
    state = after(state, automatic(state, 2))
    assert (state.phase, state.entrants, state.dp) == ("running", (1, 2), {1: 1_000, 2: 1_000})
    assert decide(state, automatic(state, 2)) == ()


@pytest.mark.parametrize("command", [c.Pause(now=minutes(-1)), c.SetAuto(on=False)])
def test_a_paused_or_muted_clock_does_not_start(command: c.Command) -> None:
    """T3: guard auto on, not paused."""
    state = after(entered(2, TIMED), command)
    assert not start_due(state, minutes(1))
    assert decide(state, automatic(state, 2, 1)) == ()


def test_with_fewer_than_two_the_start_is_held_until_the_host_signs_in_another() -> None:
    """R063, T4: HELD; due again with the next sign-in and not before."""
    state = after(entered(1, TIMED), c.Register(player=PlayerId(9), nickname="Late", now=minutes(-40)))
    held = after(state, automatic(state, 1))
    assert (held.phase, start_due(held, minutes(1)), next_deadline(held)) == ("held", False, None)
    deck = entered(1).players[PlayerId(1)].deck
    assert deck is not None
    second = after(
        held,
        c.SubmitDeck(player=PlayerId(9), deck=deck, verdict="legal"),
        c.SignIn(player=PlayerId(9), by_host=True, now=minutes(2)),
    )
    assert start_due(second, minutes(2))
    assert after(second, automatic(second, 2, 2)).phase == "running"
    again = after(second, automatic(second, 1, 2))
    assert (again.phase, start_due(again, minutes(3))) == ("held", False)


def test_a_held_tournament_can_be_cancelled() -> None:
    """T4."""
    state = entered(1, TIMED)
    assert after(state, automatic(state, 1), c.Cancel(now=minutes(5))).phase == "cancelled"


def test_who_runs_elsewhere_does_not_enter() -> None:
    """R057, 5.5-24: marked before N is frozen; who did not sign in likewise."""
    state = after(entered(4), c.Register(player=PlayerId(9), nickname="Late", now=minutes(-40)))
    command = replace(start(state), granted=dict.fromkeys(numbers(3), 1_000))
    begun = decide(state, command)[0]
    assert isinstance(begun, e.TournamentStarted)
    assert [player for player, _ in begun.entrants] == [1, 2, 3]
    assert dict(begun.not_entered) == {4: "elsewhere", 9: "not_signed_in"}
    assert after(state, command).players[PlayerId(4)].status == "not_entered"


def test_a_start_by_hand_before_sign_in_closes_must_be_confirmed() -> None:
    """T3': the refusal lists the approved players who are not signed in."""
    state = entered(2, TIMED)
    late = after(
        state,
        c.Register(player=PlayerId(3), nickname="N", now=minutes(-50)),
        c.SubmitDeck(player=PlayerId(3), deck=deck_of(3), verdict="legal"),
    )
    with pytest.raises(CommandRejected) as refusal:
        decide(late, replace(start(late, minutes(-40)), confirmed=False))
    assert (refusal.value.code, refusal.value.data["players"]) == ("confirm_unsigned", (3,))
    assert after(late, start(late, minutes(-40))).phase == "running"
    assert after(late, replace(start(late, minutes(-30)), confirmed=False)).phase == "running"
    check_start(late, confirmed=True, now=minutes(-40))


@pytest.mark.parametrize(("count", "granted", "code"), [(1, 1, "too_few_players"), (2, 1, "too_few_players")])
def test_nobody_starts_alone_by_hand(count: int, granted: int, code: str) -> None:
    """T3': at least two must be signed in and free."""
    state = entered(count)
    command = replace(start(state), granted=dict.fromkeys(numbers(granted), 1_000))
    with pytest.raises(CommandRejected) as refusal:
        decide(state, command)
    assert refusal.value.code == code


def test_a_swiss_of_odd_numbers_gives_a_bye_with_three_points() -> None:
    """R019, R022: nobody is truncated, the bye is an empty chair for one."""
    state = started(5)
    assert state.round is not None
    assert (len(state.entrants), len(tables(state)), len(state.round.byes)) == (5, 2, 1)


def test_elimination_fills_up_with_byes_for_the_earliest_sign_ins() -> None:
    """R020, 4.9: N=5 is a bracket of 8 with three byes, and two who play."""
    state = started(5, CUP)
    assert state.round is not None
    assert sorted(state.round.byes) == [1, 2, 3]
    assert [(table.a, table.b) for table in tables(state)] in ([(4, 5)], [(5, 4)])
    assert len(state.round.slots) == 8


@pytest.mark.parametrize(("count", "kept"), [(5, 4), (9, 8), (33, 32), (8, 8)])
def test_elimination_may_keep_the_largest_power_of_two(count: int, kept: int) -> None:
    """R013, R021: by order of sign-in; N counts after it; the others are not entered."""
    state = started(count, replace(CUP, odd_field="truncate"))
    assert state.entrants == tuple(numbers(kept))
    assert all(state.players[player].status == "not_entered" for player in numbers(count)[kept:])


def test_tables_are_spread_over_the_duel_servers() -> None:
    """Decisions 1: free capacity first; fixed when the round is paired."""
    one, two = ServerId("one"), ServerId("two")
    servers = (ServerUse(id=one, capacity=10), ServerUse(id=two, capacity=2))
    state = entered(8, replace(SWISS, servers=servers))
    spread = after(state, start(state))
    assert [table.server for table in tables(spread)] == [one, one, one, one]
    full = after(state, replace(start(state), free={one: 1, two: 9}))
    assert [table.server for table in tables(full)] == [two, one, two, one]


def test_muted_clock_from_publishing_on() -> None:
    """R068: ``auto`` of the settings is how a tournament begins."""
    assert not after(EMPTY, publish(clock(auto=False))).auto
