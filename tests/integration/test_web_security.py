"""The site against those who mean harm: foreign pages, floods, slow bodies, text (F13, F18, F21-F27)."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from http import HTTPStatus
from ipaddress import ip_network
from pathlib import Path

import pytest

from relayd.admin.buckets import Buckets
from relayd.web.parts import Floods, Frontage
from ruleset.ids import TournamentNo
from tests.website import PASSWORD, Reader, Website, website

NASTY = "a\u202eb\x1b[31m\r\nSet-Cookie: x=1"
PAYLOADS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    "{{7*7}}{% raw %}",
    "</textarea><svg onload=alert(1)>",
    "&lt;script&gt;",
)


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Website]:
    """The site, without limits on how often it is asked."""
    async with website(tmp_path) as site:
        yield site


async def hosted(site: Website) -> tuple[Reader, TournamentNo]:
    """Return a host's browser and the tournament that he runs."""
    host = site.reader()
    player = await host.sign_up("Host")
    return host, await site.publish(organiser=player)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Referer": "https://evil.example/page"},
        {"Origin": "{own}", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "{own}", "Sec-Fetch-Site": "same-site"},
        {"Origin": "{own}.evil.example"},
    ],
)
async def test_no_page_but_ours_changes_anything(site: Website, headers: Mapping[str, str]) -> None:
    """F25: a form or a fetch from elsewhere is refused with 403, and nothing is written."""
    host, number = await hosted(site)
    version = site.house.desks.version(number)
    told = {name: value.replace("{own}", site.base) for name, value in headers.items()}
    for path in (f"/e/{number}/do/tournament.cancel", f"/e/{number}/host/links", "/me/nickname", "/signout"):
        answer = await host.send(path, told, text="x")
        assert answer.status == HTTPStatus.FORBIDDEN, path
    answer = await host.session.post(
        f"{site.base}/api/v1/tournament.cancel", json={"tournament": number}, headers=told
    )
    assert answer.status == HTTPStatus.FORBIDDEN
    assert site.house.desks.version(number) == version
    assert "Host" in await host.get("/me")


async def test_every_answer_carries_the_headers_that_hold_a_browser_back(site: Website) -> None:
    """CSP without unsafe-inline, no frames, no sniffing; a session cookie that no script reads."""
    reader = site.reader()
    for path in ("/", "/nope", "/e/99", "/signin", "/api/openapi.json", "/api/v1/no.such"):
        async with reader.session.get(site.base + path) as answer:
            policy = answer.headers["Content-Security-Policy"]
            assert "unsafe" not in policy
            assert "script-src 'self'" in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
    answer = await reader.session.post(
        f"{site.base}/signup",
        data={"nickname": "Ann", "email": "ann@example.org", "password": PASSWORD},
        headers={"Origin": site.base},
        allow_redirects=False,
    )
    (cookie,) = [c for c in answer.headers.getall("Set-Cookie") if c.startswith("relayd_session=")]
    assert {"HttpOnly", "SameSite=Lax"} <= set(cookie.split("; "))
    assert "Secure" not in cookie  # this is no TLS


async def test_behind_a_proxy_cookies_are_for_tls_and_addresses_are_the_readers(tmp_path: Path) -> None:
    """Trusted proxies: scheme and address are theirs to say, and nobody else's."""
    behind = Frontage(public_url=None, trusted_proxies=(ip_network("127.0.0.0/8"),), sign_up=True)
    async with website(tmp_path, frontage=behind) as site:
        reader, headers = site.reader(), {"X-Forwarded-Proto": "https"}
        answer = await reader.session.post(
            f"{site.base}/signup",
            data={"nickname": "Ann", "email": "ann@example.org", "password": PASSWORD},
            headers={"Origin": site.base.replace("http:", "https:"), **headers},
            allow_redirects=False,
        )
        assert "Secure" in answer.headers["Set-Cookie"]


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example", "/%0d%0ax"])
async def test_nobody_is_sent_elsewhere(site: Website, back: str) -> None:
    """A link to the site never leads out of it."""
    async with site.reader().session.get(
        f"{site.base}/lang/en", params={"back": back}, allow_redirects=False
    ) as answer:
        location = answer.headers["Location"]
    assert location.startswith("/")
    assert not location.startswith(("//", "/\\"))


