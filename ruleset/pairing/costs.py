"""The ordered wishes of 4.10 as one integer: a less important wish never outweighs a more important one."""

from itertools import accumulate
from operator import mul
from typing import Final

from ruleset import seeds
from ruleset.pairing.contender import TEAM, Contender
from ruleset.pairing.task import Task

MOST_BITS: Final = 118
"""What the matching library can add up, with room for its duals."""
MOST_NOISE: Final = 1 << 32


class Costs:
    """What a table or a bye costs in one round; *legal*: no table will be asked for that is not.

    From the most important: pairs that the host rules out, a bye too many, rematches, how recent they are,
    the score group of the bye, squared differences of points, one team, second floats, and the draw, which
    leaves one best pairing of equally good ones.
    """

    def __init__(self, task: Task, *, legal: bool) -> None:
        self.task = task
        players, tables = task.players, len(task.players) // 2 + 1
        levels = sorted(task.bye_levels())
        self._level = {level: n for n, level in enumerate(levels)}
        spread = players[0].points - players[-1].points
        met = (round_no for contender in players for round_no in contender.met.values())
        last = 0 if legal else max(met, default=0)
        most = (
            (TEAM + 2) * tables,
            spread * spread * tables,
            len(levels),
            last * tables,
            tables,
            max(map(task.wishes.burden, players)),
            tables,
        )
        bits = sum((limit + 1).bit_length() for limit in most)
        self._noise = min(MOST_NOISE, (1 << MOST_BITS - bits) // tables)
        units: list[int] = [*accumulate((self._noise * tables, *(limit + 1 for limit in most)), mul)]
        self._soft, self._gap, self._bye_level, self._age, self._rematch, self._burden, self._barred, _ = (
            units
        )
        self._draws: dict[Contender, int] = {}

    def table(self, a: Contender, b: Contender) -> int:
        """Return the cost of a table where two meet who may."""
        soft = self.task.wishes.soft(a, b)
        return (a.points - b.points) ** 2 * self._gap + soft * self._soft + self._drawn(a, b)

    def illegal(self, a: Contender, b: Contender) -> int:
        """Return what is to be added where they may not meet."""
        barred = self._barred * self.task.wishes.barred(a, b)
        last = a.met.get(b.player)
        return barred if last is None else barred + self._rematch + last * self._age

    def bye(self, contender: Contender) -> int:
        """Return the cost of a bye."""
        burden, points, standing = self.task.bye_rank(contender)
        return (
            burden * self._burden
            + self._level[points, standing] * self._bye_level
            + self._part(self._draw(contender))
        )

    def _drawn(self, a: Contender, b: Contender) -> int:
        if self.task.wishes.within == "rank":
            return min(abs(a.position - b.position), self._noise - 1)
        return self._part(self._draw(a) * self._draw(b))

    def _draw(self, contender: Contender) -> int:
        if contender not in self._draws:
            drawn = seeds.draw(self.task.key, contender.player)
            self._draws[contender] = int.from_bytes(drawn[:8]) | 1
        return self._draws[contender]

    def _part(self, drawn: int) -> int:
        return (drawn & _WORD) * self._noise >> 64


_WORD: Final = (1 << 64) - 1
