"""The hall screen: what everybody wants to see, large, turning its pages by itself (投屏, S127)."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from aiohttp import web

from relayd.accounts.tokens import digest_of
from relayd.views.ranks import bracket_view
from relayd.web.bracket import drawn
from relayd.web.eventview import frame, one_round
from relayd.web.history import told
from relayd.web.visit import Visit
from ruleset.standings.sentences import display
from ruleset.tournament.ranking import standings
from ruleset.tournament.state import Tournament

TABLES: Final = 24
"""On one page, in columns."""
RANKS: Final = 32


async def show(visit: Visit) -> web.StreamResponse:
    """Show the screen to whoever has its link."""
    link = await visit.parts.accounts.store.link(digest_of(visit.request.match_info["token"]))
    if link is None:
        raise web.HTTPNotFound
    state = await visit.parts.tournaments.load(link.tournament)
    played = None if state.round is None else one_round(visit.parts, state, state.round)
    return visit.page(
        "hall.html",
        **await frame(visit, state, "overview"),
        r=played,
        pages=[] if played is None else list(_batches(played["tables"], TABLES)),
        ranks=[] if state.phase == "finished" else list(_batches(_ranks(state), RANKS)),
        svg=drawn(bracket_view(state), state.number, visit.t("tab.bracket")),
        text=state.settings.text,
        said=await _said(visit, state),
    )


async def _said(visit: Visit, state: Tournament) -> list[str]:
    """Return the last announcements, newest first."""
    what = visit.t("event_kind.announced")
    return [line["about"] for line in await told(visit, state) if line["what"] == what][:3]


def _ranks(state: Tournament) -> list[dict[str, Any]]:
    return [
        {
            "rank": row.rank,
            "name": state.players[row.player].nickname,
            "values": [display(value) for value in list(row.values.values())[:2]],
        }
        for row in standings(state)
    ]


def _batches(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
