"""A round that is to be paired, and what makes a table good."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal, TypeAlias

from ruleset import seeds
from ruleset.pairing.contender import Contender, Wishes

Couple: TypeAlias = tuple[Contender, Contender]
Proof: TypeAlias = Literal["all", "score", "none"]
"""What is certain: that no pairing is better by any wish; by any wish up to score differences; nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A way to pair the round."""

    couples: list[Couple]
    bye: Contender | None
    proof: Proof


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """The players of a round in order: most points first, equals by the draw or by standing (4.10-1)."""

    players: tuple[Contender, ...]
    key: bytes
    wishes: Wishes

    def legal(self, a: Contender, b: Contender) -> bool:
        """Tell whether two may meet: no rematch (4.10-2), nothing that the host rules out."""
        return self.wishes.legal(a, b)

    def bye_rank(self, contender: Contender) -> tuple[int, int, int]:
        """Return what the bye goes by, lowest first: byes before, points, if so wished standing (4.10-4)."""
        by_standing = self.wishes.bye_within == "standing"
        return self.wishes.burden(contender), contender.points, -contender.position if by_standing else 0

    def bye_levels(self) -> set[tuple[int, int]]:
        """Return what there is of points and standing in :meth:`bye_rank`."""
        if self.wishes.bye_within == "standing":
            return {self.bye_rank(contender)[1:] for contender in self.players}
        return {(points, 0) for points in {contender.points for contender in self.players}}

    def bye(self) -> Contender | None:
        """Return who has the bye if nothing else speaks against it: the last draw in the lowest group."""
        if len(self.players) % 2 == 0:
            return None
        free = next((c for c in reversed(self.players) if self.wishes.burden(c) == 0), None)
        group = [c for c in self.players if free is None or c.points == free.points]
        return min(reversed(group), key=self.bye_rank)

    def found(self, pairs: Iterable[tuple[Contender | None, Contender | None]], proof: Proof) -> Found:
        """Return *pairs* as tables, most points first; who is paired with ``None`` has the bye."""
        pairs = list(pairs)
        place = {contender: n for n, contender in enumerate(self.players)}
        couples = [(a, b) for a, b in pairs if a is not None and b is not None]
        seated = [(a, b) if place[a] < place[b] else (b, a) for a, b in couples]
        seated.sort(key=lambda couple: (-couple[0].points, -couple[1].points, place[couple[0]]))
        return Found(couples=seated, bye=next((a for a, b in pairs if b is None), None), proof=proof)


def task(players: Iterable[Contender], key: bytes, wishes: Wishes) -> Task:
    """Return the task of pairing *players* with a round's *key*."""
    there = [*players]
    drawn = dict(zip(there, seeds.draws(key, [contender.player for contender in there]), strict=True))
    ordered = sorted(there, key=drawn.__getitem__)
    if wishes.within == "rank":
        ordered.sort(key=attrgetter("position"))
    ordered.sort(key=attrgetter("points"), reverse=True)
    return Task(players=tuple(ordered), key=key, wishes=wishes)


def gaps(points: Sequence[int]) -> int:
    """Return the least sum of squared differences for *points* in order, if everybody could meet everybody.

    Pairing neighbours is best for every convex cost.
    """
    return sum((a - b) ** 2 for a, b in zip(points[::2], points[1::2], strict=True))
