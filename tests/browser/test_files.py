"""Lists and old events in Chromium: what a host sees of them fits a phone, and no name in a file acts."""

from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from ruleset.ids import PlayerId
from tests.browser.conftest import PHONE, Browser, Gallery
from tests.browser.test_accessible import EVERYTHING, axe, found
from tests.challonges import file_of, swiss
from tests.website import Website

__all__ = ["axe"]
WRONG = "选手号,昵称,队伍\n99,不存在,海马集团\n2,Nick-2,Red\n2,Nick-2,Red\n,Nick-3,\n" + "x" * 16 + ",,\n"
RIGHT = "选手号,昵称,队伍\n1,海马,海马集团\n2,Nick-2,海马集团\n3,城之内,决斗者\n,,孔雀舞队\n"
EVIL = "<img src=x onerror=alert(1)>"


@pytest.fixture
async def host(site: Website, browser: Browser) -> Browser:
    """A host at a phone, signed in; three have accounts, one is on the list of his tournament."""
    reader = site.reader()
    await reader.sign_up("海马")
    for n in (2, 3):
        await site.reader().sign_up(f"Nick-{n}")
    number = await site.publish(organiser=PlayerId(1), title="周末杯")
    await reader.do(number, "entry.register", player=1)
    await browser.signs_in(reader)
    await browser.size(PHONE)
    return browser


async def pasted(browser: Browser, text: str) -> None:
    """Paste a list and have it checked."""
    await browser.open("/e/1/import")
    await browser.fill(text=text)
    await browser.press("form[enctype] button")


async def test_a_list_is_mended_and_taken_in(
    host: Browser, site: Website, axe: str, gallery: Gallery
) -> None:
    """S110: errors and preview fit a phone and everybody; the button takes in what was shown."""
    await pasted(host, WRONG)
    assert "P000003" in await host.text("table")
    await gallery.look(host, "import-errors", PHONE)
    assert await found(host, axe, EVERYTHING) == []
    await pasted(host, RIGHT)
    await gallery.look(host, "import-preview", PHONE)
    assert await found(host, axe, EVERYTHING) == []
    await host.press("button[value=commit]")
    (number,) = site.house.desks.numbers()
    state = await site.house.desks.load(number)
    assert [*state.teams.values()] == ["孔雀舞队", "海马集团", "决斗者"]
    assert await host.complaints() == []


async def test_an_old_event_is_looked_at_and_brought_in(
    host: Browser,
    site: Website,
    axe: str,
    gallery: Gallery,
    tmp_path: Path,
) -> None:
    """H208, F24: names of strangers in a file are text; the event is on its page after two presses."""
    names = ("海马", EVIL, "Nick-2", "城之内")
    path = tmp_path / "old.json"
    path.write_bytes(
        file_of(swiss([[(names[0], names[1], "2-1"), (names[2], names[3], "0-2")]], names, name=EVIL))
    )
    await host.open("/import/challonge")
    await host.run(lambda c: c.find_element(By.NAME, "file").send_keys(str(path)))
    await host.press("form button")
    assert EVIL in await host.text()
    await gallery.look(host, "import-challonge-preview", PHONE)
    assert await found(host, axe, EVERYTHING) == []
    await host.press("button[value=adopt]")
    assert EVIL in await host.text("h1")
    assert site.house.desks.numbers() == [1, 2]
    assert await host.complaints() == []
