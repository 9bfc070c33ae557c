"""Administration from elsewhere: JSON-RPC over WebSocket, for whoever shows a token (decisions 6 and 7)."""

import asyncio
import http
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from types import MappingProxyType
from typing import Final, TypeAlias

import msgspec
import structlog
from websockets.asyncio.server import Server, ServerConnection
from websockets.asyncio.server import serve as listen
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.http11 import Request, Response

from relayd.admin import rpc
from relayd.admin.buckets import Buckets
from relayd.admin.dispatcher import Dispatcher
from relayd.admin.peers import Tokens
from relayd.admin.roles import Peer
from relayd.admin.session import Session
from relayd.observe.metrics import Metrics

PATH: Final = "/admin"
AUTH_S: Final = 10.0
"""Seconds in which a peer shows his token."""
CONNECTIONS: Final = 200

Handler: TypeAlias = Callable[[ServerConnection], Awaitable[None]]
Gate: TypeAlias = Callable[[ServerConnection, Request], Response | None]
"""Refuses a connection before it is opened; ``None``: it may come."""

_log: Final = structlog.get_logger()


class _Auth(msgspec.Struct, frozen=True):
    class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
        token: str

    method: str
    params: Params
    id: int | str | None = None


_auth: Final = msgspec.json.Decoder(_Auth)


@asynccontextmanager
async def serve(
    own: socket.socket,
    handlers: Mapping[str, Handler],
    *,
    gates: Mapping[str, Gate] = MappingProxyType({}),
    largest: int = rpc.LONGEST,
) -> AsyncIterator[Server]:
    """Serve a listening socket, one handler a path; anything else is 404, a page of another origin 403."""

    async def route(connection: ServerConnection) -> None:
        request = connection.request
        await handlers[_path(request.path if request else "")](connection)

    def check(connection: ServerConnection, request: Request) -> Response | None:
        path = _path(request.path)
        if path in handlers:
            return gates[path](connection, request) if path in gates else None
        return connection.respond(http.HTTPStatus.NOT_FOUND, "there is nothing here\n")

    async with listen(
        route,
        sock=own,
        process_request=check,
        origins=[None],
        compression=None,
        max_size=largest,
        max_queue=4,
        open_timeout=5,
        ping_interval=20,
        ping_timeout=20,
        close_timeout=3,
        server_header=None,
    ) as server:
        yield server


class AdminWebSocket:
    """The handler of ``/admin``: ``Authorization: Bearer …``, or a first message ``auth`` with the token."""

    def __init__(self, tokens: Tokens, dispatcher: Dispatcher, metrics: Metrics) -> None:
        self._tokens, self._dispatcher, self._metrics = tokens, dispatcher, metrics
        self._failures = Buckets(rate=0.2, burst=10)
        self._talking: dict[ServerConnection, tuple[str, Peer]] = {}
        """Who has shown which token."""

    async def __call__(self, connection: ServerConnection) -> None:
        """Talk with one peer until he goes. Raises nothing."""
        peer, why = None, "gone"
        try:
            token, peer = await self._authenticated(connection)
            if peer is None:
                why = "refused"
            elif len(self._talking) >= CONNECTIONS:
                why = "too_many"
                await connection.close(CloseCode.TRY_AGAIN_LATER, "too many connections")
            else:
                self._talking[connection] = token, peer
                await self._talk(peer, connection)
        except (ConnectionClosed, OSError, TimeoutError):
            why = "lost"
        finally:
            self._talking.pop(connection, None)
            await connection.close()
            _log.info("admin_connection", peer=_name(peer, connection), kind="websocket", outcome=why)

    def review(self) -> None:
        """Look at rights anew after the tokens have changed: hang up on whose token is another's, or none."""
        for connection, (token, peer) in tuple(self._talking.items()):
            if self._tokens.peer(token) != peer:
                connection.transport.abort()

    async def _talk(self, peer: Peer, connection: ServerConnection) -> None:
        async def send(message: bytes) -> None:
            try:
                await connection.send(message, text=True)
            except ConnectionClosed as closed:
                raise ConnectionError(str(closed)) from closed

        session = Session(peer, self._dispatcher, send, connection.transport.abort)
        try:
            with self._metrics.admin_connections.labels("websocket").track_inprogress():
                async for message in connection:
                    await session.handle(message.encode() if isinstance(message, str) else message)
        finally:
            await session.close()

    async def _authenticated(self, connection: ServerConnection) -> tuple[str, Peer | None]:
        """Return the token and whose it is; hang up on a wrong one, at once on an address with too many."""
        address = _address(connection)
        if self._failures.empty(address):
            await connection.close(CloseCode.TRY_AGAIN_LATER, "too many wrong tokens")
            return "", None
        token, id_ = _bearer(connection), None
        if token is None:
            token, id_ = await _first_message(connection)
        peer = self._tokens.peer(token)
        if peer is None:
            self._failures.take(address)
            self._metrics.peer_errors.labels("admin", "wrong_token").inc()
            await connection.close(CloseCode.POLICY_VIOLATION, "wrong token")
        elif id_ is not None:
            await connection.send(
                rpc.result(id_, {"peer": peer.name, "role": peer.role.name.lower()}), text=True
            )
        return token, peer


async def _first_message(connection: ServerConnection) -> tuple[str, rpc.RequestId]:
    with suppress(msgspec.MsgspecError, RecursionError, TimeoutError):
        async with asyncio.timeout(AUTH_S):
            message = await connection.recv(decode=False)
        asked = _auth.decode(message)
        if asked.method == "auth":
            return asked.params.token, asked.id
    return "", None


def _bearer(connection: ServerConnection) -> str | None:
    header = connection.request.headers.get("Authorization", "") if connection.request else ""
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _path(target: str) -> str:
    return target.partition("?")[0]


def _address(connection: ServerConnection) -> str:
    address = connection.remote_address
    return str(address[0]) if address else "unknown"


def _name(peer: Peer | None, connection: ServerConnection) -> str:
    return _address(connection) if peer is None else peer.name
