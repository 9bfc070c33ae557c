"""What happens in a tournament, for programs: a WebSocket that tells every entry, without a token (F14).

Each text message is a JSON object ``{"tournament", "version", "entries"}``: what everybody may know of the
entries up to that version, oldest first; those of one moment go together. The first message comes at once:
with ``?after=VERSION`` it has what was missed, or ``"reset": true`` where that is not at hand any more and
the program must ask for the whole; without, no entries. Programs have nothing to say; pings are answered.
"""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final

import msgspec
from aiohttp import web
from websockets.datastructures import Headers
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from relayd.web.audiences import Audiences, Hall, gathered
from relayd.web.parts import SiteParts
from relayd.web.security import origin
from relayd.web.viewers import Admission, Viewer
from relayd.web.visit import Visit
from ruleset.ids import TournamentNo

LONGEST: Final = 1_024
"""Bytes of what a program may say, which is nothing but a farewell."""
_PING: Final = Frame(Opcode.PING, b"").serialize(mask=False)
_PONG: Final = b"\x8a\x80"
"""How the answer to our pings begins; four bytes of mask follow."""


class _Version(msgspec.Struct):
    version: int


_decode: Final = msgspec.json.Decoder(_Version).decode


class Program(Viewer):
    """The line of one program."""

    __slots__ = ("_talk",)

    def __init__(self, address: str) -> None:
        super().__init__("", address)
        self._talk: ServerProtocol | None = None

    def data_received(self, data: bytes) -> None:
        """Answer pings and farewells, and hang up on whoever says more."""
        if self._talk is None:
            if len(data) == 6 and data.startswith(_PONG):
                return  # the usual, for which nothing is kept in memory
            self._talk = ServerProtocol(state=OPEN, max_size=LONGEST)
        self._talk.receive_data(data)
        if any(frame.opcode.value < 8 for frame in self._talk.events_received() if isinstance(frame, Frame)):
            self._talk.fail(CloseCode.POLICY_VIOLATION, "there is nothing to say here")
        self._answer(self._talk)

    def _answer(self, talk: ServerProtocol) -> None:
        if self.transport is not None:
            self.write(b"".join(talk.data_to_send()))
            if talk.close_expected():
                self.transport.close()


class Feeds:
    """The feeds of all tournaments that programs follow."""

    def __init__(self, parts: SiteParts, admission: Admission) -> None:
        self._parts = parts
        self._audiences = Audiences(parts, "programs", _PING, _tell, admission)

    async def serve(self, visit: Visit) -> web.StreamResponse:
        """Open the line, and tell what happens until the program goes; a page of elsewhere gets 403 (F25)."""
        await visit.tournament()
        request, frontage = visit.request, self._parts.frontage
        own = origin(request, frontage)
        opening = ServerProtocol(origins=[None, own])  # type: ignore[list-item]  # an Origin is a str
        answer = opening.accept(Request(request.path_qs, Headers(request.headers.items())))
        if answer.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            wanted = {"Upgrade": "websocket"} if answer.status_code == HTTPStatus.UPGRADE_REQUIRED else {}
            return web.Response(status=answer.status_code, body=answer.body, headers=wanted)
        after = request.query.get("after", "")
        known = int(after[:18]) if after.isascii() and after.isdecimal() else None
        head = answer.serialize()

        def opened(hall: Hall) -> bytes:
            return head + _text(self._first(hall, known))

        return self._audiences.enter(visit, Program(visit.address), opened)

    async def close(self) -> None:
        """Hang up on everybody."""
        await self._audiences.close()

    def _first(self, hall: Hall, known: int | None) -> bytes:
        """Return the first message, behind which everything follows without a gap."""
        if known is None or known >= hall.version:
            return _message(hall.number, hall.version, ())
        missed = self._parts.feed.missed(hall.number, known, hall.version)
        if missed is None:
            fields = {"tournament": hall.number, "version": hall.version, "reset": True}
            return msgspec.json.encode(fields)
        return _message(hall.number, hall.version, missed)


async def _tell(hall: Hall) -> None:
    while True:
        entries = await gathered(hall.following, None)
        hall.version = _decode(entries[-1]).version
        await hall.audience.tell({"": _text(_message(hall.number, hall.version, entries))})


def _message(number: TournamentNo, version: int, entries: Sequence[bytes]) -> bytes:
    told = [msgspec.Raw(entry) for entry in entries]
    return msgspec.json.encode({"tournament": number, "version": version, "entries": told})


def _text(message: bytes) -> bytes:
    return Frame(Opcode.TEXT, message).serialize(mask=False)
