"""The state of a tournament: what ``decide`` may know. Everything here follows from the log."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from ruleset.ids import PLAYOFF, Instant, PlayerId, RoundNo, ServerId, TableId, TournamentNo
from ruleset.tournament.decks import DeckList, FrozenTable
from ruleset.tournament.reports import Report
from ruleset.tournament.round import DECISIVE, FIRST_STAGES, Presence, Round, Stage, Table, Word
from ruleset.tournament.rows import RatingRow
from ruleset.tournament.settings import Settings

__all__ = [
    "BEFORE_START",
    "DECISIVE",
    "EMPTY",
    "FIRST_STAGES",
    "Action",
    "Deed",
    "Parked",
    "Phase",
    "Player",
    "Presence",
    "Round",
    "Stage",
    "Table",
    "Tournament",
    "Word",
]

Phase: TypeAlias = Literal[
    "draft", "published", "signin_open", "signin_closed", "held", "running", "finished", "cancelled"
]
BEFORE_START: Final[frozenset[Phase]] = frozenset({"published", "signin_open", "signin_closed", "held"})


Deed: TypeAlias = Literal[
    "ruled",
    "reopened",
    "dropped",
    "drop_undone",
    "postponed",
    "extended",
    "auto",
    "edited",
    "steered",
    "deck",
    "paired",
    "swapped",
    "pairs",
    "team",
]
"""What can be undone."""


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
    team: int | None = None
    """One of the tournament's teams, for which he counts."""
    team_label: str = ""
    """What is shown as his team; it counts for nothing (S108)."""


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
class Action:
    """Something that somebody did and that can be undone: what it changed, as that was before."""

    number: int
    """Actions are counted from 1 up."""
    what: Deed
    tables: tuple[Table, ...] = ()
    players: tuple[Player, ...] = ()
    round: Round | None = None
    """Of a pairing, the round that it made; of a postponement, the one that it moved."""
    settings: Settings | None = None
    forbidden: tuple[tuple[PlayerId, PlayerId], ...] = ()
    by_ms: int = 0


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
    teams: Mapping[int, str] = field(default_factory=dict)
    """The list of teams that count, by number (S107)."""
    teams_made: int = 0
    """How many numbers were given."""
    forbidden: tuple[tuple[PlayerId, PlayerId], ...] = ()
    """Pairs that the host rules out, the smaller number first."""
    sign_ins: int = 0
    """How many sequence numbers were given."""
    held_at_sign_ins: int = 0
    """``sign_ins`` when the start was held: tried again as soon as there are more (T4)."""
    entrants: tuple[PlayerId, ...] = ()
    """The frozen field in order of sign-in; its length is N (R013)."""
    rounds: tuple[Round, ...] = ()
    playoff: Round | None = None
    """The cut play-off, which is no round (R033)."""
    auto: bool = True
    paused_at: Instant | None = None
    lost_servers: Mapping[ServerId, Instant] = field(default_factory=dict)
    parked: Mapping[str, Parked] = field(default_factory=dict)
    swiss_ranks: tuple[tuple[PlayerId, int], ...] = ()
    """Final list of the first stage with shown ranks, from the cut or the end on."""
    seats: tuple[PlayerId, ...] = ()
    """Cut seats in order (R023)."""
    places: tuple[tuple[PlayerId, int], ...] = ()
    """The final ranking."""
    rows_by_round: tuple[tuple[RatingRow, ...], ...] = ()
    """Every DP row that was written, reversals too, by the round that was the latest then."""
    dp: Mapping[PlayerId, int] = field(default_factory=dict)
    """DP now: at entry plus the rows of this tournament."""
    started_at: Instant | None = None
    ended_at: Instant | None = None
    lapsed_at: Instant | None = None
    """When it was found to have ended by itself because nothing happened; the host may unset it (S137)."""
    woken_at: Instant = Instant(0)
    """When that was unset."""
    actions: int = 0
    """How many there were that could be undone."""
    last_action: Action | None = None
    """The last of them; ``None``: it was undone."""

    @property
    def round(self) -> Round | None:
        """The present round, which may be the play-off."""
        if self.playoff is not None and self.rounds[-1].stage != "elimination":
            return self.playoff
        return self.rounds[-1] if self.rounds else None

    @property
    def current_round(self) -> Round:
        """The present round of a tournament that runs."""
        played = self.round
        assert played is not None  # noqa: S101  it begins with its first round
        return played

    @property
    def rows(self) -> tuple[RatingRow, ...]:
        """Every DP row that was written, in order, reversals too."""
        return tuple(row for rows in self.rows_by_round for row in rows)

    def played(self, number: RoundNo) -> Round:
        """Return the round with that number, which must be there; ``PLAYOFF``: the play-off."""
        if number == PLAYOFF and self.playoff is not None:
            return self.playoff
        return self.rounds[number - 1]

    def table(self, table: TableId) -> Table | None:
        """Return the table with that id, of any round."""
        number, last = table.round_no, len(self.rounds)
        there = 1 <= number <= last or (number == PLAYOFF and self.playoff is not None)
        return self.played(number).tables.get(table.table) if there else None

    def best_of(self, table: TableId) -> Literal[1, 3]:
        """Return how many games a match there has at most; the play-off is one game (R033)."""
        return 1 if table.round_no == PLAYOFF else self.settings.best_of

    def active(self) -> tuple[PlayerId, ...]:
        """The entrants who have not dropped, in order of sign-in."""
        return tuple(p for p in self.entrants if self.players[p].dropped_in is None)

    def signed_in(self) -> tuple[PlayerId, ...]:
        """Who is signed in, in order of sign-in (R017)."""
        signed = [p for p in self.players.values() if p.signed_in is not None]
        return tuple(p.number for p in sorted(signed, key=lambda p: p.signed_in or 0))

    def all_rounds(self) -> Iterator[Round]:
        """Every round in order, the play-off between the stages."""
        for played in self.rounds:
            if played.stage != "elimination":
                yield played
        if self.playoff is not None:
            yield self.playoff
        for played in self.rounds:
            if played.stage == "elimination":
                yield played

    def all_tables(self) -> Iterator[Table]:
        """Every table of every round, in order."""
        for played in self.all_rounds():
            yield from played.tables.values()


EMPTY: Final = Tournament()
