"""Who is to be paired, and what a host wishes of a pairing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ruleset.ids import PlayerId, RoundNo
from ruleset.standings.record import Match, Record
from ruleset.standings.scoring import Scoring

FloatDirection: TypeAlias = Literal["down", "up"]
"""``down``: met somebody with fewer points; ``up``: with more."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contender:
    """One active player before a round; two are equal only if they are the same object."""

    player: PlayerId
    points: int
    met: Mapping[PlayerId, RoundNo] = field(default_factory=dict)
    """Whom he met, and in which round for the last time."""
    byes: int = 0
    absence_wins: int = 0
    floated: FloatDirection | None = None
    """In the round before this one."""
    team: int | None = None
    """``None``: in no team that counts (S108)."""
    position: int = 0
    """His place in the standings, where a wish asks for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """How a host wants rounds to be paired (4.10)."""

    within: Literal["random", "rank"] = "random"
    """What orders players of equal points: the round's draw, or their standing (``pair_within``)."""
    bye_within: Literal["random", "standing"] = "random"
    """Who of the lowest score group has the bye."""
    absence_counts_as_bye: bool = True
    """Who won by absence has a bye only after everybody else."""
    same_team: Literal["off", "prefer", "must"] = "off"
    """``avoid_same_team`` (S107)."""
    forbidden: frozenset[frozenset[PlayerId]] = frozenset()
    """Pairs that the host rules out."""

    def barred(self, a: Contender, b: Contender) -> bool:
        """Tell whether the host does not want the two to meet at all."""
        team = self.same_team == "must" and a.team is not None and a.team == b.team
        return team or (bool(self.forbidden) and frozenset((a.player, b.player)) in self.forbidden)

    def legal(self, a: Contender, b: Contender) -> bool:
        """Tell whether two may meet: no rematch (4.10-2), nothing that the host rules out."""
        return b.player not in a.met and not self.barred(a, b)

    def burden(self, contender: Contender) -> int:
        """Return how much speaks against a bye: byes before all, then a win by absence (4.10-4)."""
        return 2 * contender.byes + (self.absence_counts_as_bye and contender.absence_wins > 0)

    def soft(self, a: Contender, b: Contender) -> int:
        """Return what is to be avoided once scores are as close as can be: one team, then a second float."""
        team = self.same_team == "prefer" and a.team is not None and a.team == b.team
        return TEAM * team + floats_again(a, b)


TEAM = 1 << 16
"""One table within a team weighs more than the second floats of a whole round."""


def floats_again(a: Contender, b: Contender) -> int:
    """Return how many of the two would float in the same direction as in the round before (4.10-2)."""
    if a.points == b.points:
        return 0
    high, low = (a, b) if a.points > b.points else (b, a)
    return (high.floated == "down") + (low.floated == "up")


def contenders(
    records: Mapping[PlayerId, Record],
    active: Iterable[PlayerId],
    scoring: Scoring,
    *,
    teams: Mapping[PlayerId, int] | None = None,
    positions: Mapping[PlayerId, int] | None = None,
) -> list[Contender]:
    """Return what pairing needs to know of the *active* players; their opponents have records, too."""
    points = {player: sum(map(scoring.points, record.matches)) for player, record in records.items()}
    last = max((m.round_no for record in records.values() for m in record.matches), default=None)
    before = {p: points[p] - _points_in(records[p], last, scoring) for p in records}
    return [
        Contender(
            player=player,
            points=points[player],
            met={m.opponent: m.round_no for m in records[player].matches if m.opponent is not None},
            byes=sum(m.kind == "bye" for m in records[player].matches),
            absence_wins=sum(m.kind == "absence" and m.outcome == "win" for m in records[player].matches),
            floated=_floated(records[player], last, before),
            team=(teams or {}).get(player),
            position=(positions or {}).get(player, 0),
        )
        for player in active
    ]


def _points_in(record: Record, round_no: RoundNo | None, scoring: Scoring) -> int:
    return sum(scoring.points(m) for m in record.matches if m.round_no == round_no)


def _floated(record: Record, last: RoundNo | None, before: Mapping[PlayerId, int]) -> FloatDirection | None:
    match: Match | None = record.matches[-1] if record.matches else None
    if match is None or match.opponent is None or match.round_no != last:
        return None
    own, other = before[record.player], before[match.opponent]
    return "down" if own > other else "up" if own < other else None
