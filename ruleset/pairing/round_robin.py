"""Round robin (循环赛, S100): everybody meets everybody once."""

from collections.abc import Sequence
from dataclasses import dataclass

from ruleset import seeds
from ruleset.ids import PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One round of it."""

    tables: tuple[tuple[PlayerId, PlayerId], ...]
    resting: PlayerId | None
    """Who has nobody to meet; not a bye: everybody rests once, so it gives nothing."""


def schedule(players: Sequence[PlayerId], key: bytes) -> tuple[Turn, ...]:
    """Return all rounds, as many as anybody has opponents or, with an odd number, as there are players.

    The places are drawn by the *key* of round 1. One player stays where he is and the others move round him,
    so nobody rests twice, and seats A and B change from round to round.
    """
    drawn: list[PlayerId | None] = [*seeds.drawn(key, players)]
    circle = drawn if len(drawn) % 2 == 0 else [None, *drawn]
    turns = []
    for number in range(len(circle) - 1):
        turns.append(_turn(circle, number))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return tuple(turns)


def _turn(circle: Sequence[PlayerId | None], number: int) -> Turn:
    half = len(circle) // 2
    pairs = [*zip(circle[:half], reversed(circle[half:]), strict=True)]
    pairs[0] = pairs[0] if number % 2 == 0 else pairs[0][::-1]
    resting = next((a if b is None else b for a, b in pairs if a is None or b is None), None)
    tables = tuple((a, b) for a, b in pairs if a is not None and b is not None)
    return Turn(tables=tables, resting=resting)
