"""The admin API over HTTP (duel-server.md 1), and the ways in which it can fail (F29)."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from aiohttp import hdrs, web

from srvpro_bridge.simulator.bodies import REFUSED_LOG, REFUSED_ORDER, REFUSED_ROOMS, rooms_body, rows_body
from srvpro_bridge.simulator.config import ServerConfig
from srvpro_bridge.simulator.duellog import DuelLog
from srvpro_bridge.simulator.lobby import Lobby
from srvpro_bridge.simulator.orders import Orders

Failure: TypeAlias = Literal["", "slow", "hang", "html", "error", "cut"]
"""Late, never, a page of a proxy, status 500, a closed connection."""

PERMISSIONS: Final = {
    "shout": "shout",
    "stop": "stop",
    "welcome": "change_settings",
    "getwelcome": "change_settings",
    "loadtips": "change_settings",
    "ban": "ban_user",
    "kick": "kick_user",
    "death": "start_death",
    "deathcancel": "start_death",
    "reboot": "stop",
}
"""What each key of /api/message needs."""


KILLER: Final = "["
"""A Host header that ends the process of the server (duel-server.md 0-6)."""


@dataclass(slots=True)
class Trouble:
    """How the API fails at the moment."""

    kind: Failure = ""
    slow_s: float = 5


class Api:
    """The answers; `app` serves them."""

    def __init__(
        self, config: ServerConfig, lobby: Lobby, orders: Orders, log: DuelLog, die: Callable[[], None]
    ) -> None:
        self.config = config
        self.trouble = Trouble()
        self._lobby, self._orders, self._log, self._die = lobby, orders, log, die

    def app(self) -> web.Application:
        """Return a fresh application."""
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._serve)
        app.on_response_prepare.append(_no_content_type)
        return app

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        troubled = await self._fail(request)
        return troubled or self._answer(request)

    def _answer(self, request: web.Request) -> web.Response:
        body = self.answer(request.path, request.query)
        if body is None:
            return web.Response(status=400)
        callback = request.query.get("callback")
        text = body if callback is None else f"{callback}( {body} );"
        headers = {hdrs.ACCESS_CONTROL_ALLOW_ORIGIN: "*"}
        return web.Response(body=text.encode("utf-8", "backslashreplace"), headers=headers)

    def answer(self, path: str, query: Mapping[str, str]) -> str | None:
        """Return the body of an answer; ``None``: 400 with an empty one."""
        match path:
            case "/api/getrooms":
                return self._rooms(query)
            case "/api/message":
                return self._message(query)
            case "/api/duellog" if self.config.duel_log:
                return self._duellog(query)
            case _:
                return None

    def _rooms(self, query: Mapping[str, str]) -> str:
        allowed = self._may(query, "get_rooms")
        if not allowed and not self.config.public_roomlist:
            return REFUSED_ROOMS
        return rooms_body(self._lobby.rooms.values(), self.config, public=not allowed)

    def _message(self, query: Mapping[str, str]) -> str | None:
        verb = next((verb for verb in PERMISSIONS if verb in query), None)
        if verb is None:
            return None
        if not self._may(query, PERMISSIONS[verb]):
            return REFUSED_ORDER
        return self._orders.carry_out(verb, query[verb])

    def _duellog(self, query: Mapping[str, str]) -> str:
        return rows_body(self._log.of(query.get("roomname"))) if self._may(query, "duel_log") else REFUSED_LOG

    def _may(self, query: Mapping[str, str], permission: str) -> bool:
        said = query.get("username"), query.get("pass")
        accounts = (one for one in self.config.accounts if (one.user, one.password) == said and one.enabled)
        return any(permission in account.permissions for account in accounts)

    async def _fail(self, request: web.Request) -> web.StreamResponse | None:
        if request.headers.get(hdrs.HOST) == KILLER:
            self._die()
            return _cut(request)
        match self.trouble.kind:
            case "slow":
                await asyncio.sleep(self.trouble.slow_s)
            case "hang":
                await asyncio.Event().wait()
            case "html":
                return web.Response(text="<html><body>502 Bad Gateway</body></html>")
            case "error":
                return web.Response(status=500)
            case "cut":
                return _cut(request)
            case _:
                pass
        return None


def _cut(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


async def _no_content_type(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.popall(hdrs.CONTENT_TYPE, None)
