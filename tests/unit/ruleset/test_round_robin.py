"""Round robins at work: everybody meets everybody, with and without a bracket behind it (S100)."""

from collections import Counter
from dataclasses import replace

import pytest

from ruleset.ids import PlayerId
from ruleset.tournament import commands as c
from ruleset.tournament.pairings import rounds_to_play
from ruleset.tournament.ranking import standings
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import Tournament
from tests.builders import SWISS, after, all_won, minutes, play_out, started, tables

ROBIN = replace(SWISS, format="round_robin", rounds=0)
BOTH = replace(ROBIN, format="round_robin_elimination", cut=2)


def met(state: Tournament) -> Counter[frozenset[PlayerId]]:
    """Return how often two have met in the first stage."""
    return Counter(
        frozenset((table.a, table.b))
        for played in state.rounds
        if played.stage == "round_robin"
        for table in played.tables.values()
    )


@pytest.mark.parametrize(("count", "rounds"), [(2, 1), (4, 3), (5, 5), (7, 7), (8, 7)])
def test_everybody_meets_everybody_once(count: int, rounds: int) -> None:
    """S100: as many rounds as anybody has opponents; with an odd number each rests once, for nothing."""
    end = play_out(started(count, ROBIN))
    assert (end.phase, len(end.rounds)) == ("finished", rounds)
    assert set(met(end).values()) == {1}
    assert len(met(end)) == count * (count - 1) // 2
    assert not any(played.byes or played.walkovers for played in end.rounds)
    assert sum(row.values["points"] for row in standings(end)) == 3 * len(met(end))  # type: ignore[misc]


def test_only_the_first_rounds_may_be_played() -> None:
    """S100, S101: as many as the settings say, if they say it."""
    assert len(play_out(started(6, replace(ROBIN, rounds=2))).rounds) == 2
    assert rounds_to_play(started(4, replace(ROBIN, rounds=9))) == 3


def test_who_would_meet_a_dropped_player_wins_without_a_game() -> None:
    """S100, 5.7: a walkover is a win of three points, no game and no opponent."""
    state = all_won(started(4, ROBIN), "a", minutes(5))
    gone = tables(state)[0].a
    state = after(state, c.Drop(player=gone, now=minutes(6)), c.Tick(now=minutes(8)))
    (lucky,) = state.rounds[1].walkovers
    points = {row.player: row.values["points"] for row in standings(state)}
    assert len(tables(state)) == 1
    assert lucky not in {player for table in tables(state) for player in (table.a, table.b)}
    before = {
        row.player: row.values["points"] for row in standings(all_won(started(4, ROBIN), "a", minutes(5)))
    }
    assert points[lucky] == before[lucky] + 3  # type: ignore[operator]
    assert play_out(state).phase == "finished"


def test_a_dropped_player_who_returns_is_in_the_next_turns_again() -> None:
    """T23, S100: the schedule is the same for all rounds."""
    state = all_won(started(4, ROBIN), "a", minutes(5))
    gone = tables(state)[0].a
    away = after(state, c.Drop(player=gone, now=minutes(6)), c.Tick(now=minutes(8)))
    back = after(all_won(away, "a", minutes(9)), c.UndoDrop(player=gone), c.Tick(now=minutes(12)))
    assert gone in {player for table in tables(back) for player in (table.a, table.b)}
    assert set(met(back).values()) == {1}


def test_a_bracket_may_follow() -> None:
    """S100, R012: the best by the list, rounds numbered on."""
    end = play_out(started(5, BOTH))
    assert [played.stage for played in end.rounds] == ["round_robin"] * 5 + ["elimination"]
    assert end.places[0][1] == 1
    assert {player for player, _ in end.places[:2]} == set(end.seats)


def test_a_round_in_which_all_meetings_are_off_ends_at_once() -> None:
    """5.5-25: a turn without a table is done when it is paired."""
    state = all_won(started(4, ROBIN), "a", minutes(5))
    left = {tables(state)[0].a, tables(state)[0].b}
    for player in state.entrants:
        if player not in left:
            state = after(state, c.Drop(player=player, now=minutes(6)))
    state = after(state, c.Tick(now=minutes(8)))
    assert (tables(state), len(state.rounds[1].walkovers)) == ([], 2)
    assert state.rounds[1].done_at == minutes(8)
    assert play_out(state).phase == "finished"


def test_a_round_robin_may_be_ended_early() -> None:
    """5.5-14: like a Swiss, between rounds, unless a bracket follows."""
    state = all_won(started(4, ROBIN), "a", minutes(5))
    assert after(state, c.Finish(now=minutes(6))).phase == "finished"


def test_a_cup_has_no_list() -> None:
    """4.9: standings are those of a first stage."""
    assert standings(started(4, Settings(title="Cup", format="elimination"))) == ()
