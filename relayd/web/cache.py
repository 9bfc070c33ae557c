"""Pages of tournaments for strangers: made once for all who ask in one moment, kept packed in memory.

Whoever is signed in, came by a link or is to be told something gets a page of his own, always. The others'
pages differ by address, language and origin; they hold until the tournament changes, what duel servers show
of it changes, or their countdowns would be late: half a second, or longer where nothing on a page runs.
"""

import asyncio
import gzip
import re
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from time import monotonic
from typing import Final, TypeAlias
from weakref import WeakValueDictionary

from aiohttp import web

from relayd.web.visit import FLASH, LINKS, SESSION, Visit
from ruleset.ids import TournamentNo

Page: TypeAlias = Callable[[Visit], Awaitable[web.StreamResponse]]
Key: TypeAlias = tuple[str, str, str]
"""Path, language, origin."""

MOST_BYTES: Final = 32 << 20
RUNNING_S: Final = 0.5
"""How late a countdown of a kept page may be."""
RESTING_S: Final = 5.0
_RUNS: Final = re.compile(rb'data-(?:until|wall)="[^"]')
_OWN: Final = b'name="command_id"'
"""What stands only in the forms of one reader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A page as it goes out."""

    state: tuple[int, int]
    """The version of the tournament, and how often what is seen of it has changed."""
    until: float
    packed: bytes
    tag: str
    vary: str


class Cache:
    """The pages that are kept, the least asked for going first."""

    def __init__(self, most_bytes: int = MOST_BYTES, clock: Callable[[], float] = monotonic) -> None:
        self._most, self._clock = most_bytes, clock
        self._kept: OrderedDict[Key, Kept] = OrderedDict()
        self._bytes = 0
        self._seen = Counter[TournamentNo]()
        self._turns: WeakValueDictionary[Key, asyncio.Lock] = WeakValueDictionary()

    @property
    def size(self) -> int:
        """Bytes of all pages that are kept."""
        return self._bytes

    def shared(self, page: Page) -> Page:
        """Return what answers strangers alike; *page* has the tournament's number in its address."""

        async def answer(visit: Visit) -> web.StreamResponse:
            return await (self._answer(visit, page) if _stranger(visit.request) else page(visit))

        return answer

    def seen(self, number: TournamentNo) -> None:
        """Let no page hold that was made before now: duel servers show something else of that tournament."""
        self._seen[number] += 1

    async def _answer(self, visit: Visit, page: Page) -> web.StreamResponse:
        await visit.tournament()
        key = (visit.request.path_qs, visit.language, visit.origin)
        turn = self._turns.setdefault(key, asyncio.Lock())
        async with turn:
            state = (visit.parts.tournaments.version(visit.number), self._seen[visit.number])
            kept = self._fresh(key, state)
            visit.parts.metrics.shared_pages.labels("made" if kept is None else "kept").inc()
            if kept is None:
                made = await page(visit)
                if (
                    not isinstance(made, web.Response)
                    or (kept := self._keep(key, state, made, visit)) is None
                ):
                    return made
        return _sent(kept, visit.request)

    def _fresh(self, key: Key, state: tuple[int, int]) -> Kept | None:
        kept = self._kept.get(key)
        if kept is None or kept.state != state or kept.until < self._clock():
            return None
        self._kept.move_to_end(key)
        return kept

    def _keep(self, key: Key, state: tuple[int, int], made: web.Response, visit: Visit) -> Kept | None:
        """Keep a page, if it is one for everybody."""
        body = made.body
        if made.status != HTTPStatus.OK or made.cookies or not isinstance(body, bytes) or _OWN in body:
            return None
        runs = _RUNS.search(body) is not None
        told = body if runs else body.replace(b'data-now="%d"' % visit.now, b"")
        kept = Kept(
            state=state,
            until=self._clock() + (RUNNING_S if runs else RESTING_S),
            packed=gzip.compress(body, 6, mtime=0),
            tag=f'W/"{sha256(told).hexdigest()[:20]}"',
            vary=made.headers.get("Vary", ""),
        )
        self._put(key, kept)
        return kept

    def _put(self, key: Key, kept: Kept) -> None:
        self._drop(key)
        self._kept[key] = kept
        self._bytes += len(kept.packed)
        while self._bytes > self._most:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: Key) -> None:
        if (old := self._kept.pop(key, None)) is not None:
            self._bytes -= len(old.packed)


def _stranger(request: web.Request) -> bool:
    """Say whether a request is anybody's."""
    own = any(name in {SESSION, FLASH} or name.startswith(LINKS) for name in request.cookies)
    return not own and not request.query_string and "Authorization" not in request.headers


def _sent(kept: Kept, request: web.Request) -> web.Response:
    headers = {
        "Cache-Control": "no-cache, private",
        "ETag": kept.tag,
        "Vary": f"{kept.vary}, Accept-Encoding",
    }
    if kept.tag in request.headers.get("If-None-Match", ""):
        return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        headers["Content-Encoding"], body = "gzip", kept.packed
    else:
        body = gzip.decompress(kept.packed)
    return web.Response(body=body, headers=headers, content_type="text/html", charset="utf-8")
