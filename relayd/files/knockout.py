"""A single elimination of Challonge as a tree: which of its matches make it, and whose place is where."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from relayd.files.challonge import Bout

MOST_ROUNDS: Final = 10
"""Of 1,024 players."""
Places: TypeAlias = tuple[int | None, ...]
"""Neighbours meet; ``None``: nobody, his neighbour has a bye."""


def path(bouts: Sequence[Bout]) -> tuple[Bout, ...]:
    """Return the matches that lead to the champion: not the one for third place."""
    lost = dict[int, int]()
    for bout in bouts:
        if bout.round > 0:
            loser = bout.b if bout.outcome == "a" else bout.a
            lost[loser] = min(lost.get(loser, bout.round), bout.round)
    return tuple(bout for bout in bouts if bout.round > 0 and not _for_third(bout, lost))


def first_places(bouts: Sequence[Bout]) -> Places:
    """Return the places of the first round, empty where the matches are no tree up to one champion."""
    rounds = sorted({bout.round for bout in bouts})
    last = [bout for bout in bouts if rounds and bout.round == rounds[-1]]
    if len(rounds) > MOST_ROUNDS or len(last) != 1 or any(bout.outcome not in {"a", "b"} for bout in bouts):
        return ()
    won = {(bout.round, winner(bout)): bout for bout in bouts}
    places = _below(winner(last[0]), rounds, won)
    players = [place for place in places if place is not None]
    sound = len({*players}) == len(players) == len(bouts) + 1  # all but one are beaten once
    return places if sound else ()


def winner(bout: Bout) -> int:
    """Return who goes on."""
    return bout.a if bout.outcome == "a" else bout.b


def _for_third(bout: Bout, lost: Mapping[int, int]) -> bool:
    """Say whether both had lost before."""
    return all(lost.get(place, bout.round) < bout.round for place in (bout.a, bout.b))


def _below(place: int, rounds: Sequence[int], won: Mapping[tuple[int, int], Bout]) -> Places:
    """Return the places from which *place* comes, when he is the one who is left after *rounds*."""
    if not rounds:
        return (place,)
    bout, before = won.get((rounds[-1], place)), rounds[:-1]
    if bout is None:
        return (*_below(place, before, won), *(None,) * (1 << len(before)))
    return _below(bout.a, before, won) + _below(bout.b, before, won)
