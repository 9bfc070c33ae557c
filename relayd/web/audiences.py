"""One audience for each tournament that somebody looks at, and one task that tells it what happens."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias

import structlog
from aiohttp import web

from relayd.following import Dropped, Following
from relayd.web.parts import SiteParts
from relayd.web.viewers import Admission, Audience, Viewer
from relayd.web.visit import Visit
from ruleset.ids import TournamentNo

BEAT_S: Final = 20.0
COALESCE_S: Final = 0.08
"""Changes of so long go together: a viewer gets one message in that time."""

_log: Final = structlog.get_logger()


@dataclass(eq=False, kw_only=True)
class Hall:
    """The viewers of one tournament."""

    number: TournamentNo
    following: Following
    version: int
    """Up to which they have been told."""
    audience: Audience = field(default_factory=Audience)
    task: asyncio.Task[None] | None = None


Tell: TypeAlias = Callable[[Hall], Coroutine[Any, Any, None]]
"""Tells a hall what happens, for ever. Raises Dropped where the feed was too fast."""


class Audiences:
    """The halls of all tournaments; one that nobody looks at is closed."""

    def __init__(self, parts: SiteParts, kind: str, beat: bytes, tell: Tell, admission: Admission) -> None:
        """*beat*: what keeps a silent line open."""
        self._parts, self._kind, self._beat, self._tell = parts, kind, beat, tell
        self._admission = admission
        self._halls: Final[dict[TournamentNo, Hall]] = {}
        self._beating: asyncio.Task[None] | None = None

    def enter(self, visit: Visit, viewer: Viewer, opening: Callable[[Hall], bytes]) -> web.StreamResponse:
        """Let a viewer in, with what *opening* makes for him; he hears everything behind the hall's version.

        The tournament must have been loaded. Raises HTTPTooManyRequests or HTTPServiceUnavailable.
        """
        self._admission.admit(viewer.address)
        self._parts.metrics.viewers.labels(self._kind).inc()
        hall = self._hall(visit.number)
        hall.audience.join(viewer)
        return viewer.take(visit.request, opening(hall), partial(self._leave, hall))

    async def close(self) -> None:
        """Hang up on everybody."""
        tasks = [hall.task for hall in self._halls.values() if hall.task is not None]
        for hall in tuple(self._halls.values()):
            hall.audience.hang_up()
            self._shut(hall)
        self._stop_beating()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _hall(self, number: TournamentNo) -> Hall:
        if (hall := self._halls.get(number)) is None:
            version = self._parts.tournaments.version(number)
            hall = Hall(number=number, following=self._parts.feed.follow(number), version=version)
            self._halls[number] = hall
            hall.task = asyncio.create_task(self._serve(hall))
        if self._beating is None:
            self._beating = asyncio.create_task(self._keep_open())
        return hall

    def _leave(self, hall: Hall, viewer: Viewer) -> None:
        """Forget a viewer, and the hall with the last one."""
        self._admission.release(viewer.address)
        self._parts.metrics.viewers.labels(self._kind).dec()
        self._parts.metrics.subscribers_dropped.inc(viewer.slow)
        hall.audience.leave(viewer)
        if not hall.audience:
            self._shut(hall)

    def _shut(self, hall: Hall) -> None:
        if self._halls.get(hall.number) is hall:
            del self._halls[hall.number]
        if hall.task is not None:
            hall.task.cancel()
        if not self._halls:
            self._stop_beating()

    def _stop_beating(self) -> None:
        if self._beating is not None:
            self._beating.cancel()
            self._beating = None

    async def _serve(self, hall: Hall) -> None:
        try:
            await self._tell(hall)
        except Dropped:
            _log.warning("viewers_dropped", tournament=hall.number, count=len(hall.audience))
        except Exception as error:  # noqa: BLE001  root of a task: viewers come back and see what is
            self._parts.metrics.viewers_failed.inc()
            _log.error("viewers_failed", tournament=hall.number, exc_info=error)
        finally:
            hall.following.close()
            if self._halls.get(hall.number) is hall:
                del self._halls[hall.number]
            hall.audience.hang_up()

    async def _keep_open(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            for hall in tuple(self._halls.values()):
                await hall.audience.tell(dict.fromkeys(hall.audience.wishes(), self._beat))


async def gathered(following: Following, patience_s: float | None) -> list[bytes]:
    """Return what comes within one moment; nothing where nothing comes for so long. Raises Dropped."""
    found: list[bytes] = []
    with suppress(TimeoutError):
        async with asyncio.timeout(patience_s):
            found.append(await following.take())
        await asyncio.sleep(COALESCE_S)
        while True:
            async with asyncio.timeout(0):
                found.append(await following.take())
    return found
