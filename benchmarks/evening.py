"""The daemon with thousands who look on: ``python -m benchmarks.evening``.

One tournament of 300 players, 5,000 pages on its stream (performance.md 4, F13, F14, F27, done 3 of pages):

- a result: from its acknowledgement until it shows at the last viewer;
- a burst: as many results as there are tables, as fast as they are taken: how many messages a viewer gets;
- the page of the tournament for strangers, made for each and kept: by what the daemon computes for one;
- what an honest reader waits for (p99) while nobody disturbs, beside 500 slow connections, beside a flood of
  sign-ins and one of commands: as ratios.

Exit code 1 if a goal is missed.
"""

import argparse
import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from random import uniform
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlsplit

from aiohttp import ClientSession

from tests.contests import patient, started
from tests.crowd import Crowd
from tests.daemons import Daemon, running, settings
from tests.house import Caller

VIEWERS: Final = 5_000
PLAYERS: Final = 300
RESULTS: Final = 7
ASKED: Final = 400
"""Requests of which a p99 is taken."""
AT_ONCE: Final = 8
TRUSTING: Final = 'web.trusted_proxies = ["127.0.0.0/8"]\n'
HALVES: Final = (
    "",
    "GET / HTTP/1.1\r\nHost: x\r\nX-Half:",
    "POST /preview HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: 100\r\n\r\ntext=",
)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--viewers", type=int, default=VIEWERS)
    parser.add_argument("--players", type=int, default=PLAYERS)
    parser.add_argument("--flood", metavar="URL", help="for the processes that this starts")
    given = parser.parse_args()
    if given.flood:
        asyncio.run(_flood(given.flood))
    with TemporaryDirectory() as name, running(settings(Path(name), TRUSTING)) as daemon:
        sys.exit(not asyncio.run(_evening(daemon, given.viewers, given.players)))


