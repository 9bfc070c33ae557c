"""Rounds to pair at random, and the best pairing by trying them all."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import TypeAlias

from ruleset.copies import replace
from ruleset.ids import PlayerId, RoundNo
from ruleset.pairing.contender import Contender, Wishes
from ruleset.pairing.swiss import Pairing

Cost: TypeAlias = tuple[int, ...]
"""Ruled out, byes too many, rematches, their rounds, group of the bye, squared differences, teams, floats."""
ZERO: Cost = (0,) * 8


def cost_of(pairing: Pairing, players: Sequence[Contender], wishes: Wishes) -> Cost:
    """Return what *pairing* costs; everybody must be in it once."""
    by = {contender.player: contender for contender in players}
    seated = [player for table in pairing.tables for player in table]
    assert sorted([*seated, *([] if pairing.bye is None else [pairing.bye])]) == sorted(by)
    total = ZERO if pairing.bye is None else bye_cost(by[pairing.bye], players, wishes)
    for a, b in pairing.tables:
        total = _sum(total, table_cost(by[a], by[b], wishes))
    return total


def table_cost(a: Contender, b: Contender, wishes: Wishes) -> Cost:
    """Return the cost of a table."""
    same_team = a.team is not None and a.team == b.team
    ruled_out = {a.player, b.player} in wishes.forbidden or (wishes.same_team == "must" and same_team)
    high, low = sorted((a, b), key=lambda c: -c.points)
    floats = (high.floated == "down") + (low.floated == "up") if a.points != b.points else 0
    team = wishes.same_team == "prefer" and same_team
    rematch = b.player in a.met
    return (ruled_out, 0, rematch, a.met.get(b.player, 0), 0, (a.points - b.points) ** 2, team, floats)


def bye_cost(contender: Contender, players: Sequence[Contender], wishes: Wishes) -> Cost:
    """Return the cost of a bye."""
    burden = 2 * contender.byes + (wishes.absence_counts_as_bye and contender.absence_wins > 0)
    levels = [(c.points, -c.position if wishes.bye_within == "standing" else 0) for c in players]
    own = levels[[c.player for c in players].index(contender.player)]
    return (0, burden, 0, 0, len({level for level in levels if level < own}), 0, 0, 0)


def best(players: Sequence[Contender], wishes: Wishes) -> Cost:
    """Return the least cost of all pairings; for a dozen players."""
    tables = {(i, j): table_cost(players[i], players[j], wishes) for i, j in _couples(len(players))}

    @cache
    def least(left: int) -> Cost:
        if not left:
            return ZERO
        first = (left & -left).bit_length() - 1
        rest = left ^ (1 << first)
        others = [n for n in range(len(players)) if rest >> n & 1]
        return min(_sum(tables[first, other], least(rest ^ (1 << other))) for other in others)

    everybody = (1 << len(players)) - 1
    if len(players) % 2 == 0:
        return least(everybody)
    spared = enumerate(players)
    return min(_sum(bye_cost(c, players, wishes), least(everybody ^ (1 << n))) for n, c in spared)


def _couples(count: int) -> list[tuple[int, int]]:
    return list(combinations(range(count), 2))


def _sum(a: Cost, b: Cost) -> Cost:
    return tuple(x + y for x, y in zip(a, b, strict=True))


class Play:
    """A Swiss tournament with results, draws, absences, drops and returns by a seeded generator."""

    def __init__(self, seed: int, size: int, *, teams: int = 0, drops: float = 0.0) -> None:
        self.rng, self.drops = Random(seed), drops  # noqa: S311  a repeatable play, nothing secret
        self.strength = {PlayerId(n): self.rng.gauss(0, 250) for n in range(1, size + 1)}
        self.state = {
            player: Contender(player=player, points=0, team=self.rng.randrange(teams) if teams else None)
            for player in self.strength
        }
        self.active = list(self.strength)

    @property
    def players(self) -> list[Contender]:
        """Who is to be paired now, with a place in the standings."""
        ranked = sorted(self.active, key=lambda p: (-self.state[p].points, p))
        return [replace(self.state[player], position=n) for n, player in enumerate(ranked, 1)]

    def play(self, pairing: Pairing, round_no: int) -> None:
        """Play a round, then let some drop."""
        before = {player: self.state[player].points for player in self.active}
        for a, b in pairing.tables:
            points = self._result(a, b)
            self._met(a, b, points[0], before, round_no, absent=points == (3, -1))
            self._met(b, a, max(points[1], 0), before, round_no, absent=False)
        if pairing.bye is not None:
            own = self.state[pairing.bye]
            self.state[pairing.bye] = replace(own, points=own.points + 3, byes=own.byes + 1, floated=None)
        staying = [player for player in self.active if self.rng.random() >= self.drops]
        self.active = staying if len(staying) > 3 else self.active

    def _result(self, a: PlayerId, b: PlayerId) -> tuple[int, int]:
        chance = self.rng.random()
        if chance < 0.02:
            return 3, -1
        if chance < 0.08:
            return 1, 1
        wins = 1 / (1 + 10 ** ((self.strength[b] - self.strength[a]) / 400))
        return (3, 0) if self.rng.random() < wins else (0, 3)

    def _met(
        self,
        own: PlayerId,
        other: PlayerId,
        points: int,
        before: dict[PlayerId, int],
        round_no: int,
        *,
        absent: bool,
    ) -> None:
        contender, gap = self.state[own], before[own] - before[other]
        self.state[own] = replace(
            contender,
            points=contender.points + points,
            met={**contender.met, other: RoundNo(round_no)},
            absence_wins=contender.absence_wins + absent,
            floated="down" if gap > 0 else "up" if gap < 0 else None,
        )
