"""Every page for everybody: axe-core finds nothing serious, no mouse is needed (issue 6, look and feel)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.browser.conftest import DESK, PHONE, Browser, Gallery
from tests.browser.fair import Fair, fair
from tests.website import Website

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
EVERYTHING: Mapping[str, Any] = {}
COLOURS: Mapping[str, Any] = {"runOnly": ["color-contrast"]}
_STATUS = "return performance.getEntriesByType('navigation')[0].responseStatus"
_WAYS = """
const ways = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
  .filter((e) => e.type !== 'hidden' && !e.disabled && e.checkVisibility({ visibilityProperty: true }));
const here = document.activeElement, style = getComputedStyle(here);
const shown = here === document.body || (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0);
return [ways.length, ways.indexOf(here), shown];
"""
SCROLLED = 8
"""Places that take the focus because they can be scrolled."""
SERIOUS = frozenset({"serious", "critical"})
_ASK = """
const [options, done] = arguments;
axe.run(document, { resultTypes: ['violations'], ...options })
  .then((found) => done(JSON.stringify(found.violations)));
"""


@pytest.fixture(scope="session")
def axe() -> str:
    """What is asked; npm brings it."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci in tests/browser, as make test does")
    return AXE.read_text("utf-8")


@pytest.fixture
async def there(site: Website) -> Fair:
    """The site with something on every page."""
    return await fair(site)


async def found(browser: Browser, axe: str, options: Mapping[str, Any]) -> list[str]:
    """Return what is seriously wrong on the page as it is shown."""

    def ask(chrome: Chrome) -> list[dict[str, Any]]:
        if not chrome.execute_script("return 'axe' in window"):
            chrome.execute_script(axe)
        return list(json.loads(chrome.execute_async_script(_ASK, options)))

    told = [one for one in await browser.run(ask) if one["impact"] in SERIOUS]
    return [f"{one['id']}: {node['html'][:200]}" for one in told for node in one["nodes"]]


async def looked_at(
    browser: Browser, pages: Mapping[str, str], axe: str, gallery: Gallery
) -> dict[str, list[str]]:
    """Open pages at both sizes, light and dark; return what is wrong with each.

    A page has the same elements in both schemes, so all rules are asked once for each size, in one of them.
    """
    wrong: dict[str, list[str]] = {}
    for name, path in pages.items():
        await browser.open(path)
        status = await browser.run(lambda c: c.execute_script(_STATUS))
        assert status < 500, name
        await gallery.look(browser, name)
        for size, full in ((PHONE, "light"), (DESK, "dark")):
            await browser.size(size)
            for scheme in ("light", "dark"):
                await browser.scheme(scheme)
                told = await found(browser, axe, EVERYTHING if scheme == full else COLOURS)
                if told:
                    wrong[f"{name} {size[0]} {scheme}"] = told
    return wrong


async def test_public_pages(there: Fair, browser: Browser, axe: str, gallery: Gallery) -> None:
    """Roles, labels, languages, contrast AA: no serious or critical issue, on a phone and on a desk."""
    await browser.open("/lang/zh")
    assert await looked_at(browser, there.public, axe, gallery) == {}


async def test_pages_of_players_and_hosts(there: Fair, browser: Browser, axe: str, gallery: Gallery) -> None:
    """The same for the pages behind a sign-in."""
    await browser.signs_in(there.host)
    await browser.open("/lang/zh")
    assert await looked_at(browser, there.own, axe, gallery) == {}


@pytest.mark.parametrize("page", ["own-event", "own-deck", "console", "table", "me"])
async def test_no_mouse_is_needed(there: Fair, browser: Browser, page: str) -> None:
    """Whatever can be clicked is reached by the Tab key, in the order of the page, and shows that it is."""
    await browser.signs_in(there.host)
    await browser.open({**there.public, **there.own}[page])
    count, _, _ = await browser.run(lambda c: c.execute_script(_WAYS))
    assert count > 10
    reached: list[int] = []
    for _ in range(count + SCROLLED):
        await browser.run(lambda c: ActionChains(c).send_keys(Keys.TAB).perform())
        count, way, shown = await browser.run(lambda c: c.execute_script(_WAYS))
        assert shown, f"{page}: nobody sees where he is"
        if way >= 0 and way not in reached:
            reached.append(way)
    assert reached == list(range(count))


async def test_another_language_keeps_the_page(there: Fair, browser: Browser) -> None:
    """Done when 2: the words change, the page and what was asked of it stay."""
    path = f"/e/{there.over}/standings?by=1"
    await browser.open(path)
    for name, tag in (("中文", "zh-CN"), ("日本語", "ja"), ("English", "en")):
        await browser.run(lambda c, n=name: c.find_element(By.LINK_TEXT, n).click())  # type: ignore[misc]  # bound at once
        await browser.until(
            lambda c, t=tag: c.find_element(By.TAG_NAME, "html").get_attribute("lang") == t  # type: ignore[misc]  # bound at once
        )
        assert await browser.run(lambda c: c.current_url) == browser.base + path
