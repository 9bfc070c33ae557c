"""Reports that wait for somebody who knows their table (5.6-1, 5.6-3)."""

from dataclasses import replace

from ruleset.errors import CommandRejected
from ruleset.ids import other
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament import guards
from ruleset.tournament.reports import Report
from ruleset.tournament.results import Game
from ruleset.tournament.state import Parked, Tournament
from ruleset.tournament.story import Story
from ruleset.tournament.tables import file_report


def park(state: Tournament, command: c.Park) -> tuple[e.Event, ...]:
    """Keep a report; the same one again changes nothing."""
    known = any(command.report == waiting.report for waiting in state.parked.values())
    if state.phase != "running" or command.id in state.parked or known:
        return ()
    parked = e.ReportParked(
        id=command.id,
        candidates=command.candidates,
        names=command.names,
        why=command.why,
        report=command.report,
        at=command.now,
    )
    return (parked,)


def accept(state: Tournament, command: c.AcceptParked) -> tuple[e.Event, ...]:
    """Take a parked report for a table. Refuses with ``unknown_report``, ``not_a_candidate``."""
    waiting = _waiting(state, command.id)
    table = guards.known_table(state, command.table)
    if command.table not in waiting.candidates:
        raise CommandRejected("not_a_candidate", table=str(command.table))
    story = Story(state)
    story.tell(e.ParkedSettled(id=command.id, table=command.table))
    report = swapped(waiting.report) if command.swapped else waiting.report
    file = c.FileReport(table=table.id, extra=table.extra_games > 0, report=report, now=command.now)
    story.tell(*file_report(story.state, file))
    return story.events


def dismiss(state: Tournament, command: c.DismissParked) -> tuple[e.Event, ...]:
    """Put a report away that is nobody's. Refuses with ``unknown_report``."""
    _waiting(state, command.id)
    return (e.ParkedSettled(id=command.id, table=None),)


def swapped(report: Report) -> Report:
    """Return *report* seen from the other side: seats A and B exchanged."""
    winner = report.winner if report.winner in {None, "draw"} else other(report.winner)  # type: ignore[arg-type]
    games = None if report.games is None else tuple(_swapped(game) for game in report.games)
    return replace(report, a=report.b, b=report.a, winner=winner, games=games)


def _swapped(game: Game) -> Game:
    return game if game.winner is None else replace(game, winner=other(game.winner))


def _waiting(state: Tournament, id_: str) -> Parked:
    waiting = state.parked.get(id_)
    if waiting is None:
        raise CommandRejected("unknown_report", id=id_)
    return waiting
