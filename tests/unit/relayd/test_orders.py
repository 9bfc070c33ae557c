"""What a room is told, stage by stage (rules.md 5.4, T8-T10; duel-server.md 0, 2)."""

from dataclasses import replace
from typing import Any

import pytest

from relayd.bridge.orders import GRACE_MS, LONGEST_WAIT_MS, NOBODY_SIDES_MS, Act, Memory, wanted, watch
from relayd.bridge.sighting import TableSight
from relayd.bridge.tables import TableKey
from ruleset.ids import SECOND_MS, Instant
from ruleset.tournament.results import Result
from ruleset.tournament.state import Table
from srvpro_bridge.adminapi import Stage
from tests.bridging import pair, room
from tests.builders import NUMBER, START, started, table_id, tables

PLAIN = replace(tables(started(2))[0], status="playing")
CALLED = replace(PLAIN, time_called_at=START)
"""A table whose time was called."""


def sight(stage: Stage, scores: tuple[int, int] = (0, 0), *, extra: bool = False, **shown: Any) -> TableSight:
    """Return the table's room."""
    name = "M#X12R1T1S" if extra else "M#X12R1T1"
    seen = room(name, *pair(PLAIN, scores), stage=stage, **shown)
    return TableSight(key=TableKey(NUMBER, table_id(1, 1)), extra=extra, room=seen, seats=("a", "b"))


class Hand:
    """Looks at the room of one table again and again; every order is answered."""

    def __init__(self, table: Table = CALLED) -> None:
        self.table, self.memory, self.now = table, Memory(), START

    def look(self, shown: TableSight, after_ms: int = SECOND_MS) -> Act | None:
        """Look, a second later, and do what is wanted."""
        self.now = Instant(self.now + after_ms)
        self.memory = watch(self.table, shown, self.memory, self.now)
        act = wanted(self.table, shown, self.memory, 3, self.now)
        if act is not None:
            self.memory = self.memory.given(act, self.now)
        return act

    def look_for(self, shown: TableSight, seconds: int) -> list[Act]:
        """Look once a second for so long; return what was done."""
        acts = [self.look(shown) for _ in range(seconds)]
        return [act for act in acts if act is not None]


@pytest.mark.parametrize("stage", [Stage.COIN, Stage.DUELING, Stage.SIDING])
def test_nothing_is_ordered_before_time_is_called(stage: Stage) -> None:
    """T8: a table that plays is left alone."""
    assert Hand(PLAIN).look(sight(stage, duel=1)) is None


def test_a_waiting_room_is_told_when_it_starts() -> None:
    """T9, duel-server.md 0-2: BEGIN ignores death and forgets it; so it comes at the coin toss."""
    hand = Hand()
    assert hand.look_for(sight(Stage.BEGIN), 30) == []
    assert hand.look(sight(Stage.COIN)) == "death"


def test_death_is_ordered_until_it_shows() -> None:
    """T8, duel-server.md 0-1: "death ok" proves nothing; what does not take is tried again, ever rarer."""
    hand = Hand()
    bare, armed = sight(Stage.DUELING, duel=1, turn=2), sight(Stage.DUELING, duel=1, turn=2, death="on")
    assert hand.look(bare) == "death"
    assert hand.look(bare) is None
    assert hand.look(bare) == "death"
    again = hand.look_for(bare, 600)
    assert 10 <= len(again) <= 20
    assert hand.look_for(armed, 600) == []
    assert hand.look(bare, LONGEST_WAIT_MS) == "death"


@pytest.mark.parametrize("death", ["on", "sudden"])
def test_a_room_in_death_needs_nothing(death: str) -> None:
    """5.4: sudden death goes on by itself."""
    assert Hand().look_for(sight(Stage.DUELING, duel=1, turn=5, death=death), 100) == []


def test_a_lead_in_siding_ends_the_match_at_once() -> None:
    """5.4: siding, one leads: start_death ends it; once, for nothing shows there."""
    hand = Hand()
    assert hand.look_for(sight(Stage.SIDING, (1, 0), duel=1), 50) == ["death"]


def test_equal_in_siding_arms_the_next_game() -> None:
    """5.4: siding, equal: the next game has 4 turns; nobody is hurried."""
    hand = Hand()
    assert hand.look_for(sight(Stage.SIDING, (1, 1), duel=2), 500) == ["death"]


