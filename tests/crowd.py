"""Thousands of viewers in a process of their own, as cheap as can be: sockets without a library, one epoll.

``python -m tests.crowd PORT PATH COUNT`` opens COUNT lines and says so; then it does what each line of its
standard input asks, and answers with a line of JSON:

- ``watch MARKER``: from now on look for that; at once ``{"watching": true}``, and when every line has got it
  ``{"last": SECONDS, "seen": LINES, "reads": most of one line}``, by the clock that all processes share;
- ``count``: ``{"open": LINES}``;
- ``vanish``: cut all lines without a farewell, ``{"open": 0}``.
"""

import argparse
import json
import resource
import select
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Final, Self

from tests.daemons import ROOT, WITHIN_S

AT_ONCE: Final = 256
"""Lines that are being opened at the same time."""
UPGRADE: Final = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


class Crowd:
    """The process, seen from the test that started it."""

    def __init__(self, base: str, path: str, count: int, *options: str) -> None:
        """*base*: ``http://127.0.0.1:8720``. Returns once all lines are open, or refused."""
        command = [sys.executable, "-m", "tests.crowd", base.rpartition(":")[2], path, str(count), *options]
        self._process: Final = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def told(self) -> Mapping[str, Any]:
        """Return its next answer; call it in a thread where an event loop must go on."""
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], 2 * WITHIN_S)
        line = self._process.stdout.readline() if ready else ""
        assert line, "the crowd says nothing"
        answer: Mapping[str, Any] = json.loads(line)
        return answer

    def ask(self, *words: str) -> Mapping[str, Any]:
        """Have it do something, and return what it answers first."""
        assert self._process.stdin is not None
        self._process.stdin.write(" ".join(words) + "\n")
        self._process.stdin.flush()
        return self.told()


class Lines:
    """The lines, in the process of the crowd."""

    def __init__(self, port: int, path: str, count: int, *, websocket: bool, deaf: bool) -> None:
        self._port, self._path, self._count = port, path, count
        self._upgrade, self._deaf = UPGRADE if websocket else "", deaf
        self._poll = select.epoll()
        self._lines: dict[int, socket.socket] = {}
        self._tails: dict[int, bytes] = {}
        self._opening: set[int] = set()
        self._marker = b""
        self._reads: dict[int, int] = {}
        self.refused = 0
        self.last = 0.0

    def open(self) -> None:
        """Open all lines, some at a time."""
        made = 0
        while made < self._count or self._opening:
            while made < self._count and len(self._opening) < AT_ONCE:
                self._dial(made)
                made += 1
            self.turn(0.1)

    def _dial(self, number: int) -> None:
        own = socket.socket()
        if self._deaf:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        own.settimeout(0)
        own.connect_ex(("127.0.0.1", self._port))
        self._lines[own.fileno()] = own
        self._opening.add(own.fileno())
        self._tails[own.fileno()] = b"%d" % number
        self._poll.register(own.fileno(), select.EPOLLOUT)

    def turn(self, wait_s: float) -> bool:
        """Take what has come; say whether somebody asks for something."""
        asked = False
        for file, events in self._poll.poll(wait_s, 4_096):
            if file == sys.stdin.fileno():
                asked = True
            elif events & select.EPOLLOUT and file in self._tails and file in self._opening:
                self._ask(file)
            elif self._deaf and file not in self._opening:
                self._lose(file)
            else:
                self._read(file)
        return asked

    def listen_to(self, file: int) -> None:
        """Let something else be seen by ``turn``, too."""
        self._poll.register(file, select.EPOLLIN)

    def _ask(self, file: int) -> None:
        number = int(self._tails.pop(file))
        household = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        head = (
            f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nX-Forwarded-For: {household}\r\n"
        )
        try:
            self._lines[file].send(f"{head}{self._upgrade}\r\n".encode())
        except OSError:
            self._lose(file)
        else:
            self._poll.modify(file, select.EPOLLIN)

    def _read(self, file: int) -> None:
        try:
            data = self._lines[file].recv(1 << 16)
        except OSError:
            data = b""
        if not data:
            self._lose(file)
        elif file in self._opening:
            self._opened(file, data)
        elif self._marker and file not in self._seen:
            self._look(file, data)

    def _opened(self, file: int, data: bytes) -> None:
        self._opening.discard(file)
        if not data.startswith((b"HTTP/1.1 200", b"HTTP/1.1 101")):
            self.refused += 1
            self._lose(file)
        elif self._deaf:
            self._poll.modify(file, select.EPOLLRDHUP)

    def _look(self, file: int, data: bytes) -> None:
        self._reads[file] = self._reads.get(file, 0) + 1
        seen = self._tails.get(file, b"") + data
        if self._marker in seen:
            self._seen.add(file)
            self.last = time.monotonic()
            self._tails.pop(file, None)
        else:
            self._tails[file] = seen[-len(self._marker) :]

    def _lose(self, file: int) -> None:
        self._opening.discard(file)
        self._tails.pop(file, None)
        self._poll.unregister(file)
        self._lines.pop(file).close()

    def watch(self, marker: str) -> None:
        """Look for *marker* on every line from now on."""
        self._marker = marker.encode()
        self._seen: set[int] = set()
        self._reads.clear()
        self._tails.clear()

    def seen(self) -> Mapping[str, object] | None:
        """Return what came of it, once every line has got it."""
        if not self._marker or len(self._seen) < len(self._lines):
            return None
        self._marker = b""
        return {"last": self.last, "seen": len(self._seen), "reads": max(self._reads.values(), default=0)}

    def count(self) -> int:
        """Return how many lines are open."""
        return len(self._lines)

    def vanish(self) -> None:
        """Cut all lines without a farewell."""
        for own in self._lines.values():
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            own.close()
        self._lines.clear()


def main() -> None:
    """Open the lines, then do what is asked until nobody asks any more."""
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("path")
    parser.add_argument("count", type=int)
    parser.add_argument("--websocket", action="store_true")
    parser.add_argument("--deaf", action="store_true", help="read nothing once a line is open")
    given = parser.parse_args()
    lines = Lines(given.port, given.path, given.count, websocket=given.websocket, deaf=given.deaf)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    lines.open()
    _say({"open": lines.count(), "refused": lines.refused})
    lines.listen_to(sys.stdin.fileno())
    while True:
        if lines.turn(1.0):
            if not (words := sys.stdin.readline().split(maxsplit=1)):
                return
            _do(lines, *words)
        if (seen := lines.seen()) is not None:
            _say(seen)


def _do(lines: Lines, what: str, about: str = "") -> None:
    match what:
        case "watch":
            lines.watch(about.strip())
            _say({"watching": True})
        case "vanish":
            lines.vanish()
            _say({"open": 0})
        case _:
            _say({"open": lines.count()})


def _say(what: Mapping[str, object]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
