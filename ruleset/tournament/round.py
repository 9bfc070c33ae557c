"""One table and one round as they stand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from ruleset.ids import Instant, PlayerId, RoundNo, Seat, ServerId, TableId, TableNo
from ruleset.tournament.reports import Report
from ruleset.tournament.results import Game, Outcome, Result
from ruleset.tournament.rows import RatingRow

Stage: TypeAlias = Literal["swiss", "round_robin", "playoff", "elimination"]
FIRST_STAGES: Final[frozenset[Stage]] = frozenset({"swiss", "round_robin"})
"""Those whose results make the list."""
DECISIVE: Final[frozenset[Stage]] = frozenset({"playoff", "elimination"})
"""Those in which a match must have a winner (R033, R070)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """What is known of a player's way to his table (R018, R067)."""

    button_at: Instant | None = None
    in_room: bool = False
    left_at: Instant | None = None


UNSEEN: Final = Presence()
"""Of somebody of whom nothing is known yet."""
IN_ROOM: Final = Presence(in_room=True)
"""Of somebody who went straight to his table's room."""
_NO_WORDS: Final[Mapping[Seat, "Word"]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """What a player said of his match (S136)."""

    outcome: Outcome
    wins: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One match of one round."""

    id: TableId
    a: PlayerId
    b: PlayerId
    server: ServerId | None
    dp: tuple[int, int]
    """DP of seats A and B when the round was paired (4.6)."""
    presence_a: Presence = UNSEEN
    presence_b: Presence = UNSEEN
    status: Literal["waiting", "playing", "reported", "disputed", "confirmed"] = "waiting"
    dispute: str = ""
    """Why it is disputed."""
    result: Result | None = None
    ruled: bool = False
    confirmed_at: Instant | None = None
    wins: tuple[int, int] = (0, 0)
    """Games won in the present room, as last seen."""
    order: tuple[Seat, ...] = ()
    """Who won the games of the present room, in order as far as they were seen one by one."""
    duel: int = 0
    """The game that was seen last in the present room."""
    reopened: bool = False
    """Whether an earlier room of its name may have played a match that no longer counts (T22, 5.5-8)."""
    carried: tuple[int, int] = (0, 0)
    """Games won in an earlier room of the same match (5.5-8)."""
    extra_games: int = 0
    """Sudden-death games ordered after a tie (R070)."""
    tied_games: tuple[Game, ...] = ()
    """What was played before them."""
    reports: tuple[Report, ...] = ()
    """Final ones of the present room, as they came."""
    reports_before: tuple[Report, ...] = ()
    """Those of the match room, once an extra game was ordered."""
    words: Mapping[Seat, Word] = field(default_factory=lambda: _NO_WORDS)
    """The last one last."""
    claimable_by: Seat | None = None
    offered: Result | None = None
    """A win that its winner may take or leave, and play on (H220)."""
    time_called_at: Instant | None = None
    moved_at_call_ms: int = 0
    """How far the clock of the table had been moved when its time was called."""
    capped: bool = False
    ext_ms: int = 0
    lost_ms: int = 0
    """Time for which its duel server was away."""
    lost_at: Instant | None = None
    frozen_at_loss_ms: int = 0
    """Length of the host's pauses up to ``lost_at``: nothing is counted twice."""
    asked_until: Instant | None = None
    """The host is asked what to do with a lost room."""
    rated: tuple[RatingRow, ...] = ()
    """The rows that stand for its result now."""

    @property
    def open(self) -> bool:
        """Whether the round still waits for it."""
        return self.status != "confirmed"

    @property
    def unfinished(self) -> bool:
        """Whether its match goes on, as far as anybody knows (T10)."""
        return self.status in {"waiting", "playing"}

    @property
    def wins_so_far(self) -> tuple[int, int]:
        """Games won by seats A and B in all rooms of the match, as last seen."""
        return self.carried[0] + self.wins[0], self.carried[1] + self.wins[1]

    def player(self, seat: Seat) -> PlayerId:
        """Return who sits there."""
        return self.a if seat == "a" else self.b

    def seat_of(self, player: PlayerId) -> Seat | None:
        """Return where *player* sits; ``None``: not at this table."""
        return "a" if player == self.a else "b" if player == self.b else None

    def presence(self, seat: Seat) -> Presence:
        """Return what is known of the player there."""
        return self.presence_a if seat == "a" else self.presence_b


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round and its clock (5.1)."""

    number: RoundNo
    stage: Stage
    started_at: Instant
    tables: Mapping[TableNo, Table]
    waiting_for: int
    """How many of them are open."""
    byes: tuple[PlayerId, ...] = ()
    walkovers: tuple[PlayerId, ...] = ()
    slots: tuple[PlayerId | None, ...] = ()
    rematches: int = 0
    paused_ms: int = 0
    """Sum of the host's pauses that are over."""
    postponed_ms: int = 0
    time_called_at: Instant | None = None
    done_at: Instant | None = None
    """When the last result was confirmed (T14)."""
    moved_at_done_ms: int = 0
    asked_until: Instant | None = None
    """The host may still rule before the bracket ends without a champion (5.5-13)."""
    warned_min: int | None = None
    """The last warning: so many minutes were left (S104)."""

    @property
    def open_tables(self) -> tuple[Table, ...]:
        """The tables that the round waits for, by number."""
        return tuple(table for table in self.tables.values() if table.open)
