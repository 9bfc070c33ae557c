"""F24 in real Chromium: what strangers write never runs, and the policy has nothing to stop."""

import re
from collections.abc import Callable

from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from ruleset.ids import PlayerId, TournamentNo
from tests.browser.conftest import Browser
from tests.house import deck
from tests.website import Reader, Website

TAGS = (
    "<script>alert(1)</script>",
    "<ScRiPt>alert(1)</sCrIpT>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<body onload=alert(1)>",
    "<iframe src=javascript:alert(1)>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<a href=javascript:alert(1)>x</a>",
    "<math><mi xlink:href=javascript:alert(1)>x",
    "<details open ontoggle=alert(1)>",
    "<input autofocus onfocus=alert(1)>",
    "<video><source onerror=alert(1)>",
    "<object data=javascript:alert(1)>",
    "<embed src=javascript:alert(1)>",
    "<base href=https://evil.example/>",
    "<meta http-equiv=refresh content=0;url=javascript:alert(1)>",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<style>@import 'https://evil.example/x.css'</style>",
    "<form action=https://evil.example><button>x",
)
BREAKS = ("{}", '">{}', "'>{}")
PAYLOADS = tuple(form.format(tag) for tag in TAGS for form in BREAKS)
MARKDOWN = (
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "![x](javascript:alert(1))",
    '[x](https://a "onmouseover=alert(1)")',
    "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    "```\n</code></pre><script>alert(1)</script>\n```",
)


def dialog(chrome: Chrome) -> str:
    """Return what a dialog says; empty: there is none."""
    try:
        return str(chrome.switch_to.alert.text)
    except NoAlertPresentException:
        return ""


async def quiet(browser: Browser, path: str) -> None:
    """Open a page: no dialog, and nothing for the policy to stop."""
    await browser.run(lambda c: c.get(browser.base + path))
    assert await browser.run(dialog) == ""
    assert await browser.complaints() == [], path


async def test_sixty_payloads_in_every_field_are_text(site: Website, browser: Browser) -> None:
    """F24: 0 dialogs, 0 reports of the policy, wherever somebody may write."""
    assert len(PAYLOADS) >= 60
    host = site.reader()
    player = await host.sign_up("Host")
    for payload in PAYLOADS:
        await site.publish(title=payload, text=payload)
    number = await written(site, host, player)
    await browser.signs_in(host)
    hall = await linked(host, number, role="viewer", label=PAYLOADS[0])
    pages = (
        *("", "/players", "/r", "/standings", "/results", "/teams", "/code", "/hooks", "/t/R1T1"),
        *(
            "/host",
            "/host/audit",
            "/host/round",
            "/host/t/R1T1",
            "/host/deck/2",
            "/host?q=%3Cb%20onclick=1%3E",
        ),
    )
    for path in ("/", "/me", "/ladder", "/p/2", "/p/3", hall, *(f"/e/{number}{page}" for page in pages)):
        await quiet(browser, path)
    for one in range(1, len(PAYLOADS), 7):
        await quiet(browser, f"/e/{one}")
    await quiet(browser, "/?q=%22%3E%3Csvg%20onload=alert(1)%3E")
    await quiet(browser, "/ladder?q=%3Cscript%3Ealert(1)%3C/script%3E")
    await quiet(browser, "/room?code=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E")


async def written(site: Website, host: Reader, player: PlayerId) -> TournamentNo:
    """Return a tournament in round 1 with a payload in every field that somebody may fill."""
    text = "\n\n".join((*PAYLOADS, *MARKDOWN))
    prizes = [{"name": payload[:40]} for payload in PAYLOADS[:3]]
    number = await site.publish(organiser=player, title=PAYLOADS[0], text=text, prizes=prizes)
    for payload in PAYLOADS[:6]:
        await host.do(number, "team.add", name=payload[:30])
    await host.do(number, "entry.register", player=player)
    await host.do(number, "deck.submit", player=player, deck=deck())
    for n, payload in enumerate(PAYLOADS[::10]):
        name = payload.replace("$", "").replace("#", "")[:16]
        made = await site.house.directory.register(name or f"n{n}", by="test")
        await host.do(number, "entry.register", player=made)
        await host.do(number, "team.assign", player=made, team=n + 1)
        await host.do(number, "deck.submit", player=made, deck=deck())
        await host.do(number, "deck.revoke", player=made, why=payload)
        await host.do(number, "deck.submit", player=made, deck=deck())
    await host.do(number, "entry.sign_in_all")
    await host.do(number, "tournament.start", confirmed="true")
    await host.do(number, "tournament.announce", text=PAYLOADS[1])
    state = await site.house.desks.load(number)
    table = next((t for t in state.rounds[0].tables.values() if t.seat_of(player)), None)
    if table is not None:
        await host.post(f"/e/{number}/t/{table.id}/call", note=PAYLOADS[3])
    for label in PAYLOADS[:5]:
        await host.post(f"/e/{number}/host/links", role="judge", label=label)
        await host.post("/me/tokens", label=label, scope="read")
    return number


async def linked(host: Reader, number: TournamentNo, **fields: str) -> str:
    """Return the path of a link that the host makes."""
    page = await host.post(f"/e/{number}/host/links", **fields)
    found = re.search(r"/hall/[\w-]+", page)
    assert found is not None
    return found[0]


async def test_a_deck_is_text(site: Website, browser: Browser) -> None:
    """F24: whatever somebody hands in as a deck comes back in the answer, and does not run."""
    number, host = await site.publish(), site.reader()
    await host.do(number, "entry.register", player=await host.sign_up("Host"))
    await browser.signs_in(host)
    await browser.open(f"/e/{number}/deck")
    for text in ("\n".join(PAYLOADS), "#created by " + PAYLOADS[0], "</textarea>" + PAYLOADS[2]):
        await browser.fill(deck=text)
        await browser.run(lambda c: c.find_element(By.CSS_SELECTOR, "main form button[type=submit]").click())
        await browser.until(lambda c: c.find_elements(By.CSS_SELECTOR, "main [role=alert]"))
        assert await browser.run(dialog) == ""
    assert await browser.complaints() == []


async def test_the_preview_of_a_text_is_as_safe(site: Website, browser: Browser) -> None:
    """F24: what a host types is shown while he types, and does not run either."""
    await site.reader().sign_up("Host")
    session = await site.parts.accounts.open_session(PlayerId(1))
    await browser.run(lambda c: c.add_cookie({"name": "relayd_session", "value": session}))
    await browser.open("/new")
    for n, text in enumerate(MARKDOWN):
        await browser.fill(text=f"{text}\n\n* shown {n}")
        await browser.until(_shows(f"shown {n}"))
        assert await browser.run(dialog) == ""
    assert await browser.complaints() == []


def _shows(words: str) -> Callable[[Chrome], bool]:
    return lambda chrome: words in chrome.find_element(By.ID, "shown").text
