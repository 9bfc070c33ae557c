"""Administration over a real WebSocket, with tokens."""

import json
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, ConnectionClosedError, InvalidStatus

from relayd.admin import websocket
from relayd.admin.peers import Tokens
from relayd.admin.roles import Peer, Role
from relayd.admin.rpc import Code
from relayd.admin.websocket import AdminWebSocket, serve
from ruleset.ids import PlayerId, TournamentNo
from tests.house import PLAN, House, deck, opened

Dial = Callable[..., connect]
TOKENS = {
    "host-token": Peer(name="token:host", role=Role.HOST),
    "judge-token": Peer(name="token:judge", role=Role.JUDGE, tournament=TournamentNo(1)),
    "player-token": Peer(name="token:p2", role=Role.PLAYER, player=PlayerId(2)),
    "viewer-token": Peer(name="token:viewer", role=Role.VIEWER),
}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A daemon with one duel server that is up."""
    async with opened(tmp_path) as house:
        yield house


@pytest.fixture
async def dial(house: House) -> AsyncIterator[Dial]:
    """Dials the admin WebSocket."""
    handler = AdminWebSocket(Tokens(TOKENS.items()), house.dispatcher, house.metrics)
    own = socket.create_server(("127.0.0.1", 0))
    port = own.getsockname()[1]
    async with serve(own, {"/admin": handler}):

        def dialled(token: str | None = None, path: str = "/admin", **more: Any) -> connect:
            headers = {"Authorization": f"Bearer {token}"} if token is not None else {}
            return connect(f"ws://127.0.0.1:{port}{path}", additional_headers=headers, **more)

        yield dialled


async def call(line: ClientConnection, method: str, **params: Any) -> Any:
    """Return the result, or the error."""
    await line.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
    answer = json.loads(await line.recv())
    return answer.get("result", answer.get("error"))


async def prepared(line: ClientConnection) -> int:
    """Publish and start a tournament of two."""
    number: int = (await call(line, "tournament.publish", settings=PLAN))["tournament"]
    for n in (1, 2):
        await call(line, "player.register", nickname=f"Nick{n}")
        await call(line, "entry.register", tournament=number, player=n)
        await call(line, "deck.submit", tournament=number, player=n, deck=deck(n))
    return number


async def test_a_token_in_the_header_opens_the_line(dial: Dial) -> None:
    """Decisions 6: ``Authorization: Bearer``; the role is that of the token."""
    async with dial("host-token") as line:
        status = await call(line, "daemon.status")
        assert (status["peer"], status["role"]) == ("token:host", "host")


async def test_a_token_in_the_first_message_does_too(dial: Dial) -> None:
    """Decisions 6: for clients that cannot set headers; bytes are taken as text is."""
    async with dial() as line:
        assert await call(line, "auth", token="viewer-token") == {"peer": "token:viewer", "role": "viewer"}
        await line.send(b'{"jsonrpc":"2.0","id":5,"method":"daemon.status"}')
        assert json.loads(await line.recv())["id"] == 5


@pytest.mark.parametrize("token", ["wrong", "ünïcödé".encode().decode("latin-1"), ""])
async def test_a_wrong_token_is_refused(dial: Dial, house: House, token: str) -> None:
    """F22: whatever it is made of; closed as a matter of policy, and counted."""
    async with dial(token) as line:
        with pytest.raises(ConnectionClosedError) as caught:
            await line.recv()
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 1008
    wrong = {"part": "admin", "kind": "wrong_token"}
    assert house.metrics.registry.get_sample_value("relayd_peer_errors_total", wrong) == 1


@pytest.mark.parametrize(
    "message",
    [
        '{"method":"auth","params":{"token":"密码"}}',
        '{"method":"tournament.list","params":{"token":"host-token"}}',
        "[" * 10_000,
        '{"method":"auth","params":{"token":"\\ud800"}}',
    ],
)
async def test_a_first_message_that_is_no_good_ends_it(dial: Dial, message: str) -> None:
    """F18, F22: no token, no talk."""
    async with dial() as line:
        await line.send(message)
        with pytest.raises(ConnectionClosedError):
            await line.recv()


async def test_nobody_waits_for_a_token_for_ever(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    """F13: a silent peer is hung up on."""
    monkeypatch.setattr(websocket, "AUTH_S", 0.01)
    async with dial() as line:
        with pytest.raises(ConnectionClosedError):
            await line.recv()


async def test_guessing_is_slowed_down(dial: Dial) -> None:
    """F27: after so many wrong tokens an address is not even asked, with the right one neither."""
    codes = []
    for _ in range(11):
        async with dial("wrong") as line:
            with pytest.raises(ConnectionClosedError) as caught:
                await line.recv()
        assert caught.value.rcvd is not None
        codes.append(caught.value.rcvd.code)
    assert codes == [1008] * 10 + [1013]
    async with dial("host-token") as line:
        with pytest.raises(ConnectionClosedError):
            await line.recv()


async def test_other_paths_and_pages_of_other_origins_are_refused(dial: Dial) -> None:
    """F25: a browser cannot be made to speak here."""
    with pytest.raises(InvalidStatus) as caught:
        await dial("host-token", "/elsewhere")
    assert caught.value.response.status_code == 404
    with pytest.raises(InvalidStatus) as caught:
        await dial("host-token", origin="https://evil.example")
    assert caught.value.response.status_code == 403


async def test_each_role_does_its_own(dial: Dial) -> None:
    """5.2, decisions 6: judge < host, only in their tournament; a player for himself; a viewer looks on."""
    async with dial("host-token") as host, dial("judge-token") as judge, dial("player-token") as player:
        number = await prepared(host)
        assert (await call(player, "entry.sign_in", tournament=number, player=2))["changed"]
        assert (await call(player, "entry.sign_in", tournament=number, player=1))["code"] == Code.FORBIDDEN
        assert (await call(judge, "entry.sign_in_all", tournament=number))["code"] == Code.FORBIDDEN
        await call(host, "entry.sign_in_all", tournament=number)
        await call(host, "tournament.start", tournament=number)
        present = {"tournament": number, "table": "R1T1", "player": 2}
        assert (await call(player, "table.present", **present))["changed"]
        rule = {"tournament": number, "table": "R1T1", "outcome": "a"}
        assert (await call(player, "table.rule", **rule))["code"] == Code.FORBIDDEN
        assert (await call(judge, "table.rule", **rule))["changed"]
        other = (await call(host, "tournament.publish", settings=PLAN))["tournament"]
        assert (await call(judge, "report.list", tournament=other))["code"] == Code.FORBIDDEN
        assert (await call(host, "log.set_level", level="debug"))["message"] == (
            "log.set_level needs the role operator, yours here is host"
        )
        assert (await call(judge, "tournament.show", tournament=other))["phase"] == "published"


async def test_entries_arrive_live(dial: Dial) -> None:
    """Issue 2: the same notifications as on the unix socket."""
    async with dial("host-token") as host, dial("viewer-token") as viewer:
        number = (await call(host, "tournament.publish", settings=PLAN))["tournament"]
        await call(viewer, "live.follow", tournament=number)
        await call(host, "clock.pause", tournament=number)
        message = json.loads(await viewer.recv())
        assert message["params"]["message"]["events"][0]["kind"] == "clock_paused.1"


async def test_a_message_beyond_the_bound_ends_it(dial: Dial) -> None:
    """F17: 1009, and the daemon lives on."""
    async with dial("host-token") as line:
        await line.send("x" * 300_000)
        with pytest.raises(ConnectionClosed) as caught:
            await line.recv()
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 1009
    async with dial("host-token") as line:
        assert (await call(line, "daemon.status"))["role"] == "host"


async def test_connections_are_bounded(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    """F13: one too many is told to come again."""
    monkeypatch.setattr(websocket, "CONNECTIONS", 1)
    async with dial("host-token") as line, dial("host-token") as other:
        assert (await call(line, "daemon.status"))["role"] == "host"
        with pytest.raises(ConnectionClosedError) as caught:
            await other.recv()
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 1013
