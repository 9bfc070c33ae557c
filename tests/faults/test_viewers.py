"""F14-F16: thousands look on, some never read, all vanish at once.

What is asserted of time is loose; ``benchmarks.fanout`` and ``benchmarks.evening`` measure it.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from relayd.web import viewers
from ruleset.ids import TournamentNo
from ruleset.tournament.commands import Announce
from tests.contests import started
from tests.crowd import Crowd
from tests.daemons import WITHIN_S, Daemon, running, settings
from tests.house import Caller
from tests.website import OPEN, Website, website

RSS_MB = 250
TRUSTING = 'web.trusted_proxies = ["127.0.0.0/8"]\n'
"""Each line of a crowd says that it comes from a household of its own."""


@pytest.fixture
async def daemon(tmp_path: Path) -> AsyncIterator[Daemon]:
    """A daemon of its own."""
    with running(settings(tmp_path, TRUSTING)) as daemon:
        yield daemon


def rss_mb(daemon: Daemon) -> float:
    """Return the memory that a daemon holds."""
    status = Path(f"/proc/{daemon.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


async def ruled(caller: Caller, number: int, table: str, outcome: str) -> float:
    """Rule a table; return when that was acknowledged."""
    await caller.call("table.rule", tournament=number, table=table, outcome=outcome)
    return time.monotonic()


@pytest.mark.parametrize("kind", ["stream", "feed"])
async def test_everybody_hears_of_a_result(
    daemon: Daemon, kind: str, either: Callable[[int, int], int]
) -> None:
    """F14, done 3: it shows at the last viewer, in bounded memory, while the site answers."""
    count = either(300, 10_000)
    caller, number = await started(daemon.socket, 8)
    options = ["--websocket"] if kind == "feed" else []
    with await asyncio.to_thread(Crowd, daemon.http, f"/e/{number}/{kind}", count, *options) as crowd:
        assert await asyncio.to_thread(crowd.told) == {"open": count, "refused": 0}
        for table, outcome in (("R1T1", "a"), ("R1T2", "b"), ("R1T3", "a")):
            marker = table if kind == "stream" else "result_"
            await asyncio.to_thread(crowd.ask, "watch", marker)
            asked = await ruled(caller, number, table, outcome)
            seen = await asyncio.to_thread(crowd.told)
            assert seen["seen"] == count
            assert seen["last"] - asked < WITHIN_S
        assert rss_mb(daemon) < RSS_MB
        assert "Nick-1" in await asyncio.to_thread(daemon.get, f"/e/{number}/r")
    await caller.close()


async def test_all_may_vanish_at_once(daemon: Daemon, either: Callable[[int, int], int]) -> None:
    """F16: few lines in the log, no traceback, and the next ones are told."""
    count = either(300, 10_000)
    caller, number = await started(daemon.socket, 8)
    with await asyncio.to_thread(Crowd, daemon.http, f"/e/{number}/stream", count) as crowd:
        assert (await asyncio.to_thread(crowd.told))["open"] == count
        said = len(daemon.lines)
        await asyncio.to_thread(crowd.ask, "vanish")
        await ruled(caller, number, "R1T1", "a")
    async with asyncio.timeout(WITHIN_S):
        while 'relayd_viewers{kind="pages"} 0.0' not in await asyncio.to_thread(daemon.get, "/metrics"):
            pass
    with await asyncio.to_thread(Crowd, daemon.http, f"/e/{number}/stream", 10) as crowd:
        assert (await asyncio.to_thread(crowd.told))["open"] == 10
        await asyncio.to_thread(crowd.ask, "watch", "R1T2")
        await ruled(caller, number, "R1T2", "a")
        assert (await asyncio.to_thread(crowd.told))["seen"] == 10
    await caller.close()
    lines = daemon.lines[said:]
    assert len(lines) <= 100
    assert not [line for line in lines if "traceback" in str(line).casefold()]


async def test_who_never_reads_is_dropped_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, either: Callable[[int, int], int]
) -> None:
    """F15: cut off at the bound, memory stays bounded, everybody else hears all of it."""
    monkeypatch.setattr(viewers, "BOUND", either(1 << 16, 1 << 20))
    count = either(20, 100)
    async with website(tmp_path, frontage=OPEN) as site:
        number = await site.publish()
        before = rss_of_this_mb()
        path = f"/e/{number}/feed"
        with (
            await asyncio.to_thread(Crowd, site.base, path, count, "--websocket", "--deaf") as deaf,
            await asyncio.to_thread(Crowd, site.base, path, 2, "--websocket") as awake,
        ):
            assert (await asyncio.to_thread(deaf.told))["open"] == count
            assert (await asyncio.to_thread(awake.told))["open"] == 2
            await asyncio.to_thread(awake.ask, "watch", "enough!")
            await said_until_dropped(site, number, count)
            await site.house.desks.handle(
                number, Announce(text="enough!", now=site.house.clock.now()), by="t"
            )
            assert (await asyncio.to_thread(awake.told))["seen"] == 2
            assert (await asyncio.to_thread(deaf.ask, "count"))["open"] == 0
        assert rss_of_this_mb() - before <= 150


async def said_until_dropped(site: Website, number: TournamentNo, count: int) -> None:
    """Announce long words until so many have been dropped."""
    registry = site.house.metrics.registry
    word = Announce(text="x" * 20_000, now=site.house.clock.now())
    async with asyncio.timeout(WITHIN_S):
        while (registry.get_sample_value("relayd_live_dropped_total") or 0) < count:
            await site.house.desks.handle(number, word, by="test")
            await asyncio.sleep(0.01)


def rss_of_this_mb() -> float:
    """Return the memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4_096 / 2**20


async def test_whoever_goes_in_the_middle_of_a_message_is_forgotten(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """F16: a line that is cut while it is written to makes no noise."""
    async with website(tmp_path, frontage=OPEN) as site:
        number, registry, kind = await site.publish(), site.house.metrics.registry, {"kind": "programs"}
        with await asyncio.to_thread(Crowd, site.base, f"/e/{number}/feed", 50, "--websocket") as crowd:
            assert (await asyncio.to_thread(crowd.told))["open"] == 50
            await asyncio.gather(
                asyncio.to_thread(crowd.ask, "vanish"), said_for_a_while(site, number), return_exceptions=True
            )
        async with asyncio.timeout(WITHIN_S):
            while registry.get_sample_value("relayd_viewers", kind):  # noqa: ASYNC110  nothing tells it
                await asyncio.sleep(0.01)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def said_for_a_while(site: Website, number: TournamentNo) -> None:
    """Announce something now and then."""
    for _ in range(20):
        await site.house.desks.handle(number, Announce(text="x", now=site.house.clock.now()), by="test")
        await asyncio.sleep(0.02)
