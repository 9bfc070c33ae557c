"""Takes reports of any source to their tables (rules.md 5.6); what they mean there the rules say."""

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final, Literal, TypeAlias

import structlog

from relayd.bridge.inside import Inside
from relayd.bridge.tables import candidate
from relayd.storage.log import CommandIdReused
from ruleset import roomcode
from ruleset.errors import CommandRejected, RulesetError
from ruleset.ids import Instant, ServerId, TableId, TournamentNo
from ruleset.roomcode import RoomCode
from ruleset.tournament.commands import Command, FileReport, Park
from ruleset.tournament.parking import swapped
from ruleset.tournament.reports import Report
from srvpro_bridge.matching import (
    Candidate,
    Index,
    Matched,
    Names,
    NotOurs,
    Parked,
    Unmatched,
    match_id,
    match_room,
    orientation,
)

Outcome: TypeAlias = Literal["filed", "again", "parked", "unmatched", "refused", "not_ours"]
Why: TypeAlias = Literal["one_name", "strangers", "nickname_collision"]
STRAYS: Final = 100
"""Ends of matches without a tournament that are remembered."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomReport:
    """What a duel server says of a room and two players, by their names."""

    room_name: str
    names: Names
    report: Report
    """Seat A is the first name."""
    best_of: Literal[1, 3] | None = None
    """What the room was played as; ``None``: not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stray:
    """An end of a match that fits no tournament: nobody but the operator can know what it is."""

    at: Instant
    room_name: str
    names: Names
    report: Report


class Intake:
    """The one place where reports become commands, and are counted."""

    def __init__(self, inside: Inside) -> None:
        self._tournaments, self._tables = inside.tournaments, inside.tables
        self._clock, self._metrics = inside.clock, inside.metrics
        self.strays: deque[Stray] = deque(maxlen=STRAYS)
        """The last ones, oldest first; they are gone with the daemon."""

    async def table_of(self, server: ServerId, match: str) -> Matched | None:
        """Return the table on *server* that a Challonge match id names, of any round (5.6-4).

        Raises LogErrors.
        """
        try:
            code = roomcode.parse(match)
        except RulesetError:
            return None
        table = await self._candidate(code)
        if table is None:
            return None
        found = match_id(Index([table], ()), server, match)
        return None if isinstance(found, NotOurs) else found

    async def file(self, found: Matched, report: Report, *, command_id: str | None = None) -> Outcome:
        """Take a report to its table: ``again`` if it says nothing new. Raises LogErrors.

        After LogUnavailable the same *command_id* asks for the same thing.
        """
        number, table = _place(found.candidate)
        told = swapped(report) if found.flipped else report
        command = FileReport(table=table, extra=found.extra, report=told, now=self._clock.now())
        outcome = await self._send(number, command, report, command_id, "filed")
        return self._told(outcome, report, number, str(table), found.evidence)

    async def take(self, said: RoomReport, *, command_id: str | None = None) -> Outcome:
        """Find the table of a report by room and names, then file or park it (5.6). Raises as ``file``.

        A mere sight of a match is not worth parking: its end will be.
        """
        server = said.report.server
        match match_room(self._tables.index(), server, said.room_name, said.names):
            case Matched() as found:
                return await self.file(found, self._as_far_as_certain(found, said), command_id=command_id)
            case Parked() | Unmatched(candidate=Candidate()) if not said.report.final:
                return self._told("unmatched", said.report, None, said.room_name, "")
            case Parked(candidates=tables):
                return await self._park(said, tables, "nickname_collision", command_id)
            case Unmatched(candidate=Candidate() as table, strangers=strangers):
                why: Why = "strangers" if strangers else "one_name"
                return await self._park(said, (table,), why, command_id)
            case Unmatched(code=code):
                return await self._of_an_earlier_round(said, code, command_id)
            case NotOurs():
                return self._told("not_ours", said.report, None, said.room_name, "")

    def _as_far_as_certain(self, found: Matched, said: RoomReport) -> Report:
        """Doubt an end of a room that was made for another number of games: it may have come too early."""
        state = self._tournaments.running().get(found.candidate.code.tournament)
        if said.best_of is None or state is None or said.report.crashed is not False:
            return said.report
        fits = said.best_of == (1 if found.extra else state.best_of(found.candidate.code.table_id))
        return said.report if fits else replace(said.report, crashed=None)

    async def _of_an_earlier_round(self, said: RoomReport, code: RoomCode, command_id: str | None) -> Outcome:
        """Keep what comes late in the history of its table (5.6-5); an extra game must have been ordered."""
        table = await self._candidate(code)
        if table is not None and code.extra and not table.code.extra:
            table = None
        flipped = None if table is None else orientation(self._tables.index(), table, said.names)
        if table is None or flipped is None or table.server != said.report.server:
            return self._stray(said, code)
        found = Matched(candidate=table, extra=code.extra, flipped=flipped, evidence="room")
        return await self.file(found, said.report, command_id=command_id)

    def _stray(self, said: RoomReport, code: RoomCode) -> Outcome:
        if said.report.final:
            found = Stray(
                at=self._clock.now(), room_name=said.room_name, names=said.names, report=said.report
            )
            self.strays.append(found)
        return self._told("unmatched", said.report, code.tournament, str(code), "")

    async def _candidate(self, code: RoomCode) -> Candidate | None:
        try:
            state = await self._tournaments.load(code.tournament)
        except CommandRejected:
            return None
        table = state.table(code.table_id)
        return None if table is None else candidate(state, table)

    async def _park(
        self, said: RoomReport, tables: Iterable[Candidate], why: Why, command_id: str | None
    ) -> Outcome:
        """Let the report wait in the tournament of each of *tables*; the same one again waits once."""
        by_tournament: defaultdict[TournamentNo, list[TableId]] = defaultdict(list)
        for number, table in map(_place, tables):
            by_tournament[number].append(table)
        outcomes: set[Outcome] = set()
        for number, candidates in by_tournament.items():
            command = Park(
                id=_name_of(said),
                candidates=tuple(candidates),
                names=said.names,
                why=why,
                report=said.report,
                now=self._clock.now(),
            )
            outcome = await self._send(number, command, said.report, command_id, "parked")
            outcomes.add(self._told(outcome, said.report, number, said.room_name, why))
        return "parked" if "parked" in outcomes else "again" if "again" in outcomes else "refused"

    async def _send(
        self,
        number: TournamentNo,
        command: Command,
        report: Report,
        command_id: str | None,
        accepted: Outcome,
    ) -> Outcome:
        by = f"server:{report.server}"
        try:
            answer = await self._tournaments.handle(number, command, by=by, command_id=command_id)
        except CommandRejected:
            return "refused"
        except CommandIdReused:  # whatever it says now, it was taken before
            return "again"
        return "again" if answer.entry is None else accepted

    def _told(
        self, outcome: Outcome, report: Report, number: TournamentNo | None, where: str, why: str
    ) -> Outcome:
        self._metrics.reports.labels(report.source, outcome).inc()
        at = {"tournament": number, "server": report.server, "source": report.source}
        write = _log.debug if outcome == "not_ours" else _log.info
        write("report", outcome=outcome, table=where, why=why, final=report.final, **at)
        return outcome


def _place(table: Candidate) -> tuple[TournamentNo, TableId]:
    return table.code.tournament, table.code.table_id


def _name_of(said: RoomReport) -> str:
    """Return the same name for the same report, so that it is parked once (5.6-5)."""
    server, body = said.report.server, said.report.body
    return sha256("\n".join((server, said.room_name, *said.names, body)).encode()).hexdigest()[:16]
