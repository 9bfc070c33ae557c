"""A whole evening in Chromium, with a real daemon and a duel server beside it (issue 6, done when 1)."""

from collections.abc import AsyncIterator, Callable
from hashlib import sha256
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.browser.conftest import PHONE, Browser, Gallery, opened
from tests.browser.evening import Evening, evening
from tests.browser.guests import Guest, Table
from tests.house import deck, violations
from tests.website import PASSWORD

NUMBER = 1
OTHER = 2
"""A tournament that runs at the same time, in which somebody has the nickname of one of ours."""
GUESTS = 8
"""With the two on their phones enough for DP to be at stake."""


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Evening]:
    """A daemon and a duel server."""
    async with evening(tmp_path, sha256(b"evening").hexdigest()) as here:
        yield here


async def test_an_evening(here: Evening, chromes: Callable[[], Chrome], gallery: Gallery) -> None:
    """Publish, register, decks, sign-in, play, a dispute, a collision, time, cut, final, ladder."""
    host = await opened(chromes, here)
    phones = [await opened(chromes, here, language) for language in ("en", "zh")]
    await invited(host, here, gallery)
    await published(host, gallery)
    for phone, name in zip(phones, ("Ann", "Bob"), strict=True):
        await phone.size(PHONE)
        await signed_up(phone, name)
        await entered(phone, gallery, wrong=name == "Ann")
    ann, bob = [await Guest.signed_in(here.reader(), name) for name in ("Ann", "Bob")]
    guests = [await Guest.signed_up(here.reader(), f"Guest-{n}") for n in range(1, GUESTS + 1)]
    for guest in guests:
        await guest.enter(NUMBER)
    await host.open(f"/e/{NUMBER}/host")
    await gallery.look(host, "console-before")
    await host.do("tournament.start")

    everybody = [ann, bob, *guests]
    await first_round(here, host, phones, everybody, gallery)
    await second_round(here, host, phones[1], everybody, gallery)
    await final(here, host, gallery)
    assert [await browser.complaints() for browser in (host, *phones)] == [[], [], []]


async def invited(host: Browser, here: Evening, gallery: Gallery) -> None:
    """R053: the host makes an account and verifies his e-mail by the link that the operator sees."""
    for name in ("signup", "signin", "forgot"):
        await host.open(f"/{name}")
        await gallery.look(host, name)
    await signed_up(host, "Host")
    await host.open(await here.letter())
    await gallery.look(host, "verify")
    await host.press("main form button[type=submit]")
    await host.open("/me")
    await gallery.look(host, "me")


async def signed_up(browser: Browser, nickname: str) -> None:
    """Make an account in a browser."""
    await browser.open("/signup")
    await browser.fill(nickname=nickname, email=f"{nickname}@example.org", password=PASSWORD)
    await browser.press("main form button[type=submit]")


async def published(host: Browser, gallery: Gallery) -> None:
    """Publish a tournament with the form, after a look at what would come of it (R051-R055)."""
    await host.open("/new")
    await host.fill(title="Friday", rounds="2", cut="2", environment="goat", text="# Welcome\n* be on time")
    await host.press("button[value=preview]")
    await gallery.look(host, "new")
    await host.press("button[value=publish]")
    assert await host.text("h1") == "Friday"


async def entered(phone: Browser, gallery: Gallery, *, wrong: bool) -> None:
    """Register, hand a deck in, an illegal one first where *wrong* (D40), and sign in."""
    await phone.open(f"/e/{NUMBER}")
    await phone.do("entry.register")
    await phone.open(f"/e/{NUMBER}/deck")
    if wrong:
        await phone.fill(deck=violations(3))
        await phone.press("main form button[type=submit]")
        assert "90000001" in await phone.text("[role=alert]")
        await gallery.look(phone, "deck-illegal", PHONE)
    await phone.fill(deck=deck())
    await phone.press("main form button[type=submit]")
    await gallery.look(phone, f"deck-{'ann' if wrong else 'bob'}", PHONE)
    await phone.open(f"/e/{NUMBER}")
    await phone.do("entry.sign_in")
    await gallery.look(phone, f"event-{'ann' if wrong else 'bob'}", PHONE)


async def first_round(
    here: Evening, host: Browser, phones: list[Browser], everybody: list[Guest], gallery: Gallery
) -> None:
    """All play by the plugin but Ann, whose opponent says something else than she: the host rules it."""
    table = await here.table_of(NUMBER, 1, everybody[0].number)
    sitting = {table["a"]["player"], table["b"]["player"]}
    await phones[0].open(f"/e/{NUMBER}/t/{table['table']}")
    await gallery.look(phones[0], "table", PHONE)
    await phones[0].do("table.present")
    await phones[1].open(f"/e/{NUMBER}/r/1")
    for guest in everybody:
        if guest.number not in sitting:
            here.come(guest.number, guest.nickname)
    waiting = [t for t in await here.tables(NUMBER, 1) if t["table"] != table["table"]]
    await phones[1].until(lambda c: all(":" in _row(c, t) for t in waiting))  # by itself
    await dispute(here, host, phones[0], [g for g in everybody if g.number in sitting], table, gallery)
    await here.until_over(NUMBER, 1)
    for guest in everybody:
        await here.go(guest.number)


