"""The host's hand on a pairing: anew, exchanged seats, pairs that are ruled out; why a round is as it is."""

from dataclasses import replace

import pytest

from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament.decide import decide
from ruleset.tournament.pairings import pairing_report
from ruleset.tournament.settings import PairingRules, Settings, TeamRules
from ruleset.tournament.state import Tournament
from tests.builders import (
    SWISS,
    after,
    all_won,
    entered,
    minutes,
    play_out,
    start,
    started,
    table_id,
    tables,
    won,
)

CUP = Settings(title="Cup", format="elimination")


def refused(state: Tournament, command: c.Command) -> CommandRejected:
    """Return the refusal of *command*."""
    with pytest.raises(CommandRejected) as refusal:
        decide(state, command)
    return refusal.value


def seats(state: Tournament) -> list[tuple[PlayerId, PlayerId]]:
    """Return who sits where in the present round."""
    return [(table.a, table.b) for table in tables(state)]


def second_round(count: int, settings: Settings = SWISS) -> Tournament:
    """Return round 2 after all first seats won."""
    return after(all_won(started(count, settings), "a", minutes(5)), c.Tick(now=minutes(8)))


# anew


def test_a_round_is_paired_anew_without_who_has_dropped() -> None:
    """4.10-5: the opponent would have won by the drop; nobody has played yet."""
    state = second_round(6)
    gone = tables(state)[2].a
    dropped = after(state, replace(c.Drop(player=gone, now=minutes(9))))
    assert refused(dropped, c.PairAgain(now=minutes(10))).code == "round_begun"
    quiet = after(second_round(6), c.SetAuto(on=False))
    again = after(quiet, c.PairAgain(now=minutes(10)))
    assert seats(again) == seats(quiet)
    assert (again.current_round.number, again.current_round.started_at) == (2, minutes(10))


def test_the_first_round_and_the_cut_can_be_paired_anew_too() -> None:
    """4.10-5: whatever the stage; who left between is not in it."""
    first = after(started(4), c.PairAgain(now=minutes(1)))
    assert seats(first) == seats(started(4))
    both = replace(SWISS, format="swiss_elimination", rounds=1, cut=2)
    cut = second_round(4, both)
    assert cut.current_round.stage == "elimination"
    anew = after(cut, c.PairAgain(now=minutes(9)))
    assert (anew.seats, anew.swiss_ranks, seats(anew)) == (cut.seats, cut.swiss_ranks, seats(cut))
    cup = after(started(4, CUP), c.PairAgain(now=minutes(1)))
    assert seats(cup) == seats(started(4, CUP))


def test_a_round_in_which_somebody_plays_is_not_paired_anew() -> None:
    """4.10-5: a match that runs, a result, a word: the refusal names the tables."""
    seen = c.SeeRoom(table=table_id(1, 2), seated=("a", "b"), playing=True, now=minutes(1))
    refusal = refused(after(started(4), seen), c.PairAgain(now=minutes(2)))
    assert (refusal.code, refusal.data["tables"]) == ("round_begun", ("R1T2",))


# exchanged


def test_two_players_change_seats() -> None:
    """Issue 3: tables keep number and server; who stays keeps what is known of him, DP is of the new pair."""
    state = started(6)
    first, second = tables(state)[:2]
    state = after(state, c.ReportPresent(table=first.id, player=first.b, now=minutes(1)))
    swap = c.SwapPlayers(one=first.a, other=second.b, now=minutes(2))
    changed = after(state, swap)
    assert seats(changed)[:2] == [(second.b, first.b), (second.a, first.a)]
    assert seats(changed)[2:] == seats(state)[2:]
    assert tables(changed)[0].presence_b.button_at == minutes(1)
    assert tables(changed)[0].presence_a.button_at is None
    kept = c.ReportPresent(table=first.id, player=first.a, now=minutes(1))
    assert tables(after(started(6), kept, c.SwapPlayers(one=first.b, other=second.b, now=minutes(2))))[
        0
    ].presence_a.button_at == minutes(1)


def test_a_bye_can_be_exchanged() -> None:
    """4.10-4: with somebody who had none."""
    state = started(5)
    (spared,) = state.current_round.byes
    other = tables(state)[0].a
    changed = after(state, c.SwapPlayers(one=spared, other=other, now=minutes(1)))
    assert changed.current_round.byes == (other,)
    assert spared in seats(changed)[0]