def test_a_lead_from_death_and_nobody_sides() -> None:
    """Decisions 14, duel-server.md 0-3: after 60 s death is called off and again; so each minute."""
    hand = Hand()
    assert hand.look_for(sight(Stage.DUELING, duel=1, turn=4, death="on", last_turn=4), 3) == []
    siding = sight(Stage.SIDING, (1, 0), duel=1)
    assert hand.look_for(siding, NOBODY_SIDES_MS // SECOND_MS) == []
    assert hand.look(siding) == "renew"
    assert hand.look_for(siding, NOBODY_SIDES_MS // SECOND_MS) == ["renew"]


def test_the_minute_begins_anew_with_each_siding() -> None:
    """Decisions 14: what counts is this siding, not the one before."""
    hand = Hand()
    for duel in (1, 2):
        hand.look(sight(Stage.DUELING, duel=duel, turn=3, death="on", last_turn=4))
        assert hand.look_for(sight(Stage.SIDING, (1, 0), duel=duel), 59) == []


def test_the_extra_game_is_in_death_from_its_start() -> None:
    """5.5-12: as soon as the room has started, whether time was called or not; a lead ends it at once."""
    tied = replace(PLAIN, extra_games=1)
    hand = Hand(tied)
    assert hand.look(sight(Stage.BEGIN, extra=True)) is None
    assert hand.look(sight(Stage.COIN, extra=True)) == "death"
    assert hand.look(sight(Stage.DUELING, extra=True, duel=1, turn=1, death="on", last_turn=4)) is None
    assert hand.look(sight(Stage.SIDING, (1, 0), extra=True, duel=1)) == "renew"


def test_a_lead_that_a_lost_room_evens_out_ends_nothing() -> None:
    """5.5-8: 0-1 in the new room after 1-0 in the lost one is a tie: no death before the last game runs."""
    hand = Hand(replace(CALLED, carried=(1, 0)))
    hand.look(sight(Stage.DUELING, duel=1, turn=3, death="on", last_turn=4))
    assert hand.look_for(sight(Stage.SIDING, (0, 1), duel=1), 100) == ["cancel"]
    assert hand.look_for(sight(Stage.COIN, (0, 1), duel=1), 5) == []
    assert hand.look(sight(Stage.DUELING, (0, 1), duel=2, turn=1)) == "death"


def decided(**changes: Any) -> Table:
    """Return the table with a result."""
    result = Result(outcome="a", reason="played")
    return replace(CALLED, status="confirmed", result=result, **changes)


def test_a_room_may_outlive_its_table_for_a_while() -> None:
    """duel-server.md 0-4: a kick would suppress the report that srvpro is about to make."""
    hand = Hand(decided())
    over = sight(Stage.COIN, (2, 0), duel=2)
    assert hand.look_for(over, GRACE_MS // SECOND_MS) == []
    assert hand.look(over) == "kick"
    assert 2 <= len(hand.look_for(over, 60)) <= 6


def test_the_hard_cap_closes_the_room_at_once() -> None:
    """T10: unfinished at the cap; but a match that has just been won reports itself."""
    capped = replace(decided(capped=True), result=Result(outcome="double_loss", reason="cap"))
    assert Hand(capped).look(sight(Stage.DUELING, (1, 0), duel=2, turn=9)) == "kick"
    assert Hand(capped).look(sight(Stage.BEGIN)) == "kick"
    assert Hand(capped).look(sight(Stage.COIN, (2, 0), duel=2)) is None


def test_the_room_of_a_tied_match_closes_before_the_extra_game() -> None:
    """5.5-12: nobody plays on under the old code."""
    hand = Hand(replace(PLAIN, extra_games=1))
    assert hand.look_for(sight(Stage.BEGIN), 11) == ["kick"]


def test_a_table_that_is_open_again_keeps_its_room() -> None:
    """5.5-16: the grace begins anew when it is decided once more."""
    hand = Hand(decided())
    hand.look_for(sight(Stage.SIDING, (1, 0), duel=1), 9)
    hand.table = PLAIN
    assert hand.look(sight(Stage.SIDING, (1, 0), duel=1)) is None
    hand.table = decided()
    assert hand.look_for(sight(Stage.SIDING, (1, 0), duel=1), 10) == []


@pytest.mark.parametrize("status", ["reported", "disputed"])
def test_a_match_that_the_judge_has_is_left_alone(status: str) -> None:
    """T10: REPORTED and DISPUTED wait for people."""
    hand = Hand(replace(CALLED, status=status))  # type: ignore[arg-type]
    assert hand.look_for(sight(Stage.SIDING, (1, 0), duel=1), 200) == []


def test_a_match_that_was_just_won_gets_no_death() -> None:
    """duel-server.md 2: at the end of the last game it would turn the loser's games into -1."""
    assert Hand().look(sight(Stage.COIN, (2, 1), duel=3)) is None


def test_strangers_get_no_orders() -> None:
    """Decisions 17: a room in which nobody of the table sits is not the table's match."""
    strange = replace(sight(Stage.DUELING, duel=1, turn=1), seats=(None, None))
    assert Hand().look(strange) is None


def test_an_order_that_was_not_answered_counts_as_a_try_only() -> None:
    """T8: what did not get through is not believed to be done."""
    memory = watch(CALLED, sight(Stage.SIDING, (1, 0), duel=1), Memory(), START).tried("death", START)
    assert not memory.death_on
    later = Instant(START + 2 * SECOND_MS)
    assert wanted(CALLED, sight(Stage.SIDING, (1, 0), duel=1), memory, 3, later) == "death"


def test_where_the_server_hides_the_turns_one_order_is_enough() -> None:
    """duel-server.md 1: with show_info off nothing tells whether it took."""
    assert Hand().look_for(sight(Stage.STARTED), 100) == ["death"]
