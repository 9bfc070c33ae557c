"""Reports that wait for somebody who knows their table, with what taking them would do (5.6-1, 5.6-3)."""

from collections.abc import Iterator
from typing import Any

from relayd.views.people import person
from relayd.views.tables import parked_view
from relayd.web.eventview import View
from relayd.web.languages import Language
from relayd.web.words import refusal
from ruleset.errors import CommandRejected
from ruleset.ids import Instant, TableId
from ruleset.tournament.commands import AcceptParked
from ruleset.tournament.decide import decide
from ruleset.tournament.events import ResultDisputed
from ruleset.tournament.state import Parked, Tournament


def waiting(language: Language, state: Tournament, now: Instant) -> list[View]:
    """Return every report that waits, oldest first, with its options: the likeliest first."""
    found = sorted(state.parked.values(), key=lambda parked: parked.at)
    return [
        {**parked_view(state, parked), "options": _options(language, state, parked, now)} for parked in found
    ]


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
    for swapped in (False, True):
        first, second = (b, a) if swapped else (a, b)
        yield {
            "id": table,
            "table": str(table),
            "swapped": swapped,
            "a": a,
            "b": b,
            "wins": wins[::-1] if swapped else wins,
            "fits": _same(parked.names[0], first) + _same(parked.names[1], second),
        }


def _outcome(language: Language, state: Tournament, parked: Parked, option: Any, now: Instant) -> View:  # noqa: ANN401  of _seatings
    wish = AcceptParked(id=parked.id, table=option["id"], swapped=option["swapped"], now=now)
    try:
        events = decide(state, wish)
    except CommandRejected as error:
        return {"refused": refusal(language, error.code, error.data, str(error)), "disputed": False}
    return {"refused": "", "disputed": any(isinstance(event, ResultDisputed) for event in events)}


def _same(name: str, nickname: str) -> bool:
    return name.strip().casefold() == nickname.casefold()
