"""The list of tournaments with its filters, and the reader's language."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Self
from urllib.parse import urlencode

from aiohttp import web

from relayd.views.whole import summary
from relayd.web.eventview import ENDED
from relayd.web.languages import LANGUAGES
from relayd.web.openness import shows_count
from relayd.web.security import local_path
from relayd.web.visit import LANGUAGE, Visit
from ruleset.tournament.state import Tournament

ENDED_SHOWN: Final = 12
LOOKED_THROUGH: Final = 120
"""Ended tournaments that one page looks through for what is searched; the next page goes on from there."""
SHOWS: Final = ("all", "running", "coming", "ended")
LONGEST: Final = 60
_YEAR_S: Final = 365 * 24 * 3600
_FAR: Final = 2**60


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the reader looks for; it stands in the address."""

    q: str = ""
    """Part of a title, or a number."""
    show: str = "all"
    environment: str = ""
    before: int = _FAR
    """Of ended ones, only numbers below."""

    @classmethod
    def of(cls, visit: Visit) -> Self:
        """Read it from the address; what makes no sense says nothing."""
        query = visit.request.query
        show = query.get("show", "all")
        return cls(
            q=query.get("q", "").strip()[:LONGEST],
            show=show if show in SHOWS else "all",
            environment=query.get("environment", "")[:LONGEST],
            before=_number(query.get("before")),
        )

    @property
    def narrow(self) -> bool:
        """Whether anything is left out."""
        return bool(self.q or self.environment)

    def lists(self, state: Tournament) -> bool:
        """Say whether everybody finds it here: private ones and tests are reached by links (S133, S134)."""
        return state.settings.visibility == "public" and not state.settings.test and self.fits(state)

    def fits(self, state: Tournament) -> bool:
        """Say whether it is looked for."""
        words, settings = self.q.casefold(), state.settings
        named = words in settings.title.casefold() or words.removeprefix("#") == str(state.number)
        return named and self.environment in {"", settings.environment}

    def but(self, **other: object) -> str:
        """Return the address of the same search with something else in it."""
        said = {"q": self.q, "show": self.show, "environment": self.environment, **other}
        return "/?" + urlencode({name: value for name, value in said.items() if value not in {"", "all"}})


async def home(visit: Visit) -> web.StreamResponse:
    """List what runs, what comes and what was."""
    wanted = Wanted.of(visit)
    states = [state for _, state in sorted(visit.parts.tournaments.running().items())]
    listed = [s for s in states if wanted.lists(s)]
    running = [s for s in listed if s.phase == "running"]
    coming = sorted((s for s in listed if s.phase != "running"), key=_start)
    ended, older = await _ended(visit, wanted) if wanted.show in {"all", "ended"} else ([], 0)
    own = visit.player
    mine = [s for s in states if own is not None and wanted.fits(s) and _concerns(s, own)]
    return visit.page(
        "home.html",
        w=wanted,
        shows=SHOWS,
        environments=visit.parts.environments.keys,
        mine=_lines(mine) if wanted.show == "all" else [],
        running=_lines(running) if wanted.show in {"all", "running"} else [],
        coming=_lines(coming) if wanted.show in {"all", "coming"} else [],
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


async def _ended(visit: Visit, wanted: Wanted) -> tuple[list[Tournament], int]:
    """Return ended ones, the newest first, and the number below which the next page goes on; 0: none."""
    tournaments, found = visit.parts.tournaments, list[Tournament]()
    running = tournaments.running()
    numbers = [n for n in reversed(tournaments.numbers()) if n < wanted.before and n not in running]
    for seen, number in enumerate(numbers, 1):
        state = await tournaments.load(number)
        if state.phase in ENDED and wanted.lists(state):
            found.append(state)
        if seen < len(numbers) and (len(found) == ENDED_SHOWN or seen == LOOKED_THROUGH):
            return found, number
    return found, 0


def _concerns(state: Tournament, player: int) -> bool:
    """Say whether it is the reader's own: he plays in it, hosts it, or runs it with the host."""
    return player in state.players or player in {state.organiser, *state.settings.co_hosts}


def _lines(states: Iterable[Tournament]) -> list[dict[str, Any]]:
    return [{**summary(state), "s": state.settings, "counted": shows_count(state)} for state in states]


def _start(state: Tournament) -> tuple[int, int]:
    return (state.settings.start_at or _FAR, state.number)


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 16 else _FAR
