"""The console in Chromium: a host's evening by clicks, while things happen under his hands (done 1)."""

from collections.abc import Callable

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from ruleset.ids import ServerId, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.state import Table
from tests.browser.conftest import DESK, PHONE, Gallery, opened
from tests.builders import table_id
from tests.consoles import crowd, present, table_of
from tests.website import Website

HALL = (1920, 1080)
PLAYERS = 24
TEXT = "# 规则\n* 迟到 15 分钟判负"


async def disputed(site: Website, number: TournamentNo, name: int) -> Table:
    """Let the two at a table say different things."""
    table = await table_of(site, number, table_id(1, name))
    for player, outcome, wins in ((table.a, "a", (2, 0)), (table.b, "b", (0, 2))):
        word = c.ReportByPlayer(
            table=table.id,
            player=player,
            outcome=outcome,  # type: ignore[arg-type]  # one of the two
            wins=wins,
            now=site.house.clock.now(),
        )
        await site.house.desks.handle(number, word, by="test")
    return table


def says(words: str) -> Callable[[Chrome], bool]:
    """Return what waits for words anywhere on the page."""
    return lambda chrome: words in chrome.find_element(By.TAG_NAME, "body").text


async def test_a_host_runs_a_round_by_clicks(
    site: Website, chromes: Callable[[], Chrome], gallery: Gallery
) -> None:
    """Done 1: a dispute, time-up, a drop and its undo, a correction of an old round: two clicks each."""
    number, host = await crowd(site, PLAYERS, rounds=4, servers=["main"], text=TEXT)
    browser = await opened(chromes, site)
    await browser.signs_in(host)
    base = f"/e/{number}/host"
    await browser.open(base)
    await browser.size(DESK)

    table = await disputed(site, number, 3)
    await browser.until(says("R1T3 is disputed"))  # by itself
    await gallery.look(browser, "console")
    await browser.press(f"#needs a[href$='/host/t/{table.id}']")
    await browser.press("form[action$='table.rule'] button")
    assert (await table_of(site, number, table.id)).result is not None
    assert (await browser.run(lambda b: b.current_url)).endswith(base)

    await browser.press("#sure-clock-call_time- summary")
    await browser.press("#do-clock-call_time-")
    assert "Time called" in await browser.text("#clock")

    await browser.fill(q="Nick-7")
    await browser.run(lambda b: b.find_element(By.ID, "q").send_keys(Keys.ENTER))
    await browser.until(lambda b: b.find_elements(By.CSS_SELECTOR, "[id^='sure-entry-drop-']"))
    await browser.press("[id^='sure-entry-drop-'] summary")
    await browser.press("[id^='do-entry-drop-']")
    assert any(p.dropped_in for p in (await present(site, number)).players.values())
    assert "Nick-7" in await browser.text("#people")  # the search has stayed
    await browser.press("#clock .last a")
    await browser.press("#do-tournament-undo-")
    assert not any(p.dropped_in for p in (await present(site, number)).players.values())

    await site.win(number)
    await browser.until(says("Between rounds"))
    await browser.press("#do-tournament-next_round-")
    assert "Round 2" in await browser.text("#clock")
    await browser.open(f"{base}?q=R1T5")
    await browser.open(f"{base}?r=1&show=all&q=T5")
    await browser.press("#row-R1T5")
    await gallery.look(browser, "console-table")
    await browser.press("a[href*='outcome=b']")
    assert "What would change" in await browser.text()
    await gallery.look(browser, "console-preview")
    await browser.press("#do-table-rule-R1T5")
    corrected = (await table_of(site, number, table_id(1, 5))).result
    assert corrected is not None
    assert corrected.outcome == "b"
    for name in ("round", "audit", "undo"):
        await browser.open(f"{base}/{name}")
        await gallery.look(browser, f"console-{name}")
    assert await browser.complaints() == []


