"""Chromium as people use it, at phone size or on a desk; skipped where it is not installed."""

import asyncio
import shutil
from base64 import b64decode
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pytest
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from relayd.web.visit import SESSION
from tests.website import Reader, Website, website

T = TypeVar("T")
FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PHONE, DESK = (360, 740), (1440, 900)
_ARRIVED = "return !window.before && document.readyState === 'complete'"
_NO_COMPLAINTS = ("Failed to load resource", "net::ERR_", "Password forms should have")
"""Answers that a test asks for, and advice."""
_UNFOLD = "for (let e = arguments[0]; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;"


class Served(Protocol):
    """A site that can be opened."""

    @property
    def base(self) -> str:
        """Scheme, host and port."""
        ...


class Gallery:
    """Pictures of pages, where somebody wants them; what must hold for every page is asked in any case."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    async def look(self, browser: "Browser", name: str, stay: tuple[int, int] | None = None) -> None:
        """Look at the page at both sizes, light and dark: it never has to be moved sideways."""
        for size in (PHONE, DESK):
            await browser.size(size)
            assert not await browser.too_wide(), f"{name} at {size}"
            for scheme in ("light", "dark") if self.folder is not None else ():
                await browser.scheme(scheme)
                await browser.shot(self.folder / f"{name}-{size[0]}-{scheme}.png")  # type: ignore[operator]  # it is not None
        await browser.size(stay or DESK)
        await browser.scheme("light")


class Browser:
    """One Chromium; its calls run beside the event loop that serves the pages."""

    def __init__(self, chrome: Chrome, base: str) -> None:
        self.chrome, self.base = chrome, base

    async def run(self, job: Callable[[Chrome], T]) -> T:
        """Do something with the browser while the site goes on."""
        for _ in range(20):
            try:
                return await asyncio.to_thread(job, self.chrome)
            except StaleElementReferenceException:
                continue  # the page has just renewed itself: look at what is there now
        raise AssertionError("the page never stands still")

    async def size(self, size: tuple[int, int]) -> None:
        """Be a phone, or a desk."""
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        await self.run(lambda c: c.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics))

    async def open(self, path: str) -> str:
        """Open a page and return its text."""
        await self.run(lambda c: c.get(self.base + path))
        return await self.text()

    async def text(self, selector: str = "body") -> str:
        """Return what can be read."""
        return await self.run(lambda c: c.find_element(By.CSS_SELECTOR, selector).text)

    async def fill(self, **fields: str) -> None:
        """Type into fields by their names."""
        for name, value in fields.items():
            await self.run(lambda c, n=name, v=value: _typed(c, n, v))  # type: ignore[misc]  # bound at once

    async def press(self, selector: str) -> None:
        """Click on something and wait for the page that it leads to; a summary only opens."""
        await self.run(lambda c: c.execute_script("window.before = true"))
        await self.run(lambda c: c.find_element(By.CSS_SELECTOR, selector).click())
        if not selector.endswith("summary"):
            await self.until(lambda c: c.execute_script(_ARRIVED))

    async def signs_in(self, reader: Reader) -> None:
        """Be signed in as a browser without a screen is."""
        (session,) = [c.value for c in reader.session.cookie_jar if c.key == SESSION]
        await self.run(lambda c: c.add_cookie({"name": SESSION, "value": session}))

    async def do(self, method: str) -> None:
        """Press the button of a method of the daemon; one that asks first is asked and told yes."""
        button = f"form[action$='{method}'] button"
        await self.run(lambda c: c.execute_script(_UNFOLD, c.find_element(By.CSS_SELECTOR, button)))
        await self.press(button)

    async def until(self, found: Callable[[Chrome], object]) -> None:
        """Wait until something can be seen."""
        async with asyncio.timeout(60):
            while not await self.run(found):  # noqa: ASYNC110  see below
                await asyncio.sleep(0.05)  # what a browser shows is no event of ours

    async def complaints(self) -> list[str]:
        """Return what the browser has refused or met: CSP, scripts that fail."""
        entries: list[dict[str, Any]] = await self.run(lambda c: c.get_log("browser"))  # type: ignore[no-untyped-call]  # of selenium
        return [e["message"] for e in entries if not any(words in e["message"] for words in _NO_COMPLAINTS)]

    async def scheme(self, scheme: str) -> None:
        """Be light, or dark."""
        feature = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        await self.run(lambda c: c.execute_cdp_cmd("Emulation.setEmulatedMedia", feature))

    async def shot(self, path: Path) -> None:
        """Write the whole page as a picture, down to its end."""
        wish = {"captureBeyondViewport": True}
        taken = await self.run(lambda c: c.execute_cdp_cmd("Page.captureScreenshot", wish))
        await asyncio.to_thread(path.write_bytes, b64decode(taken["data"]))

    async def too_wide(self) -> bool:
        """Say whether the page has to be moved sideways."""
        script = "return document.documentElement.scrollWidth > document.documentElement.clientWidth"
        return bool(await self.run(lambda c: c.execute_script(script)))


def _typed(chrome: Chrome, name: str, value: str) -> None:
    field = chrome.find_element(By.NAME, name)
    chrome.execute_script(
        "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
        field,
        value,
    )


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Website]:
    """The site, without limits on how often it is asked."""
    async with website(tmp_path) as site:
        yield site


@pytest.fixture
def gallery(request: pytest.FixtureRequest) -> Gallery:
    """Keeps pictures where ``--pictures`` says."""
    chosen = request.config.getoption("--pictures")
    return Gallery(Path(chosen) if chosen else None)


@pytest.fixture
def chromes(tmp_path: Path) -> Iterator[Callable[[], Chrome]]:
    """Starts browsers, each with a profile of its own; all end with the test."""
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip("chromium and chromium-driver are not installed")
    started: list[Chrome] = []

    def start() -> Chrome:
        options = ChromeOptions()
        options.binary_location = binary
        profile = tmp_path / f"profile-{len(started)}"
        for flag in (*FLAGS, f"--user-data-dir={profile}", "--lang=en"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.set_capability("unhandledPromptBehavior", "ignore")
        started.append(Chrome(options=options, service=Service(driver)))
        return started[-1]

    yield start
    for chrome in started:
        chrome.quit()


@pytest.fixture
async def browser(chromes: Callable[[], Chrome], site: Website) -> Browser:
    """One browser on the site, which reads English."""
    return await opened(chromes, site)


async def opened(chromes: Callable[[], Chrome], site: Served, language: str = "en") -> Browser:
    """Return a new browser on the site."""
    browser = Browser(await asyncio.to_thread(chromes), site.base)
    await browser.open(f"/lang/{language}")
    return browser
