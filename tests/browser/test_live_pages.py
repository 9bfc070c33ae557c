"""Pages that move by themselves, in real Chromium: rows, and the whole page when the stream says so."""

from collections.abc import Callable

import pytest
from selenium.webdriver.common.by import By

from relayd.web import stream
from relayd.web.viewers import Viewer
from ruleset.tournament.commands import Pause
from tests.browser.conftest import Browser
from tests.consoles import crowd
from tests.website import Website

MARK = """
document.body.dataset.mark = "same document";
document.addEventListener("htmx:confirm", (e) => { document.body.dataset.spread = e.defaultPrevented; });
"""


def counted(lines: list[Viewer]) -> Callable[[str, str], Viewer]:
    """Return what makes viewers, and keeps them in *lines*."""

    def make(wish: str, address: str) -> Viewer:
        lines.append(Viewer(wish, address))
        return lines[-1]

    return make


async def test_a_page_follows_without_being_loaded_again(
    site: Website, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Done 3: a result shows by itself, a pause too; both after one another, spread over time as told."""
    monkeypatch.setattr(stream, "SPREAD_MS", 300)
    lines = list[Viewer]()
    monkeypatch.setattr(stream, "Viewer", counted(lines))
    number, _ = await crowd(site, 4)
    await browser.open(f"/e/{number}/r")
    await browser.run(lambda c: c.execute_script(MARK))
    await site.win(number, only=1)
    await browser.until(lambda c: "2:0" in c.find_element(By.ID, "R1T1").text)
    await site.house.desks.handle(number, Pause(now=site.house.clock.now()), by="test")
    await browser.until(lambda c: "paused" in c.find_element(By.TAG_NAME, "main").text)
    assert await browser.run(lambda c: c.execute_script("return document.body.dataset.mark"))
    assert await browser.run(lambda c: c.execute_script("return document.body.dataset.spread")) == "true"
    await site.win(number, only=2)
    await browser.until(lambda c: "2:0" in c.find_element(By.ID, "R1T2").text)
    assert len(lines) == 1, "the stream goes on while the page renews itself"
    assert not await browser.complaints()
