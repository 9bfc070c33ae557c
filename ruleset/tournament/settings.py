"""What a tournament is played by: chosen at publishing, frozen at the start (R056)."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ruleset.ids import MINUTE_MS, Instant, ServerId

Format: TypeAlias = Literal["swiss", "elimination", "swiss_elimination"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """Match points (R007)."""

    win: int = 3
    draw: int = 1
    loss: int = 0
    bye: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockRules:
    """The wall clock of a round; all in milliseconds (R062-R068)."""

    auto: bool = True
    """Whether deadlines act by themselves from the start on; off: the page only shows them (R068)."""
    length_ms: int = 40 * MINUTE_MS
    """Best of three 40, best of one 25 minutes (R062)."""
    late_first_ms: int = 15 * MINUTE_MS
    late_later_ms: int = 20 * MINUTE_MS
    cap_ms: int | None = 30 * MINUTE_MS
    """From the call of time to the hard cap; ``None``: no cap (R066)."""
    gap_ms: int = 3 * MINUTE_MS
    """From the last confirmed result to the next round (R064)."""
    late_mode: Literal["auto", "claim"] = "auto"
    """Whether an absence counts by itself or is claimed by the present player (R067, H220)."""
    drop_after_absences: int = 0
    """0: never (5.5-5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRules:
    """How tables change DP (R034-R036, 4.6)."""

    rated: bool = True
    rate_unplayed: bool = True
    double_loss_dp: Literal["both_lose", "none"] = "both_lose"
    k: int = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRules:
    """What the standings count (R025-R030, 4.1, rules.md 6)."""

    points: Points = Points()
    preset: str = "xingyi"
    """Where the numbers and the order come from; for people."""
    order: tuple[str, ...] = ("points", "omw", "gw", "ogw", "h2h", "fewer_byes")
    """Keys of the criteria, first to last (R024-R029)."""
    cut_order: tuple[str, ...] = ()
    """Another order that fills the cut seats (H223); empty: the same."""
    floor: tuple[int, int] = (33, 100)
    """Numerator and denominator of the floor of a share (G7)."""
    floor_own_gw: bool = False
    floor_ogw: bool = True
    bye_games: bool = True
    noshow_counts_as_bye: bool = False
    seats_by: Literal["signin", "lot"] = "signin"
    """What splits cut seats between equals (R030)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingRules:
    """How Swiss rounds are paired (4.10)."""

    within: Literal["random", "rank"] = "random"
    """What orders players of equal points: the round's draw or their standing."""
    bye_within: Literal["random", "standing"] = "random"
    """Who of the lowest score group has the bye."""
    absence_counts_as_bye: bool = True
    """Whether a win by absence keeps a player from a bye, as a bye does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerUse:
    """A duel server that the tournament may use, with the number of rooms it may open there."""

    id: ServerId
    capacity: int = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All of it."""

    title: str
    format: Format
    rounds: int = 0
    """Swiss rounds; 0 in *elimination*."""
    cut: int = 0
    """Seats of the bracket in *swiss_elimination* (R002)."""
    best_of: Literal[1, 3] = 3
    environment: str = "ocg"
    """Key of the environment that decks are checked against; its frozen table comes with publishing (D45)."""
    start_at: Instant | None = None
    signin_opens_ms: int = 60 * MINUTE_MS
    """Before the start (R015)."""
    signin_closes_ms: int = 30 * MINUTE_MS
    """Before the start (R016)."""
    odd_field: Literal["byes", "truncate"] = "byes"
    """What *elimination* does with a field that is no power of two (R019-R021)."""
    clock: ClockRules = ClockRules()
    scores: ScoreRules = ScoreRules()
    rating: RatingRules = RatingRules()
    pairing: PairingRules = PairingRules()
    confirm: Literal["auto", "single", "double"] = "auto"
    """Whether a result told by one player counts (S136); a duel server's always does."""
    match_by_name: bool = True
    """Whether rooms without a code are matched by the names in them (5.6-2)."""
    servers: tuple[ServerUse, ...] = ()
    time_zone: str = "Asia/Shanghai"
    text: str = ""
    """The host's words, in Markdown (R055)."""
