"""Tournaments that share one code (S148)."""

from dataclasses import replace

from ruleset.ids import PlayerId, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.linked import of_player, opened
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import EMPTY, Tournament
from tests.builders import START, SWISS, after, entered, minutes, publish, started

ME = PlayerId(1)


def listed(number: int, start: float, settings: Settings = SWISS) -> Tournament:
    """Return a tournament with that number and start in which player 1 is registered."""
    command = publish(replace(settings, start_at=minutes(start), linked_events=(TournamentNo(5),)))
    return after(
        EMPTY,
        replace(command, number=TournamentNo(number)),
        c.Register(player=ME, nickname="Me", now=minutes(-9_000)),
    )


def test_it_lists_those_of_the_player_the_earliest_first() -> None:
    """S148: one code lists the player's events."""
    early, late, strange = listed(9, 0), listed(8, 60), after(EMPTY, publish())
    assert of_player([strange, late, early], ME) == (early, late)
    assert opened([strange], ME, START) is None


def test_it_opens_the_one_that_is_in_its_sign_in_window() -> None:
    """S148: half-open, as sign-in is (R015)."""
    early, late = listed(9, 0), listed(8, 60)
    assert opened([late, early], ME, minutes(-60)) is early
    assert opened([late, early], ME, minutes(-30)) is None
    assert opened([late, early], ME, minutes(0)) is late


def test_it_opens_the_one_that_runs_for_him_before_all() -> None:
    """S148, R057: until he drops."""
    running, late = started(2), listed(8, 60)
    assert opened([late, running], ME, START) is running
    gone = after(started(4), c.Drop(player=ME, now=minutes(1)))
    assert opened([gone, late], ME, START) is late
    assert opened([entered(2)], ME, START) is not None
