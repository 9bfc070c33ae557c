"""What moves on the pages of a tournament: one stream for all readers, made once, sent to each (F14, F15).

A changed table is sent as its row, once in each language; what changes the page as a whole is sent as a word,
and the reader's page asks for itself. Changes of one moment go together.
"""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from aiohttp import HttpVersion11, web

from relayd.errors import DependencyError
from relayd.following import Dropped, Following
from relayd.storage.log import LogError
from relayd.web.eventview import one_round
from relayd.web.languages import LANGUAGES, Language
from relayd.web.parts import SiteParts
from relayd.web.render import Renderer
from relayd.web.visit import Visit
from ruleset.ids import RoundNo, TableId, TableNo, TournamentNo
from ruleset.tournament.state import Round

COALESCE_S: Final = 0.08
LOOK_S: Final = 2.0
"""How often what duel servers show is compared where the log says nothing."""
SLICE: Final = 500
"""Readers that are written to before others have a turn."""
BEAT_S: Final = 20.0
BOUND: Final = 1 << 20
"""Bytes that may wait for one reader; whoever does not read is dropped."""
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
        ),
    }
)
"""Events after which pages show something else than before."""


class _Event(msgspec.Struct):
    kind: str
    table: Any = None


class _Message(msgspec.Struct):
    version: int
    events: list[_Event] = []
    reset: bool = False


_decode: Final = msgspec.json.Decoder(_Message).decode


@dataclass(eq=False, kw_only=True)
class Reader:
    """One open page."""

    request: web.Request
    language: Language
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    def push(self, message: bytes) -> None:
        """Write without waiting: the bytes were framed once, and nobody holds the others up."""
        transport = self.request.transport
        if transport is None or transport.is_closing():
            self.gone.set()
        elif transport.get_write_buffer_size() + len(message) > BOUND:
            transport.abort()
            self.gone.set()
        elif message:
            chunked = self.request.version >= HttpVersion11
            transport.write(b"%x\r\n%b\r\n" % (len(message), message) if chunked else message)


@dataclass
class Changes:
    """What has happened since the last sending."""

    version: int = 0
    whole: bool = False
    tables: set[str] = field(default_factory=set)

    def add(self, raw: bytes) -> None:
        """Take a message of the hub in."""
        message = _decode(raw)
        self.version = message.version
        self.whole = self.whole or message.reset or any(_kind(e) in _WHOLE for e in message.events)
        self.tables.update(_table(e) for e in message.events if _names_table(e))


