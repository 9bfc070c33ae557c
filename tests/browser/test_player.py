"""A player on a phone: news renew his page, and leave alone what he is filling in."""

from selenium.webdriver.common.by import By

from ruleset.ids import PlayerId, TournamentNo
from tests.browser.conftest import PHONE, Browser
from tests.browser.test_strangers_text import MARKDOWN, PAYLOADS, quiet
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


async def test_what_hosts_name_is_text(site: Website, browser: Browser) -> None:
    """F24: teams, prizes, presets, linked tournaments and notes are shown, and nothing of it runs."""
    host = site.reader()
    player = await host.sign_up("Host")
    text = "\n\n".join((*PAYLOADS[::4], *MARKDOWN))
    linked = await site.publish(title=PAYLOADS[3], organiser=player)
    fields = {
        "title": PAYLOADS[4],
        "format": "swiss",
        "rounds": "1",
        "environment": "goat",
        "teams": "\n".join(PAYLOADS),
        "prizes": "\n".join(payload[:58] for payload in PAYLOADS),
        "registration_note": text,
        "projected_rules": text,
        "linked_events": str(linked),
        "require_login": "0",
        "team_ranking": "1",
        "decklists": "after_end",
    }
    for name in (payload[:60] for payload in PAYLOADS[::6]):
        await host.post("/new", **fields, preset_name=name, step="keep_preset")
    await host.post("/new", **fields, preset=f"own:{PAYLOADS[6][:60]}", step="publish")
    number = TournamentNo(linked + 1)
    state = await site.house.desks.load(number)
    assert (state.settings.scores.preset, len(state.teams)) == (PAYLOADS[6][:60], len(PAYLOADS))
    session = await site.parts.accounts.open_session(player)
    await browser.run(lambda c: c.add_cookie({"name": "relayd_session", "value": session}))
    pages = ("", "/players", "/teams", "/results", "/code", "/edit", "/standings")
    for path in (
        "/new",
        "/?q=%22%3E%3Csvg%20onload%3Dalert(1)%3E",
        *(f"/e/{number}{page}" for page in pages),
    ):
        await quiet(browser, path)
    await browser.run(lambda c: c.delete_cookie("relayd_session"))
    for path in (f"/e/{number}", f"/e/{number}/code"):
        await quiet(browser, path)