async def dispute(
    here: Evening, host: Browser, phone: Browser, two: list[Guest], table: Table, gallery: Gallery
) -> None:
    """Two say different things of their match; the host rules it (5.6)."""
    best = {table[seat]["player"]: f"{seat} {score}" for seat, score in (("a", "2-0"), ("b", "0-2"))}
    for guest in two:
        await guest.report(NUMBER, table, best[guest.number])
    await phone.open(f"/e/{NUMBER}/t/{table['table']}")
    await gallery.look(phone, "table-disputed", PHONE)
    await host.open(f"/e/{NUMBER}/host")
    await gallery.look(host, "console")
    await host.press(f"a[href='/e/{NUMBER}/host/t/{table['table']}']")
    await gallery.look(host, "console-table")
    await host.fill(outcome="a", games_score="2-0")
    await host.do("table.rule")
    ruled = (await here.table_of(NUMBER, 1, two[0].number))["status"]
    assert ruled == "confirmed"


async def second_round(
    here: Evening, host: Browser, phone: Browser, everybody: list[Guest], gallery: Gallery
) -> None:
    """Bob's result fits two of his name until he fills in his code; one table needs the time called."""
    bob = everybody[1]
    await namesake(here, bob.nickname)
    await here.cut_off()
    await host.open(f"/e/{NUMBER}/host")
    await host.do("tournament.next_round")
    table = await here.table_of(NUMBER, 2, bob.number)
    await collision(here, phone, bob, everybody, table, gallery)

    others = [t for t in await here.tables(NUMBER, 2) if t["table"] != table["table"]]
    here.slow.add(others[0]["room_code"])
    for guest in everybody:
        if guest.number not in {table["a"]["player"], table["b"]["player"]}:
            here.come(guest.number, guest.nickname)
    await here.until_over(NUMBER, 2, but=[others[0]["table"]])
    await host.open(f"/e/{NUMBER}/host")
    await gallery.look(host, "console-late")
    await host.do("clock.call_time")
    await here.until_over(NUMBER, 2)
    late = next(t for t in await here.tables(NUMBER, 2) if t["table"] == others[0]["table"])
    assert late["result"]["reason"] == "time"


async def namesake(here: Evening, nickname: str) -> None:
    """Let a second tournament run on the same duel server, with somebody of that nickname in it."""
    plan = {"title": "Side event", "format": "swiss", "rounds": 1, "environment": "goat"}
    await here.ask("tournament.publish", settings=plan)
    for name in (nickname, "Somebody"):
        player = (await here.ask("player.register", nickname=name))["player"]
        await here.ask("entry.register", tournament=OTHER, player=player)
        await here.ask("deck.submit", tournament=OTHER, player=player, deck=deck())
        await here.ask("entry.sign_in", tournament=OTHER, player=player)
    await here.ask("tournament.start", tournament=OTHER, confirmed=True)


async def collision(
    here: Evening, phone: Browser, bob: Guest, everybody: list[Guest], table: Table, gallery: Gallery
) -> None:
    """5.6-3: played in a room of their own, parked, and taken once Bob fills his room code in."""
    seat = "a" if table["a"]["player"] == bob.number else "b"
    rival = table["b" if seat == "a" else "a"]["player"]
    name = next(guest.nickname for guest in everybody if guest.number == rival)
    await phone.open(f"/e/{NUMBER}/t/{table['table']}")
    await here.friendly("M#just us", bob.nickname, name)
    here.joined_again()
    await phone.until(lambda c: c.find_elements(By.ID, "claim"))  # the page asks by itself
    await gallery.look(phone, "table-collision", PHONE)
    await phone.fill(code=str(table["room_code"]))
    await phone.press("form[action$='/claim'] button")
    taken = await here.table_of(NUMBER, 2, bob.number)
    assert (taken["status"], taken["result"]["outcome"]) == ("confirmed", seat)
    assert taken["result"]["wins"] == ([2, 0] if seat == "a" else [0, 2])


async def final(here: Evening, host: Browser, gallery: Gallery) -> None:
    """The two best play the final by the plugin; everybody's DP moves."""
    standings = (await here.ask("standings.show", tournament=NUMBER))["rows"]
    best = [row["player"] for row in standings[:2]]
    await host.open(f"/e/{NUMBER}/host")
    await host.do("tournament.next_round")
    await host.open(f"/e/{NUMBER}/bracket")
    await gallery.look(host, "bracket-open")
    for row in standings[:2]:
        await here.go(row["player"])
        here.come(row["player"], row["label"])  # by his number, for one name is another's, too
    await here.until(lambda show: show["phase"] == "finished", NUMBER)
    places = await here.ask("places.show", tournament=NUMBER)
    assert {row["player"] for row in places[:2]} == set(best)
    for name in ("", "players", "r", "standings", "bracket", "results", "host", "host/audit"):
        await host.open(f"/e/{NUMBER}/{name}".rstrip("/"))
        await gallery.look(host, name.replace("/", "-") or "event")
    for name in ("ladder", f"p/{places[0]['player']}", "room", "api", "", "nowhere"):
        await host.open(f"/{name}")
        await gallery.look(host, name.partition("/")[0] or "home")
    await host.open("/ladder")
    champion = await host.text("main tbody tr")
    assert places[0]["nickname"] in champion
    assert "1000" not in champion


def _row(chrome: Chrome, table: Table) -> str:
    return chrome.find_element(By.ID, table["table"]).text
