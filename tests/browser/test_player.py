"""A player on a phone: news renew his page, and leave alone what he is filling in."""

from selenium.webdriver.common.by import By

from ruleset.ids import PlayerId
from tests.browser.conftest import PHONE, Browser
from tests.house import deck
from tests.website import Website


async def test_news_leave_alone_what_is_being_filled_in(site: Website, browser: Browser) -> None:
    """Issue 6: the page shows by itself that the other has come; an open question and its answer stay."""
    readers = [site.reader() for _ in range(2)]
    for n, reader in enumerate(readers, 1):
        await reader.sign_up(f"Nick-{n}")
    number = await site.publish(organiser=PlayerId(1), pages={"require_login": True})
    for player, reader in enumerate(readers, 1):
        await reader.do(number, "entry.register", player=player)
        await reader.post(f"/e/{number}/deck", deck=deck())
    await readers[0].do(number, "entry.sign_in_all")
    await readers[0].do(number, "tournament.start", confirmed="true")
    session = await site.parts.accounts.open_session(PlayerId(1))
    await browser.run(lambda c: c.add_cookie({"name": "relayd_session", "value": session}))
    await browser.size(PHONE)
    await browser.open(f"/e/{number}/t/R1T1")
    await browser.press("details[id^='report-'] summary")
    await browser.press("#call summary")
    await browser.press("details[id^='sure-table.concede'] summary")
    await browser.fill(score="a 2-1", note="which card")
    await readers[1].do(number, "table.present", table="R1T1", player=2)
    await browser.until(lambda c: "one is here" in c.find_element(By.TAG_NAME, "main").text)
    fields = "return ['score', 'note'].map(n => document.getElementsByName(n)[0].value)"
    assert await browser.run(lambda c: c.execute_script(fields)) == ["a 2-1", "which card"]
    still = "return document.querySelectorAll('details.sure[open]').length"
    assert await browser.run(lambda c: c.execute_script(still)) == 3
    assert await browser.complaints() == []
    assert not await browser.too_wide()
