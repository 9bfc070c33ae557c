"""Wins by rule that their winner may leave (H220)."""

from dataclasses import replace

import pytest

from ruleset.errors import CommandRejected
from ruleset.tournament import commands as c
from ruleset.tournament.decide import decide
from ruleset.tournament.results import Outcome, Reason, Result
from ruleset.tournament.state import Table, Tournament
from tests.builders import SWISS, after, clock, minutes, report, started, table_id

R1T1 = table_id(1, 1)
SEEN = c.SeeRoom(table=R1T1, seated=("a", "b"), playing=True, wins=(0, 1), duel=2, now=minutes(1))
CLAIM = after(started(4, clock(late_mode="claim")), SEEN)
FOUL = c.Rule(table=R1T1, result=Result(outcome="a", reason="foul"), now=minutes(10))


def table(state: Tournament) -> Table:
    """Return R1T1."""
    found = state.table(R1T1)
    assert found is not None
    return found


def answer(state: Tournament, *, take: bool, seat: str = "a") -> c.AnswerOffer:
    """Return the answer of a player of R1T1."""
    player = table(state).a if seat == "a" else table(state).b
    return c.AnswerOffer(table=R1T1, player=player, take=take, now=minutes(11))


def test_a_foul_is_offered_to_the_opponent() -> None:
    """H220: "take the win / play on"; until then the match goes on."""
    offered = after(CLAIM, FOUL)
    assert (table(offered).offered, table(offered).status) == (FOUL.result, "playing")
    assert decide(offered, FOUL) == ()
    taken = after(offered, answer(offered, take=True))
    assert (table(taken).result, table(taken).ruled, table(taken).offered) == (FOUL.result, True, None)
    left = after(offered, answer(offered, take=False))
    assert (table(left).offered, table(left).status, table(left).wins) == (None, "playing", (0, 1))


def test_only_who_wins_by_it_answers_and_only_once() -> None:
    """H220."""
    offered = after(CLAIM, FOUL)
    for state, seat in ((offered, "b"), (CLAIM, "a"), (after(offered, answer(offered, take=False)), "a")):
        with pytest.raises(CommandRejected, match="nothing_offered"):
            decide(state, answer(state, take=True, seat=seat))
    stranger = replace(answer(offered, take=True), player=99)  # type: ignore[arg-type]
    with pytest.raises(CommandRejected, match="not_at_table"):
        decide(offered, stranger)


def test_an_offer_ends_with_the_match() -> None:
    """H220: who plays on and loses has lost; a dispute ends it, too."""
    offered = after(CLAIM, FOUL)
    assert table(after(offered, report(0, 2, "b"))).offered is None
    assert table(after(offered, report("left", "left", "draw"))).offered is None


@pytest.mark.parametrize(
    ("state", "command"),
    [
        (CLAIM, replace(FOUL, final=True)),
        (after(started(4), SEEN), FOUL),
        (after(CLAIM, report(0, 2, "b")), FOUL),
    ],
)
def test_the_judge_may_mark_it_final(state: Tournament, command: c.Rule) -> None:
    """H220: nothing is offered in xingyi, where the judge says so, and behind the end of a match."""
    assert table(after(state, command)).result == FOUL.result


@pytest.mark.parametrize(("outcome", "reason"), [("a", "time"), ("a", "ruling"), ("double_loss", "foul")])
def test_other_rulings_are_no_offers(outcome: Outcome, reason: Reason) -> None:
    """H221: death-three cannot be declined; both players' foul is nobody's win."""
    ruling = c.Rule(table=R1T1, result=Result(outcome=outcome, reason=reason), now=minutes(10))
    assert table(after(CLAIM, ruling)).result == ruling.result


def test_returning_before_the_claim_takes_the_offer_of_an_absence_back() -> None:
    """H219: he may still come, with less time."""
    waiting = started(2, replace(clock(late_mode="claim"), title=SWISS.title))
    present = c.ReportPresent(table=R1T1, player=table(waiting).a, now=minutes(10))
    offered = after(waiting, present, c.Tick(now=minutes(15)))
    assert table(offered).claimable_by == "a"
    back = c.ReportPresent(table=R1T1, player=table(waiting).b, now=minutes(16))
    assert table(after(offered, back)).claimable_by is None
    again = c.ReportPresent(table=R1T1, player=table(waiting).a, now=minutes(16))
    assert table(after(offered, again)).claimable_by == "a"
