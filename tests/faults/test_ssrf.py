"""F26: nobody's URL makes the daemon speak to what only the daemon can reach."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_network
from typing import Any

import pytest
from aiohttp import ClientError, web
from aiohttp.test_utils import TestServer

from relayd.storage.webhooks import Hook
from relayd.webhooks.addresses import Networks
from relayd.webhooks.delivery import HttpDelivery
from relayd.webhooks.guarded import guarded_session
from ruleset.ids import Instant, TournamentNo
from tests.clocks import FakeClock

LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1/128"))
SPELLINGS = (
    *("127.0.0.1", "127.1", "0x7f.0.0.1", "0x7f000001", "2130706433", "0177.0.0.1", "0"),
    "0.0.0.0",  # noqa: S104  nothing listens there
    *("localhost", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]"),
    *("[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[2001:0:7f00:1::]", "224.0.0.1", "[ff02::1]", "[fe80::1]"),
    *("169.254.169.254", "127.0.0.1.", "①②⑦.⓪.⓪.①"),
)
"""Ways to write this machine, and others that no stranger may reach."""


class Door:
    """A port of loopback that counts who comes in, whatever he says."""

    def __init__(self) -> None:
        self.came = 0
        self.port = 0

    async def _in(self, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.came += 1
        writer.close()

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Door"]:
        """Listen on all addresses, IPv6 ones too."""
        async with await asyncio.start_server(self._in, host=None, port=0, family=socket.AF_INET) as server:
            self.port = server.sockets[0].getsockname()[1]
            try:
                six = await asyncio.start_server(self._in, host="::", port=self.port)
            except OSError:
                yield self  # a machine without IPv6
            else:
                async with six:
                    yield self


def hook(url: str) -> Hook:
    """Return a hook with that URL."""
    return Hook(
        id=1,
        tournament=TournamentNo(1),
        url=url,
        secret=b"s",
        made_by="x",
        created_at=Instant(1),
        position=0,
    )


async def deliver(url: str, allowed: Networks = ()) -> str:
    """Bring one message and return what went wrong."""
    async with guarded_session(lambda: allowed) as session:
        return await HttpDelivery(session, FakeClock())(hook(url), "t1/1", b"{}")


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let every name lead to these addresses, one after the other as it is asked."""
    addresses: list[str] = []

    def getaddrinfo(_host: str, port: int, **_more: Any) -> list[Any]:
        text = addresses.pop(0) if len(addresses) > 1 else addresses[0]
        family = socket.AF_INET6 if ":" in text else socket.AF_INET
        return [(family, socket.SOCK_STREAM, 6, "", (text, port))]

    monkeypatch.setattr("relayd.webhooks.guarded.getaddrinfo", getaddrinfo)
    return addresses


@pytest.mark.parametrize("host", SPELLINGS)
async def test_no_spelling_of_an_inner_address_is_connected_to(host: str) -> None:
    """F26: literals, 0x7f…, mapped, NAT64, 6to4, multicast: 0 connections."""
    async with Door().open() as door:
        assert await deliver(f"http://{host}:{door.port}/") != ""
        assert await deliver(f"https://{host}:{door.port}/") != ""
        assert door.came == 0


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "10.0.0.7", "64:ff9b::7f00:1", "2002:7f00:1::"])
async def test_a_name_that_leads_inside_is_not_followed(answered: list[str], address: str) -> None:
    """F26: what counts is the address behind a name, at the moment of the connection."""
    answered.append(address)
    async with Door().open() as door:
        assert await deliver(f"http://innocent.example:{door.port}/") == "not_public"
        assert door.came == 0


