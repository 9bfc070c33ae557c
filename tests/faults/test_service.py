"""F28: a service that ends when told, whoever hangs on, and whose watchdog starves when its loop is stuck."""

import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.daemons import Daemon, Manager, running, settings

ROOT = Path(__file__).parents[2]
HALVES = (
    b"",
    b"GET /heal",
    b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    b"PUT /challonge/x/v1/tournaments/x/matches/X.json HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{",
)
"""What a peer may have sent by then: nothing, half a line, a whole request, half a body."""


UPGRADE = (
    "GET /admin HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    "Authorization: Bearer {token}\r\n\r\n"
)
"""Of a peer that answers nothing afterwards, not even the end."""


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    """A service manager that listens."""
    ear = Manager(tmp_path / "notify")
    yield ear
    ear.close()


def hang_on(daemon: Daemon, token: str, stack: ExitStack) -> None:
    """Leave connections of every kind open, as peers do that are slow, silent or dead."""
    for half in HALVES:
        peer = stack.enter_context(socket.create_connection(address(daemon.http)))
        peer.sendall(half)
    follower = stack.enter_context(socket.socket(socket.AF_UNIX))
    follower.connect(str(daemon.socket))
    follower.sendall(b'{"jsonrpc": "2.0", "id": 1, "method": "live.follow"}\n')
    assert b"result" in follower.recv(4_096)
    half_open = stack.enter_context(socket.create_connection(address(daemon.websocket)))
    half_open.sendall(b"GET /admin HTTP/1.1\r\n")
    deaf = stack.enter_context(socket.create_connection(address(daemon.websocket)))
    deaf.sendall(UPGRADE.format(token=token).encode())
    assert b"101 Switching" in deaf.recv(4_096)


def address(url: str) -> tuple[str, int]:
    """Return host and port of a URL."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    return parts.hostname, parts.port


def test_it_ends_in_time_whoever_hangs_on(
    tmp_path: Path, manager: Manager, either: Callable[[int, int], int]
) -> None:
    """F28: STOPPING at once, exit 0 within ten seconds, all that was acknowledged in the log."""
    (tmp_path / "token").write_text("s3cret", encoding="utf-8")
    token = f'[[admin_token]]\nname = "t"\nrole = "host"\ntoken_file = "{tmp_path}/token"\n'
    config = settings(tmp_path, token)
    with ExitStack() as stack, running(config, environment=manager.environment) as daemon:
        daemon.ctl("players", "register", "Alice")
        hang_on(daemon, "s3cret", stack)
        began = time.monotonic()
        daemon.tell(signal.SIGTERM)
        manager.hears("STOPPING=1")
        told = time.monotonic()
        assert daemon.process.wait(60) == 0
        ended = time.monotonic()
        assert told - began < either(5_000, 50) / 1_000
        assert ended - began < either(30, 10)
    with running(config) as daemon:
        assert "Alice" in daemon.ctl("players", "list")


def test_a_stuck_loop_starves_the_watchdog(tmp_path: Path, manager: Manager) -> None:
    """F28: WATCHDOG=1 stops though the process lives; the manager's SIGABRT then shows where it is stuck."""
    program = (sys.executable, "-m", "tests.faults.stuck", "run")
    with running(settings(tmp_path), command=program, environment=manager.environment) as daemon:
        manager.hears("WATCHDOG=1")
        daemon.tell(signal.SIGUSR1)
        assert manager.silent(3)
        assert daemon.process.poll() is None
        assert daemon.end(signal.SIGABRT) == -signal.SIGABRT
        assert any("tests/faults/stuck.py" in text for text in daemon.said_in_plain_words())
