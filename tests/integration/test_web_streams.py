"""What moves: one stream for all readers of a tournament, made once in each language (F14)."""

import asyncio
import gzip
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from relayd.web import audiences
from ruleset.ids import TournamentNo
from ruleset.tournament.commands import Park
from ruleset.tournament.reports import Report, SeatScore
from tests.builders import SERVER, table_id
from tests.consoles import crowd
from tests.website import Website, website

FEW = 40
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Website]:
    """The site, without limits on how often it is asked."""
    async with website(tmp_path) as site:
        yield site


async def opened(site: Website, number: int, language: str = "en") -> Line:
    """Return an open stream, its head read."""
    host, port = site.base.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    version = site.house.desks.version(TournamentNo(number))
    path = f"/e/{number}/stream?after={version}&lang={language}"
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
    await reader.readuntil(b"retry: ")
    return reader, writer


async def test_a_result_shows_at_everybody_in_his_language(site: Website) -> None:
    """F14, done 3: the row of a table reaches all who look, once made in each language."""
    number, _ = await crowd(site, 4)
    lines = [await opened(site, number, ("en", "zh", "ja")[n % 3]) for n in range(FEW)]
    await site.win(number, only=1)
    async with asyncio.timeout(20):
        for reader, _ in lines:
            told = (await reader.readuntil(b"event: quiet")).decode()
            assert "event: R1T1" in told
            assert "2:0" in told
    for _, writer in lines:
        writer.close()


async def test_a_burst_goes_together(site: Website, monkeypatch: pytest.MonkeyPatch) -> None:
    """Done 3: many results of one moment are one message to each reader."""
    monkeypatch.setattr(audiences, "COALESCE_S", 0.5)
    number, _ = await crowd(site, 16)
    reader, writer = await opened(site, number)
    for table in range(1, 8):
        await site.win(number, only=table)
    async with asyncio.timeout(20):
        told = (await reader.readuntil(b"event: quiet")).decode()
    assert len(re.findall(r"event: R1T\d", told)) == 7
    writer.close()


async def test_what_changes_the_page_is_a_word(site: Website) -> None:
    """A pause, a new round, the end: pages ask for themselves again."""
    number, _ = await crowd(site, 4)
    reader, writer = await opened(site, number)
    await site.win(number)
    async with asyncio.timeout(20):
        await reader.readuntil(b"event: page")
    writer.close()


async def test_a_report_that_waits_shows_at_every_table_that_it_fits(site: Website) -> None:
    """5.6-3: who looks at his table learns by himself that his room code is wanted."""
    number, _ = await crowd(site, 4)
    reader, writer = await opened(site, number)
    report = Report(source="plugin", server=SERVER, a=SeatScore(wins=2), b=SeatScore(), winner="a", body="x")
    park = Park(
        id="p1",
        candidates=(table_id(1, 1), table_id(1, 2)),
        names=("Nick-0", "Nick-1"),
        why="nickname_collision",
        report=report,
        now=site.house.clock.now(),
    )
    await site.house.desks.handle(number, park, by="server:main")
    async with asyncio.timeout(20):
        told = (await reader.readuntil(b"event: quiet")).decode()
    assert {"event: R1T1", "event: R1T2"} <= set(told.splitlines())
    writer.close()


async def test_whoever_missed_something_is_told_at_once(site: Website) -> None:
    """A reader who comes back behind an old version asks for the page again."""
    number, _ = await crowd(site, 4)
    async with site.reader().session.get(f"{site.base}/e/{number}/stream", params={"after": "1"}) as answer:
        async with asyncio.timeout(20):
            await answer.content.readuntil(b"event: page\n")


async def test_the_first_load_is_small(site: Website) -> None:
    """Issue 6: the event page comes in under 60 KB compressed and 5 requests."""
    number, _ = await crowd(site, 4)
    reader = site.reader()
    page = await reader.get(f"/e/{number}")
    linked = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page))
    sizes = [len(gzip.compress(page.encode()))]
    for path in linked:
        async with reader.session.get(reader.base + path) as answer:
            sizes.append(len(gzip.compress(await answer.read())))
    assert len(sizes) <= 5
    assert sum(sizes) < 60_000
