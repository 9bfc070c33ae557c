"""Pages for strangers: made once, kept packed, never late, never another's (F14, 5.5)."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path

import pytest
from aiohttp import ClientResponse

from relayd.ports import LiveTable
from relayd.web.cache import RESTING_S, RUNNING_S, Cache
from ruleset.ids import Instant, RoundNo, ServerId, TableId, TableNo
from tests.consoles import crowd
from tests.website import Reader, Website, website


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Website]:
    """The site, without limits on how often it is asked."""
    async with website(tmp_path) as site:
        yield site


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Lets so many seconds pass for what is kept."""
    passed = [0.0]
    monkeypatch.setattr("relayd.web.stream.Cache", lambda: Cache(clock=lambda: passed[0]))
    return lambda seconds: passed.__setitem__(0, passed[0] + seconds)


async def asked(reader: Reader, path: str, **headers: str) -> tuple[ClientResponse, str]:
    """Return an answer, read."""
    async with reader.session.get(reader.base + path, headers=headers) as answer:
        return answer, await answer.text()


def made(site: Website) -> float:
    """Return how often a page was made for strangers."""
    return site.house.metrics.registry.get_sample_value("relayd_shared_pages_total", {"outcome": "made"}) or 0


async def test_a_crowd_costs_one_page(tmp_path: Path, later: Callable[[float], None]) -> None:
    """Many ask in one moment, one page is made for each language, and all get the same."""
    async with website(tmp_path) as site:
        number, _ = await crowd(site, 4)
        readers = [site.reader() for _ in range(20)]
        for path in (f"/e/{number}", f"/e/{number}/r", f"/e/{number}/standings", f"/e/{number}/t/R1T1"):
            before = made(site)
            pages = await asyncio.gather(*(reader.get(path) for reader in readers))
            assert len(set(pages)) == 1
            assert made(site) == before + 1
            _, chinese = await asked(readers[0], path, **{"Accept-Language": "zh-CN"})
            assert 'lang="zh-CN"' in chinese
            assert made(site) == before + 2
            later(RESTING_S + 1)
            await readers[0].get(path)
            assert made(site) == before + 3


async def test_whoever_is_known_gets_his_own_page(site: Website) -> None:
    """Accounts, links and words to one reader: nothing of them is kept, nothing kept is shown to them."""
    (number, host), stranger = await crowd(site, 4), site.reader()
    path = f"/e/{number}"
    assert "/host" not in await stranger.get(path)
    before = made(site)
    assert f"{path}/host" in await host.get(path)
    stranger.session.cookie_jar.update_cookies({f"relayd_link_{number}": "nonsense"})
    await stranger.get(path)
    assert made(site) == before
    fresh = site.reader()
    assert f"{path}/host" not in await fresh.get(path)
    assert "command_id" not in await fresh.get(path)


async def test_a_change_shows_at_once(tmp_path: Path, later: Callable[[float], None]) -> None:
    """What the log says and what duel servers show is on the next page that anybody asks for."""
    async with website(tmp_path) as site:
        number, _ = await crowd(site, 4)
        reader, path = site.reader(), f"/e/{number}/r/1"
        first = await reader.get(path)
        assert await reader.get(path) == first
        await site.win(number, only=1)
        assert "2:0" in await reader.get(path)
        later(0)


async def test_what_duel_servers_show_is_not_kept_from_anybody(site: Website) -> None:
    """Before the stream says that a table looks different, pages that show it as before are forgotten."""
    number, _ = await crowd(site, 4)
    reader, path = site.reader(), f"/e/{number}/r/1"
    async with reader.session.get(f"{site.base}/e/{number}/stream") as stream:
        await reader.get(path)
        site.house.seen.tables[TableId(RoundNo(1), TableNo(2))] = dueling(turn=7)
        async with asyncio.timeout(20):
            await stream.content.readuntil(b"event: R1T2\n")
        assert re.search(r"\b7\b", (await reader.get(path)).partition('id="R1T2"')[2].partition("</tr>")[0])


def dueling(turn: int) -> LiveTable:
    """Return a room in its first duel."""
    return LiveTable(
        table=TableId(RoundNo(1), TableNo(2)),
        server=ServerId("main"),
        room_name="x",
        stage="dueling",
        duel=1,
        turn=turn,
        death="off",
        last_turn=None,
        wins=(0, 0),
        lp=(8_000, 8_000),
        in_room=(True, True),
        strangers=(),
        seen_at=Instant(0),
    )


async def test_a_page_on_which_nothing_runs_is_not_sent_again(
    tmp_path: Path, later: Callable[[float], None]
) -> None:
    """A browser that has it is told so, also after it was made anew; a countdown comes with its time."""
    async with website(tmp_path) as site:
        (number, _), reader = await crowd(site, 4), site.reader()
        path = f"/e/{number}/players"
        answer, text = await asked(reader, path)
        assert (answer.headers["Vary"], text[:20].strip()[:9]) == (
            "Cookie, Accept-Language, Accept-Encoding",
            "<!doctype",
        )
        known = {"If-None-Match": answer.headers["ETag"]}
        assert (await asked(reader, path, **known))[0].status == 304
        later(RESTING_S + 1)
        site.house.clock.advance(60)
        assert (await asked(reader, path, **known))[0].status == 304
        await site.win(number, only=1)
        clock = f"/e/{number}"
        answer, text = await asked(reader, clock)
        known = {"If-None-Match": answer.headers["ETag"]}
        later(RUNNING_S + 1)
        site.house.clock.advance(1)
        answer, text = await asked(reader, clock, **known)
        assert answer.status == 200
        assert f'data-now="{site.house.clock.now()}"' in text


async def test_whoever_takes_no_gzip_gets_it_unpacked(site: Website) -> None:
    """The same page, whatever the browser can read."""
    number, reader = await site.publish(), site.reader()
    packed, text = await asked(reader, f"/e/{number}", **{"Accept-Encoding": "gzip"})
    plain, same = await asked(reader, f"/e/{number}", **{"Accept-Encoding": "identity"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert text == same
    assert "script-src 'self'" in plain.headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/e/99", "/e/1/r/7", "/e/1?x=1"])
async def test_what_is_no_page_for_all_is_not_kept(site: Website, path: str) -> None:
    """Refusals and questions with values go their own way."""
    await site.publish()
    for _ in range(2):
        answer, _ = await asked(site.reader(), path)
        assert answer.status == (200 if "?" in path else 404)
        assert "ETag" not in answer.headers


async def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever name the site is asked by: the oldest pages go."""
    kept = Cache(most_bytes=10_000)
    monkeypatch.setattr("relayd.web.stream.Cache", lambda: kept)
    async with website(tmp_path) as site:
        number = await site.publish()
        for n in range(20):
            await asked(site.reader(), f"/e/{number}", Host=f"h{n}.example")
        before = made(site)
        await asked(site.reader(), f"/e/{number}", Host="h19.example")
        assert made(site) == before
        await asked(site.reader(), f"/e/{number}", Host="h0.example")
        assert made(site) == before + 1
    assert kept.size <= 10_000


async def test_one_origin_is_not_shown_to_another(site: Website) -> None:
    """The address of the tournament on its page is the one under which the reader sees the site."""
    number = await site.publish()
    hosts: Mapping[str, str] = {
        host: (await asked(site.reader(), f"/e/{number}", Host=host))[1]
        for host in ("a.example", "b.example")
    }
    assert all(f"http://{host}/e/{number}" in page for host, page in hosts.items())
    assert "a.example" not in hosts["b.example"]