async def test_news_arrive_without_taking_anything_out_of_the_hosts_hands(
    site: Website, chromes: Callable[[], Chrome]
) -> None:
    """A renewal keeps what is typed, what is open, the filter and the place; a button keeps them as well."""
    number, host = await crowd(site, PLAYERS, servers=["main"])
    browser = await opened(chromes, site)
    await browser.signs_in(host)
    await browser.open(f"/e/{number}/host?show=playing")
    await browser.size(PHONE)
    await browser.fill(text="Lunch at noon")
    await browser.run(lambda b: b.find_element(By.CSS_SELECTOR, "#more summary").click())
    await browser.run(lambda b: b.find_element(By.CSS_SELECTOR, "#sure-clock-call_time- summary").click())
    seen = c.SeeRoom(
        table=table_id(1, 4), seated=("a", "b"), playing=True, duel=1, now=site.house.clock.now()
    )
    await site.house.desks.handle(number, seen, by="test")
    await browser.until(lambda b: b.find_elements(By.ID, "row-R1T4"))
    assert (
        await browser.run(lambda b: b.find_element(By.NAME, "text").get_property("value")) == "Lunch at noon"
    )
    for box in ("more", "sure-clock-call_time-"):
        assert await browser.run(lambda b, box=box: b.find_element(By.ID, box).get_property("open"))  # type: ignore[misc]  # bound at once
    await browser.run(lambda b: b.execute_script("window.scrollTo(0, 300)"))
    await browser.press("#do-clock-postpone-")
    await browser.until(lambda b: b.execute_script("return window.scrollY") == 300)
    assert await browser.run(lambda b: b.find_element(By.ID, "more").get_property("open"))
    assert await browser.run(lambda b: b.switch_to.active_element.get_attribute("id")) == "do-clock-postpone-"
    assert await browser.text("#tables [aria-current]") == "playing 1"


async def test_every_button_of_the_clock_is_reached_by_keyboard(
    site: Website, chromes: Callable[[], Chrome]
) -> None:
    """Keyboard reachable: Tab comes to each of the clock's buttons in turn, Enter presses it."""
    number, host = await crowd(site, 4)
    browser = await opened(chromes, site)
    await browser.signs_in(host)
    await browser.open(f"/e/{number}/host")
    await browser.size(DESK)
    await browser.run(lambda b: b.execute_script("document.getElementById('do-clock-pause-').focus()"))
    await browser.run(lambda b: b.switch_to.active_element.send_keys(Keys.TAB))
    assert await browser.run(lambda b: b.switch_to.active_element.get_attribute("id")) == "do-clock-postpone-"
    await browser.run(lambda b: b.switch_to.active_element.send_keys(Keys.ENTER))
    await browser.until(says("Last: postponed"))
    assert (await present(site, number)).current_round.postponed_ms == 5 * 60_000


async def test_the_hall_screen_turns_its_pages(
    site: Website, chromes: Callable[[], Chrome], gallery: Gallery
) -> None:
    """S127: one page at a time, the next by itself; news and a warning come; the page that is shown stays."""
    number, host = await crowd(site, 80, servers=["main"], text=TEXT)
    page = await host.post(f"/e/{number}/host/links", role="viewer", label="hall")
    path = page.partition("/hall/")[2].partition("<")[0]
    browser = await opened(chromes, site)
    await browser.size(HALL)
    await browser.open(f"/hall/{path}")

    def shown(chrome: Chrome) -> str:
        pages = chrome.find_elements(By.CSS_SELECTOR, ".page")
        return ",".join(page.get_attribute("data-key") or "" for page in pages if page.is_displayed())

    assert await browser.run(shown) == "pairings-1"
    assert not await browser.too_wide()
    height = "return document.documentElement.scrollHeight <= window.innerHeight"
    assert await browser.run(lambda b: b.execute_script(height))
    if gallery.folder is not None:
        await browser.shot(gallery.folder / "hall-1920.png")
    await browser.until(lambda b: shown(b) == "pairings-2")
    await host.do(number, "tournament.announce", text="Round two at noon")
    await browser.until(says("Round two at noon"))
    assert await browser.run(shown) == "pairings-2"
    assert await browser.complaints() == []


async def test_words_of_the_host_reach_open_pages(site: Website, chromes: Callable[[], Chrome]) -> None:
    """Announcements: a page of the tournament that a player has open shows them by itself."""
    number, host = await crowd(site, 4)
    browser = await opened(chromes, site)
    await browser.open(f"/e/{number}/t/R1T1")
    await host.do(number, "tournament.announce", text="Lunch until one")
    await browser.until(says("Lunch until one"))


async def test_a_lost_server_shows_without_a_click(site: Website, chromes: Callable[[], Chrome]) -> None:
    """5.5-8: the tables of a server that is gone are marked on the open console."""
    number, host = await crowd(site, 4, servers=["main"])
    browser = await opened(chromes, site)
    await browser.signs_in(host)
    await browser.open(f"/e/{number}/host")
    now = site.house.clock.now()
    await site.house.desks.handle(
        number, c.LoseServer(server=ServerId("main"), since=now, now=now), by="test"
    )
    await browser.until(says("server lost 2"))
