"""Rows of the DP ledger as a tournament writes them (4.6, 4.7)."""

from dataclasses import dataclass
from typing import Literal

from ruleset.ids import PlayerId, TableId


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRow:
    """One change of one player's DP."""

    player: PlayerId
    delta: int
    dp_before: int
    """DP when the round was paired; for a prize, at the end."""
    reason: Literal["table", "swiss_prize", "elimination_prize"]
    table: TableId | None = None
    """``None`` for a prize."""
    opponent: PlayerId | None = None
    reversal: bool = False
    """It takes an earlier row with the same player, table and reason back."""
