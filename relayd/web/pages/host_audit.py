"""The audit trail: who did what, newest first (5.2, S128)."""

from typing import Final

from aiohttp import web

from relayd.web.eventview import frame
from relayd.web.history import told
from relayd.web.visit import Visit
from relayd.web.wish import Wish

LINES: Final = 200
"""On one page."""


async def trail(visit: Visit) -> web.StreamResponse:
    """Show it; ``q`` picks lines by who, what or whom, ``who=people`` leaves the daemon's own out."""
    state = await visit.tournament()
    await visit.require(state, "judge")
    wish = Wish.of(visit.request.query)
    wanted, people = wish.q.casefold(), wish.who == "people"
    lines = [
        line
        for line in await told(visit, state)
        if not (people and _by_itself(line["by"]))
        and (not wanted or any(wanted in str(line[key]).casefold() for key in ("by", "what", "about")))
    ]
    start = min(wish.page * LINES, max(0, len(lines) - 1) // LINES * LINES)
    return visit.page(
        "audit.html",
        **await frame(visit, state, "host"),
        lines=lines[start : start + LINES],
        wish=wish,
        page=start // LINES,
        older=start + LINES < len(lines),
    )


def _by_itself(by: str) -> bool:
    """Say whether a line is the daemon's or a duel server's own."""
    return not by.startswith(("account:", "link:", "token:", "unix:"))
