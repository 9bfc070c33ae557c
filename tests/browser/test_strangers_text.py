"""F24 in real Chromium: what strangers write never runs, and the policy has nothing to stop."""

from collections.abc import Callable

from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from ruleset.ids import PlayerId
from tests.browser.conftest import Browser
from tests.house import deck
from tests.website import Website

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
    """F24: 0 dialogs, 0 reports of the policy, in titles, texts, nicknames, notes, labels, reasons."""
    assert len(PAYLOADS) >= 60
    host = site.reader()
    player = await host.sign_up("Host")
    text = "\n\n".join((*PAYLOADS, *MARKDOWN))
    for payload in PAYLOADS:
        await site.publish(title=payload, text=payload)
    number = await site.publish(organiser=player, title=PAYLOADS[0], text=text)
    for n, payload in enumerate(PAYLOADS[::10]):
        name = payload.replace("$", "").replace("#", "")[:16]
        made = await site.house.directory.register(name or f"n{n}", by="test")
        await host.do(number, "entry.register", player=made)
        await host.do(number, "deck.submit", player=made, deck=deck())
        await host.do(number, "deck.revoke", player=made, why=payload)
        await host.do(number, "deck.submit", player=made, deck=deck())
    await host.do(number, "entry.sign_in_all")
    await host.do(number, "tournament.start", confirmed="true")
    await host.do(number, "tournament.announce", text=PAYLOADS[1])
    for label in PAYLOADS[:5]:
        await host.post(f"/e/{number}/host/links", role="judge", label=label)
    session = await site.parts.accounts.open_session(player)
    await browser.run(lambda c: c.add_cookie({"name": "relayd_session", "value": session}))
    pages = (
        "",
        "/players",
        "/r",
        "/standings",
        "/results",
        "/host",
        "/host/audit",
        "/host/t/R1T1",
        "/t/R1T1",
    )
    for path in ("/", "/ladder", "/p/2", "/p/3", *(f"/e/{number}{page}" for page in pages)):
        await quiet(browser, path)
    for one in range(1, len(PAYLOADS), 7):
        await quiet(browser, f"/e/{one}")
    await quiet(browser, "/ladder?q=%3Cscript%3Ealert(1)%3C/script%3E")
    await quiet(browser, "/room?code=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E")


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
