"""The state of a tournament: what ``decide`` may know. Everything here follows from the log."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from ruleset.ids import Instant, PlayerId, RoundNo, Seat, ServerId, TableId, TableNo, TournamentNo
from ruleset.tournament.decks import DeckList, FrozenTable
from ruleset.tournament.reports import Report
from ruleset.tournament.results import Game, Outcome, Result
from ruleset.tournament.rows import RatingRow
from ruleset.tournament.settings import Settings

Phase: TypeAlias = Literal[
    "draft", "published", "signin_open", "signin_closed", "held", "running", "finished", "cancelled"
]
BEFORE_START: Final[frozenset[Phase]] = frozenset({"published", "signin_open", "signin_closed", "held"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """Somebody on the list of a tournament."""

    number: PlayerId
    nickname: str
    """As it was at entry (decisions 3)."""
    registered_at: Instant
    deck: DeckList | None = None
    deck_status: Literal["none", "review", "approved", "refused"] = "none"
    remarks: tuple[str, ...] = ()
    signed_in: int | None = None
    """Sequence of the sign-in (R017)."""
    status: Literal["registered", "entered", "not_entered"] = "registered"
    dp_at_entry: int = 0
    dropped_in: RoundNo | None = None
    """The round in which he dropped: that one still counts (4.1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """What is known of a player's way to his table (R018, R067)."""

    button_at: Instant | None = None
    in_room: bool = False
    left_at: Instant | None = None


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
    presence_a: Presence = Presence()
    presence_b: Presence = Presence()
    status: Literal["waiting", "playing", "reported", "disputed", "confirmed"] = "waiting"
    dispute: str = ""
    """Why it is disputed."""
    result: Result | None = None
    ruled: bool = False
    wins: tuple[int, int] = (0, 0)
    """Games won in the present room, as last seen."""
    order: tuple[Seat, ...] = ()
    """Who won the games of the present room, in order as far as they were seen one by one."""
    duel: int = 0
    """The game that was seen last in the present room."""
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
    words: Mapping[Seat, Word] = field(default_factory=dict)
    claimable_by: Seat | None = None
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
    stage: Literal["swiss", "elimination"]
    started_at: Instant
    tables: Mapping[TableNo, Table]
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

    @property
    def open_tables(self) -> tuple[Table, ...]:
        """The tables that the round waits for, by number."""
        return tuple(table for table in self.tables.values() if table.open)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parked:
    """A report that waits for somebody who knows its table."""

    id: str
    candidates: tuple[TableId, ...]
    names: tuple[str, str]
    why: str
    report: Report
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """One tournament. ``settings`` and ``environment`` are there from publishing on."""

    number: TournamentNo = TournamentNo(0)
    phase: Phase = "draft"
    organiser: PlayerId | None = None
    settings: Settings = Settings(title="", format="swiss")
    environment: FrozenTable | None = None
    edition: int = 0
    """Of the environment: how many times it was frozen anew (R045)."""
    seed: str = ""
    published_at: Instant = Instant(0)
    players: Mapping[PlayerId, Player] = field(default_factory=dict)
    sign_ins: int = 0
    """How many sequence numbers were given."""
    held_at_sign_ins: int = 0
    """``sign_ins`` when the start was held: tried again as soon as there are more (T4)."""
    entrants: tuple[PlayerId, ...] = ()
    """The frozen field in order of sign-in; its length is N (R013)."""
    rounds: tuple[Round, ...] = ()
    auto: bool = True
    paused_at: Instant | None = None
    lost_servers: Mapping[ServerId, Instant] = field(default_factory=dict)
    parked: Mapping[str, Parked] = field(default_factory=dict)
    swiss_ranks: tuple[tuple[PlayerId, int], ...] = ()
    """Final Swiss list with shown ranks, from the cut or the end on."""
    seats: tuple[PlayerId, ...] = ()
    """Cut seats in order (R023)."""
    places: tuple[tuple[PlayerId, int], ...] = ()
    """The final ranking."""
    rows: tuple[RatingRow, ...] = ()
    """Every DP row that was written, reversals too."""
    dp: Mapping[PlayerId, int] = field(default_factory=dict)
    """DP now: at entry plus the rows of this tournament."""
    started_at: Instant | None = None
    ended_at: Instant | None = None

    @property
    def round(self) -> Round | None:
        """The present round."""
        return self.rounds[-1] if self.rounds else None

    def table(self, table: TableId) -> Table | None:
        """Return the table with that id, of any round."""
        if not 1 <= table.round_no <= len(self.rounds):
            return None
        return self.rounds[table.round_no - 1].tables.get(table.table)

    def active(self) -> tuple[PlayerId, ...]:
        """The entrants who have not dropped, in order of sign-in."""
        return tuple(p for p in self.entrants if self.players[p].dropped_in is None)

    def signed_in(self) -> tuple[PlayerId, ...]:
        """Who is signed in, in order of sign-in (R017)."""
        signed = [p for p in self.players.values() if p.signed_in is not None]
        return tuple(p.number for p in sorted(signed, key=lambda p: p.signed_in or 0))

    def all_tables(self) -> Iterator[Table]:
        """Every table of every round, in order."""
        for played in self.rounds:
            yield from played.tables.values()


EMPTY: Final = Tournament()
