"""Says the host's words and the clock's warnings in the rooms of his tournament, once (S104).

Without a plugin all rooms of a server hear them (duel-server.md 1), so the text begins with the tournament.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import structlog

from relayd.bridge.api import NoAnswer
from relayd.bridge.inside import Inside
from relayd.bridge.voices import Voice
from relayd.reducers import number_of
from relayd.storage.cursors import Cursors
from relayd.storage.log import Entry
from ruleset.ids import MINUTE_MS, SECOND_MS, ServerId
from ruleset.tournament.events import Announced, Event, TimeWarned
from ruleset.tournament.state import Tournament

STALE_MS: Final = 5 * MINUTE_MS
"""Words older than this are not said any more: the daemon was away and the moment has passed."""
WARNING_STALE_MS: Final = 20 * SECOND_MS
LONGEST: Final = 100
"""Characters in one message; at two units each they fit with title and prefix into the 256 units of a chat
line (duel-server.md 10.f)."""
LONGEST_TITLE: Final = 20
_NAME: Final = "shouts"
_log = structlog.get_logger()


class Shouts:
    """A sink of the log's effects (relayd.outbound.cursor.Sink): said once, or not at all."""

    name: Final = _NAME
    wants: Final[tuple[type[Event], ...]] = (Announced, TimeWarned)

    def __init__(
        self, voice_of: Callable[[ServerId], Voice | None], cursors: Cursors, inside: Inside
    ) -> None:
        self._voice_of, self._cursors, self._inside = voice_of, cursors, inside

    async def positions(self) -> Mapping[str, int]:
        return await self._cursors.of(_NAME)

    async def take(self, stream: str, version: int, entries: Sequence[Entry]) -> None:
        await self._cursors.move(_NAME, stream, version)
        number = number_of(stream)
        state = None if number is None else self._inside.tournaments.running().get(number)
        if state is None:
            return
        for event in (event for entry in entries for event in entry.events):
            if isinstance(event, Announced | TimeWarned) and self._is_news(event):
                await self._say(state, _words(event))

    def _is_news(self, event: Announced | TimeWarned) -> bool:
        """Say whether the moment has not passed; what is left of a round soon is not."""
        good_for = STALE_MS if isinstance(event, Announced) else WARNING_STALE_MS
        return self._inside.clock.now() - event.at <= good_for

    async def _say(self, state: Tournament, text: str) -> None:
        for line in lines(state.settings.title, text):
            await asyncio.gather(*(self._say_at(use.id, line, state) for use in state.settings.servers))

    async def _say_at(self, server: ServerId, line: str, state: Tournament) -> None:
        voice = self._voice_of(server)
        if voice is None:
            return
        try:
            await voice.say(state.number, line)
        except NoAnswer as failure:
            self._told(server, state, "failed", failure.outcome)
        else:
            self._told(server, state, "sent", "")

    def _told(self, server: ServerId, state: Tournament, stage: str, code: str) -> None:
        self._inside.metrics.orders.labels("shout", stage).inc()
        _log.info("order", kind="shout", outcome=stage, code=code, server=server, tournament=state.number)


def _words(event: Announced | TimeWarned) -> str:
    """Return what is said: the host's words, or how much of the round is left (S104)."""
    if isinstance(event, Announced):
        return event.text
    return f"本轮还剩 {event.left_min} 分钟 / {event.left_min} min left"


def lines(title: str, text: str) -> Iterator[str]:
    """Cut *text* into messages, each with the tournament's title before it; at blanks where it can be."""
    for paragraph in text.splitlines():
        rest = paragraph.strip()
        while rest:
            cut = rest if len(rest) <= LONGEST else rest[:LONGEST].rpartition(" ")[0] or rest[:LONGEST]
            yield f"[{title[:LONGEST_TITLE]}] {cut}"
            rest = rest[len(cut) :].strip()
