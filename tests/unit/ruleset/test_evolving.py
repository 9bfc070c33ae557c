"""How a run of events is taken in: at once, or one by one, with the same end."""

from dataclasses import replace
from functools import reduce

from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament.decide import decide
from ruleset.tournament.evolve import evolve, replay
from ruleset.tournament.evolving.draft import Draft
from ruleset.tournament.results import Result
from ruleset.tournament.state import EMPTY, Tournament
from tests.builders import (
    SWISS,
    after,
    deck_of,
    minutes,
    numbers,
    play_out,
    publish,
    report,
    started,
    table_id,
    tables,
)


def course() -> list[e.Event]:
    """Return what happens to ten players from publishing to the second round, with corrections."""
    state, events = EMPTY, list[e.Event]()

    def send(*commands: c.Command) -> Tournament:
        nonlocal state
        for command in commands:
            new = decide(state, command)
            events.extend(new)
            state = replay(new, state)
        return state

    send(publish(SWISS))
    for player in numbers(10):
        send(
            c.Register(player=player, nickname=f"N{player}", now=minutes(-99)),
            c.SubmitDeck(player=player, deck=deck_of(player), verdict="legal"),
            c.SignIn(player=player, by_host=True, now=minutes(-45)),
        )
    send(c.Start(confirmed=True, granted=dict.fromkeys(state.signed_in(), 1_000), now=minutes(0)))
    send(*(report(2, 0, "a", table.id, now=minutes(5)) for table in tables(state)))
    send(c.Tick(now=minutes(8)))
    send(report(0, 2, "b", table_id(2, 1), now=minutes(9)))
    send(c.Rule(table=table_id(1, 1), result=other_of(state), now=minutes(10)))
    send(report(2, 0, "a", table_id(2, 2), now=minutes(11)), c.Pause(now=minutes(12)))
    return events


def other_of(state: Tournament) -> Result:
    """Return the other outcome of R1T1."""
    table = state.table(table_id(1, 1))
    assert table is not None
    assert table.result is not None
    return replace(table.result, outcome="b")


def test_a_run_of_events_leads_where_they_lead_one_by_one() -> None:
    """5.3-1: what is open for changes is closed when somebody looks, or turns elsewhere."""
    events = course()
    assert replay(events) == reduce(evolve, events, EMPTY)
    for cut in range(0, len(events), 7):
        assert replay(events[cut:], replay(events[:cut])) == replay(events)


def test_a_state_that_was_looked_at_never_changes() -> None:
    """House 3: whoever holds it may keep it."""
    draft = Draft(started(10))
    before, seen = started(10), draft.state
    for command in (report(2, 0, "a", now=minutes(5)), report(2, 0, "a", table_id(1, 2), now=minutes(5))):
        for event in decide(draft.state, command):
            draft.tell(event)
    assert seen == before
    assert draft.state != before
    assert draft.state is draft.state


def test_every_round_knows_how_many_tables_it_waits_for() -> None:
    """T14: the same as counting them."""
    state = replay(course())
    assert [played.waiting_for for played in state.rounds] == [0, 3]
    assert all(played.waiting_for == len(played.open_tables) for played in state.rounds)


def test_rows_of_dp_stand_in_the_order_in_which_they_were_written() -> None:
    """4.6: also across rounds, and after a round was taken back."""
    events = course()
    written = [row for event in events if isinstance(event, e.Rated) for row in event.rows]
    assert list(replay(events).rows) == written
    end = play_out(started(40, replace(SWISS, rounds=2)))
    assert sum(row.delta for row in end.rows if row.reason == "table") == 0
    state = after(replay(events), c.Resume(now=minutes(13)))
    assert list(state.rows) == written
