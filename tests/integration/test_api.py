"""The API for programs: addresses, rights of tokens, answers that are always JSON (step 5)."""

import re
from collections.abc import AsyncIterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from relayd.web.openapi import ANSWERS
from ruleset.ids import TournamentNo
from tests.website import Reader, Website, website


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Website]:
    """The site, without limits on how often it is asked."""
    async with website(tmp_path) as site:
        yield site


class Program:
    """Asks the API, with a token or with none; keeps no cookies."""

    def __init__(self, site: Website, token: str = "") -> None:
        self._session, self._base = site.reader().session, f"{site.base}/api"
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    async def ask(self, verb: str, path: str, **more: Any) -> tuple[int, Any]:
        """Return status and answer, which is JSON whatever happens."""
        headers = {**self._headers, **more.pop("headers", {})}
        async with self._session.request(verb, self._base + path, headers=headers, **more) as answer:
            assert answer.content_type == "application/json", f"{verb} {path}"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            if answer.status == HTTPStatus.METHOD_NOT_ALLOWED:
                return answer.status, answer.headers["Allow"]
            return answer.status, await answer.json()

    async def call(self, method: str, **params: Any) -> tuple[int, str]:
        """Return the status of a call, and the code of its refusal."""
        status, told = await self.ask("POST", f"/v1/{method}", json=params)
        return status, told.get("error", {}).get("code", "")


async def token_of(owner: Reader, scope: str, tournament: str = "") -> str:
    """Let somebody make a token on his page."""
    page = await owner.post("/me/tokens", label=scope, scope=scope, tournament=tournament)
    found = re.search(r'<span class="code">([\w-]{43})<', page)
    assert found is not None
    return found[1]


async def two_cups(site: Website) -> tuple[Reader, TournamentNo, TournamentNo]:
    """Return a host and two tournaments of his."""
    host = site.reader()
    player = await host.sign_up("Host")
    return host, await site.publish(organiser=player), await site.publish(organiser=player)


@pytest.mark.parametrize("path", ["/", "/v1", "/v1/", "/v2/tournament.list", "/v1/no.such", "/nope"])
@pytest.mark.parametrize("verb", ["GET", "POST", "DELETE"])
async def test_what_is_not_there_is_told_in_json(site: Website, path: str, verb: str) -> None:
    """An unknown address under /api is 404 for programs, not a page for people."""
    status, told = await Program(site).ask(verb, path)
    assert status == HTTPStatus.NOT_FOUND
    assert told["error"]["code"] in {"not_found", "unknown_method"}


async def test_each_address_says_how_it_may_be_asked(site: Website) -> None:
    """405 with Allow: what changes something is asked by POST, a question with a short query by GET, too."""
    program = Program(site)
    for verb in ("GET", "PUT", "DELETE", "OPTIONS"):
        assert await program.ask(verb, "/v1/clock.pause") == (HTTPStatus.METHOD_NOT_ALLOWED, "POST")
        assert await program.ask(verb, "/v1/deck.check") == (HTTPStatus.METHOD_NOT_ALLOWED, "POST")
    for verb in ("PUT", "PATCH"):
        assert (await program.ask(verb, "/v1/tournament.list"))[1] == "GET, HEAD, POST"
    assert (await program.ask("POST", "/openapi.json"))[1] == "GET, HEAD"


async def test_the_document_offers_what_the_addresses_answer(site: Website) -> None:
    """Every GET that works is in the document, with its values; every answer is described."""
    _, document = await Program(site).ask("GET", "/openapi.json")
    for name, method in site.parts.calls.methods.items():
        path = document["paths"][f"/api/v1/{name}"]
        allow = (await Program(site).ask("PUT", f"/v1/{name}"))[1]
        assert ("get" in path) == ("GET" in allow)
        assert not (method.changes and "get" in path)
        for operation in path.values():
            assert set(map(int, operation["responses"])) <= {200, *ANSWERS}
    show = document["paths"]["/api/v1/table.show"]["get"]["parameters"]
    assert {(p["name"], p["required"]) for p in show} == {("tournament", True), ("table", True)}
    round_ = document["paths"]["/api/v1/table.list"]["get"]["parameters"][1]
    assert round_["schema"] == {"type": "integer", "minimum": 1, "maximum": 9999}
    assert not round_["required"]
    games = document["paths"]["/api/v1/table.rule"]["post"]["requestBody"]["content"]["application/json"]
    reference = games["schema"]["properties"]["games"]["anyOf"][0]["items"]["$ref"].split("/")
    assert "winner" in document["components"]["schemas"][reference[-1]]["properties"]


