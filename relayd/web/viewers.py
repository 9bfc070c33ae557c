"""Those who look on: lines that are taken from the HTTP server once they are open, and written to in one go.

A viewer is one small object beside its transport: no task waits for it, and a message is framed once for all.
"""

import asyncio
import os
import resource
import socket
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from time import monotonic
from typing import Final

from aiohttp import web

BOUND: Final = 1 << 20
"""Bytes that may wait for one viewer; who does not read is cut off (F15)."""
SEND_BUFFER: Final = 1 << 16
"""Bytes of a viewer that the kernel keeps beyond that."""
GONE_MS: Final = 60_000
"""How long what was sent may stay unacknowledged before the line counts as dead."""
TURN_S: Final = 0.004
"""How long is written before others have a turn."""
LOOK_AFTER: Final = 50
"""Viewers that are written to between two looks at the time."""
FROM_ONE_ADDRESS: Final = 2_000
"""Lines of one household, or of a hall behind one address."""

_AT_ONCE: Final = struct.pack("ii", 1, 0)


class Viewer(asyncio.Protocol):
    """One open line, which only listens."""

    __slots__ = ("_file", "_leave", "address", "slow", "transport", "wish")

    def __init__(self, wish: str, address: str) -> None:
        """*wish*: which of the messages he gets."""
        self.wish: Final = wish
        self.address: Final = address
        self.transport: asyncio.Transport | None = None
        self.slow = False
        """Whether he was cut off because he did not read."""
        self._leave: Callable[[Viewer], None] | None = None
        self._file: int | None = None
        """Where to write at once; ``None``: the transport has something to send before that."""

    def take(
        self, request: web.Request, head: bytes, leave: Callable[["Viewer"], None]
    ) -> web.StreamResponse:
        """Take the line over from the HTTP server and begin with *head*; *leave* hears of its end, once.

        What is returned tells the server that all is done.
        """
        protocol, transport = request.protocol, request.transport
        self.transport, self._leave = transport, leave
        if transport is None or transport.is_closing():
            self.connection_lost(None)
            return _Taken()
        transport.set_protocol(self)
        protocol.transport = None  # so that the server lets go without hanging up
        protocol.connection_lost(None)
        transport.set_write_buffer_limits(high=0)
        _watch(transport)
        if not transport.get_write_buffer_size():
            self.resume_writing()
        self.write(head)
        return _Taken()

    def write(self, message: bytes) -> None:
        """Send without waiting: straight to the kernel as long as he keeps up."""
        transport = self.transport
        if transport is None:
            return
        if self._file is not None and (message := _unsent(self._file, message, transport)) == b"":
            return
        transport.write(message)
        if transport.get_write_buffer_size() > BOUND:
            self._drop(transport)

    def hang_up(self) -> None:
        """Cut the line off."""
        if self.transport is not None:
            self.transport.abort()

    def pause_writing(self) -> None:
        """Let what comes now wait behind what could not be sent."""
        self._file = None

    def resume_writing(self) -> None:
        """Write at once again, where nothing stands between the line and its socket."""
        if self.transport is not None and self.transport.get_extra_info("sslcontext") is None:
            self._file = self.transport.get_extra_info("socket").fileno()

    def _drop(self, transport: asyncio.Transport) -> None:
        """Cut off who lets more wait than the bound, and have the kernel forget what waits there, too."""
        self.slow = True
        own = transport.get_extra_info("socket")
        own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        self.hang_up()

    def connection_lost(self, _error: Exception | None) -> None:
        """Be forgotten."""
        leave, self._leave, self.transport, self._file = self._leave, None, None, None
        if leave is not None:
            leave(self)


class Audience:
    """All who look at one thing."""

    def __init__(self) -> None:
        self._viewers: Final[dict[str, dict[Viewer, None]]] = {}
        """By what they wish, in the order they came, which is how they lie in memory."""

    def __len__(self) -> int:
        return sum(map(len, self._viewers.values()))

    def join(self, viewer: Viewer) -> None:
        """Let him hear what is told from now on."""
        self._viewers.setdefault(viewer.wish, {})[viewer] = None

    def leave(self, viewer: Viewer) -> None:
        """Forget him; again changes nothing."""
        alike = self._viewers.get(viewer.wish, {})
        alike.pop(viewer, None)
        if not alike:
            self._viewers.pop(viewer.wish, None)

    def wishes(self) -> set[str]:
        """Return what somebody here wants to hear."""
        return set(self._viewers)

    async def tell(self, made: Mapping[str, bytes]) -> None:
        """Write to each what he wishes, without waiting for anybody, in turns that hold nobody else up."""
        there = [(made[wish], tuple(viewers)) for wish, viewers in self._viewers.items() if made.get(wish)]
        begun = monotonic()
        for message, viewers in there:
            for start in range(0, len(viewers), LOOK_AFTER):
                _write(message, viewers[start : start + LOOK_AFTER])
                if monotonic() - begun > TURN_S:
                    await asyncio.sleep(0)
                    begun = monotonic()

    def hang_up(self) -> None:
        """Cut everybody off."""
        for viewers in tuple(self._viewers.values()):
            for viewer in tuple(viewers):
                viewer.hang_up()


class Admission:
    """How many may look on at once, from one address and in all."""

    def __init__(self, most: int | None = None, from_one: int = FROM_ONE_ADDRESS) -> None:
        """*most* ``None``: as many as three quarters of the descriptors that the process may have."""
        self._most = resource.getrlimit(resource.RLIMIT_NOFILE)[0] * 3 // 4 if most is None else most
        self._from_one = from_one
        self._inside: Final = Counter[str]()
        self._count = 0

    def admit(self, address: str) -> None:
        """Count one more in. Raises HTTPTooManyRequests or HTTPServiceUnavailable."""
        if self._inside[address] >= self._from_one:
            raise web.HTTPTooManyRequests(headers={"Retry-After": "60"})
        if self._count >= self._most:
            raise web.HTTPServiceUnavailable(headers={"Retry-After": "60"})
        self._inside[address] += 1
        self._count += 1

    def release(self, address: str) -> None:
        """Count one out."""
        self._count -= 1
        self._inside[address] -= 1
        if not self._inside[address]:
            del self._inside[address]


def _write(message: bytes, viewers: Iterable[Viewer]) -> None:
    for viewer in viewers:
        viewer.write(message)


def _unsent(file: int, message: bytes, transport: asyncio.Transport) -> bytes:
    """Write what the kernel takes; return the rest, which is nothing where the line has ended."""
    try:
        sent = os.write(file, message)
    except BlockingIOError:
        return message
    except OSError:
        transport.abort()
        return b""
    return message[sent:]


class _Taken(web.StreamResponse):
    """The answer to a request whose line is no longer the server's: everything has been sent."""

    def __init__(self) -> None:
        super().__init__(status=HTTPStatus.OK)

    @property
    def prepared(self) -> bool:
        return True

    async def prepare(self, _request: web.BaseRequest) -> None:
        """Send nothing."""

    async def write_eof(self, _data: bytes = b"") -> None:
        """Send nothing."""


def _watch(transport: asyncio.Transport) -> None:
    """Have the kernel keep little, and end a line whose other end is no more, or never reads."""
    own = transport.get_extra_info("socket")
    own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    if own.family in {socket.AF_INET, socket.AF_INET6}:
        own.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS)
