"""Addresses and methods that Challonge's face does not have (duel-server.md 3)."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from relayd.bridge.answers import Refusing
from relayd.bridge.facade import Facade
from relayd.bridge.intake import Intake
from relayd.bridge.nowhere import elsewhere
from tests.bridging import KEY, duel_server, world

Client = TestClient[web.Request, web.Application]
FACE = "/challonge/main/v1/tournaments/T456"


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    """The duel server ``main`` at its face; the pages would answer everything else."""

    async def page(_request: web.Request) -> web.Response:
        return web.Response(text="<html>", content_type="text/html")

    async with world(tmp_path) as here:
        await here.begin(4)
        known = Facade([duel_server()], here.inside, Intake(here.inside), hold_s=0.0).routes()
        app = web.Application()
        app.add_routes([*known, *elsewhere(known, Refusing(here.inside.metrics))])
        app.add_routes([web.route("*", "/{rest:.*}", page)])
        async with TestClient(TestServer(app)) as client:
            yield client


@pytest.mark.parametrize(
    "path", ["/challonge", "/challonge/", "/challonge/main", f"{FACE}", f"{FACE}/matches.json", f"{FACE}.xml"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
async def test_unknown_addresses_are_told_as_challonge_does(client: Client, path: str, method: str) -> None:
    """A duel server with a wrong challonge_url reads errors, not a page."""
    async with client.request(method, path) as answer:
        assert (answer.status, answer.content_type) == (404, "application/json")
        assert (await answer.json())["errors"]


@pytest.mark.parametrize(
    ("path", "method", "allow"),
    [
        (f"{FACE}.json", "PUT", "GET"),
        (f"{FACE}.json", "DELETE", "GET"),
        (f"{FACE}/matches/X12R1T1.json", "GET", "PUT"),
        (f"{FACE}/matches/X12R1T1.json", "POST", "PUT"),
    ],
)
async def test_other_methods_are_told_which_there_are(
    client: Client, path: str, method: str, allow: str
) -> None:
    """405 with Allow, in JSON."""
    async with client.request(method, path) as answer:
        assert (answer.status, answer.content_type) == (405, "application/json")
        assert answer.headers["Allow"] == allow
        assert (await answer.json())["code"] == "method_not_allowed"


async def test_what_is_there_stays_there(client: Client) -> None:
    """The face itself, and the pages beside it, answer as before."""
    async with client.get(f"{FACE}.json?api_key={KEY}") as answer:
        assert answer.status == 200
    async with client.get("/challonger") as answer:
        assert answer.content_type == "text/html"
