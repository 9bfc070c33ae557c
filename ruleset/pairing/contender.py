"""Who is to be paired, and what a host wishes of a pairing."""

from collections.abc import Iterable, Iterator, Mapping
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


class Met(Mapping[PlayerId, RoundNo]):
    """Whom a player met, and in which round for the last time; most are never asked about in full."""

    __slots__ = ("_known", "_record")

    def __init__(self, record: Record) -> None:
        self._record = record
        self._known: dict[PlayerId, RoundNo] | None = None

    @property
    def _all(self) -> dict[PlayerId, RoundNo]:
        if self._known is None:
            met = ((m.opponent, m.round_no) for m in self._record.matches)
            self._known = {opponent: round_no for opponent, round_no in met if opponent is not None}
        return self._known

    def __getitem__(self, player: PlayerId) -> RoundNo:
        return self._all[player]

    def __contains__(self, player: object) -> bool:
        return player in self._all

    def __iter__(self) -> Iterator[PlayerId]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


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
    last = max((record.matches[-1].round_no for record in records.values() if record.matches), default=None)
    before = {p: points[p] - _points_in(records[p], last, scoring) for p in records}
    teams, positions = teams or {}, positions or {}

    def contender(player: PlayerId) -> Contender:
        record = records[player]
        unplayed = [match for match in record.matches if match.kind != "played"]
        return Contender(
            player=player,
            points=points[player],
            met=Met(record),
            byes=sum(match.kind == "bye" for match in unplayed),
            absence_wins=sum(match.kind == "absence" and match.outcome == "win" for match in unplayed),
            floated=_floated(record, last, before),
            team=teams.get(player),
            position=positions.get(player, 0),
        )

    return [*map(contender, active)]


def _points_in(record: Record, round_no: RoundNo | None, scoring: Scoring) -> int:
    """Return the points of the last match, if it was of that round."""
    match = record.matches[-1] if record.matches else None
    return scoring.points(match) if match is not None and match.round_no == round_no else 0


def _floated(record: Record, last: RoundNo | None, before: Mapping[PlayerId, int]) -> FloatDirection | None:
    match: Match | None = record.matches[-1] if record.matches else None
    if match is None or match.opponent is None or match.round_no != last:
        return None
    own, other = before[record.player], before[match.opponent]
    return "down" if own > other else "up" if own < other else None
