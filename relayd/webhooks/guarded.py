"""An HTTP client that reaches only what it may: looked at where a socket is made, behind every name (F26)."""

import asyncio
import errno
import socket
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager
from ipaddress import ip_address
from queue import SimpleQueue
from socket import getaddrinfo
from typing import Any, Final, NamedTuple

from aiohttp import ClientSession, ClientTimeout, TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult

from relayd.webhooks.addresses import Networks, reachable

TIMEOUT: Final = ClientTimeout(total=10.0, connect=5.0)
LOOKUPS: Final = 4
"""Names that are looked up at the same time; a slow name server holds up no other part of the daemon."""


class AddressRefused(OSError):
    """The name or address in the URL is none that may be reached. All have one text, so that none is lost."""

    def __init__(self) -> None:
        super().__init__(errno.EACCES, "not an address of the public internet")


@asynccontextmanager
async def guarded_session(allowed: Callable[[], Networks]) -> AsyncIterator[ClientSession]:
    """Open a client whose sockets go to public addresses, and to the networks that *allowed* returns.

    Redirects, names that change their minds and literals make no difference: each socket is looked at.
    """
    lookups = Lookups()
    connector = TCPConnector(
        resolver=lookups,
        socket_factory=_socket_factory(allowed),
        force_close=True,
        limit=0,
        ttl_dns_cache=10,
    )
    plain = ClientSession(connector=connector, timeout=TIMEOUT, auto_decompress=False, trust_env=False)
    try:
        async with plain as session:
            yield session
    finally:
        await lookups.close()


def _socket_factory(allowed: Callable[[], Networks]) -> Callable[[Any], socket.socket]:
    def make(info: tuple[int, int, int, str, tuple[Any, ...]]) -> socket.socket:
        family, kind, protocol, _, address = info
        if not reachable(ip_address(address[0]), allowed()):
            raise AddressRefused
        return socket.socket(family, kind, protocol)

    return make


class _Wanted(NamedTuple):
    host: str
    port: int
    family: int
    found: "Future[list[Any]]"


class Lookups(AbstractResolver):
    """Looks names up in threads of its own, which nobody waits for when the daemon ends."""

    def __init__(self, threads: int = LOOKUPS) -> None:
        self._wanted: SimpleQueue[_Wanted | None] = SimpleQueue()
        self._threads = threads
        for number in range(threads):
            threading.Thread(target=self._work, name=f"names-{number}", daemon=True).start()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a name. Raises OSError."""
        found: Future[list[Any]] = Future()
        self._wanted.put(_Wanted(host, port, family, found))
        infos = await asyncio.wrap_future(found)
        addresses = _results(host, infos)
        if not addresses:
            raise OSError(errno.ENOENT, "a name without addresses")
        return addresses

    async def close(self) -> None:
        """Let the threads end."""
        for _ in range(self._threads):
            self._wanted.put(None)

    def _work(self) -> None:
        while (wanted := self._wanted.get()) is not None:
            if wanted.found.set_running_or_notify_cancel():
                _look_up(wanted)


def _results(host: str, infos: Sequence[Any]) -> list[ResolveResult]:
    return [
        ResolveResult(
            hostname=host,
            host=address[0],
            port=address[1],
            family=kind,
            proto=protocol,
            flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
        )
        for kind, _, protocol, _, address in infos
        if kind in {socket.AF_INET, socket.AF_INET6}
    ]


def _look_up(wanted: _Wanted) -> None:
    try:
        kind = socket.SOCK_STREAM
        found = getaddrinfo(wanted.host, wanted.port, family=wanted.family, type=kind)
    except (OSError, UnicodeError) as error:
        told = error if isinstance(error, OSError) else OSError(errno.EINVAL, "not a name")
        wanted.found.set_exception(told)
    else:
        wanted.found.set_result(found)
