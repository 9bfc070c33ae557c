"""How extra turns are called (duel-server.md 2): one table for the four quick_death_rules."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

QuickDeath: TypeAlias = Literal[0, 1, 2, 3]

OFF: Final = 0
SUDDEN: Final = -1
"""Life points are compared whenever a turn begins, from turn 2 on."""
BY_PHASE: Final = -2
"""They are compared at each new phase; after the first equal one: sudden."""
NEXT_GAME: Final = 5
"""The next game has four turns: compared when turn 5 begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeathRule:
    """One row of the table."""

    between: int
    """Death of the next game when it is called between games, or goes on after one."""
    in_game: int | None
    """Death of the running game; ``None``: this turn and three more."""
    lead_ends: bool
    """Whether the match of a leader ends: at once when called between games, else at the next side deck."""


DEATH_RULES: Final[dict[QuickDeath, DeathRule]] = {
    0: DeathRule(between=NEXT_GAME, in_game=None, lead_ends=False),
    1: DeathRule(between=SUDDEN, in_game=None, lead_ends=False),
    2: DeathRule(between=NEXT_GAME, in_game=None, lead_ends=True),
    3: DeathRule(between=SUDDEN, in_game=BY_PHASE, lead_ends=True),
}


def due(death: int, turn: int) -> bool:
    """Say whether life points are compared now that *turn* begins."""
    return turn >= 2 if death == SUDDEN else 0 < death <= turn
