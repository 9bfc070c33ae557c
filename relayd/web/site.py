"""The site as a whole: its addresses, and what holds for every one of them."""

from collections.abc import Awaitable, Callable, Iterable
from http import HTTPStatus
from typing import Final

import structlog
from aiohttp import web

from relayd.errors import DependencyError
from relayd.storage.log import LogError
from relayd.web import api, assets, languages
from relayd.web.languages import Language
from relayd.web.parts import NOT_THERE, CallFailed, SiteParts
from relayd.web.render import Renderer
from relayd.web.security import HEADERS, client_address, foreign
from relayd.web.visit import LANGUAGE, SESSION, Visit
from relayd.web.words import refusal
from ruleset.errors import CommandRejected

Page = Callable[[Visit], Awaitable[web.StreamResponse]]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_OF_FLOODS: Final = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS})
_log: Final = structlog.get_logger()


class Site:
    """Wraps pages into handlers: reader, language, floods, foreign pages, errors, headers."""

    def __init__(self, parts: SiteParts) -> None:
        self._parts: Final = parts
        self._assets: Final = assets.Assets()
        self.renderer: Final = Renderer(self._assets)
        self._refusals: Final[dict[tuple[Language, int], str]] = {}

    def routes(self, pages: Iterable[tuple[str, str, Page]]) -> list[web.RouteDef]:
        """Return the addresses of *pages*: method, path and page."""
        own = [web.route(method, path, self.handler(page)) for method, path, page in pages]
        return [
            *own,
            web.get("/static/{tag}/{name}", self._static),
            web.route("*", "/{rest:.*}", self.handler(_nothing_here)),
        ]

    def handler(self, page: Page) -> Handler:
        """Return what answers requests for a page."""

        async def answer(request: web.Request) -> web.StreamResponse:
            visit = self._visit(request)
            try:
                response = await self._answer(visit, page)
            except Exception as error:  # noqa: BLE001  root of a request: the reader is told, and the log
                program = api.for_programs(request)
                response = api.failed(error) if program else self._failed(visit, error)
            if not response.prepared:
                response.headers.update(HEADERS)
            return response

        return answer

    async def _answer(self, visit: Visit, page: Page) -> web.StreamResponse:
        self._admit(visit)
        token = visit.request.cookies.get(SESSION)
        visit.account = None if not token else await self._parts.accounts.account_of(token)
        return await page(visit)

    def _visit(self, request: web.Request) -> Visit:
        accept = request.headers.get("Accept-Language", "")
        return Visit(
            request=request,
            parts=self._parts,
            renderer=self.renderer,
            address=client_address(request, self._parts.frontage.trusted_proxies),
            language=languages.preferred(request.cookies.get(LANGUAGE), accept),
            now=self._parts.clock.now(),
        )

    def _admit(self, visit: Visit) -> None:
        request, floods = visit.request, self._parts.floods
        changes = request.method not in {"GET", "HEAD"}
        wait = (floods.changes if changes else floods.pages).take(visit.address)
        if wait:
            raise _slow_down(wait)
        bearer = "Authorization" in request.headers
        nobody = api.for_programs(request) and not request.cookies  # a program, which nobody can abuse
        if changes and not bearer and not nobody and foreign(request, self._parts.frontage):
            raise web.HTTPForbidden(reason="Foreign page")

    def _failed(self, visit: Visit, error: Exception) -> web.StreamResponse:
        match error:
            case web.HTTPException() if error.status < HTTPStatus.BAD_REQUEST:
                return visit.redirect(error.headers["Location"])
            case web.HTTPException():
                return self._told(visit, error.status, _key(error.status), dict(error.headers))
            case CommandRejected():
                status = 404 if error.code in NOT_THERE else 409
                words = refusal(visit.language, error.code, error.data, error.code)
                return visit.page("error.html", status=status, code=status, words=words)
            case CallFailed():
                words = refusal(visit.language, error.code, error.data, error.sentence)
                return visit.page("error.html", status=error.status, code=error.status, words=words)
            case LogError() | DependencyError():
                return self._told(visit, 503, "error.away", {"Retry-After": "2"})
            case _:
                _log.error("page_failed", path=visit.request.path[:200], exc_info=error)
                return self._told(visit, 500, "error.broken", {})

    def _told(self, visit: Visit, status: int, key: str, headers: dict[str, str]) -> web.Response:
        if status in _OF_FLOODS:
            text = self._nobodys(visit, status, key)
            response = web.Response(text=text, status=status, content_type="text/html")
        else:
            response = visit.page("error.html", status=status, code=status, words=visit.t(key))
        response.headers.update({k: v for k, v in headers.items() if k in {"Retry-After", "Allow"}})
        return response

    def _nobodys(self, visit: Visit, status: int, key: str) -> str:
        """Return a page that is nobody's and made once: a flood costs no more than it must (F13, F27)."""
        if (found := self._refusals.get((visit.language, status))) is None:
            nobody = {
                "me": None,
                "my_name": None,
                "notice": None,
                "new_id": "",
                "path": "/",
                "now": visit.now,
            }
            said = {"code": int(status), "words": visit.t(key)}
            found = self.renderer.page("error.html", visit.language, {**nobody, **said})
            self._refusals[visit.language, status] = found
        return found

    async def _static(self, request: web.Request) -> web.Response:
        response = await self._assets.serve(request)
        response.headers.update(HEADERS)
        return response


def _slow_down(wait: float) -> web.HTTPException:
    return web.HTTPTooManyRequests(headers={"Retry-After": str(int(wait) + 1)})


def _key(status: int) -> str:
    known = languages.known(f"error.{status}")
    return f"error.{status}" if known else "error.bad"


async def _nothing_here(_visit: Visit) -> web.StreamResponse:
    raise web.HTTPNotFound
