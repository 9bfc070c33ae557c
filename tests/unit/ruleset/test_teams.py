"""Teams of a tournament: the list, who is in which, lists taken in at once, ranking, not meeting."""

from dataclasses import replace
from typing import Literal

import pytest

from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId
from ruleset.tournament import commands as c
from ruleset.tournament.decide import decide
from ruleset.tournament.ranking import team_ranking
from ruleset.tournament.settings import RegistrationRules, Settings, TeamRules
from ruleset.tournament.state import EMPTY, Tournament
from tests.builders import SWISS, after, all_won, entered, minutes, play_out, publish, start, started, tables

EARLY = minutes(-120)


def with_teams(count: int, size: int, settings: Settings = SWISS) -> Tournament:
    """Return *count* players signed in, the first *size* in team 1, the next in team 2, and so on."""
    state = entered(count, settings)
    for player in range(count):
        state = after(
            state,
            c.AddTeam(name=f"Team {player // size + 1}"),
            c.AssignTeam(player=PlayerId(player + 1), team=player // size + 1),
        )
    return state


def refused(state: Tournament, command: c.Command) -> CommandRejected:
    """Return the refusal of *command*."""
    with pytest.raises(CommandRejected) as refusal:
        decide(state, command)
    return refusal.value


def test_the_list_grows_by_typing_and_a_name_stands_there_once() -> None:
    """S107: numbers are given once, also after a team has gone."""
    state = after(EMPTY, publish(), c.AddTeam(name=" Red "), c.AddTeam(name="Blue"))
    assert state.teams == {1: "Red", 2: "Blue"}
    assert decide(state, c.AddTeam(name="Red")) == ()
    assert refused(state, c.AddTeam(name=" ")).code == "empty_text"
    again = after(state, c.RemoveTeam(team=2), c.AddTeam(name="Green"))
    assert again.teams == {1: "Red", 3: "Green"}
    assert refused(again, c.RemoveTeam(team=2)).code == "unknown_team"


def test_a_name_typed_at_a_player_counts_for_nothing() -> None:
    """S108: two fields: the team that counts, and what is shown."""
    state = after(entered(2), c.AddTeam(name="Red"), c.AssignTeam(player=PlayerId(1), team=1, label="Reds"))
    shown = after(state, c.AssignTeam(player=PlayerId(2), team=None, label=" Red "))
    assert (shown.players[PlayerId(1)].team, shown.players[PlayerId(1)].team_label) == (1, "Reds")
    assert (shown.players[PlayerId(2)].team, shown.players[PlayerId(2)].team_label) == (None, "Red")
    assert shown.teams == {1: "Red"}
    assert decide(state, c.AssignTeam(player=PlayerId(1), team=1, label="Reds")) == ()
    assert refused(state, c.AssignTeam(player=PlayerId(1), team=9)).code == "unknown_team"
    assert refused(state, c.AssignTeam(player=PlayerId(9), team=1)).code == "unknown_player"
    assert after(state, c.RemoveTeam(team=1)).players[PlayerId(1)].team is None


def test_a_team_may_have_to_be_named_at_registration() -> None:
    """S115: off by default; then a player registers with one of the list."""
    plain = after(EMPTY, publish(), c.AddTeam(name="Red"))
    free = after(plain, c.Register(player=PlayerId(1), nickname="A", now=EARLY))
    assert free.players[PlayerId(1)].team is None
    must = after(EMPTY, publish(replace(SWISS, teams=TeamRules(required=True))), c.AddTeam(name="Red"))
    assert refused(must, c.Register(player=PlayerId(1), nickname="A", now=EARLY)).code == "team_required"
    wrong = c.Register(player=PlayerId(1), nickname="A", team=7, now=EARLY)
    assert refused(must, wrong).code == "unknown_team"
    named = after(must, replace(wrong, team=1))
    assert named.players[PlayerId(1)].team == 1


LINES = (
    c.RosterLine(player=PlayerId(1), team="Red"),
    c.RosterLine(player=PlayerId(2), team=" Blue "),
    c.RosterLine(player=PlayerId(3)),
)
ROSTER = c.ImportRoster(
    lines=LINES,
    teams=("Grey",),
    nicknames={PlayerId(n): f"Nick{n}" for n in range(1, 4)},
    now=EARLY,
)


def test_a_list_is_taken_in_at_once() -> None:
    """S107, S110: players are registered, teams found in it fill the list; again changes nothing."""
    state = after(EMPTY, publish(), ROSTER)
    assert state.teams == {1: "Grey", 2: "Red", 3: "Blue"}
    assert [(p.nickname, p.team) for p in state.players.values()] == [
        ("Nick1", 2),
        ("Nick2", 3),
        ("Nick3", None),
    ]
    assert decide(state, ROSTER) == ()
    moved = after(state, replace(ROSTER, lines=(c.RosterLine(player=PlayerId(3), team="Red"),)))
    assert moved.players[PlayerId(3)].team == 2


def test_a_list_with_a_wrong_line_is_not_taken_in_at_all() -> None:
    """S110: each wrong line is named with its number; all or nothing."""
    state = after(EMPTY, publish(replace(SWISS, teams=TeamRules(required=True))))
    lines = (*LINES, c.RosterLine(player=PlayerId(1), team="Red"), c.RosterLine(player=PlayerId(9)))
    refusal = refused(state, replace(ROSTER, lines=lines))
    assert (refusal.code, refusal.data["rows"]) == (
        "bad_rows",
        {1: "player_twice", 3: "team_required", 4: "player_twice", 5: "unknown_player"},
    )
    full = after(EMPTY, publish(replace(SWISS, registration=RegistrationRules(limit=2))))
    assert refused(full, ROSTER).code == "list_full"
    assert refused(started(2), ROSTER).code == "already_started"


@pytest.mark.parametrize(("avoid", "rounds"), [("prefer", 1), ("must", 2)])
def test_members_of_a_team_do_not_meet(avoid: Literal["prefer", "must"], rounds: int) -> None:
    """S107: preferred where points allow it, as in round 1; or never."""
    state = with_teams(12, 6, replace(SWISS, teams=TeamRules(avoid_same_team=avoid)))
    state = after(state, start(state))
    for _ in range(rounds):
        teams = [(state.players[t.a].team, state.players[t.b].team) for t in tables(state)]
        assert all(one != other for one, other in teams)
        state = after(all_won(state, "a", minutes(5)), c.NextRound(now=minutes(6)))


def test_teams_are_ranked_by_their_best() -> None:
    """S130, S131: switched on; the first n of each; an incomplete team after the complete ones."""
    on = replace(SWISS, rounds=1, teams=TeamRules(ranking=True, top_n=2))
    state = with_teams(7, 3, on)
    assert team_ranking(state) == ()
    end = play_out(after(state, start(state)))
    rows = team_ranking(end)
    assert [row.rank for row in rows][-1] == 3
    assert (rows[-1].team, rows[-1].complete) == (3, False)
    assert all(len(row.members) <= 2 for row in rows)
    assert team_ranking(play_out(started(4))) == ()
