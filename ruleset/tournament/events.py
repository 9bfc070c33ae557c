"""Facts, in the past tense. Written once, never edited; a new meaning gets a new class."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ruleset.ids import Instant, PlayerId, RoundNo, Seat, ServerId, TableId, TableNo, TournamentNo
from ruleset.tournament.decks import DeckList, FrozenTable
from ruleset.tournament.reports import Report
from ruleset.tournament.results import Game, Outcome, Result
from ruleset.tournament.round import Stage
from ruleset.tournament.rows import RatingRow
from ruleset.tournament.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentPublished:
    """A tournament is open for registration."""

    number: TournamentNo
    settings: Settings
    organiser: PlayerId | None
    environment: FrozenTable
    seed: str
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsEdited:
    """The organiser changed what he had published."""

    settings: Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsChanged:
    """So many rounds count (S101)."""

    rounds: int
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationSwitched:
    """S118."""

    closed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibilitySet:
    """S133: it is listed, or only reached by its link."""

    visibility: Literal["public", "private"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoHostsNamed:
    """S105: these and nobody else."""

    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentRefrozen:
    """Decks are judged by another table from here on; what it says of those that were in follows (R045)."""

    environment: FrozenTable
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamAdded:
    """A team is on the list (S107)."""

    team: int
    """1, 2, 3, … in the order in which they came."""
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRemoved:
    """A team is off the list; its players are in none."""

    team: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamAssigned:
    """A player counts for a team, or none (S107, S108)."""

    player: PlayerId
    team: int | None
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PairForbidden:
    """These two are not to be paired; the smaller number first."""

    one: PlayerId
    other: PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAllowed:
    """They may be paired again."""

    one: PlayerId
    other: PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRegistered:
    """A player is on the list; his nickname at entry is frozen."""

    player: PlayerId
    nickname: str
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerWithdrawn:
    """A registration was taken back."""

    player: PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckSubmitted:
    """A deck is in; it has passed, or waits for the host's look."""

    player: PlayerId
    deck: DeckList
    approved: bool
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckApproved:
    """The host let a deck pass."""

    player: PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckRevoked:
    """A deck was refused; the player is not signed in any more (R014)."""

    player: PlayerId
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SigninOpened:
    """T1."""

    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class SigninClosed:
    """T2: from here on only the host signs in."""

    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSignedIn:
    """A player will take part."""

    player: PlayerId
    sequence: int
    """1, 2, 3, … in order of sign-in (R017)."""
    by_host: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StartHeld:
    """T4: start time has come and fewer than two can enter."""

    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentStarted:
    """The field is frozen (R013)."""

    entrants: tuple[tuple[PlayerId, int], ...]
    """Player and DP at entry, in order of sign-in; their number is N."""
    not_entered: tuple[tuple[PlayerId, Literal["not_signed_in", "elsewhere", "truncated"]], ...]
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """Two players at a table, on a duel server."""

    table: TableNo
    a: PlayerId
    b: PlayerId
    server: ServerId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPaired:
    """A round runs. Carries the pairings themselves, not how they were found."""

    round_no: RoundNo
    """``PLAYOFF`` for the cut play-off, which is no round (R033)."""
    stage: Stage
    tables: tuple[Seating, ...]
    byes: tuple[PlayerId, ...] = ()
    walkovers: tuple[PlayerId, ...] = ()
    """Players of a bracket who go on because nobody came out opposite them (5.5-13); in a round robin those
    whose opponent has dropped."""
    slots: tuple[PlayerId | None, ...] = ()
    """The bracket's places of this round; neighbours meet."""
    rematches: int = 0
    """More than 0: no legal round existed (4.10-3)."""
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingChanged:
    """The host changed the pairing of a round in which nobody plays yet."""

    round_no: RoundNo
    tables: tuple[Seating, ...]
    """Those that are different now."""
    byes: tuple[PlayerId, ...]
    rematches: int
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundUnpaired:
    """A round in which nobody had played is taken back, as if it had not been paired."""

    round_no: RoundNo
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPresent:
    """T5: the player pressed 报到."""

    table: TableId
    seat: Seat
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSeated:
    """T5: the player is in the table's room."""

    table: TableId
    seat: Seat
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLeft:
    """The player left the table's room before it started."""

    table: TableId
    seat: Seat
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class TableStarted:
    """T7: the match has begun; the late rule is off for this table."""

    table: TableId
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSeen:
    """A duel server shows a new score or the next game of a match that goes on."""

    table: TableId
    wins: tuple[int, int]
    """Games won by seats A and B in this room."""
    duel: int
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsenceClaimable:
    """The late limit has passed and one is there: he may claim the win (H220)."""

    table: TableId
    seat: Seat
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWarned:
    """So many minutes are left of the round (S104)."""

    round_no: RoundNo
    left_min: int
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeCalled:
    """T8: these tables go to death-three."""

    round_no: RoundNo
    tables: tuple[TableNo, ...]
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTimeCalled:
    """This table alone goes to death-three (S128)."""

    table: TableId
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class CapReached:
    """T10: these tables are over, unfinished."""

    round_no: RoundNo
    tables: tuple[TableNo, ...]
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFiled:
    """A duel server's report is in the table's history, whatever came of it."""

    table: TableId
    report: Report
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReported:
    """A player told how his match ended; it replaces what he said before."""

    table: TableId
    seat: Seat
    outcome: Outcome
    wins: tuple[int, int]
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultConfirmed:
    """T12: the table is done."""

    table: TableId
    result: Result
    ruled: bool = False
    """A judge or host said so; no duel server overrides it (5.6-5)."""
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingOffered:
    """A win by rule that its winner may take, or play on (H220)."""

    table: TableId
    result: Result
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferDeclined:
    """He plays on (H220)."""

    table: TableId
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultDisputed:
    """T13: nobody knows for certain; a judge decides."""

    table: TableId
    why: Literal["suspect", "both_left", "reports_differ", "players_differ", "unknown_code"]
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReopened:
    """A result was taken back and the table plays again, from the games that stood (T22, 5.5-8)."""

    table: TableId
    carried: tuple[int, int]
    """Games won by seats A and B that the next room does not know of."""
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraGameOrdered:
    """An elimination match was tied: one more game in the room with the tail S (R070, 5.5-12)."""

    table: TableId
    games: tuple[Game, ...]
    """Those of the tied match."""
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFinished:
    """T14: every table is confirmed; the gap runs."""

    round_no: RoundNo
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundReopened:
    """The gap is cancelled: a table of the round is open again (5.5-16)."""

    round_no: RoundNo
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class HostAsked:
    """The daemon waits for the host until a moment, then goes on by itself (5.5-8, 5.5-13)."""

    question: Literal["no_champion", "room_lost"]
    round_no: RoundNo
    tables: tuple[TableNo, ...]
    until: Instant
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockPaused:
    """T18, by the host."""

    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockResumed:
    """T18."""

    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoSwitched:
    """T20."""

    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPostponed:
    """T19."""

    round_no: RoundNo
    by_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableExtended:
    """T21."""

    table: TableId
    by_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLost:
    """The tables on this duel server pause from its last contact (5.5-8)."""

    server: ServerId
    since: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerBack:
    """The tables on this duel server whose rooms are still there go on."""

    server: ServerId
    tables: tuple[TableNo, ...]
    """Those of the present round that go on; the others wait for the host."""
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerDropped:
    """T23."""

    player: PlayerId
    why: Literal["wish", "absences"]
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class DropUndone:
    """The player plays on."""

    player: PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportParked:
    """A report waits for somebody who knows its table (5.6-1, 5.6-3)."""

    id: str
    candidates: tuple[TableId, ...]
    names: tuple[str, str]
    why: Literal["one_name", "strangers", "nickname_collision"]
    report: Report
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class ParkedSettled:
    """It was accepted for a table, or dismissed."""

    id: str
    table: TableId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CutMade:
    """T16: the Swiss list is final and these go on (R023)."""

    swiss_ranks: tuple[tuple[PlayerId, int], ...]
    """Everybody in order of the list, with the rank that is shown and paid (4.8)."""
    seats: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """DP changed; reversals take earlier rows back."""

    rows: tuple[RatingRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentFinished:
    """T17."""

    swiss_ranks: tuple[tuple[PlayerId, int], ...]
    places: tuple[tuple[PlayerId, int], ...]
    """Final ranking: bracket places, then the Swiss list (4.9)."""
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class RanksRevised:
    """A correction after the end changed the final ranking (decisions 16)."""

    swiss_ranks: tuple[tuple[PlayerId, int], ...]
    places: tuple[tuple[PlayerId, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentCancelled:
    """T24."""

    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentLapsed:
    """It counts as ended because nothing has been paired or settled for long (S137)."""

    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class EndUnset:
    """It goes on (S137)."""

    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionUndone:
    """What the last action changed is as it was before; what follows from that, later events say."""

    action: int
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """The host said something to all rooms."""

    text: str
    at: Instant


Event: TypeAlias = (
    TournamentPublished
    | SettingsEdited
    | RoundsChanged
    | RegistrationSwitched
    | VisibilitySet
    | CoHostsNamed
    | EnvironmentRefrozen
    | TeamAdded
    | TeamRemoved
    | TeamAssigned
    | PairForbidden
    | PairAllowed
    | PlayerRegistered
    | PlayerWithdrawn
    | DeckSubmitted
    | DeckApproved
    | DeckRevoked
    | SigninOpened
    | SigninClosed
    | PlayerSignedIn
    | StartHeld
    | TournamentStarted
    | RoundPaired
    | PairingChanged
    | RoundUnpaired
    | PlayerPresent
    | PlayerSeated
    | PlayerLeft
    | TableStarted
    | ScoreSeen
    | AbsenceClaimable
    | TimeWarned
    | TimeCalled
    | TableTimeCalled
    | CapReached
    | ReportFiled
    | PlayerReported
    | ResultConfirmed
    | RulingOffered
    | OfferDeclined
    | ResultDisputed
    | TableReopened
    | ExtraGameOrdered
    | RoundFinished
    | RoundReopened
    | HostAsked
    | ClockPaused
    | ClockResumed
    | AutoSwitched
    | RoundPostponed
    | TableExtended
    | ServerLost
    | ServerBack
    | PlayerDropped
    | DropUndone
    | ReportParked
    | ParkedSettled
    | CutMade
    | Rated
    | TournamentFinished
    | RanksRevised
    | TournamentCancelled
    | TournamentLapsed
    | EndUnset
    | ActionUndone
    | Announced
)
