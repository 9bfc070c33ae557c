"""What the Challonge face says when it refuses, and how it reads bodies: bounded in size and time."""

import asyncio
import time
from http import HTTPStatus
from typing import Final

import msgspec
import structlog
from aiohttp import web

from relayd.observe.metrics import Metrics
from srvpro_bridge.errors import PeerError

BODY_S: Final = 8.0
"""How long a body may take to arrive (F13)."""
_QUIET_S: Final = 60.0
_UNREADABLE: Final = frozenset({"too_large", "not_json", "too_deep"})
"""Bodies that cannot be read are bad requests (F18); those that can and make no sense are unprocessable."""

_log = structlog.get_logger()


class Refusal(web.HTTPException):
    """An error as Challonge tells it, with our code."""

    def __init__(self, status: HTTPStatus, code: str, *why: str) -> None:
        self.status_code = status
        text = msgspec.json.encode({"errors": why, "code": code}).decode()
        away = status is HTTPStatus.SERVICE_UNAVAILABLE
        headers = {"Retry-After": "5"} if away else {}
        super().__init__(text=text, content_type="application/json", headers=headers)


class Refusing:
    """Makes refusals, counts each, and writes a line about each kind of them once a minute."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._written: dict[str, float] = {}

    def __call__(self, status: HTTPStatus, code: str, *why: str) -> Refusal:
        """Return a refusal, to be raised."""
        self._metrics.peer_errors.labels("challonge", code).inc()
        now = time.monotonic()
        if now - self._written.get(code, -_QUIET_S) >= _QUIET_S:
            self._written[code] = now
            _log.warning("challonge_refused", code=code, status=int(status), why=why[:1])
        return Refusal(status, code, *why)

    def bad(self, error: PeerError) -> Refusal:
        """Return the refusal of a message that is not what a duel server sends."""
        unreadable = error.code in _UNREADABLE
        status = HTTPStatus.BAD_REQUEST if unreadable else HTTPStatus.UNPROCESSABLE_ENTITY
        return self(status, error.code, error.message)

    async def body(self, request: web.Request, limit: int) -> bytes:
        """Return the body, at most a piece more than *limit*: the reader then says that it is too large."""
        body = bytearray()
        try:
            async with asyncio.timeout(BODY_S):
                while len(body) <= limit and (chunk := await request.content.readany()):
                    body += chunk
        except TimeoutError:
            raise self(HTTPStatus.REQUEST_TIMEOUT, "slow_body", "the body takes too long") from None
        return bytes(body)
