"""What is known of a tournament that was played elsewhere and is over."""

from dataclasses import dataclass
from typing import Literal

from ruleset.ids import PlayerId
from ruleset.tournament.results import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class PastTable:
    """One match."""

    a: PlayerId
    b: PlayerId
    result: Result


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRound:
    """One round with all of its matches."""

    stage: Literal["swiss", "round_robin", "elimination"]
    tables: tuple[PastTable, ...]
    byes: tuple[PlayerId, ...] = ()
    """In a bracket those without an opponent."""
    slots: tuple[PlayerId | None, ...] = ()
    """The bracket's places of this round; neighbours meet."""
