"""How long 400 bytes take to the last of 5,000 viewers, beside peers: ``python -m benchmarks.fanout``.

Goals of performance.md 4. Each writer has a process of its own with as many open lines, and its viewers sit
in another process; all are asked in turns, and the least disturbed counts. Ours: ``pages`` (server-sent
events) and ``programs`` (WebSocket), framed once for all. Peers: ``aiohttp``, a loop of ``send_str``;
``websockets``, its ``broadcast()``; ``sockets``, a bare loop of ``send`` in Python, below which nobody gets.
Besides: what the longest step of the writer's event loop computes while it tells everybody, and what its
process holds in memory for each viewer. Exit code 1 if a goal is missed.
"""

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any, Final, Self, TypeAlias

from aiohttp import web
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.frames import Frame, Opcode

from benchmarks.submitting import Watch
from relayd.app.running import settle
from relayd.web.feed import Program
from relayd.web.viewers import Audience, Viewer
from tests.crowd import Crowd

VIEWERS: Final = 5_000
BYTES: Final = 400
TURNS: Final = 15
GOALS: Final[Mapping[str, float]] = {"aiohttp": 0.85, "websockets": 0.7}
OURS: Final = ("pages", "programs")
LONGEST_MS: Final = 10.0
HELLO: Final = b"HTTP/1.1 200 OK\r\n\r\n"

Tell: TypeAlias = Callable[[str], Awaitable[None]]
"""Tells everybody a text; returns when all of it is written or queued."""


