"""A bracket as data for drawing, at any moment of the elimination."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ruleset.ids import PlayerId
from ruleset.pairing.bracket import Places

Spot: TypeAlias = PlayerId | Literal["open"] | None
"""Who stands there; not known yet; nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One meeting of the bracket."""

    a: Spot
    b: Spot
    kind: Literal["table", "bye", "walkover", "empty", "open"]
    winner: Spot
    """``None`` at a table: both lost (5.5-13)."""


def drawing(first: Places, outs: Sequence[Collection[PlayerId]]) -> tuple[tuple[Node, ...], ...]:
    """Return the meetings of every round, first to final; *outs* is who went out so far, round by round."""
    rounds, spots = list[tuple[Node, ...]](), tuple[Spot, ...](first)
    while len(spots) > 1:
        out = outs[len(rounds)] if len(rounds) < len(outs) else ()
        couples = zip(spots[::2], spots[1::2], strict=True)
        rounds.append(tuple(_node(a, b, out, first_round=not rounds) for a, b in couples))
        spots = tuple(node.winner for node in rounds[-1])
    return tuple(rounds)


def _node(a: Spot, b: Spot, out: Collection[PlayerId], *, first_round: bool) -> Node:
    if "open" in (a, b):
        return Node(a=a, b=b, kind="open", winner="open")
    there = [player for player in (a, b) if player is not None]
    left = [player for player in there if player not in out]
    winner: Spot = "open" if len(left) == 2 else left[0] if left else None
    alone: Literal["bye", "walkover"] = "bye" if first_round else "walkover"
    return Node(a=a, b=b, kind="table" if len(there) == 2 else alone if there else "empty", winner=winner)