def test_an_exchange_that_breaks_the_pairing_must_be_confirmed() -> None:
    """4.10-2, 4.10-3: rematches, pairs ruled out, one team, a second bye."""
    first = all_won(started(5), "a", minutes(5))
    state = after(first, c.Tick(now=minutes(8)))
    spared = first.current_round.byes[0]
    (resting,) = state.current_round.byes
    bye = refused(state, c.SwapPlayers(one=resting, other=spared, now=minutes(9)))
    assert (bye.code, bye.data["second_bye"]) == ("pairing_breaks", True)
    met = {frozenset((t.a, t.b)) for t in first.rounds[0].tables.values()}
    one, other = next(
        (t.b, rival)
        for t in tables(state)
        for pair in met
        for rival in pair
        if t.a in pair and rival != t.a and rival not in (t.a, t.b)
    )
    wish = c.SwapPlayers(one=one, other=other, now=minutes(9))
    refusal = refused(state, wish)
    assert "rematches" in refusal.data["why"]  # type: ignore[operator]
    done = after(state, replace(wish, confirmed=True))
    assert done.current_round.rematches == 1


def test_an_exchange_seats_no_forbidden_pair_and_no_team_unseen() -> None:
    """S107: only as far as the two have to do with it."""
    state = entered(6, replace(SWISS, teams=TeamRules(avoid_same_team="must")))
    state = after(state, c.AddTeam(name="Red"), start(state))
    first, second, third = tables(state)
    state = after(
        state,
        c.ForbidPair(one=first.a, other=second.b),
        c.AssignTeam(player=second.a, team=1),
        c.AssignTeam(player=first.b, team=1),
    )
    refusal = refused(state, c.SwapPlayers(one=first.b, other=second.b, now=minutes(1)))
    assert refusal.data["why"] == ("forbidden", "same_team")
    assert decide(state, c.SwapPlayers(one=first.a, other=third.a, now=minutes(1)))


@pytest.mark.parametrize(
    ("state", "one", "other", "code"),
    [
        (started(4, CUP), 1, 2, "not_swiss"),
        (started(4), 1, 9, "not_seated"),
        (started(4), 1, 1, "same_table"),
        (all_won(started(4), "a", minutes(5)), 1, 2, "round_begun"),
    ],
)
def test_not_everything_can_be_exchanged(state: Tournament, one: int, other: int, code: str) -> None:
    """Issue 3: two seats of a Swiss round, before it has results."""
    assert (
        refused(state, c.SwapPlayers(one=PlayerId(one), other=PlayerId(other), now=minutes(6))).code == code
    )


# ruled out


def test_a_pair_that_is_ruled_out_does_not_meet() -> None:
    """4.10: from the next round on, in any order of the two; and it can be taken back."""
    state = all_won(started(4), "a", minutes(5))
    plain = after(state, c.Tick(now=minutes(8)))
    one, other = seats(plain)[0]
    barred = after(state, c.ForbidPair(one=other, other=one))
    assert barred.forbidden == ((min(one, other), max(one, other)),)
    assert {one, other} not in [set(pair) for pair in seats(after(barred, c.Tick(now=minutes(8))))]
    assert decide(barred, c.ForbidPair(one=one, other=other)) == ()
    allowed = after(barred, c.AllowPair(one=one, other=other))
    assert allowed.forbidden == ()
    assert decide(allowed, c.AllowPair(one=one, other=other)) == ()


@pytest.mark.parametrize(("one", "other", "code"), [(1, 1, "one_is_no_pair"), (1, 9, "unknown_player")])
def test_a_pair_is_two_players(one: int, other: int, code: str) -> None:
    """4.10."""
    assert refused(started(4), c.ForbidPair(one=PlayerId(one), other=PlayerId(other))).code == code


# why


def test_the_report_says_why_a_round_is_as_it_is() -> None:
    """4.10: of any round, by the results before it, also by rank and once fewer rounds count (S101)."""
    ranked = replace(SWISS, rounds=4, rounds_locked=False, pairing=PairingRules(within="rank"))
    state = second_round(7, ranked)
    found = pairing_report(state, state.current_round.number)
    assert found.legal
    assert found.bye in {"lowest", "higher"}
    assert {a.player for a in found.floats} <= set(state.entrants)
    fewer = after(state, c.SetRounds(rounds=1, now=minutes(9)))
    assert pairing_report(fewer, fewer.current_round.number) == found


def test_a_round_after_a_drop_is_played_out() -> None:
    """5.5-15: pairing anew with two left goes on as always."""
    state = started(3)
    assert play_out(after(state, c.PairAgain(now=minutes(1)))).phase == "finished"
    paired = decide(state, c.PairAgain(now=minutes(1)))
    assert isinstance(paired[0], e.RoundUnpaired)


def test_the_round_begins_with_the_word_of_one() -> None:
    """S136: a word is a result in the making."""
    table = tables(started(4))[0]
    told = c.ReportByPlayer(table=table.id, player=table.a, outcome="a", wins=(2, 0), now=minutes(5))
    assert refused(after(started(4), told), c.PairAgain(now=minutes(6))).code == "round_begun"
    assert refused(after(started(4), won(table, "a", minutes(5))), c.PairAgain(now=minutes(6))).code == (
        "round_begun"
    )
