"""Why a round is as it is: who floats and why, who has the bye, what could not be avoided (4.10)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, TypeAlias

from ruleset.ids import PlayerId, RoundNo
from ruleset.pairing.contender import Contender, Wishes
from ruleset.pairing.swiss import ANY, Pairing

FloatReason: TypeAlias = Literal["odd", "no_opponent", "no_round"]
"""``odd``: the players down to his score group are odd in number; ``no_opponent``: he may meet nobody in it;
``no_round``: without him, or with everybody at home, the groups have no legal round."""
ByeReason: TypeAlias = Literal["lowest", "higher", "again"]
"""``lowest``: in the lowest group of those who had none; ``higher``: with him in the lowest group there is no
legal round; ``again``: everybody had one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Float:
    """A table between two score groups."""

    player: PlayerId
    """Who floats down."""
    opponent: PlayerId
    points: tuple[int, int]
    why: FloatReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What there is to say of a round."""

    floats: tuple[Float, ...]
    bye: ByeReason | None
    rematches: tuple[tuple[PlayerId, PlayerId, RoundNo], ...]
    """With the round in which they met last."""
    barred: tuple[tuple[PlayerId, PlayerId], ...]
    """Tables that the host ruled out."""
    same_team: tuple[tuple[PlayerId, PlayerId], ...]

    @property
    def legal(self) -> bool:
        """Whether nothing was broken: no rematch, no second bye, nothing ruled out (4.10-3)."""
        return not self.rematches and not self.barred and self.bye != "again"


def report(pairing: Pairing, players: Iterable[Contender], wishes: Wishes = ANY) -> Report:
    """Return what there is to say of *pairing*, made by us or by hand, for the *players* of the round."""
    by = {contender.player: contender for contender in players}
    couples = [(by[a], by[b]) for a, b in pairing.tables]
    return Report(
        floats=tuple(_floats(couples, wishes)),
        bye=None if pairing.bye is None else _bye(by[pairing.bye], by, wishes),
        rematches=tuple((a.player, b.player, a.met[b.player]) for a, b in couples if b.player in a.met),
        barred=tuple((a.player, b.player) for a, b in couples if wishes.barred(a, b)),
        same_team=tuple((a.player, b.player) for a, b in couples if a.team is not None and a.team == b.team),
    )


def exchanged(pairing: Pairing, one: PlayerId, other: PlayerId, players: Iterable[Contender]) -> Pairing:
    """Return *pairing* after the host let two players change seats, one of whom may have the bye.

    See :func:`report` for what speaks against it.
    """
    swap = {one: other, other: one}
    met = {contender.player: contender.met for contender in players}
    tables = tuple((swap.get(a, a), swap.get(b, b)) for a, b in pairing.tables)
    return Pairing(
        tables=tables,
        bye=None if pairing.bye is None else swap.get(pairing.bye, pairing.bye),
        rematches=tuple((a, b) for a, b in tables if b in met[a]),
        proof="none",
    )


def _bye(spared: Contender, by: Mapping[PlayerId, Contender], wishes: Wishes) -> ByeReason:
    least = min(map(wishes.burden, by.values()))
    lowest = min(c.points for c in by.values() if wishes.burden(c) == least)
    if wishes.burden(spared) > least or spared.byes:
        return "again"
    return "lowest" if spared.points == lowest else "higher"


def _floats(couples: Sequence[tuple[Contender, Contender]], wishes: Wishes) -> Iterable[Float]:
    crossing = _crossing(couples)
    groups: dict[int, list[Contender]] = {}
    for contender in (contender for couple in couples for contender in couple):
        groups.setdefault(contender.points, []).append(contender)
    for a, b in couples:
        high, low = (a, b) if a.points > b.points else (b, a)
        if high.points > low.points:
            alone = not any(wishes.legal(high, c) for c in groups[high.points] if c is not high)
            why: FloatReason = "odd" if crossing[high.points] == 1 else "no_opponent" if alone else "no_round"
            yield Float(player=high.player, opponent=low.player, points=(high.points, low.points), why=why)


def _crossing(couples: Sequence[tuple[Contender, Contender]]) -> dict[int, int]:
    """Return for the points of each group how many tables have one player at or above and one below."""
    change: Counter[int] = Counter()
    for a, b in couples:
        change[max(a.points, b.points)] += 1
        change[min(a.points, b.points)] -= 1
    points = sorted(change, reverse=True)
    return dict(zip(points, accumulate(change[p] for p in points), strict=True))
