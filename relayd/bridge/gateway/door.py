"""Who may speak at the gateway, and how those are told who may not, or no longer."""

import asyncio
import hmac
import http
import time
from collections.abc import Iterable
from hashlib import sha256
from typing import Final, Literal, TypeAlias

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from relayd.bridge.servers import DuelServer
from relayd.observe.metrics import Metrics
from ruleset.ids import ServerId
from srvpro_bridge.protocol import LONGEST_FROM_PLUGIN, Goodbye, encode

Reason: TypeAlias = Literal["version", "server", "replaced", "protocol", "restart", "busy"]
GOODBYE_S: Final = 5.0
"""How long a plugin may take to read why it has to go."""
QUIET_S: Final = 60.0
"""Between two lines about refusals of one kind."""
_log = structlog.get_logger()


class Door:
    """Knows the tokens, as bytes that are compared in a time that says nothing (F22)."""

    def __init__(self, servers: Iterable[DuelServer], metrics: Metrics) -> None:
        self._tokens = tuple((s.id, _digest(s.plugin_token)) for s in servers if s.plugin_token is not None)
        self._metrics = metrics
        self._written: dict[str, float] = {}

    def gate(self, connection: ServerConnection, request: Request) -> Response | None:
        """Refuse a connection without a token of ours before it is opened; others may say longer things."""
        if self.server_of(request) is None:
            self.refused("wrong_token", peer_of(connection), "no such token")
            return connection.respond(http.HTTPStatus.UNAUTHORIZED, "unknown token\n")
        connection.protocol.max_message_size = LONGEST_FROM_PLUGIN
        return None

    def server_of(self, request: Request | None) -> ServerId | None:
        """Return whose token a request shows; ``None``: nobody's."""
        header = "" if request is None else request.headers.get("Authorization", "")
        scheme, _, token = header.partition(" ")
        shown, found = _digest(token.strip()), None
        for server, digest in self._tokens:
            if hmac.compare_digest(digest, shown):
                found = server
        return found if scheme.lower() == "bearer" else None

    def refused(self, code: str, peer: str, why: str) -> None:
        """Count it, and write a line about each kind once a minute."""
        self._metrics.peer_errors.labels("plugin", code).inc()
        now = time.monotonic()
        if now - self._written.get(code, -QUIET_S) >= QUIET_S:
            self._written[code] = now
            _log.warning("plugin_refused", code=code, peer=peer, why=why)


async def goodbye(connection: ServerConnection, reason: Reason, text: str, close_code: int) -> None:
    """Say why, and close; whoever does not listen is cut off."""
    try:
        async with asyncio.timeout(GOODBYE_S):
            await connection.send(encode(Goodbye(code=reason, text=text[:500])))
            await connection.close(close_code, reason)
    except (ConnectionClosed, TimeoutError):
        connection.transport.abort()


def peer_of(connection: ServerConnection) -> str:
    """Return the address at the other end."""
    address = connection.remote_address
    return str(address[0]) if address else "unknown"


def _digest(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()
