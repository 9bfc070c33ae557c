"""Team ranking (S130, S131): the sum of each criterion over the best members of a team."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from ruleset.ids import PlayerId
from ruleset.standings.criterion import Criterion
from ruleset.standings.field import Number
from ruleset.standings.table import Standings


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRow:
    """One team's line."""

    team: int
    rank: int
    """1 + the number of teams that are strictly better (4.8)."""
    members: tuple[PlayerId, ...]
    """Those who count, best first."""
    complete: bool
    """Whether there are as many as count; a team that is not comes after all that are."""
    values: Mapping[str, Number]
    """Sums by criterion; those that are no number, or only split seats, are left out."""


def rank_teams(standings: Standings, teams: Mapping[PlayerId, int], top_n: int) -> tuple[TeamRow, ...]:
    """Return the teams in order, the first *top_n* of each counting; 0: all of them.

    *teams* holds the teams that count (S108); who is in none is not in it.
    """
    members = defaultdict[int, list[PlayerId]](list)
    for player in (player for group in standings.groups for player in group if player in teams):
        members[teams[player]].append(player)
    criteria = [c for c in standings.criteria if c.group is None and c.fold != "sorted"]
    rows = [_row(standings, criteria, team, best, top_n) for team, best in sorted(members.items())]
    keys = sorted((_key(row, criteria) for row in rows), reverse=True)
    ranked = [replace(row, rank=1 + keys.index(_key(row, criteria))) for row in rows]
    return tuple(sorted(ranked, key=lambda row: row.rank))


def _row(
    standings: Standings, criteria: Sequence[Criterion], team: int, best: Sequence[PlayerId], top_n: int
) -> TeamRow:
    counted = tuple(best[:top_n] if top_n else best)
    values = {c.key: sum(cast("Number", standings.value(c, p)) for p in counted) for c in criteria}
    return TeamRow(team=team, rank=0, members=counted, complete=len(best) >= top_n, values=values)


def _key(row: TeamRow, criteria: Sequence[Criterion]) -> tuple[Number, ...]:
    return (row.complete, *(-row.values[c.key] if c.lower_first else row.values[c.key] for c in criteria))
