"""F27: floods of sign-ins and commands from one household are 429; everybody else is served.

``benchmarks.evening`` measures what the others notice of it.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from aiohttp import ClientSession

from tests.daemons import Daemon, running, settings
from tests.faults.test_viewers import TRUSTING

AT_ONCE = 20
BURSTS = {"/signin": 30, "/preview": 400}
"""What the daemon lets one household do at once, by what it does."""


@pytest.fixture
async def daemon(tmp_path: Path) -> AsyncIterator[Daemon]:
    """A daemon that believes whom its readers say they are."""
    with running(settings(tmp_path, TRUSTING)) as daemon:
        yield daemon


async def asked(session: ClientSession, daemon: Daemon, path: str, household: str) -> int:
    """Ask once from a household; return the status. What is refused says how long to wait."""
    headers = {"X-Forwarded-For": household, "Origin": daemon.http}
    form = {"name": f"{household}@example.org", "password": "guess", "text": "x"}
    async with session.post(daemon.http + path, data=form, headers=headers) as answer:
        await answer.read()
        assert (answer.status == 429) == ("Retry-After" in answer.headers)
        return answer.status


@pytest.mark.parametrize("path", BURSTS)
async def test_a_flood_is_refused_and_others_are_served(
    daemon: Daemon, path: str, either: Callable[[int, int], int]
) -> None:
    """F27: one household meets its limit, another asks the same and gets it, in the middle of the flood."""
    count = BURSTS[path] + either(100, 2_000)
    seen, turns = Counter[int](), asyncio.Semaphore(AT_ONCE)
    async with ClientSession() as session:

        async def flood() -> None:
            async with turns:
                seen[await asked(session, daemon, path, "10.0.0.1")] += 1

        async with asyncio.TaskGroup() as tasks:
            for _ in range(count):
                tasks.create_task(flood())
            others = [await asked(session, daemon, path, f"10.0.1.{n}") for n in range(10)]
    assert 429 not in others
    assert seen[429] > 0
    assert seen.total() - seen[429] >= BURSTS[path]
    assert not [status for status in seen if status >= 500]
