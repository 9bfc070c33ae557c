"""Reports that wait for somebody who knows their table, with what taking them would do (5.6-1, 5.6-3)."""

from collections.abc import Iterator
from typing import Any

from relayd.views.people import person
from relayd.views.tables import parked_view
from relayd.web.eventview import View
from relayd.web.languages import Language
from relayd.web.words import refusal
from ruleset.errors import CommandRejected
from ruleset.ids import Instant, PlayerId, TableId
from ruleset.tournament.commands import AcceptParked
from ruleset.tournament.decide import decide
from ruleset.tournament.events import ResultDisputed
from ruleset.tournament.state import Parked, Table, Tournament
from srvpro_bridge.names import fold, number_in


def waiting(language: Language, state: Tournament, now: Instant) -> list[View]:
    """Return every report that waits, oldest first, with its options: the likeliest first."""
    found = sorted(state.parked.values(), key=lambda parked: parked.at)
    return [
        {**parked_view(state, parked), "options": _options(language, state, parked, now)} for parked in found
    ]


def fitting(state: Tournament, parked: Parked, table: Table) -> tuple[int, int]:
    """Return how many names of a report fit a table as its seats stand, and the other way round (5.6)."""
    first, second = parked.names
    straight = _is(state, table.a, first) + _is(state, table.b, second)
    return straight, _is(state, table.b, first) + _is(state, table.a, second)


def _options(language: Language, state: Tournament, parked: Parked, now: Instant) -> list[View]:
    options = [option for table in parked.candidates for option in _seatings(state, parked, table)]
    options.sort(key=lambda option: -option["fits"])
    return [{**option, **_outcome(language, state, parked, option, now)} for option in options]


def _seatings(state: Tournament, parked: Parked, table: TableId) -> Iterator[Any]:
    """Yield both ways in which the two names may sit at a table, as score of seat A and B."""
    if (found := state.table(table)) is None:
        return
    a, b = (str(person(state, player)["nickname"]) for player in (found.a, found.b))
    wins = (parked.report.a.wins, parked.report.b.wins)
    for swapped, fits in zip((False, True), fitting(state, parked, found), strict=True):
        yield {
            "id": table,
            "table": str(table),
            "swapped": swapped,
            "a": a,
            "b": b,
            "wins": wins[::-1] if swapped else wins,
            "fits": fits,
        }


def _outcome(language: Language, state: Tournament, parked: Parked, option: Any, now: Instant) -> View:  # noqa: ANN401  of _seatings
    wish = AcceptParked(id=parked.id, table=option["id"], swapped=option["swapped"], now=now)
    try:
        events = decide(state, wish)
    except CommandRejected as error:
        return {"refused": refusal(language, error.code, error.data, str(error)), "disputed": False}
    return {"refused": "", "disputed": any(isinstance(event, ResultDisputed) for event in events)}


def _is(state: Tournament, player: PlayerId, name: str) -> bool:
    return fold(name) == fold(state.players[player].nickname) or number_in(fold(name)) == player
