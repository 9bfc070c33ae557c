"""What moves on the pages of a tournament: one stream for all readers, made once, sent to each (F14, F15).

A changed table is sent as its row, once in each language; what changes the page as a whole is sent as a word
with the milliseconds over which pages ask for themselves again, so that thousands do not ask at once.
Changes of one moment go together.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import randint
from typing import Any, Final

import msgspec
from aiohttp import web

from relayd.errors import DependencyError
from relayd.storage.log import LogError
from relayd.views.clock import resumed
from relayd.views.tables import table_view
from relayd.web.audiences import Audiences, Hall, gathered
from relayd.web.cache import Cache
from relayd.web.feed import Feeds
from relayd.web.languages import LANGUAGES, Language
from relayd.web.parts import SiteParts
from relayd.web.render import Renderer
from relayd.web.security import HEADERS
from relayd.web.viewers import Admission, Viewer
from relayd.web.visit import Visit
from ruleset.ids import RoundNo, TableId, TableNo, TournamentNo
from ruleset.tournament.state import Tournament

LOOK_S: Final = 2.0
"""How often what duel servers show is compared where the log says nothing."""
SPREAD_MS: Final = 1
"""For each reader, so many milliseconds more in which pages ask for themselves again."""
SPREAD_MOST_MS: Final = 10_000
_BEAT: Final = b": beat\n\n"
_WHOLE: Final = frozenset(
    {
        *("round_paired", "round_finished", "round_reopened", "tournament_started", "tournament_finished"),
        *("tournament_cancelled", "clock_paused", "clock_resumed", "time_called", "cap_reached", "cut_made"),
        *(
            "round_postponed",
            "auto_switched",
            "signin_opened",
            "signin_closed",
            "start_held",
            "settings_edited",
            "announced",
            "time_warned",
        ),
    }
)
"""Events after which pages show something else than before."""
_HEAD: Final = "".join(
    f"{line}\r\n"
    for line in (
        "HTTP/1.1 200 OK",
        "Content-Type: text/event-stream; charset=utf-8",
        "Cache-Control: no-store",
        "X-Accel-Buffering: no",
        "Connection: close",  # the end of the line is the end of the stream: nothing else needs framing
        *(f"{name}: {value}" for name, value in HEADERS.items()),
        "",
    )
).encode()


class _Event(msgspec.Struct):
    kind: str
    table: Any = None
    candidates: list[Any] = []
    """Tables that a report may belong to: their players are asked for their code (5.6-3)."""


class _Message(msgspec.Struct):
    version: int
    events: list[_Event] = []
    reset: bool = False


_decode: Final = msgspec.json.Decoder(_Message).decode


@dataclass
class Changes:
    """What has happened since the last sending."""

    version: int = 0
    whole: bool = False
    tables: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, messages: Iterable[bytes]) -> "Changes":
        """Take messages of the hub in."""
        changes = cls()
        for message in map(_decode, messages):
            changes.version = message.version
            changes.whole = changes.whole or message.reset or any(_kind(e) in _WHOLE for e in message.events)
            changes.tables.update(table for e in message.events for table in _tables(e))
        return changes

    def __bool__(self) -> bool:
        return bool(self.whole or self.tables or self.version)


class Streams:
    """The streams of all tournaments that somebody looks at, and the feeds of programs."""

    def __init__(self, parts: SiteParts, renderer: Renderer, admission: Admission | None = None) -> None:
        admission = admission or Admission()
        self._parts, self._renderer = parts, renderer
        self._audiences = Audiences(parts, "pages", _BEAT, self._tell, admission)
        self._feeds = Feeds(parts, admission)
        self.pages: Final = Cache()
        """What strangers get when they ask for a page again, all at once."""

    async def serve(self, visit: Visit) -> web.StreamResponse:
        """Keep a page up to date until its reader goes."""
        await visit.tournament()
        wanted = visit.request.query.get("lang", "")
        language = next((known for known in LANGUAGES if known == wanted), visit.language)
        last = visit.request.headers.get("Last-Event-ID") or visit.request.query.get("after", "")
        version = self._parts.tournaments.version(visit.number)
        missed = last.isascii() and last.isdecimal() and int(last[:18]) < version

        def opening(hall: Hall) -> bytes:
            word = _page(hall, version) if missed else b""
            return b"%bretry: %d\n\n%b" % (_HEAD, randint(2_000, 5_000), word)  # noqa: S311  no secret

        return self._audiences.enter(visit, Viewer(language, visit.address), opening)

    async def feed(self, visit: Visit) -> web.StreamResponse:
        """Tell a program what happens, over a WebSocket, until it goes."""
        return await self._feeds.serve(visit)

    async def close(self) -> None:
        """Hang up on everybody: pages and programs come again."""
        await self._audiences.close()
        await self._feeds.close()

    async def _tell(self, hall: Hall) -> None:
        seen = dict[str, object]()
        while True:
            changes = Changes.of(await gathered(hall.following, LOOK_S))
            looks = self._looks(hall.number)
            changes.tables.update(table for table, look in looks.items() if seen.get(table) != look)
            if seen != looks:
                self.pages.seen(hall.number)
            seen = looks
            if changes:
                await hall.audience.tell(await self._made(hall, changes))

    def _looks(self, number: TournamentNo) -> dict[str, object]:
        """Return what the duel servers show of each table that a reader would see change."""
        live = self._parts.sights.live(number)
        return {str(id_): (t.stage, t.duel, t.turn, t.wins, t.in_room) for id_, t in live.items()}

    async def _made(self, hall: Hall, changes: Changes) -> dict[str, bytes]:
        """Return what is sent in each language: the rows that changed, then the word where more did."""
        version = changes.version or self._parts.tournaments.version(hall.number)
        last = _page(hall, version) if changes.whole else _framed("quiet", "", version)
        try:
            rows = self._rows(await self._parts.tournaments.load(hall.number), changes.tables)
        except (LogError, DependencyError):
            rows, last = [], _page(hall, version)
        wanted = hall.audience.wishes()
        return {
            language: b"".join([*self._shown(language, hall.number, rows, version), last])
            for language in LANGUAGES
            if language in wanted
        }

    def _rows(self, state: Tournament, wanted: set[str]) -> list[dict[str, Any]]:
        sights, now = self._parts.sights, self._parts.clock.now()
        live, seen = sights.live(state.number), resumed(state, now)
        return [
            table_view(seen, table, live.get(table.id), sights.join_string, now)
            for table in seen.all_tables()
            if str(table.id) in wanted
        ]

    def _shown(
        self, language: Language, number: TournamentNo, rows: list[dict[str, Any]], version: int
    ) -> Iterator[bytes]:
        for table in rows:
            values = {"number": number, "table": table, "now": self._parts.clock.now(), "path": ""}
            yield _framed(table["table"], self._renderer.page("cells.html", language, values), version)


def _page(hall: Hall, version: int) -> bytes:
    return _framed("page", str(min(len(hall.audience) * SPREAD_MS, SPREAD_MOST_MS)), version)


def _framed(name: str, data: str, version: int) -> bytes:
    lines = "".join(f"data: {line}\n" for line in (data.splitlines() or [""]))
    return f"id: {version}\nevent: {name}\n{lines}\n".encode()


def _kind(event: _Event) -> str:
    return event.kind.partition(".")[0]


def _tables(event: _Event) -> Iterator[str]:
    for named in (event.table, *event.candidates):
        if isinstance(named, list) and len(named) == 2:
            yield str(TableId(RoundNo(named[0]), TableNo(named[1])))