async def _evening(daemon: Daemon, viewers: int, players: int) -> bool:
    """Say whether every goal was reached."""
    caller, number = await started(daemon.socket, players)
    path, before = f"/e/{number}", _rss_mb(daemon)
    reached = []
    async with AsyncExitStack() as stack:
        crowd = stack.enter_context(await asyncio.to_thread(Crowd, daemon.http, f"{path}/stream", viewers))
        opened = await asyncio.to_thread(crowd.told)
        print(f"{opened['open']} pages open, {(_rss_mb(daemon) - before) / viewers * 1024:.1f} KiB each")
        waits = [await _result(caller, crowd, number, table) for table in range(1, RESULTS + 1)]
        print(
            f"a result at the last one: median {1e3 * median(waits):.0f} ms, worst {1e3 * max(waits):.0f} ms"
        )
        reached.append(_said(median(waits) <= 1.0, "a result shows at the last viewer within 1 s"))
        reached.append(await _burst(caller, crowd, number, range(RESULTS + 1, players // 2)))
        reached.append(_said(_rss_mb(daemon) < 250, f"{_rss_mb(daemon):.0f} MB in memory, less than 250"))
    punctual = await asyncio.to_thread(_punctual, daemon)
    print(f"{punctual:.2%} of the loop's wake-ups are less than 250 ms late")
    reached.append(_said(punctual >= 0.99, "the loop is late by less than 250 ms in 99 % of cases"))
    reached.append(await _pages(daemon, path))
    reached.append(await _disturbed(daemon, path))
    await caller.close()
    return all(reached)


async def _result(caller: Caller, crowd: Crowd, number: int, table: int) -> float:
    """Return the seconds from the acknowledgement until the last viewer has it."""
    await asyncio.to_thread(crowd.ask, "watch", f"event: R1T{table}\n".strip())
    await patient(caller, "table.rule", tournament=number, table=f"R1T{table}", outcome="a")
    acknowledged = time.monotonic()
    return float((await asyncio.to_thread(crowd.told))["last"]) - acknowledged


async def _burst(caller: Caller, crowd: Crowd, number: int, tables: Sequence[int]) -> bool:
    """Let all those tables end at once, and count what a viewer gets until the last shows."""
    await asyncio.sleep(4)  # so that as many calls as can be are free again
    last = f"event: R1T{tables[-1]}"
    await asyncio.to_thread(crowd.ask, "watch", last)
    begun = time.monotonic()
    for table in tables:
        await patient(caller, "table.rule", tournament=number, table=f"R1T{table}", outcome="b")
    took = time.monotonic() - begun
    seen = await asyncio.to_thread(crowd.told)
    late = float(seen["last"]) - begun - took
    told = f"at most {seen['reads']} messages, the last one {1e3 * late:.0f} ms late"
    print(f"{len(tables)} results in {took:.2f} s: {told}")
    most = took / 0.05 + 2
    return _said(
        seen["reads"] <= most and late <= 1.0, "a burst is one message per 50 ms or more, and in time"
    )


async def _pages(daemon: Daemon, path: str) -> bool:
    """Compare pages that are made for each with those that are kept, by what the daemon computes for one."""
    costs: dict[str, list[float]] = {"made for each": [], "kept": []}
    async with ClientSession() as session:
        for name, query in (("made for each", "?own=1"), ("kept", "")) * 3:
            before = _computed_s(daemon)
            await _asked(session, daemon, path + query, ASKED)
            costs[name].append((_computed_s(daemon) - before) / ASKED)
    made, kept = min(costs["made for each"]), min(costs["kept"])
    rates = f"{1 / made:.0f} made for each, {1 / kept:.0f} kept"
    print(f"the tournament's page, for each second that the daemon computes: {rates}: {made / kept:.1f}x")
    return _said(made >= 3 * kept, "a kept page costs a third of one that is made, or less")


async def _disturbed(daemon: Daemon, path: str) -> bool:
    """Compare what honest readers wait for, with and without those who disturb; the best of three rounds."""
    found: dict[str, list[float]] = {name: [] for name in NUISANCES}
    async with ClientSession() as session:
        for name, nuisance in [*NUISANCES.items()] * 3:
            async with nuisance(daemon):
                found[name].append(_p99(await _asked(session, daemon, path, ASKED, at_once=1)))
    calm = min(found.pop("nobody"))
    ratios = {name: min(times) / calm for name, times in found.items()}
    told = ", ".join(f"{name} {ratio:.2f}x" for name, ratio in ratios.items())
    print(f"p99 of an honest reader {1e3 * calm:.1f} ms; beside {told}")
    reached = [_said(ratio <= 2, f"{name}: p99 of others within 2x") for name, ratio in ratios.items()]
    return all(reached)


@asynccontextmanager
async def _nobody(_daemon: Daemon) -> AsyncIterator[None]:
    yield


@asynccontextmanager
async def _slow(daemon: Daemon) -> AsyncIterator[None]:
    parts = urlsplit(daemon.http)
    lines = [socket.create_connection((parts.hostname, parts.port)) for _ in range(500)]
    for n, line in enumerate(lines):
        line.sendall(HALVES[n % len(HALVES)].format(host=parts.netloc).encode())
    await asyncio.sleep(0.5)
    yield
    for line in lines:
        line.close()


class _Flooding(AbstractAsyncContextManager[None]):
    """Someone who sends a form again and again, from one household, in a process of his own."""

    def __init__(self, daemon: Daemon, path: str) -> None:
        self._command: Final = (sys.executable, "-m", "benchmarks.evening", "--flood", daemon.http + path)

    async def __aenter__(self) -> None:
        self._process = await asyncio.create_subprocess_exec(*self._command, stdout=subprocess.PIPE)
        if self._process.stdout is not None:
            await self._process.stdout.readline()  # the flood is there, and met its limit

    async def __aexit__(self, *_: object) -> None:
        self._process.kill()
        await self._process.communicate()


async def _flood(url: str) -> None:
    """Send some at a time, 200 a second at most, for ever; say when the first is refused."""
    parts = urlsplit(url)
    headers = {"X-Forwarded-For": "10.66.0.1", "Origin": f"http://{parts.netloc}"}
    form: Mapping[str, str] = {"name": "P1", "password": "guess", "text": "x"}
    told = False
    async with ClientSession(headers=headers) as session:

        async def send() -> None:
            nonlocal told
            while True:
                async with session.post(url, data=form) as answer:
                    await answer.read()
                if answer.status == HTTPStatus.TOO_MANY_REQUESTS and not told:
                    told = True
                    print("refused", flush=True)
                await asyncio.sleep(uniform(0, 0.05) if told else 0)  # noqa: S311  no secret

        await asyncio.gather(*(send() for _ in range(5)))


async def _asked(
    session: ClientSession, daemon: Daemon, path: str, count: int, *, at_once: int = AT_ONCE
) -> list[float]:
    """Ask so often, each time from another household; return what was waited for each."""
    numbers, waits = iter(range(count)), list[float]()

    async def reader() -> None:
        for number in numbers:
            headers = {"X-Forwarded-For": f"10.99.{number >> 8}.{number & 255}"}
            begun = time.monotonic()
            async with session.get(daemon.http + path, headers=headers) as answer:
                await answer.read()
                answer.raise_for_status()
            waits.append(time.monotonic() - begun)

    await asyncio.gather(*(reader() for _ in range(at_once)))
    return waits


def _p99(waits: Sequence[float]) -> float:
    return quantiles(waits, n=100)[98]


def _computed_s(daemon: Daemon) -> float:
    fields = Path(f"/proc/{daemon.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _punctual(daemon: Daemon) -> float:
    """Return the share of the loop's wake-ups that were less than 250 ms late, by the daemon's own metric."""
    told = daemon.get("/metrics")
    within, total = (
        float(told.partition(f"relayd_loop_lag_seconds{name} ")[2].split()[0])
        for name in ('_bucket{le="0.25"}', "_count")
    )
    return within / total


def _rss_mb(daemon: Daemon) -> float:
    status = Path(f"/proc/{daemon.process.pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def _said(reached: bool, goal: str) -> bool:  # noqa: FBT001  what is said
    print(f"{'reached' if reached else 'MISSED':>8}  {goal}", flush=True)
    return reached


NUISANCES: Final[Mapping[str, Callable[[Daemon], AbstractAsyncContextManager[None]]]] = {
    "nobody": _nobody,
    "500 slow": _slow,
    "sign-ins": partial(_Flooding, path="/signin"),
    "commands": partial(_Flooding, path="/preview"),
}


if __name__ == "__main__":
    main()