@pytest.mark.parametrize("payload", PAYLOADS)
async def test_what_strangers_write_is_text(site: Website, payload: str) -> None:
    """F24: in title, Markdown, nickname, search and code it is shown and never run."""
    reader = site.reader()
    await reader.sign_up("Ann")
    await reader.post("/me/nickname", nickname=payload[:16])
    number = await site.publish(title=payload, text=payload)
    for path in ("/", f"/e/{number}", "/ladder", "/p/1", "/me"):
        page = await reader.get(path)
        assert "<script>alert" not in page
        assert "onerror=alert(1)>" not in page.replace("&gt;", "")
        assert 'href="javascript' not in page
        assert "<svg onload" not in page
    page = await reader.get("/ladder", params={"q": payload})
    assert payload not in page or "<" not in payload


@pytest.mark.parametrize(
    "text",
    [
        "[x](javascript:alert(1))",
        "![x](http://evil/x.png)",
        "<img src=x>",
        "[x](data:text/html,1)",
        "<a href=x>",
    ],
)
async def test_markdown_makes_no_more_than_plain_links(site: Website, text: str) -> None:
    """R055: raw HTML is escaped, links are http or https with rel=nofollow, no images."""
    number = await site.publish(text=f"{text} [ok](https://example.org)")
    page = await site.reader().get(f"/e/{number}")
    prose = page.partition('<section class="card prose">')[2].partition("</section>")[0]
    assert 'href="https://example.org"' in prose
    assert "nofollow" in prose
    assert "<img" not in prose
    assert prose.count("<a ") == prose.count('<a href="http')


async def test_active_characters_are_neutral_on_pages(site: Website) -> None:
    """F21: newline, ESC and U+202E in a title or a text stay one line and turn nothing around."""
    number = await site.publish(title=NASTY, text=NASTY)
    for path in ("/", f"/e/{number}", f"/e/{number}/export/standings.txt"):
        page = await site.reader().get(path)
        assert "\u202e" not in page
        assert "\x1b" not in page
    assert json.loads(await site.reader().get(f"/e/{number}/export/tournament.json"))["title"] == NASTY


@pytest.mark.parametrize("token", ["é", "\u65e5\u672c", "x" * 5_000, "%00", "..%2f..%2fetc%2fpasswd", "a b"])
async def test_any_token_is_wrong_and_no_error(site: Website, token: str) -> None:
    """F22, F23: tokens of links, cookies and programs that are none are told so."""
    reader = site.reader()
    for path in (f"/hall/{token}", f"/judge/{token}"):
        async with reader.session.get(site.base + path) as answer:
            assert answer.status < HTTPStatus.INTERNAL_SERVER_ERROR
    bearer = f"Bearer {token}".encode().decode("latin-1")
    async with reader.session.get(
        f"{site.base}/api/v1/tournament.list", headers={"Authorization": bearer}
    ) as answer:
        assert answer.status == HTTPStatus.UNAUTHORIZED


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"tournament":' + b"9" * 5_000 + b"}",
        b'{"tournament":NaN}',
        b'{"tournament":"\\ud800"}',
        b'{"tournament":1e999}',
        b"\xff\xfe",
        b"[]",
        b"null",
    ],
)
async def test_json_that_breaks_parsers_is_refused(site: Website, body: bytes) -> None:
    """F18: nested brackets, endless numbers, NaN, lone surrogates: 400, at once."""
    began = time.perf_counter()
    async with site.reader().session.post(
        f"{site.base}/api/v1/tournament.show", data=body, headers={"Origin": site.base}
    ) as answer:
        assert answer.status in {HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE}
        assert "code" in (await answer.json())["error"]
    assert time.perf_counter() - began < 5


async def test_what_is_too_large_is_not_read(site: Website) -> None:
    """F19: a body above the bound is 413, whether it says so or not."""
    ann, number = await hosted(site)
    await ann.do(number, "entry.register", player="1")
    page = await ann.send(f"/e/{number}/deck", None, deck="x" * 300_000)
    assert page.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE

    async def endless() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"x" * 10_000

    async with ann.session.post(
        f"{site.base}/api/v1/deck.check", data=endless(), headers={"Origin": site.base}
    ) as answer:
        assert answer.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE


async def test_whoever_guesses_is_slowed_down(tmp_path: Path) -> None:
    """F27: sign-ins of one address, or at one name, are 429 after a burst; pages go on."""
    patient = Buckets(1e6, 1e6)
    floods = Floods(pages=patient, changes=patient, secrets=Buckets(0.001, 5))
    async with website(tmp_path, floods=floods) as site:
        reader = site.reader()
        seen = []
        for n in range(8):
            answer = await reader.send("/signin", None, name=f"P{n + 1}", password="guess")
            seen.append(answer.status)
        assert set(seen[:5]) == {HTTPStatus.UNPROCESSABLE_ENTITY}
        assert set(seen[5:]) == {HTTPStatus.TOO_MANY_REQUESTS}
        await reader.get("/")