async def test_a_name_that_leads_elsewhere_at_the_second_look_is_looked_at_again(answered: list[str]) -> None:
    """F26, rebinding: a name that was fine when somebody asked is not reached once it leads inside."""
    answered += ["127.0.0.2", "127.0.0.1"]
    fine = (ip_network("127.0.0.2/32"),)
    async with Door().open() as door, guarded_session(lambda: fine) as session:
        bring, address = HttpDelivery(session, FakeClock()), f"http://rebind.example:{door.port}/"
        assert await bring(hook(address), "t1/1", b"{}") == "no_connection"
        assert door.came == 1
        session.connector.clear_dns_cache()  # type: ignore[union-attr]  # it is a TCPConnector
        for _ in range(3):
            assert await bring(hook(address), "t1/1", b"{}") == "not_public"
        assert door.came == 1


async def test_redirects_are_not_followed() -> None:
    """F26: a receiver that sends us on is told nothing more, and where it points hears nothing."""
    async with Door().open() as door:

        async def away(_request: web.Request) -> web.Response:
            raise web.HTTPTemporaryRedirect(f"http://127.0.0.1:{door.port}/")

        app = web.Application()
        app.router.add_post("/", away)
        async with TestServer(app) as server:
            assert await deliver(str(server.make_url("/")), LOOPBACK) == "status_307"
        assert door.came == 0


async def test_redirects_that_are_followed_are_looked_at_as_well() -> None:
    """The guard does not rest on nobody following: a client that does so is stopped at the socket."""
    async with Door().open() as door:

        async def away(_request: web.Request) -> web.Response:
            raise web.HTTPFound(f"http://127.0.0.2:{door.port}/")

        app = web.Application()
        app.router.add_get("/", away)
        first = (ip_network("127.0.0.1/32"),)
        async with TestServer(app) as server, guarded_session(lambda: first) as session:
            with pytest.raises(ClientError):
                await session.get(server.make_url("/"))
        assert door.came == 0


async def test_no_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """F26: a proxy would connect for us, to wherever it likes."""
    async with Door().open() as door:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{door.port}")
        assert await deliver("http://127.0.0.1:9/") == "not_public"
        assert door.came == 0


async def test_a_slow_name_server_keeps_no_thread_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are looked up in threads of their own, which end with the client: nobody else waits for them."""
    asked, go_on = threading.Event(), threading.Event()

    def slow(_host: str, _port: int, **_more: Any) -> list[Any]:
        asked.set()
        go_on.wait(20)
        return []

    monkeypatch.setattr("relayd.webhooks.guarded.getaddrinfo", slow)
    before = set(threading.enumerate())
    async with guarded_session(tuple) as session:
        bring = HttpDelivery(session, FakeClock())
        waiting = [asyncio.create_task(bring(hook("http://slow.example/"), "t1/1", b"{}")) for _ in range(20)]
        await asyncio.to_thread(asked.wait, 20)
        assert await asyncio.to_thread(lambda: "free") == "free"
        go_on.set()
        assert set(await asyncio.gather(*waiting)) == {"no_connection"}
    for thread in set(threading.enumerate()) - before:
        if thread.name.startswith("names-"):
            await asyncio.to_thread(thread.join, 20)
            assert not thread.is_alive()


async def test_what_the_operator_allows_is_reached() -> None:
    """F26: unless the operator allowed them by a setting; the door counts, so zero above means something."""
    async with Door().open() as door:
        assert await deliver(f"http://127.0.0.1:{door.port}/", LOOPBACK) == "no_connection"
        assert await deliver(f"http://localhost:{door.port}/", LOOPBACK) == "no_connection"
        assert door.came >= 2


async def test_one_public_address_does_not_open_the_door_to_a_private_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """F26: a name with several addresses is judged address by address."""

    def both(_host: str, port: int, **_more: Any) -> list[Any]:
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (text, port)) for text in ("127.0.0.1", "10.0.0.1")
        ]

    monkeypatch.setattr("relayd.webhooks.guarded.getaddrinfo", both)
    async with Door().open() as door:
        assert await deliver(f"http://both.example:{door.port}/") == "not_public"
        assert door.came == 0
