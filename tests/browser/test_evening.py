"""A whole evening in Chromium: one publishes, eight play, two of them on phones (issue 6, done 1)."""

from collections.abc import Callable
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from ruleset.ids import PlayerId, TournamentNo
from ruleset.tournament.commands import Tick
from tests.browser.conftest import DESK, PHONE, Browser, opened
from tests.house import deck, violations
from tests.website import PASSWORD, Reader, Website


@pytest.fixture
def pictures(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Where pictures of the pages go: ``--pictures``, else nowhere that stays."""
    chosen = request.config.getoption("--pictures")
    folder = Path(chosen) if chosen else tmp_path / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


async def looked_at(browser: Browser, name: str, folder: Path) -> None:
    """Take a page's picture at both sizes, light and dark; it never has to be moved sideways."""
    for size in (PHONE, DESK):
        await browser.size(size)
        assert not await browser.too_wide(), f"{name} at {size}"
        for scheme in ("light", "dark"):
            await browser.shot(folder / f"{name}-{size[0]}-{scheme}.png", scheme)


async def signed_up(browser: Browser, nickname: str) -> None:
    """Make an account in a browser."""
    await browser.open("/signup")
    await browser.fill(nickname=nickname, email=f"{nickname}@example.org", password=PASSWORD)
    await browser.press("main button[type=submit]")


async def published(host: Browser) -> TournamentNo:
    """Publish a tournament with the form."""
    await host.open("/new")
    await host.fill(title="Friday", rounds="2", cut="2", text="# Welcome\n* be on time")
    await host.run(lambda c: c.find_element(By.CSS_SELECTOR, "#environment option[value=goat]").click())
    await host.press("button[value=preview]")
    assert "Round 2 begins" in await host.text()
    await host.press("button[value=publish]")
    assert "Published." in await host.text()
    return TournamentNo(1)


async def entered(phone: Browser, number: int, *, wrong: bool) -> None:
    """Register and hand a deck in, an illegal one first where *wrong*."""
    await phone.open(f"/e/{number}")
    await phone.press("form[action$='entry.register'] button")
    await phone.open(f"/e/{number}/deck")
    if wrong:
        await phone.fill(deck=violations(3))
        await phone.press("main form button[type=submit]")
        assert "illegal" in await phone.text()
    await phone.fill(deck=deck())
    await phone.press("main form button[type=submit]")
    assert "deck approved" in await phone.text()
    await phone.open(f"/e/{number}")
    await phone.press("form[action$='entry.sign_in'] button")
    assert "signed in as number" in await phone.text()


async def others(site: Website, number: int, count: int) -> list[Reader]:
    """Let six more come, without a screen."""
    readers = []
    for n in range(count):
        reader = site.reader()
        player = await reader.sign_up(f"Guest-{n}")
        await reader.do(number, "entry.register", player=player)
        await reader.post(f"/e/{number}/deck", deck=deck())
        await reader.do(number, "entry.sign_in", player=player)
        readers.append(reader)
    return readers


async def test_an_evening(site: Website, chromes: Callable[[], Chrome], pictures: Path) -> None:
    """Publish, register, an illegal deck corrected, sign in, play, a dispute ruled, cut, final."""
    host = await opened(chromes, site)
    await signed_up(host, "Host")
    number = await published(host)
    await site.house.desks.handle(number, Tick(now=site.house.clock.now()), by="system")
    phones = [await opened(chromes, site, language) for language in ("en", "en")]
    for phone, name in zip(phones, ("Ann", "Bob"), strict=True):
        await phone.size(PHONE)
        await signed_up(phone, name)
        await entered(phone, number, wrong=name == "Ann")
    await others(site, number, 6)
    await looked_at(host, "new", pictures)
    await host.open(f"/e/{number}/host")
    await looked_at(host, "console-before", pictures)
    await host.size(DESK)
    await host.press("details.sure summary")
    await host.press("form[action$='tournament.start'] button")
    assert "Round 1" in await host.text()

    await phones[0].open(f"/e/{number}")
    await phones[0].press("main a.button.huge")
    assert "Join the room" in await phones[0].text()
    await looked_at(phones[0], "table", pictures)
    await phones[0].size(PHONE)
    await phones[0].press("form[action$='table.present'] button")
    assert "Done." in await phones[0].text()

    await dispute(site, number, host)
    await host.open(f"/e/{number}/host")
    await looked_at(host, "console", pictures)
    await host.size(DESK)
    await host.run(lambda c: c.find_element(By.CSS_SELECTOR, "form[action$='clock.postpone'] button").click())
    await live(site, number, phones[1])

    while (state := await site.house.desks.load(number)).phase == "running":
        await site.win(number)
        site.house.clock.advance(600)
        if (await site.house.desks.load(number)).phase == "running":
            await host.open(f"/e/{number}/host")
            await host.press("form[action$='tournament.next_round'] button")
    assert state.phase == "finished"
    for name in ("", "r", "standings", "bracket", "results", "players"):
        await host.open(f"/e/{number}/{name}".rstrip("/"))
        await looked_at(host, name or "event", pictures)
    for name in ("ladder", "p/2", ""):
        await host.open(f"/{name}")
        await looked_at(host, name.replace("/", "-") or "home", pictures)
    assert [await browser.complaints() for browser in (host, *phones)] == [[], [], []]


async def dispute(site: Website, number: TournamentNo, host: Browser) -> None:
    """Two say different things of their match; the host rules it in two clicks."""
    state = await site.house.desks.load(number)
    table = next(iter(state.rounds[0].tables.values()))
    for player, score in ((table.a, "a 2-0"), (table.b, "b 0-2")):
        session = await site.parts.accounts.open_session(PlayerId(player))
        reader = site.reader()
        reader.session.cookie_jar.update_cookies({"relayd_session": session})
        await reader.do(number, "table.report", table=str(table.id), player=player, score=score)
    await host.open(f"/e/{number}/host")
    assert "is disputed" in await host.text()
    await host.press(f"a.button[href='/e/{number}/host/t/{table.id}']")
    await host.run(lambda c: c.find_element(By.CSS_SELECTOR, "#wins option:nth-child(2)").click())
    await host.press("form[action$='table.rule'] button")
    ruled = (await site.house.desks.load(number)).table(table.id)
    assert ruled is not None
    assert (ruled.status, ruled.ruled) == ("confirmed", True)


async def live(site: Website, number: TournamentNo, phone: Browser) -> None:
    """A result shows on an open page by itself."""
    await phone.open(f"/e/{number}/r")
    open_tables = (await site.house.desks.load(number)).rounds[0].open_tables
    row = f"#{open_tables[0].id}"
    assert "2:0" not in await phone.text(row)
    await site.win(number, only=open_tables[0].id.table)
    await phone.until(lambda c: "2:0" in c.find_element(By.CSS_SELECTOR, row).text)