async def test_what_a_call_names_may_not_be_there(site: Website) -> None:
    """Unknown tournaments, tables and players are 404, rules that say no are 409."""
    _, number, _ = await two_cups(site)
    program = Program(site)
    assert await program.call("tournament.show", tournament=99) == (404, "unknown_tournament")
    assert await program.call("table.show", tournament=number, table="R1T1") == (404, "unknown_table")
    assert await program.call("player.show", player=99) == (404, "unknown_player")
    assert await program.call("table.list", tournament=number) == (409, "not_started")


async def test_a_program_without_cookies_needs_no_page_of_ours(site: Website) -> None:
    """F25 is about cookies: who has none asks as nobody, and changes nothing either."""
    host, number, _ = await two_cups(site)
    assert (await Program(site).call("tournament.show", tournament=number))[0] == HTTPStatus.OK
    assert (await Program(site).call("tournament.cancel", tournament=number))[0] == HTTPStatus.FORBIDDEN
    url = f"{site.base}/api/v1/tournament.cancel"
    async with host.session.post(url, json={"tournament": number}) as answer:
        assert answer.status == HTTPStatus.FORBIDDEN
        assert answer.content_type == "application/json"
    assert (await site.house.desks.load(number)).phase == "published"


async def test_a_playing_token_hosts_nothing(site: Website) -> None:
    """Scope play: as a player, however much its owner may; scope host: all that he may."""
    host, number, _ = await two_cups(site)
    play = Program(site, await token_of(host, "play"))
    whole = Program(site, await token_of(host, "host"))
    assert (await play.call("entry.register", tournament=number, player=1))[0] == HTTPStatus.OK
    assert (await play.call("tournament.announce", tournament=number, text="x"))[0] == HTTPStatus.FORBIDDEN
    assert (await play.call("tournament.publish", settings={}))[0] == HTTPStatus.FORBIDDEN
    assert (await whole.call("tournament.announce", tournament=number, text="x"))[0] == HTTPStatus.OK


async def test_a_token_of_one_tournament_is_a_viewers_elsewhere(site: Website) -> None:
    """A program of one event can be trusted with that event alone."""
    host, number, other = await two_cups(site)
    program = Program(site, await token_of(host, "host", str(number)))
    assert (await program.call("tournament.announce", tournament=number, text="x"))[0] == HTTPStatus.OK
    assert (await program.call("tournament.announce", tournament=other, text="x"))[0] == HTTPStatus.FORBIDDEN
    assert (await program.call("tournament.show", tournament=other))[0] == HTTPStatus.OK
    assert (await program.call("player.rename", player=1, nickname="New"))[0] == HTTPStatus.FORBIDDEN
    await host.post("/me/tokens", HTTPStatus.BAD_REQUEST, label="x", scope="host", tournament="one")


@pytest.mark.parametrize("header", ["Bearer nope", "Basic x", "Bearer", "Bearer ü", "nonsense"])
async def test_an_unknown_token_is_told_so(site: Website, header: str) -> None:
    """F22: 401 for whatever stands there, nothing worse."""
    status, told = await Program(site).ask("GET", "/v1/daemon.status", headers={"Authorization": header})
    assert (status, told["error"]["code"]) == (HTTPStatus.UNAUTHORIZED, "bad_token")


@pytest.mark.parametrize(
    "body",
    [b"[" * 100_000, b'{"a":' * 900 + b"1" + b"}" * 900, b'{"a":' + b"9" * 5_000 + b"}", b"NaN", b"\xff{}"],
)
async def test_json_that_is_none_is_a_bad_request(site: Website, body: bytes) -> None:
    """F18: nested brackets, long numbers, NaN, bytes that are no text."""
    status, told = await Program(site).ask("POST", "/v1/daemon.status", data=body)
    assert status == HTTPStatus.BAD_REQUEST
    assert told["error"]["code"]


@pytest.mark.parametrize("query", ["text=%ff", "text=%ed%a0%80", "text=%00", "after=9" * 3, "x=1"])
async def test_queries_that_are_no_text_do_no_harm(site: Website, query: str) -> None:
    """F18, F21: broken text in an address is read as it can be, or refused."""
    status, _ = await Program(site).ask("GET", f"/v1/player.list?{query}")
    assert status in {HTTPStatus.OK, HTTPStatus.BAD_REQUEST}