class Streams:
    """The streams of all tournaments that somebody looks at."""

    def __init__(self, parts: SiteParts, renderer: Renderer) -> None:
        self._parts, self._renderer = parts, renderer
        self._readers: dict[TournamentNo, set[Reader]] = {}
        self._tasks: dict[TournamentNo, asyncio.Task[None]] = {}

    async def serve(self, visit: Visit) -> web.StreamResponse:
        """Keep a reader up to date until he goes."""
        state = await visit.tournament()
        wanted = visit.request.query.get("lang", "")
        language = next((known for known in LANGUAGES if known == wanted), visit.language)
        response = _opened()
        await response.prepare(visit.request)
        reader = Reader(request=visit.request, language=language)
        last = visit.request.headers.get("Last-Event-ID") or visit.request.query.get("after", "")
        version = self._parts.tournaments.version(state.number)
        missed = last.isascii() and last.isdecimal() and int(last[:18]) < version
        reader.push(_framed("page", "", version) if missed else b"retry: 3000\n\n")
        self._join(state.number, reader)
        try:
            await _stay(reader)
        finally:
            self._leave(state.number, reader)
        return response

    def _join(self, number: TournamentNo, reader: Reader) -> None:
        self._readers.setdefault(number, set()).add(reader)
        if number not in self._tasks:
            self._tasks[number] = asyncio.create_task(self._follow(number))

    def _leave(self, number: TournamentNo, reader: Reader) -> None:
        readers = self._readers.get(number, set())
        readers.discard(reader)
        if not readers:
            self._readers.pop(number, None)
            if (task := self._tasks.pop(number, None)) is not None:
                task.cancel()

    async def _follow(self, number: TournamentNo) -> None:
        following, seen = self._parts.feed.follow(number), dict[str, object]()
        try:
            while True:
                changes = await _gathered(following)
                looks = self._looks(number)
                changes.tables.update(table for table, look in looks.items() if seen.get(table) != look)
                seen = looks
                if changes.whole or changes.tables or changes.version:
                    await self._send(number, changes)
        except Dropped:
            self._tasks.pop(number, None)
            for reader in tuple(self._readers.get(number, ())):
                reader.gone.set()
        finally:
            following.close()

    def _looks(self, number: TournamentNo) -> dict[str, object]:
        """Return what the duel servers show of each table that a reader would see change."""
        live = self._parts.sights.live(number)
        return {str(id_): (t.stage, t.duel, t.turn, t.wins, t.in_room) for id_, t in live.items()}

    async def _send(self, number: TournamentNo, changes: Changes) -> None:
        wanted = {reader.language for reader in self._readers.get(number, ())}
        try:
            made = await self._made(number, changes, wanted)
        except (LogError, DependencyError):
            made = dict.fromkeys(wanted, _framed("page", "", changes.version))
        for n, reader in enumerate(tuple(self._readers.get(number, ())), 1):
            reader.push(made.get(reader.language, b""))
            if n % SLICE == 0:
                await asyncio.sleep(0)

    async def _made(
        self, number: TournamentNo, changes: Changes, wanted: set[Language]
    ) -> dict[Language, bytes]:
        """Return what is sent in each language."""
        state = await self._parts.tournaments.load(number)
        version = changes.version or self._parts.tournaments.version(number)
        if changes.whole:
            return dict.fromkeys(wanted, _framed("page", "", version))
        rows = [
            table
            for played in state.all_rounds()
            if any(str(id_) in changes.tables for id_ in _ids(played))
            for table in one_round(self._parts, state, played)["tables"]
            if table["table"] in changes.tables
        ]
        return {language: b"".join(self._rows(language, number, rows, version)) for language in wanted}

    def _rows(
        self, language: Language, number: TournamentNo, rows: list[dict[str, Any]], version: int
    ) -> Iterator[bytes]:
        for table in rows:
            values = {"number": number, "table": table, "now": self._parts.clock.now(), "path": ""}
            yield _framed(table["table"], self._renderer.page("cells.html", language, values), version)
        yield _framed("quiet", "", version)


async def _stay(reader: Reader) -> None:
    while not reader.gone.is_set():
        try:
            async with asyncio.timeout(BEAT_S):
                await reader.gone.wait()
        except TimeoutError:
            reader.push(b": beat\n\n")


async def _gathered(following: Following) -> Changes:
    """Return what comes within one moment; after a while without news, nothing."""
    changes = Changes()
    with suppress(TimeoutError):
        async with asyncio.timeout(LOOK_S):
            changes.add(await following.take())
        await asyncio.sleep(COALESCE_S)
        while True:
            async with asyncio.timeout(0):
                changes.add(await following.take())
    return changes


def _opened() -> web.StreamResponse:
    return web.StreamResponse(
        headers={
            "Content-Type": "text/event-stream; charset=utf-8",
            "Cache-Control": "no-store",
            "X-Accel-Buffering": "no",
            "X-Content-Type-Options": "nosniff",
        }
    )


def _framed(name: str, data: str, version: int) -> bytes:
    lines = "".join(f"data: {line}\n" for line in (data.splitlines() or [""]))
    return f"id: {version}\nevent: {name}\n{lines}\n".encode()


def _kind(event: _Event) -> str:
    return event.kind.partition(".")[0]


def _ids(played: Round) -> Iterator[TableId]:
    return (table.id for table in played.tables.values())


def _table(event: _Event) -> str:
    round_no, table = event.table
    return str(TableId(RoundNo(round_no), TableNo(table)))


def _names_table(event: _Event) -> bool:
    return isinstance(event.table, list) and len(event.table) == 2
