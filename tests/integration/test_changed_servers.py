"""Duel servers that are added, changed and removed while the daemon runs (decisions 1)."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from relayd.bridge.bridge import Bridge
from relayd.bridge.facade import Facade
from relayd.bridge.intake import Intake
from ruleset.tournament import commands as c
from srvpro_bridge.adminapi import Stage
from srvpro_bridge.capabilities import ServerFacts
from srvpro_bridge.protocol import encode
from tests.bridging import KEY, SERVER_B, ServerStub, World, duel_server, pair, room, serving, world
from tests.builders import NUMBER, SERVER
from tests.daemons import Daemon, running, settings
from tests.gateways import HELLO

PLUGIN = """
[[duel_server]]
id = "main"
host = "127.0.0.1"
link = "plugin"
capacity = {capacity}
plugin_token_file = "{folder}/{token}"
"""


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[World]:
    """A tournament of four in round 1, R1T1 and R1T2, on ``main``."""
    async with world(tmp_path) as here:
        await here.begin(4)
        yield here


@asynccontextmanager
async def looking(bridge: Bridge) -> AsyncIterator[None]:
    """Let *bridge* look at its servers."""
    task = asyncio.create_task(bridge.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def looked_at(stub: ServerStub) -> None:
    """Wait until somebody looks at *stub* once more."""
    stub.looked.clear()
    async with asyncio.timeout(30):
        await stub.looked.wait()


async def test_a_server_that_moved_is_looked_at_where_it_is_now(here: World) -> None:
    """Decisions 1, SIGHUP: new address; what is shown there counts, the old one is left alone."""
    async with serving(ServerStub()) as old, serving(ServerStub()) as new:
        bridge = Bridge([duel_server(old.url)], here.http, here.inside)
        async with looking(bridge):
            await looked_at(old)
            new.rooms = [room("M#X12R1T1", *pair(here.table(), (1, 0)), stage=Stage.SIDING, duel=1)]
            bridge.use([duel_server(new.url)])
            await looked_at(new)
            await looked_at(new)
            assert here.table().wins == (1, 0)
            before = old.looks
            await looked_at(new)
            await looked_at(new)
            assert old.looks == before
            assert bridge.health()[SERVER].state == "up"


async def test_a_server_that_stays_the_same_is_not_disturbed(here: World) -> None:
    """SIGHUP: what is known of its rooms is kept; another one that is added is looked at, too."""
    other = ServerFacts(id=SERVER_B)
    async with serving(ServerStub()) as stub, serving(ServerStub()) as added:
        bridge = Bridge([duel_server(stub.url)], here.http, here.inside)
        async with looking(bridge):
            outlook = bridge.outlooks[SERVER]
            bridge.use([duel_server(added.url, facts=other), duel_server(stub.url)])
            assert bridge.outlooks[SERVER] is outlook
            assert list(bridge.health()) == [other.id, SERVER]
            await looked_at(added)
            await looked_at(stub)


async def test_a_server_that_is_gone_takes_nothing_with_it(here: World) -> None:
    """SIGHUP: it is no more looked at nor shown; its tables stay with the host, and it may come back."""
    async with serving(ServerStub()) as stub:
        bridge = Bridge([duel_server(stub.url)], here.http, here.inside)
        async with looking(bridge):
            await looked_at(stub)
            bridge.use([])
            assert (bridge.health(), bridge.free(), bridge.live(NUMBER)) == ({}, {}, {})
            assert bridge.voice(SERVER) is None
            await bridge.last_look(NUMBER)
            await here.do(c.CallTime(now=here.clock.now()))
            bridge.use([duel_server(stub.url)])
            await looked_at(stub)


async def test_the_face_answers_by_the_new_key(here: World) -> None:
    """SIGHUP: the old key opens nothing any more; a server without the link is unknown."""
    facade = Facade([duel_server()], here.inside, Intake(here.inside))
    app = web.Application()
    app.add_routes(facade.routes())
    path = f"/challonge/{SERVER}/v1/tournaments/T1.json"
    async with TestClient(TestServer(app)) as client:
        statuses = [(await client.get(path, params={"api_key": KEY})).status]
        facade.use([duel_server(challonge_key="new")])
        statuses += [(await client.get(path, params={"api_key": key})).status for key in (KEY, "new")]
        facade.use([duel_server(challonge_key=None)])
        statuses.append((await client.get(path, params={"api_key": "new"})).status)
    assert statuses == [200, 401, 200, 404]


@contextmanager
def plugin(daemon: Daemon, token: str) -> Iterator[ClientConnection]:
    """Connect as the plugin does, and be welcome."""
    url = daemon.websocket.replace("/admin", "/plugin")
    with connect(url, additional_headers={"Authorization": f"Bearer {token}"}) as line:
        line.send(encode(HELLO))
        assert json.loads(line.recv(30))["type"] == "welcome"
        yield line


def test_a_plugin_whose_server_has_changed_comes_again(tmp_path: Path) -> None:
    """SIGHUP: its link ends and a new one is welcome; with a token that is gone nobody comes in."""
    for token in ("old", "new"):
        (tmp_path / token).write_text(token, encoding="utf-8")
    settings(tmp_path, PLUGIN.format(folder=tmp_path, capacity=100, token="old"))
    with running(tmp_path / "relayd.toml") as daemon:
        with plugin(daemon, "old") as line:
            assert daemon.data("reload")["changed"] == []
            assert line.ping().wait(30)
            settings(tmp_path, PLUGIN.format(folder=tmp_path, capacity=7, token="old"))
            assert daemon.data("reload")["changed"] == ["duel_server.main.capacity"]
            with pytest.raises(ConnectionClosed):
                line.recv(30)
        with plugin(daemon, "old"):
            settings(tmp_path, PLUGIN.format(folder=tmp_path, capacity=7, token="new"))
            daemon.ctl("reload")
            with pytest.raises(InvalidStatus, match="401"), plugin(daemon, "old"):
                pass
        with plugin(daemon, "new") as line:
            assert line.ping().wait(30)
