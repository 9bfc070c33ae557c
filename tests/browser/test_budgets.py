"""What a page may cost on a cheap phone: bytes, requests, and no jumping about (issue 6, look and feel)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from ruleset.ids import TableId
from tests.browser.conftest import DESK, PHONE, Browser
from tests.browser.fair import Fair, fair
from tests.website import Website

MOST_BYTES = 60 * 1024
MOST_REQUESTS = 5
_LOADED = """
const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
return all.map((one) => ({ name: one.name, bytes: one.transferSize, type: one.initiatorType }));
"""
_WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) {
    window.shifts.push([one.value, ...one.sources.map((s) => s.node && (s.node.outerHTML || s.node.data))]);
  }
}).observe({ type: 'layout-shift', buffered: true });
"""


@pytest.fixture
async def there(site: Website) -> Fair:
    """The site with something on every page."""
    return await fair(site)


def loaded(chrome: Chrome) -> list[Mapping[str, Any]]:
    """Return what the page has asked for."""
    return list(chrome.execute_script(_LOADED))


def shifts(chrome: Chrome) -> list[list[Any]]:
    """Return what has moved: how much, and which elements."""
    return list(chrome.execute_script("return window.shifts"))


async def test_the_first_load_of_an_event_is_small(there: Fair, browser: Browser) -> None:
    """Under 60 KB compressed and at most 5 requests, icon and stream among them."""
    for number in (there.open, there.running, there.over):
        await browser.run(lambda c: c.execute_cdp_cmd("Network.clearBrowserCache", {}))
        await browser.open(f"/e/{number}")
        asked = await browser.run(loaded)
        live = "sse-connect" in await browser.run(lambda c: c.page_source)
        stream = live and all("/stream" not in one["name"] for one in asked)  # it is still open
        assert sum(one["bytes"] for one in asked) < MOST_BYTES, asked
        assert all(one["bytes"] > 0 for one in asked)
        assert len(asked) + stream <= MOST_REQUESTS, asked


async def test_nothing_jumps_when_results_arrive(there: Fair, browser: Browser) -> None:
    """Scores and states change in their places: no layout shift from the first byte to the last result."""
    for size in (PHONE, DESK):
        await browser.size(size)
        for page in ("", "/r"):
            await browser.open(f"/e/{there.running}{page}")
            table = await decided(there, browser)
            await browser.open(f"/e/{there.running}/r")
            assert "2:0" in await browser.text(f"#{table}")
    assert (await there.site.house.desks.load(there.running)).rounds[0].open_tables


async def test_a_match_that_goes_on_moves_nothing(there: Fair, browser: Browser) -> None:
    """Score, turn and life points of a table change in their places."""
    (live,) = there.site.house.seen.tables.values()
    for size, life in ((PHONE, 300), (DESK, 100)):
        await browser.size(size)
        await browser.open(f"/e/{there.running}/t/{live.table}")
        await browser.run(lambda c: c.execute_script(_WATCH))
        later = replace(live, duel=3, turn=12, wins=(1, 1), lp=(8_000, life))
        there.site.house.seen.tables[live.table] = later
        await browser.until(lambda c, lp=life: str(lp) in c.find_element(By.TAG_NAME, "main").text)  # type: ignore[misc]  # bound at once
        assert await browser.run(shifts) == []


async def decided(there: Fair, browser: Browser) -> TableId:
    """Let one more table be decided while the page looks on; nothing on it moves."""
    state = await there.site.house.desks.load(there.running)
    table = state.rounds[0].open_tables[0].id
    before = await browser.text("main")
    await browser.run(lambda c: c.execute_script(_WATCH))
    await there.site.win(there.running, only=table.table)
    await browser.until(lambda c: c.find_element(By.TAG_NAME, "main").text != before)
    assert await browser.run(shifts) == []
    return table


async def test_a_page_that_is_left_gives_its_line_back(there: Fair, browser: Browser) -> None:
    """A browser has six lines for a site: however many live pages were opened, one is in use."""
    viewers = there.site.house.metrics.viewers.labels("pages")
    lists = [f"/e/{there.running}{page}" for page in ("", "/r", "/standings", "/players")]
    for path in lists * 2:
        await browser.open(path)
        await browser.until(lambda _: viewers._value.get() >= 1)  # noqa: SLF001  a gauge tells its value to scrapers only
    await browser.until(lambda _: viewers._value.get() == 1)  # noqa: SLF001  as above
    await browser.run(lambda c: c.back())
    await browser.until(lambda c: c.current_url.endswith("/standings"))
    await browser.until(lambda _: viewers._value.get() == 1)  # noqa: SLF001  as above


async def test_numbers_stand_below_each_other(there: Fair, browser: Browser) -> None:
    """Numbers are aligned: digits of one width, at the right, in every list of numbers."""
    for path in (f"/e/{there.over}/standings", f"/e/{there.over}/results", "/ladder", "/p/2"):
        await browser.open(path)
        cells = await browser.run(lambda c: c.find_elements(By.CSS_SELECTOR, "td.num, .big, .left"))
        assert cells
        styles = await browser.run(
            lambda c: c.execute_script(
                "return [...document.querySelectorAll('td.num, .big, .left')].map((e) => getComputedStyle(e))"
                ".map((s) => s.fontVariantNumeric)"
            )
        )
        assert set(styles) == {"tabular-nums"}