def main() -> None:
    """Measure, or be one of those that are measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--viewers", type=int, default=VIEWERS)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--serve", choices=WRITERS, help="for the processes that this starts")
    given = parser.parse_args()
    if given.serve:
        asyncio.run(_serve(given.serve))
    else:
        sys.exit(not _measured(given.viewers, given.turns))


def _measured(viewers: int, turns: int) -> bool:
    """Print the table; say whether every goal was reached."""
    with ExitStack() as stack:
        writers = {name: stack.enter_context(Writer(name, viewers)) for name in WRITERS}
        took = {name: list[float]() for name in writers}
        for turn in range(turns + 1):
            for name, writer in writers.items():
                milliseconds = writer.turn(f"turn-{turn}")
                took[name] += [milliseconds] if turn else []  # the first is for warming up
        found = {name: min(times) for name, times in took.items()}
        print(f"{BYTES} bytes to {viewers} viewers, {turns} turns")
        head = (
            "writer",
            "ms, least",
            "ms, median",
            "of aiohttp",
            "of broadcast()",
            "longest step ms",
            "KiB each",
        )
        print("  ".join(f"{title:>15}" for title in head))
        steps = {name: writer.longest_ms() for name, writer in writers.items()}
        for name, writer in writers.items():
            ratios = (f"{found[name] / found[peer]:.2f}" for peer in GOALS)
            row = (name, f"{found[name]:.1f}", f"{median(took[name]):.1f}", *ratios)
            print("  ".join(f"{cell:>15}" for cell in (*row, f"{steps[name]:.1f}", f"{writer.kib_each:.1f}")))
        return all([*_ratios(found), *_blocks(steps)])


def _ratios(found: Mapping[str, float]) -> list[bool]:
    return [
        _said(found[own] / found[peer] <= most, f"{own}: at most {most} of {peer}")
        for own in OURS
        for peer, most in GOALS.items()
    ]


def _blocks(steps: Mapping[str, float]) -> list[bool]:
    return [
        _said(steps[own] <= LONGEST_MS, f"{own}: no step of the loop takes more than {LONGEST_MS:.0f} ms")
        for own in OURS
    ]


def _said(reached: bool, goal: str) -> bool:  # noqa: FBT001  what is said
    print(f"{'reached' if reached else 'MISSED':>8}  {goal}", flush=True)
    return reached


class Writer:
    """A writer in its process, with its viewers in theirs."""

    def __init__(self, name: str, viewers: int) -> None:
        self._process: Final = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.fanout", "--serve", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise BrokenPipeError
        self._asked, self._answers = self._process.stdin, self._process.stdout
        before = self._told()
        options = () if name in {"pages", "sockets"} else ("--websocket",)
        self._crowd: Final = Crowd(f"http://127.0.0.1:{before['port']}", "/", viewers, *options)
        opened = self._crowd.told()
        if opened["open"] != viewers:
            sys.exit(f"{name}: only {opened['open']} of {viewers} lines could be opened; see ulimit -n")
        self.kib_each = (self._ask("settle")["kib"] - before["kib"]) / viewers

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._crowd.__exit__(None, None, None)
        self._process.kill()
        self._process.communicate()

    def turn(self, marker: str, how: str = "tell") -> float:
        """Return the milliseconds until the last viewer had it."""
        self._crowd.ask("watch", marker)
        asked = self._ask(f"{how} {marker}")["asked"]
        return 1_000 * float(self._crowd.told()["last"] - asked)

    def longest_ms(self) -> float:
        """Return what the longest step computed, in the best of three turns."""
        found = []
        for turn in range(3):
            self.turn(f"watched-{turn}", "watched")
            found.append(float(self._ask("step")["ms"]))
        return min(found)

    def _ask(self, line: str) -> Mapping[str, Any]:
        self._asked.write(line + "\n")
        self._asked.flush()
        return self._told()

    def _told(self) -> Mapping[str, Any]:
        answer: Mapping[str, Any] = json.loads(self._answers.readline())
        return answer


async def _serve(name: str) -> None:
    own = socket.create_server(("127.0.0.1", 0), backlog=4_096)
    tell = await WRITERS[name](own)
    _say(port=own.getsockname()[1], kib=_kib())
    step = 0.0
    while line := await asyncio.to_thread(sys.stdin.readline):
        what, _, marker = line.strip().partition(" ")
        match what:
            case "settle":
                settle()
                _say(kib=_kib())
            case "step":
                _say(ms=step)
            case _:
                watch = Watch() if what == "watched" else None
                await asyncio.sleep(0.01)
                _say(asked=time.monotonic())
                await tell(marker.ljust(BYTES, "."))
                if watch is not None:
                    await asyncio.sleep(0)  # so that the last step is over
                    step, _ = watch.look()
                    watch.ticking.cancel()
                    await asyncio.sleep(0)


def _say(**what: float) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def _kib() -> float:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4.0


async def _pages(own: socket.socket) -> Tell:
    audience = Audience()

    async def answer(request: web.Request) -> web.StreamResponse:
        audience.join(viewer := Viewer("", ""))
        return viewer.take(request, HELLO, audience.leave)

    await _site(own, answer)

    async def tell(text: str) -> None:
        await audience.tell({"": f"data: {text}\n\n".encode()})

    return tell


async def _programs(own: socket.socket) -> Tell:
    audience, hello = Audience(), HELLO.replace(b"200 OK", b"101 Switching Protocols")

    async def answer(request: web.Request) -> web.StreamResponse:
        audience.join(viewer := Program(""))
        return viewer.take(request, hello, audience.leave)

    await _site(own, answer)

    async def tell(text: str) -> None:
        await audience.tell({"": Frame(Opcode.TEXT, text.encode()).serialize(mask=False)})

    return tell


async def _aiohttp(own: socket.socket) -> Tell:
    lines = set[web.WebSocketResponse]()

    async def answer(request: web.Request) -> web.StreamResponse:
        line = web.WebSocketResponse(compress=False)
        await line.prepare(request)
        lines.add(line)
        await line.receive()
        return line

    await _site(own, answer)

    async def tell(text: str) -> None:
        for line in tuple(lines):
            await line.send_str(text)

    return tell


async def _websockets(own: socket.socket) -> Tell:
    lines = set[ServerConnection]()

    async def stay(line: ServerConnection) -> None:
        lines.add(line)
        await line.wait_closed()

    await serve(stay, sock=own, compression=None, ping_interval=None)

    async def tell(text: str) -> None:
        broadcast(lines, text)

    return tell


async def _sockets(own: socket.socket) -> Tell:
    lines, loop = list[socket.socket](), asyncio.get_running_loop()
    own.setblocking(False)  # noqa: FBT003  its only argument

    async def welcome() -> None:
        while True:
            line, _ = await loop.sock_accept(own)
            await loop.sock_recv(line, 4_096)
            line.send(HELLO)
            lines.append(line)

    tasks = {loop.create_task(welcome())}

    async def tell(text: str) -> None:
        message = text.encode()
        for line in lines:
            line.send(message)
        await asyncio.wait(tasks, timeout=0)

    return tell


async def _site(own: socket.socket, answer: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> None:
    app = web.Application()
    app.router.add_get("/", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.SockSite(runner, own).start()


WRITERS: Final[Mapping[str, Callable[[socket.socket], Awaitable[Tell]]]] = {
    "pages": _pages,
    "programs": _programs,
    "aiohttp": _aiohttp,
    "websockets": _websockets,
    "sockets": _sockets,
}


if __name__ == "__main__":
    main()
