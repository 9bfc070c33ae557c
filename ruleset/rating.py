"""DP: what one table changes (4.6) and what a rank pays (4.7). Integers only, so every rounding is exact."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from math import gcd
from typing import Final, Literal, TypeAlias, assert_never

from ruleset.ids import PlayerId
from ruleset.tournament.results import ABSENCE, Outcome, Reason

Delta: TypeAlias = tuple[int, int]
"""What seat A and seat B gain."""

RATED_FROM: Final = 9
"""R052: with fewer entrants the event is an exhibition."""
ELIMINATION_PRIZES: Final[Mapping[int, int]] = {1: 128, 2: 64, 3: 32}
"""By final place; both semi-final losers are third (R038-R040)."""
SWISS_PRIZES: Final[Mapping[int, int]] = {1: 64, 2: 32, 3: 16, 4: 16}
"""By rank in the Swiss list (R041-R043)."""
NEVER_RATED: Final[frozenset[Reason]] = frozenset({"bye", "walkover"})
"""R035; the cut play-off is no table."""


def rated(entrants: int) -> bool:
    """Tell whether DP is written at all: only when more than 8 entered (R052)."""
    return entrants >= RATED_FROM


def table_delta(
    dp: tuple[int, int],
    outcome: Outcome,
    reason: Reason,
    *,
    k: int = 16,
    rate_unplayed: bool = True,
    double_loss_dp: Literal["both_lose", "none"] = "both_lose",
) -> Delta | None:
    """Return what a table changes, from the DP of both seats when the round was paired (4.6).

    At most *k* each and zero-sum, except a double loss with ``both_lose``. ``None``: not rated, as a bye is
    (R035) or a table to which nobody came.
    """
    if reason in NEVER_RATED or (reason in ABSENCE and (not rate_unplayed or outcome == "double_loss")):
        return None
    lead = dp[0] - dp[1]
    match outcome:
        case "a":
            return won(lead, k), -won(lead, k)
        case "b":
            return -won(-lead, k), won(-lead, k)
        case "draw":
            gain = drawn(abs(lead), k)
            return (-gain, gain) if lead > 0 else (gain, -gain)
        case "double_loss":
            return (-won(-lead, k), -won(lead, k)) if double_loss_dp == "both_lose" else None
    assert_never(outcome)


@lru_cache(maxsize=4096)
def won(lead: int, k: int = 16) -> int:
    """Return round(k / (1 + 10^(lead/400))), halves up: what a winner gains who led by *lead* DP.

    n points are reached when 10^(lead/400) <= (2k - 2n + 1) / (2n - 1).
    """
    return _most(k, lambda n: _at_most(lead, 2 * k - 2 * n + 1, 2 * n - 1))


@lru_cache(maxsize=4096)
def drawn(lead: int, k: int = 16) -> int:
    """Return round(k/2 - k / (1 + 10^(lead/400))), halves up: what a draw gives who was *lead* >= 0 behind.

    n points are reached when 10^(lead/400) >= (k + 2n - 1) / (k - 2n + 1).
    """
    return _most((k + 1) // 2, lambda n: _at_most(-lead, k - 2 * n + 1, k + 2 * n - 1))


def multiplier(entrants: int) -> int:
    """Return by what prizes are multiplied: 0 up to 32 entrants, 1 up to 64, then doubled (R036, R037)."""
    return 0 if entrants <= 32 else 1 << max(0, (entrants - 1).bit_length() - 6)


def prizes(
    entrants: int,
    *,
    elimination: Iterable[tuple[PlayerId, int]] = (),
    swiss: Iterable[tuple[PlayerId, int]] = (),
) -> dict[PlayerId, int]:
    """Return the DP prize of everybody who has one, from places and shared ranks (R031, R036-R044, 4.7)."""
    paid: dict[PlayerId, int] = {}
    for ranks, table in ((elimination, ELIMINATION_PRIZES), (swiss, SWISS_PRIZES)):
        for player, rank in ranks:
            paid[player] = paid.get(player, 0) + multiplier(entrants) * table.get(rank, 0)
    return {player: prize for player, prize in paid.items() if prize}


def _most(limit: int, reached: Callable[[int], bool]) -> int:
    return next((n for n in range(limit, 0, -1) if reached(n)), 0)


def _at_most(lead: int, above: int, below: int) -> bool:
    """Tell whether 10^(lead/400) <= above / below, without a float: both sides to the power of 400 / gcd."""
    farthest = 400 * len(str(max(above, below)))  # beyond it, nothing changes
    lead = max(-farthest, min(lead, farthest))
    common = gcd(lead, 400)
    power, tens = 400 // common, lead // common
    left, right = int(10 ** max(tens, 0)), int(10 ** max(-tens, 0))
    return left * int(below**power) <= right * int(above**power)
