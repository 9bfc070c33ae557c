"""F13: connections that say nothing, half a header or half a body are closed; others are served meanwhile.

``benchmarks.evening`` measures what the others notice of it.
"""

import selectors
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.daemons import WITHIN_S, Daemon, running, settings

LENGTH = "Content-Length: 100\r\n\r\n"
FORM = f"Content-Type: application/x-www-form-urlencoded\r\n{LENGTH}text="
HALVES = (
    "",
    "GET / HTT",
    "GET / HTTP/1.1\r\nHost: {host}\r\nX-Half:",
    f"POST /preview HTTP/1.1\r\nHost: {{host}}\r\nOrigin: http://{{host}}\r\n{FORM}",
    f"POST /api/v1/deck.check HTTP/1.1\r\nHost: {{host}}\r\nOrigin: http://{{host}}\r\n{LENGTH}",
    f"GET / HTTP/1.1\r\nHost: {{host}}\r\n{LENGTH}x",
    f"POST /nowhere HTTP/1.1\r\nHost: {{host}}\r\nOrigin: http://{{host}}\r\n{LENGTH}x",
    f"PUT /challonge/x/v1/tournaments/x/matches/1.json HTTP/1.1\r\nHost: {{host}}\r\n{LENGTH}",
)
"""Nothing, half a line, half a header; half a body for a form, a program, nobody, a duel server."""


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    """A daemon of its own."""
    with running(settings(tmp_path)) as daemon:
        yield daemon


def test_the_slow_are_let_go_and_the_honest_served(daemon: Daemon, either: Callable[[int, int], int]) -> None:
    """F13: all are closed within ten seconds, as far as the machine keeps up; nobody else waits for them."""
    count, parts = either(64, 500), urlsplit(daemon.http)
    host, address = parts.netloc, (parts.hostname, parts.port)
    with ExitStack() as stack:
        slow = [stack.enter_context(socket.create_connection(address)) for _ in range(count)]
        for n, line in enumerate(slow):
            line.sendall(HALVES[n % len(HALVES)].format(host=host).encode())
        begun = time.monotonic()
        assert "<main" in daemon.get("/")
        assert time.monotonic() - begun < WITHIN_S / 2
        assert ended(slow) == count
        assert time.monotonic() - begun < either(int(WITHIN_S), 15)
        assert "<main" in daemon.get("/")


def ended(lines: list[socket.socket]) -> int:
    """Read what comes until each line has ended; return how many have."""
    with selectors.DefaultSelector() as selector:
        for line in lines:
            selector.register(line, selectors.EVENT_READ)
        until = time.monotonic() + WITHIN_S
        while selector.get_map() and time.monotonic() < until:
            for key, _ in selector.select(1.0):
                if not _read(key.fileobj):
                    selector.unregister(key.fileobj)
        return len(lines) - len(selector.get_map())


def _read(line: object) -> bytes:
    assert isinstance(line, socket.socket)
    try:
        return line.recv(4_096)
    except ConnectionError:
        return b""
