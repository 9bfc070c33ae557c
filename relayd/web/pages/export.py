"""Downloads of a tournament."""

import re
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from aiohttp import web

from relayd.files.kts import as_kts
from relayd.files.trf import as_trf
from relayd.views.people import player_rows
from relayd.views.ranks import bracket_view, standings_view
from relayd.views.whole import whole
from relayd.web import exports
from relayd.web.eventview import one_round
from relayd.web.visit import Visit
from ruleset.tournament.state import Round, Tournament

_XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_PAIRINGS: Final = re.compile(r"pairings-([1-9][0-9]{0,3})\.(txt|csv)", re.ASCII)


async def download(visit: Visit) -> web.StreamResponse:
    """Give one of the files of a tournament."""
    state, name = await visit.tournament(), visit.request.match_info["file"]
    address = f"{visit.origin}/e/{state.number}"
    if found := _PAIRINGS.fullmatch(name):
        return _pairings(visit, state, int(found[1]), found[2], address)
    if name == "standings.txt":
        return _text(exports.standings_text(state, visit.language, f"{address}/standings"))
    if name not in _FILES:
        raise web.HTTPNotFound
    content_type, make = _FILES[name]
    return _file(make(visit, state), content_type, state, name)


def _pairings(visit: Visit, state: Tournament, number: int, kind: str, address: str) -> web.Response:
    if number > len(state.rounds):
        raise web.HTTPNotFound
    played: Round = state.rounds[number - 1]
    if kind == "txt":
        page = f"{address}/r/{number}"
        return _text(exports.pairings_text(state, played, visit.language, page))
    rows = exports.pairings(state, played, visit.language)
    return _file(exports.as_csv(rows), "text/csv", state, f"pairings-{number}.csv")


def _json(visit: Visit, state: Tournament) -> bytes:
    """Return everything that is public, so that anybody can check it by hand (H208)."""
    everything = {
        **whole(state, visit.now),
        "list": player_rows(state),
        "rounds": [one_round(visit.parts, state, played) for played in state.rounds],
        "standings": standings_view(state),
        "bracket": bracket_view(state),
    }
    return msgspec.json.encode(everything)


def _text(text: str) -> web.Response:
    return web.Response(text=text, content_type="text/plain")


def _file(body: bytes, content_type: str, state: Tournament, name: str) -> web.Response:
    response = web.Response(body=body, content_type=content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="relayd-{state.number}-{name}"'
    return response


_FILES: Final[Mapping[str, tuple[str, Callable[[Visit, Tournament], bytes]]]] = {
    "standings.csv": ("text/csv", lambda v, state: exports.as_csv(exports.ranks(state, v.language))),
    "results.csv": ("text/csv", lambda _, state: exports.as_csv(exports.matches(state))),
    "dp.csv": ("text/csv", lambda _, state: exports.as_csv(exports.dp(state))),
    "players.csv": ("text/csv", lambda _, state: exports.as_csv(exports.players(state))),
    "tournament.xlsx": (_XLSX, lambda v, state: exports.as_workbook(state, v.language)),
    "tournament.json": ("application/json", _json),
    "tournament.trf": ("text/plain", lambda _, state: as_trf(state)),
    "tournament.xml": ("application/xml", lambda _, state: as_kts(state)),
}
