"""How games of virtual players go: by seed, round, table and game, never by time (decisions 18)."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from ruleset import roomcode

SHORTEST: Final = 4
LONGEST: Final = 11
"""Turns of a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One game."""

    winner: str
    first: str
    """Who begins."""
    turns: int
    """The winner strikes the last blow in his first turn from this one on."""


def plan(seed: str, room_name: str, game: int, names: Iterable[str]) -> Plan:
    """Return how a game of these two goes, whichever of them comes first."""
    digest = sha256(f"{seed}:{_place(room_name)}:{game}".encode("utf-8", "surrogatepass")).digest()
    players = sorted(names)
    turns = SHORTEST + digest[2] % (LONGEST - SHORTEST + 1)
    return Plan(winner=players[digest[0] % 2], first=players[digest[1] % 2], turns=turns)


def round_of(room_name: str) -> int | None:
    """Return the round of a room; ``None``: it has no room code."""
    code = roomcode.find(room_name)
    return None if code is None else code.round_no


def _place(room_name: str) -> str:
    """Leave the tournament's number out: the same field plays the same games in any tournament."""
    code = roomcode.find(room_name)
    return room_name if code is None else str(code).partition(str(code.tournament))[2]
