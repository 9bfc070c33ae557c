"""One table with everything that a judge may do there, and what that would change (S128, T21, T22, 5.7)."""

from collections.abc import Mapping
from typing import Any, Final

from aiohttp import web

from relayd.views.clock import resumed
from relayd.views.tables import parked_view, table_view
from relayd.web.consequences import arranged, foreseen, refused
from relayd.web.eventview import View, frame
from relayd.web.history import told
from relayd.web.pages.actions import params_of
from relayd.web.parts import CallFailed
from relayd.web.visit import Visit
from relayd.web.words import refusal
from ruleset.errors import CommandRejected
from ruleset.ids import TableId
from ruleset.tournament.commands import Reopen
from ruleset.tournament.state import DECISIVE, Table, Tournament

REASONS: Final = (
    *("ruling", "played", "time", "sudden_death", "concession", "disconnect", "late", "no_show", "foul"),
    *("drop", "cap"),
)
_ASKED: Final = ("outcome", "reason", "games_score")


async def table(visit: Visit) -> web.StreamResponse:
    """Show the table, its clock, its story and its buttons."""
    state = await visit.tournament()
    return visit.page("host_table.html", **await _shown(visit, state), oob=False)


async def live(visit: Visit) -> web.StreamResponse:
    """Send what moves on that page."""
    state = await visit.tournament()
    return visit.page("host_table_live.html", **await _shown(visit, state), oob=True)


async def preview(visit: Visit) -> web.StreamResponse:
    """Show what a ruling, or taking a result back, would change; only its button carries it out (T22)."""
    state, asked = await visit.tournament(), visit.request.query
    shown = await _shown(visit, state)
    wish = {name: asked[name] for name in _ASKED if asked.get(name)}
    found = await _ruling(visit, wish) if wish else _reopening(visit, state)
    return visit.page("host_preview.html", **shown, wish=wish, found=found)


async def _shown(visit: Visit, state: Tournament) -> View:
    rights = await visit.require(state, "judge")
    found = _known(state, visit.table)
    later = state.round is not None and found.id.round_no != state.round.number
    return {
        **await frame(visit, state, "host"),
        "cohost": rights.at_least("cohost"),
        "table": _seen(visit, state, found.id),
        "later": later,
        "best_of": state.best_of(found.id),
        "decisive": state.played(found.id.round_no).stage in DECISIVE,
        "reasons": REASONS,
        "games": [f"{a}-{b}" for a, b in _scores(state.best_of(found.id))],
        "parked": [parked_view(state, p) for p in state.parked.values() if found.id in p.candidates],
        "story": await told(visit, state, found.id),
    }


async def _ruling(visit: Visit, wish: Mapping[str, str]) -> View:
    asked = params_of(visit, {**wish, "table": str(visit.table)})
    try:
        view = await visit.parts.calls(await visit.caller(visit.number), "table.preview", asked)
    except CallFailed as error:
        if error.status >= web.HTTPInternalServerError.status_code:
            raise
        return refused(refusal(visit.language, error.code, error.data, error.sentence))
    return arranged(view)


def _reopening(visit: Visit, state: Tournament) -> View:
    return foreseen(visit.language, state, Reopen(table=visit.table, now=visit.now))


def _known(state: Tournament, number: TableId) -> Table:
    found = state.table(number)
    if found is None:
        raise CommandRejected("unknown_table", table=str(number))
    return found


def _seen(visit: Visit, state: Tournament, number: TableId) -> Any:  # noqa: ANN401  a view
    seen, sights = resumed(state, visit.now), visit.parts.sights
    live_table = sights.live(state.number).get(number)
    return table_view(seen, _known(seen, number), live_table, sights.join_string, visit.now)


def _scores(best_of: int) -> list[tuple[int, int]]:
    """Return the scores of a match, the clearest first."""
    most = (best_of + 1) // 2
    return [(a, b) for a in range(most, -1, -1) for b in range(most + 1) if a + b < 2 * most]
