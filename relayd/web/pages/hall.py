"""The hall screen: what everybody wants to see, large, turning its pages by itself (投屏, S127, S151)."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from aiohttp import web

from relayd.accounts.tokens import digest_of
from relayd.views.ranks import bracket_view
from relayd.web.bracket import drawn
from relayd.web.clockface import face
from relayd.web.eventview import View, frame, one_round
from relayd.web.lists import batches
from relayd.web.visit import Visit
from ruleset.ids import TournamentNo
from ruleset.standings.sentences import display
from ruleset.tournament.ranking import standings
from ruleset.tournament.state import BEFORE_START, Tournament

TABLES: Final = 33
"""On one page, in three columns."""
RANKS: Final = 33
BEST: Final = 2
"""Pages of the standings that are shown while a round is played."""
VALUES: Final = 2
"""Criteria beside each name: those that come first."""


async def show(visit: Visit) -> web.StreamResponse:
    """Show the screen to whoever has its link."""
    link = await visit.parts.accounts.store.link(digest_of(visit.request.match_info["token"]))
    if link is None:
        raise web.HTTPNotFound
    state = await visit.parts.tournaments.load(TournamentNo(link.tournament))
    shell = await frame(visit, state, "overview")
    return visit.page("hall.html", **shell, face=face(shell["e"]), pages=list(_pages(visit, state)))


def _pages(visit: Visit, state: Tournament) -> Iterator[View]:
    """Yield what takes turns: who plays whom first, winners first once there are some."""
    if state.phase == "finished":
        yield {"kind": "winners", "key": "winners", "n": 1, "of": 1, "rows": ()}
    if state.phase == "running":
        yield from _numbered("pairings", _tables(visit, state), TABLES)
    between = state.round is None or state.round.done_at is not None
    played_out = any(not table.open for table in state.all_tables())
    if svg := drawn(bracket_view(state), state.number, visit.t("tab.bracket")):
        yield {"kind": "bracket", "key": "bracket", "n": 1, "of": 1, "svg": svg}
    elif played_out:
        ranks = list(_numbered("standings", _ranks(state), RANKS))
        names = [visit.t(f"criterion.{key}") for key in state.settings.scores.order[:VALUES]]
        yield from ({**page, "names": names} for page in (ranks if between else ranks[:BEST]))
    text = state.settings.pages.projected_rules or state.settings.text
    if text and (state.phase in BEFORE_START or between):
        yield {"kind": "text", "key": "text", "n": 1, "of": 1, "text": text}


def _numbered(kind: str, rows: Sequence[Any], size: int) -> Iterator[View]:
    pages = list(batches(rows, size))
    for n, page in enumerate(pages, 1):
        yield {"kind": kind, "key": f"{kind}-{n}", "n": n, "of": len(pages), "rows": page}


def _tables(visit: Visit, state: Tournament) -> Sequence[View]:
    """Return the tables of the round, and who has a bye as a row without a number."""
    if state.round is None:
        return ()
    played = one_round(visit.parts, state, state.round)
    byes = [{"bye": person} for person in (*played["byes"], *played["walkovers"])]
    return [*played["tables"], *byes]


def _ranks(state: Tournament) -> Sequence[View]:
    return [
        {
            "rank": row.rank,
            "name": state.players[row.player].nickname,
            "values": [display(value) for value in list(row.values.values())[:VALUES]],
        }
        for row in standings(state)
    ]
