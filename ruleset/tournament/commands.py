"""Wishes, in the imperative. What the daemon adds on receipt is marked; the rest the sender said."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ruleset.added import Added
from ruleset.ids import MINUTE_MS, Instant, PlayerId, Seat, ServerId, TableId, TournamentNo
from ruleset.tournament.decks import DeckList, FrozenTable, Rechecked
from ruleset.tournament.past import PastRound
from ruleset.tournament.reports import Report
from ruleset.tournament.results import Outcome, Result
from ruleset.tournament.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Publish:
    """Open a tournament (R045, R051)."""

    number: Added[TournamentNo]
    settings: Settings
    organiser: PlayerId | None = None
    environment: Added[FrozenTable]
    seed: Added[str]
    """Hexadecimal; drawn by the daemon, shown after the end, its hash at once (R030)."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopt:
    """Take in a tournament that was played elsewhere and is over; it is never rated (H208)."""

    number: Added[TournamentNo]
    settings: Settings
    organiser: PlayerId | None = None
    environment: Added[FrozenTable]
    seed: Added[str]
    players: Added[tuple[tuple[PlayerId, str], ...]]
    """Who played and how he is called, in the order of entry."""
    rounds: tuple[PastRound, ...]
    started_at: Instant
    ended_at: Instant
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class EditSettings:
    """Change what was published (R056)."""

    settings: Settings
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class RefreshEnvironment:
    """Take the list and the cards as they are now; every deck is checked again (R045)."""

    environment: Added[FrozenTable]
    checked: Added[Mapping[PlayerId, Rechecked]]
    """What it says of every deck that is in and was not refused."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """Enter a player for the tournament; again changes nothing."""

    player: PlayerId
    nickname: Added[str]
    team: int | None = None
    by_host: bool = False
    """By the host: also when registration is closed (S118, S119)."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw:
    """Take a registration back, before the start."""

    player: PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitDeck:
    """Hand in a deck. An illegal one never gets here; ``review`` waits for the host (D44)."""

    player: PlayerId
    deck: DeckList
    verdict: Added[Literal["legal", "review"]]
    remarks: Added[tuple[str, ...]] = ()
    """What the check let through or could not decide, one line each."""
    edition: Added[int] = 0
    """Of the environment that judged it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApproveDeck:
    """Let a deck pass that waits for a look."""

    player: PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeDeck:
    """Refuse a deck, also one that had passed; a sign-in goes with it (R014)."""

    player: PlayerId
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """Sign a player in (R014-R017)."""

    player: PlayerId
    by_host: bool = False
    """On behalf: allowed until the start, not only inside the window."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInAll:
    """Sign in everybody whose deck has passed, in order of registration (R017)."""

    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Freeze the field and pair round 1 (T3, T3')."""

    confirmed: bool = False
    """The sender has seen who is not signed in yet (T3')."""
    automatic: Added[bool] = False
    """The daemon starts at ``start_at``."""
    granted: Added[Mapping[PlayerId, int]]
    """DP of the signed-in players who are free (R057); the others do not enter."""
    free: Added[Mapping[ServerId, int]] = field(default_factory=dict)
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """Let the clock do whatever is due (5.3); early or again changes nothing."""

    held: Added[bool] = False
    """Late, cap and absence wait: the duel servers have not been looked at since a restart (5.5-7)."""
    free: Added[Mapping[ServerId, int]] = field(default_factory=dict)
    """Rooms that each duel server has left; empty: not known."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """Freeze all deadlines (R068, T18)."""

    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume:
    """Go on; deadlines move by the length of the pause."""

    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAuto:
    """Switch the automatic clock (T20)."""

    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTime:
    """Call time for all open tables now (T8')."""

    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTableTime:
    """Call time at one table; the others play on (S128)."""

    table: TableId
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class Postpone:
    """Move this round's clock (T19)."""

    by_ms: int = 5 * MINUTE_MS


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendTable:
    """Give one table more time (T21)."""

    table: TableId
    by_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRound:
    """Skip the gap (T15')."""

    free: Added[Mapping[ServerId, int]] = field(default_factory=dict)
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAgain:
    """Pair the present round anew, before anybody plays in it (4.10-5)."""

    free: Added[Mapping[ServerId, int]] = field(default_factory=dict)
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapPlayers:
    """Let two players of a Swiss round change seats, before anybody plays in it; one may have the bye."""

    one: PlayerId
    other: PlayerId
    confirmed: bool = False
    """The sender has seen what speaks against it."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForbidPair:
    """Rule out that two players are paired; again changes nothing."""

    one: PlayerId
    other: PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowPair:
    """Let two players be paired again."""

    one: PlayerId
    other: PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRounds:
    """Play more or fewer rounds, where the settings leave it open (S101)."""

    rounds: int
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRegistration:
    """Close the registration, whatever its deadline, or take that back (S118)."""

    closed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SetVisibility:
    """List the tournament or hide it, also behind its end (S123, S133)."""

    visibility: Literal["public", "private"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCoHosts:
    """Say who runs the tournament with the host, from now on (S105)."""

    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTeam:
    """Put a team on the list (S107); one that is there changes nothing."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveTeam:
    """Take a team off the list; its players are in none any more."""

    team: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignTeam:
    """Put a player into a team of the list, or none, with what is shown as his team (S107, S108)."""

    player: PlayerId
    team: int | None
    label: str = ""
    """Shown in the team's place; it counts for nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterLine:
    """A line of a list of players."""

    player: PlayerId
    team: str = ""
    """Its name; one that is not on the list is put there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRoster:
    """Take a list of players and teams in, all or nothing (S110)."""

    lines: tuple[RosterLine, ...]
    teams: tuple[str, ...] = ()
    """Teams without players."""
    nicknames: Added[Mapping[PlayerId, str]]
    """Of the players whom the directory knows."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """Take back the last action, if it is still the one with that number."""

    action: int
    granted: Added[tuple[PlayerId, ...]] = ()
    """Whom no other tournament has, of those who would come back (R057)."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsetEnded:
    """Let a tournament go on that had ended because nothing happened (S137)."""

    granted: Added[tuple[PlayerId, ...]] = ()
    """Whom no other tournament has, of those for whom it runs (R057)."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """End a tournament early, between rounds (5.5-14)."""

    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancel:
    """End it without a winner; DP goes back (T24)."""

    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPresent:
    """The 报到 button: this player has reached his table (R018, T5)."""

    table: TableId
    player: PlayerId
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeeRoom:
    """What a duel server shows of a table's room right now (R067, T5, T7)."""

    table: TableId
    extra: bool = False
    """It is the room of the extra game."""
    seated: tuple[Seat, ...]
    """Whose players are in the room; ``()``: nobody, or no room."""
    playing: bool = False
    """The room has left its waiting stage."""
    wins: tuple[int, int] = (0, 0)
    """Games won by seats A and B in this room."""
    duel: int = 0
    """Number of the game that runs or ran last; 0 before the first."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """A duel server reports a match of this table (T11)."""

    table: TableId
    extra: bool = False
    report: Report
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportByPlayer:
    """A player tells how his match ended (S136)."""

    table: TableId
    player: PlayerId
    outcome: Outcome
    wins: tuple[int, int] = (0, 0)
    """Games won by seats A and B."""
    by_host: bool = False
    """In his name, by host or judge: also when players may not (S114)."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A judge or host sets a result, over whatever stands there (T12, T22)."""

    table: TableId
    result: Result
    final: bool = False
    """A foul is not offered to the opponent where wins by rule are claimed (H220)."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reopen:
    """Take a result back: the table plays again (T22, 5.5-6)."""

    table: TableId
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimAbsence:
    """The present player takes the win that the late rule offers him (H220)."""

    table: TableId
    player: PlayerId
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOffer:
    """A player takes the win that a ruling offers him, or plays on (H220)."""

    table: TableId
    player: PlayerId
    take: bool
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class Concede:
    """A player gives his match up (S138)."""

    table: TableId
    player: PlayerId
    by_host: bool = False
    """In his name, by host or judge: also when players may not."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """Take a player out of the running tournament (T23)."""

    player: PlayerId
    by_host: bool = False
    """By the host: also when players may not (S138)."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoDrop:
    """Let a dropped player play on from the next round."""

    player: PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class Park:
    """Keep a report that does not name its table beyond doubt (5.6-1, 5.6-3)."""

    id: str
    candidates: tuple[TableId, ...]
    names: tuple[str, str]
    why: Literal["one_name", "strangers", "nickname_collision"]
    report: Report
    """Seat A is the first name."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptParked:
    """This report is that table's: the host's word, or a player who fills in the room code (5.6-3)."""

    id: str
    table: TableId
    swapped: bool = False
    """The first name sits at seat B."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class DismissParked:
    """A report that is nobody's."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoseServer:
    """A duel server does not answer: its tables pause from the last contact (5.5-8)."""

    server: ServerId
    since: Instant
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegainServer:
    """It answers again."""

    server: ServerId
    rooms: tuple[TableId, ...]
    """The tables whose rooms are still there."""
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeTable:
    """The host's answer for a lost room: play on under the same code from the last finished game (5.5-8)."""

    table: TableId
    now: Added[Instant]


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce:
    """Say something in all rooms of the tournament's servers."""

    text: str
    now: Added[Instant]


Command: TypeAlias = (
    Publish
    | Adopt
    | EditSettings
    | RefreshEnvironment
    | Register
    | Withdraw
    | SubmitDeck
    | ApproveDeck
    | RevokeDeck
    | SignIn
    | SignInAll
    | Start
    | Tick
    | Pause
    | Resume
    | SetAuto
    | CallTime
    | CallTableTime
    | Postpone
    | ExtendTable
    | NextRound
    | PairAgain
    | SwapPlayers
    | ForbidPair
    | AllowPair
    | SetRounds
    | SetRegistration
    | SetVisibility
    | SetCoHosts
    | AddTeam
    | RemoveTeam
    | AssignTeam
    | ImportRoster
    | Undo
    | UnsetEnded
    | Finish
    | Cancel
    | ReportPresent
    | SeeRoom
    | FileReport
    | ReportByPlayer
    | Rule
    | Reopen
    | ClaimAbsence
    | AnswerOffer
    | Concede
    | Drop
    | UndoDrop
    | Park
    | AcceptParked
    | DismissParked
    | LoseServer
    | RegainServer
    | ResumeTable
    | Announce
)
