"""The list of tournaments, and the reader's language."""

from typing import Any

from aiohttp import web

from relayd.views.whole import summary
from relayd.web.eventview import ENDED
from relayd.web.languages import LANGUAGES
from relayd.web.security import local_path
from relayd.web.visit import LANGUAGE, Visit
from ruleset.tournament.state import Tournament

ENDED_SHOWN = 12
_YEAR_S = 365 * 24 * 3600
_FAR = 2**60


async def home(visit: Visit) -> web.StreamResponse:
    """List what runs, what comes and what was."""
    states = [state for _, state in sorted(visit.parts.tournaments.running().items())]
    listed = [s for s in states if _listed(s)]
    running = [s for s in listed if s.phase == "running"]
    coming = sorted((s for s in listed if s.phase != "running"), key=_start)
    before = _number(visit.request.query.get("before"))
    ended = await _ended(visit, before)
    own = visit.player
    mine = [s for s in states if own is not None and (own in s.players or s.organiser == own)]
    older = min((s.number for s in ended), default=0) if len(ended) == ENDED_SHOWN else 0
    return visit.page(
        "home.html",
        mine=_lines(mine),
        running=_lines(running),
        coming=_lines(coming),
        ended=_lines(ended),
        older=older,
    )


async def language(visit: Visit) -> web.StreamResponse:
    """Change the language and stay on the page."""
    wanted = visit.request.match_info["language"]
    if wanted not in LANGUAGES:
        raise web.HTTPNotFound
    visit.cookie(LANGUAGE, wanted, _YEAR_S)
    return visit.redirect(local_path(visit.request.query.get("back")))


async def _ended(visit: Visit, before: int) -> list[Tournament]:
    tournaments, found = visit.parts.tournaments, list[Tournament]()
    running = tournaments.running()
    for number in reversed(tournaments.numbers()):
        if number < before and number not in running:
            state = await tournaments.load(number)
            if state.phase in ENDED and _listed(state):
                found.append(state)
        if len(found) == ENDED_SHOWN:
            break
    return found


def _listed(state: Tournament) -> bool:
    """Say whether everybody finds it: private ones and tests are reached by their links (S133, S134)."""
    return state.settings.visibility == "public" and not state.settings.test


def _lines(states: list[Tournament]) -> list[dict[str, Any]]:
    return [summary(state) for state in states]


def _start(state: Tournament) -> tuple[int, int]:
    return (state.settings.start_at or _FAR, state.number)


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 16 else _FAR