async def test_a_flood_of_commands_is_refused(tmp_path: Path) -> None:
    """F27: more changes than a person makes are 429 with a time to wait; nothing else is lost."""
    patient = Buckets(1e6, 1e6)
    floods = Floods(pages=patient, changes=Buckets(0.001, 3), secrets=patient)
    async with website(tmp_path, floods=floods) as site:
        reader = site.reader()
        answers = [await reader.send("/preview", None, text="x") for _ in range(6)]
        assert [a.status for a in answers].count(HTTPStatus.TOO_MANY_REQUESTS) == 3
        assert int(answers[-1].headers["Retry-After"]) > 0


async def test_a_refusal_shows_nobody_to_anybody(tmp_path: Path) -> None:
    """F27: the page that says 429 is made once; whoever met it first is not on it."""
    patient = Buckets(1e6, 1e6)
    floods = Floods(pages=patient, changes=patient, secrets=Buckets(0.001, 2))
    async with website(tmp_path, floods=floods) as site:
        known, stranger = site.reader(), site.reader()
        await known.sign_up("Visible")
        for reader in (known, known, stranger):
            answer = await reader.send("/signin", None, name="Visible", password="guess")
            page = await answer.text()
        assert answer.status == HTTPStatus.TOO_MANY_REQUESTS
        assert "/me" not in page
        assert "Visible" not in page


async def test_half_a_body_is_waited_for_no_longer_than_it_takes(
    site: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F13: a form whose body stops is answered with 408."""
    monkeypatch.setattr("relayd.web.visit.BODY_S", 0.3)
    host, port = site.base.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    head = f"POST /preview HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: {site.base}\r\n"
    kind = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ntext="
    writer.write((head + kind).encode())
    async with asyncio.timeout(20):
        assert b" 408 " in await reader.readline()
    writer.close()


async def test_names_of_files_reach_nothing(site: Website) -> None:
    """F23: only names that are known are served."""
    reader = site.reader()
    for name in ("..%2f..%2fsite.py", "%2e%2e/render.py", "relayd.css%00.js", "site.py", "../pages/home.py"):
        async with reader.session.get(f"{site.base}/static/x/{name}") as answer:
            assert answer.status == HTTPStatus.NOT_FOUND
    async with reader.session.get(f"{site.base}/static/x/relayd.css") as answer:
        assert answer.headers["Cache-Control"] == "no-cache"
        tag = answer.headers["ETag"]
    async with reader.session.get(
        f"{site.base}/static/x/relayd.css", headers={"If-None-Match": tag}
    ) as answer:
        assert answer.status == HTTPStatus.NOT_MODIFIED


async def test_programs_act_by_token_within_its_scope(site: Website) -> None:
    """A reading token reads; a writing one acts as its owner; none needs a cookie or a page of ours."""
    host, number = await hosted(site)
    tokens = {}
    for scope in ("read", "play"):
        page = await host.post("/me/tokens", label=scope, scope=scope)
        tokens[scope] = page.partition('<span class="code">')[2].partition("<")[0]
    program = site.reader().session
    for scope, status in (("read", HTTPStatus.FORBIDDEN), ("play", HTTPStatus.OK)):
        headers = {"Authorization": f"Bearer {tokens[scope]}"}
        async with program.get(
            f"{site.base}/api/v1/tournament.show", params={"tournament": number}, headers=headers
        ) as answer:
            assert (await answer.json())["result"]["title"] == "Cup"
        call = {"tournament": number, "player": "P000001"}
        async with program.post(f"{site.base}/api/v1/entry.register", json=call, headers=headers) as answer:
            assert answer.status == status, await answer.text()
    assert 1 in (await site.house.desks.load(number)).players


async def test_the_openapi_document_names_every_method(site: Website) -> None:
    """The document is made of the models: each change and question with its values."""
    document = json.loads(await site.reader().get("/api/openapi.json"))
    assert set(document["paths"]) == {f"/api/v1/{name}" for name in site.parts.calls.methods}
    schema = document["paths"]["/api/v1/table.rule"]["post"]["requestBody"]["content"]["application/json"]
    assert "outcome" in schema["schema"]["properties"]
