"""What a tournament is played by: chosen at publishing, frozen at the start (R056)."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ruleset.ids import MINUTE_MS, Instant, PlayerId, ServerId, TournamentNo

Format: TypeAlias = Literal[
    "swiss", "elimination", "swiss_elimination", "round_robin", "round_robin_elimination"
]
"""How it is played (S100); the first stage of two is a Swiss or a round robin, the second a bracket."""


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
    warn_at_min: tuple[int, ...] = ()
    """How many minutes before time is called the players are warned (S104)."""


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
    bye_is_win: bool = False
    """Whether a bye counts among the rounds won (S161)."""
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
class TeamRules:
    """What teams are good for (S106-S110, S115, S130, S131)."""

    avoid_same_team: Literal["off", "prefer", "must"] = "off"
    """Whether members of a team meet: as chance has it, only where they have to, or never (S107)."""
    required: bool = False
    """Whether a player must name his team when he registers (S115)."""
    ranking: bool = False
    """Whether teams are ranked, too (S130)."""
    top_n: int = 0
    """How many of a team count, the best first; 0: all (S131)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationRules:
    """Who may still register by himself (S118, S119); the host may always add a player."""

    closed: bool = False
    """Closed whatever the deadline says (S118)."""
    until: Instant | None = None
    """Half-open: at this moment it is too late (S119)."""
    limit: int = 0
    """Most players on the list, the host's own additions too; 0: no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRules:
    """What pages ask and show; nothing of it changes a result."""

    lookup: Literal["id_only", "id_or_name"] = "id_only"
    """How a player is looked up when he signs in (S111)."""
    prompt_number: Literal["as_lookup", "on", "off"] = "as_lookup"
    """Whether he is asked for his number (S112)."""
    require_login: bool = True
    """Whether signing in and scoring need a login; else table code and player number do (S113)."""
    show_scores_on_signin: bool = False
    """Whether a player sees his own score on the page of the one code (S140)."""
    show_registered: bool = True
    """Whether the number of players registered is shown (S143)."""
    registration_note: str = ""
    """Markdown (S149)."""
    projected_rules: str = ""
    """Markdown (S151)."""
    decklists: Literal["hidden", "after_end"] = "hidden"
    """Whether everybody may read the decks once the tournament is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prize:
    """A prize in kind, and for how many places (S129)."""

    name: str
    count: int = 1


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
    kind: Literal["casual", "competitive"] | None = None
    """What the host announces: 娱乐赛 or 竞技赛 (H224)."""
    rounds: int = 0
    """Swiss rounds; of a round robin the first so many, 0 being all; 0 in *elimination*."""
    rounds_locked: bool = True
    """Whether the number of rounds stands once the tournament runs (R011, S101)."""
    cut: int = 0
    """Seats of the bracket behind a first stage (R002)."""
    cut_playoff: bool = False
    """Whether two who are equal in everything play one game for the last seat (R033)."""
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
    teams: TeamRules = TeamRules()
    registration: RegistrationRules = RegistrationRules()
    confirm: Literal["auto", "single", "double"] = "auto"
    """Whether a result told by one player counts (S136): *single*. A duel server's counts as both words."""
    score_gate: Literal["always", "clock"] = "always"
    """Whether players may tell results only while the clock of their round runs (S114)."""
    self_forfeit: bool = True
    """Whether players may give a match up and drop out by themselves (S138)."""
    live_on: Literal["submitted", "draft"] = "submitted"
    """Whether the live ranking counts confirmed results only, or every score as it is known (S139)."""
    ends_after_ms: int = 7 * 24 * 60 * MINUTE_MS
    """How long nothing may be paired or settled before it counts as ended; 0: for ever (S137)."""
    match_by_name: bool = True
    """Whether rooms without a code are matched by the names in them (5.6-2)."""
    seat_key: Literal["off", "optional", "required"] = "off"
    """Whether players prove at the duel server who they are, where a plugin asks them (decisions 4)."""
    servers: tuple[ServerUse, ...] = ()
    test: bool = False
    """A test: no DP, not listed (S134)."""
    visibility: Literal["public", "private"] = "public"
    """Whether it is listed; by its link it can always be reached (S133)."""
    co_hosts: tuple[PlayerId, ...] = ()
    """Who runs it with the host (S105)."""
    linked_events: tuple[TournamentNo, ...] = ()
    """Tournaments that share its code (S148)."""
    prizes: tuple[Prize, ...] = ()
    """By final rank, the first for the first places (S129)."""
    pages: PageRules = PageRules()
    time_zone: str = "Asia/Shanghai"
    text: str = ""
    """The host's words, in Markdown (R055)."""
