"""Single elimination: who stands where, who meets whom next, who comes out where (R010-R012, R019-R023, 4.9).

A round of a bracket is a tuple of places, a power of two long; neighbours meet. ``None`` is a free place: a
bye in the first round, later the hole that a double loss left.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from ruleset import seeds
from ruleset.errors import RulesetError
from ruleset.ids import PlayerId

Places: TypeAlias = tuple[PlayerId | None, ...]
Pair: TypeAlias = tuple[PlayerId | None, PlayerId | None]


def size_for(players: int) -> int:
    """Return the smallest power of two that has a place for everybody."""
    return 1 << (players - 1).bit_length() if players > 1 else players


def byes_for(players: int) -> int:
    """Return how many are spared the first round: 2^ceil(log2 N) - N (R020)."""
    return size_for(players) - players


def truncated(signed_in: Sequence[PlayerId]) -> tuple[PlayerId, ...]:
    """Return the largest power of two of players, by the order of sign-in; the others do not enter (R021)."""
    return tuple(signed_in[: 1 << (len(signed_in).bit_length() - 1)]) if signed_in else ()


def seeded(ranked: Sequence[PlayerId]) -> Places:
    """Return the places after a cut, by rank: 1-8, 4-5, 2-7, 3-6 and so on, byes for the best (4.9, R012)."""
    return tuple(ranked[seed - 1] if seed <= len(ranked) else None for seed in seeding(size_for(len(ranked))))


def placed(signed_in: Sequence[PlayerId], key: bytes) -> Places:
    """Return the places of an elimination from the start: byes to the earliest sign-ins (R020).

    Those who have one are spread so that no two meet before they must; the others are drawn by the *key* of
    round 1, see :func:`ruleset.seeds.drawn`.
    """
    byes = byes_for(len(signed_in))
    return seeded([*signed_in[:byes], *seeds.drawn(key, signed_in[byes:])])


def seeding(size: int) -> list[int]:
    """Return the ranks in the order of their places: 1 and 2 can meet only in the last round, and so on."""
    order = [1][:size]
    while len(order) < size:
        order = [seed for high in order for seed in _split(high, 2 * len(order) + 1)]
    return order


def _split(high: int, total: int) -> tuple[int, int]:
    return high, total - high


def pairs(places: Places) -> tuple[Pair, ...]:
    """Return the neighbours of a round; one ``None``: bye or walkover, two: nobody comes from there."""
    return tuple(zip(places[::2], places[1::2], strict=True))


def advanced(places: Places, out: Collection[PlayerId]) -> Places:
    """Return the places of the next round, *out* being who lost or dropped in this one.

    Raises RulesetError table_open: nobody of a pair is out.
    """
    return tuple(_survivor(pair, out) for pair in pairs(places))


def _survivor(pair: Pair, out: Collection[PlayerId]) -> PlayerId | None:
    left = [player for player in pair if player is not None and player not in out]
    if len(left) > 1:
        raise RulesetError("table_open", pair=pair)
    return left[0] if left else None


def placings(first: Places, outs: Iterable[Collection[PlayerId]]) -> dict[PlayerId, int]:
    """Return the final places so far: 1, 2, 3, 3, 5 and so on, by the round in which a player went out (4.8).

    *outs* is who lost or dropped, round by round. Both out in the final are second, all four out in the
    semi-finals third, and nobody is first (5.5-13). Who is still in has no place yet.
    """
    found: dict[PlayerId, int] = {}
    places = first
    for out in outs:
        lost = [player for player in places if player is not None and player in out]
        found |= dict.fromkeys(lost, len(places) // 2 + 1)
        places = advanced(places, out)
    return {places[0]: 1, **found} if len(places) == 1 and places[0] is not None else found


def final_ranking(
    places: Mapping[PlayerId, int], swiss: Iterable[tuple[PlayerId, int]] = ()
) -> tuple[tuple[PlayerId, int], ...]:
    """Return everybody with his rank: bracket places, then the Swiss list (4.9).

    *swiss* is the list with its shared ranks, best first; it orders equal places, too, but not their rank.
    """
    listed = list(swiss)
    order = {player: n for n, (player, _) in enumerate(listed)}
    bracket = sorted(places.items(), key=lambda item: (item[1], order.get(item[0], 0), item[0]))
    rest = [(player, rank) for player, rank in listed if player not in places]
    first = {rank: n for n, (_, rank) in reversed([*enumerate(rest, len(places) + 1)])}
    return (*bracket, *((player, first[rank]) for player, rank in rest))
