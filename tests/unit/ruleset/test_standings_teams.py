"""Team ranking (S130, S131)."""

from fractions import Fraction

from ruleset.standings.table import Standings
from ruleset.standings.teams import rank_teams
from tests.records import names, played, player

RECORDS = played("A-B 2:0, C-D 2:1, E-F 2:0, G bye", "A-C 2:0, B-D 2:0, E-G 1:1, F bye")
STANDINGS = Standings(RECORDS, order=("points", "gw", "fewer_byes", "h2h", "round_high"))
TEAMS = {player(name): team for name, team in zip("ABCDEF", (1, 1, 2, 2, 3, 1), strict=True)}


def test_the_best_members_count() -> None:
    """S131: each criterion is summed over the n best of a team; who is in no team is left out (S108)."""
    rows = rank_teams(STANDINGS, TEAMS, 2)
    assert [(row.team, row.rank, names(list(row.members)), row.complete) for row in rows] == [
        (1, 1, "AB", True),
        (2, 2, "CD", True),
        (3, 3, "E", False),
    ]
    assert rows[0].values == {"points": 9, "gw": 1 + Fraction(1, 2), "fewer_byes": 0}


def test_all_members_count_if_so_chosen() -> None:
    """S131: 0 = all, and then every team is complete."""
    rows = rank_teams(STANDINGS, TEAMS, 0)
    assert [(row.team, len(row.members)) for row in rows] == [(1, 3), (3, 1), (2, 2)]
    assert all(row.complete for row in rows)


def test_incomplete_teams_come_last() -> None:
    """S131: whatever their points are."""
    rows = rank_teams(STANDINGS, {player("A"): 1, player("D"): 2, player("C"): 2}, 2)
    assert [(row.team, row.values["points"]) for row in rows] == [(2, 3), (1, 6)]


def test_equal_teams_share_a_rank() -> None:
    """4.8: and the next one comes after all of them; criteria where less is better count so (R029)."""
    standings = Standings(played("A-B 1:1, C-D 1:1, E bye, F-G 0:2"), order=("points", "fewer_byes"))
    teams = {player(name): n for n, name in enumerate("ABFE", 1)}
    assert [(row.team, row.rank) for row in rank_teams(standings, teams, 1)] == [
        (4, 1),
        (1, 2),
        (2, 2),
        (3, 4),
    ]
    byes = Standings(played("A bye, B-C 2:0"), order=("points", "fewer_byes"))
    assert [row.team for row in rank_teams(byes, {player("A"): 1, player("B"): 2}, 1)] == [2, 1]
