"""Tables of a tournament: who plays whom, how it stands, what the duel server shows."""

from collections.abc import Callable, Mapping
from dataclasses import fields

from relayd.ports import LiveTable
from relayd.views.clock import resumed, table_clock
from relayd.views.people import View, person
from ruleset.errors import CommandRejected
from ruleset.ids import Instant, Seat, TableId, TournamentNo
from ruleset.roomcode import RoomCode, room_of
from ruleset.tournament.deadlines import present_until
from ruleset.tournament.reports import Report
from ruleset.tournament.results import Result
from ruleset.tournament.state import Parked, Round, Table, Tournament

_SHOWN = tuple(field.name for field in fields(LiveTable) if field.name not in {"table", "server"})
JoinString = Callable[[TournamentNo, TableId], str]


def round_view(
    state: Tournament, played: Round, live: Mapping[TableId, LiveTable], join: JoinString, now: Instant
) -> View:
    """Return a round with all its tables."""
    seen = resumed(state, now)
    return {
        "round": played.number,
        "stage": played.stage,
        "tables": [
            table_view(seen, table, live.get(table.id), join, now)
            for table in seen.played(played.number).tables.values()
        ],
        "byes": [person(state, player) for player in played.byes],
        "walkovers": [person(state, player) for player in played.walkovers],
        "rematches": played.rematches,
    }


def table_view(
    state: Tournament, table: Table, live: LiveTable | None, join: JoinString, now: Instant
) -> View:
    """Return one table of a state that is not paused; *join* only while its match goes on."""
    return {
        "table": str(table.id),
        "room_code": str(room_code(state.number, table)),
        "join": _join(state, table, join),
        "server": table.server,
        "a": _seat(state, table, "a", now),
        "b": _seat(state, table, "b", now),
        "status": table.status,
        "dispute": table.dispute,
        "result": None if table.result is None else result_view(table.result),
        "ruled": table.ruled,
        "wins": list(table.wins_so_far),
        "game": table.duel,
        "extra_games": table.extra_games,
        "claimable_by": table.claimable_by,
        "offered": None if table.offered is None else result_view(table.offered),
        "lost_at": table.lost_at,
        "asked_until": table.asked_until,
        "capped": table.capped,
        "clock": table_clock(state, table),
        "live": None if live is None else _live(live),
    }


def room_code(number: TournamentNo, table: Table) -> RoomCode:
    """Return the code of the room in which a table plays now (R058)."""
    extra = table.extra_games > 0
    return room_of(number, table.id, extra=extra)


def result_view(result: Result) -> View:
    """Return a result: outcome, reason, games won by seats A and B, drawn ones, and each in order."""
    return {
        "outcome": result.outcome,
        "reason": result.reason,
        "wins": [result.wins("a"), result.wins("b")],
        "drawn": result.drawn,
        "games": [{"winner": game.winner, "reason": game.reason} for game in result.games],
    }


def parked_view(state: Tournament, parked: Parked) -> View:
    """Return a report that waits for its table; not the message itself."""
    report = parked.report
    return {
        "id": parked.id,
        "why": parked.why,
        "names": list(parked.names),
        "candidates": [
            {"table": str(table), "players": _players(state, table)} for table in parked.candidates
        ],
        "source": report.source,
        "server": report.server,
        "winner": report.winner,
        "scores": scores_view(report),
        "at": parked.at,
    }


def scores_view(report: Report) -> list[View]:
    """Return what a report says of both seats, the first name's first."""
    return [{"wins": score.wins, "ending": score.ending} for score in (report.a, report.b)]


def _join(state: Tournament, table: Table, join: JoinString) -> str | None:
    """Return what players type; ``None`` once the match is over, or where no duel server is known."""
    if not table.unfinished:
        return None
    try:
        return join(state.number, table.id)
    except CommandRejected:
        return None


def _players(state: Tournament, table: TableId) -> list[View]:
    found = state.table(table)
    return [] if found is None else [person(state, found.a), person(state, found.b)]


def _seat(state: Tournament, table: Table, seat: Seat, now: Instant) -> View:
    presence, word = table.presence(seat), table.words.get(seat)
    return {
        **person(state, table.player(seat)),
        "present": present_until(presence) > now,
        "in_room": presence.in_room,
        "said": None if word is None else {"outcome": word.outcome, "wins": list(word.wins)},
    }


def _live(live: LiveTable) -> View:
    return {name: getattr(live, name) for name in _SHOWN}
