"""The Challonge v1 face: how srvpro without a plugin finds its tables and tells results (duel-server.md 3).

Each duel server has its own: its ``challonge_url`` is ``http://<address>/challonge/<server id>``.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from hmac import compare_digest
from http import HTTPStatus
from typing import Final, TypeVar
from uuid import uuid4

import msgspec
from aiohttp import web

from relayd.bridge.inside import Inside
from relayd.bridge.intake import Intake
from relayd.bridge.roster import Roster, match_of
from relayd.bridge.servers import DuelServer
from relayd.errors import DependencyError
from ruleset.ids import ServerId
from ruleset.tournament.reports import Report
from srvpro_bridge.challonge import MAX_SCORE_BYTES, Score, parse_score, report
from srvpro_bridge.errors import BadReport
from srvpro_bridge.matching import Matched

T = TypeVar("T")

HOLD_S: Final = 8.0
"""How long a report waits for the log: srvpro tries six times within a quarter second, then never again."""
BODY_S: Final = 10.0
"""How long a body may take to arrive (F13)."""
_AGAIN_S: Final = 0.25
_UNREADABLE: Final = frozenset({"too_large", "not_json", "too_deep"})
"""Bodies that cannot be read are bad requests (F18); those that can and make no sense are unprocessable."""


class Facade:
    """Answers duel servers that take it for Challonge."""

    def __init__(
        self, servers: Iterable[DuelServer], inside: Inside, intake: Intake, *, hold_s: float = HOLD_S
    ) -> None:
        self._keys = {s.id: s.challonge_key.encode() for s in servers if s.challonge_key is not None}
        self._rosters = {server: Roster(server, inside.tables) for server in self._keys}
        self._metrics, self._intake, self._hold_s = inside.metrics, intake, hold_s

    def routes(self) -> list[web.RouteDef]:
        """Return the addresses, for the application of the HTTP port; ``name`` is srvpro's tournament_id."""
        tournament = "/challonge/{server}/v1/tournaments/{name}"
        return [
            web.get(f"{tournament}.json", self.get_tournament),
            web.put(f"{tournament}/matches/{{match}}.json", self.put_match),
        ]

    async def get_tournament(self, request: web.Request) -> web.Response:
        """Say who may sit down where."""
        server = self._server(request)
        self._admit(server, request.query.get("api_key", ""))
        return web.Response(body=self._rosters[server].body(), content_type="application/json")

    async def put_match(self, request: web.Request) -> web.Response:
        """Take a score; the same one again is answered with the same bytes (F08)."""
        server, match, command_id = self._server(request), request.match_info["match"], uuid4().hex
        score = self._read(await self._body(request))
        self._admit(server, score.api_key)
        found = await self._patiently(lambda: self._intake.table_of(server, match))
        if found is None:
            raise self._refused(HTTPStatus.NOT_FOUND, "unknown_match", f"no table here is {match[:40]!r}")
        told = self._report(score, found, server)
        await self._patiently(lambda: self._intake.file(found, told, command_id=command_id))
        scores = f"{score.scores[0]}-{score.scores[1]}"
        echo = {"id": str(found.candidate.code), "scores_csv": scores, "winner_id": score.winner_id}
        return web.Response(body=msgspec.json.encode({"match": echo}), content_type="application/json")

    def _server(self, request: web.Request) -> ServerId:
        server = ServerId(request.match_info["server"])
        if server not in self._keys:
            raise self._refused(HTTPStatus.NOT_FOUND, "unknown_server", "no such duel server has this link")
        return server

    def _admit(self, server: ServerId, key: str) -> None:
        if not compare_digest(key.encode("utf-8", "surrogatepass"), self._keys[server]):
            raise self._refused(HTTPStatus.UNAUTHORIZED, "wrong_key", "Invalid API key")

    async def _body(self, request: web.Request) -> bytes:
        """Return the body as far as it may be long, in bounded time."""
        body = bytearray()
        try:
            async with asyncio.timeout(BODY_S):
                while len(body) <= MAX_SCORE_BYTES and (chunk := await request.content.readany()):
                    body += chunk
        except TimeoutError:
            raise self._refused(HTTPStatus.REQUEST_TIMEOUT, "slow_body", "the body takes too long") from None
        return bytes(body)

    def _read(self, body: bytes) -> Score:
        try:
            return parse_score(body)
        except BadReport as error:
            raise self._bad(error) from None

    def _report(self, score: Score, found: Matched, server: ServerId) -> Report:
        try:
            return report(score, match_of(found.candidate), server)
        except BadReport as error:
            raise self._bad(error) from None

    async def _patiently(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Ask again while the log is away, for some seconds; then say so."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._hold_s
        while True:
            try:
                return await ask()
            except DependencyError as error:
                if loop.time() >= until:
                    raise self._refused(HTTPStatus.SERVICE_UNAVAILABLE, error.code, "try again") from None
            await asyncio.sleep(_AGAIN_S)

    def _bad(self, error: BadReport) -> web.HTTPException:
        unreadable = error.code in _UNREADABLE
        status = HTTPStatus.BAD_REQUEST if unreadable else HTTPStatus.UNPROCESSABLE_ENTITY
        return self._refused(status, error.code, error.message)

    def _refused(self, status: HTTPStatus, code: str, why: str) -> web.HTTPException:
        """Count a refusal and return it, in the form of Challonge."""
        self._metrics.peer_errors.labels("challonge", code).inc()
        return _Refusal(status, code, why)


class _Refusal(web.HTTPException):
    """An error as Challonge tells it."""

    def __init__(self, status: HTTPStatus, code: str, why: str) -> None:
        self.status_code = status
        text = msgspec.json.encode({"errors": [why], "code": code}).decode()
        super().__init__(text=text, content_type="application/json", headers=_headers(status))


def _headers(status: HTTPStatus) -> dict[str, str]:
    return {"Retry-After": "5"} if status is HTTPStatus.SERVICE_UNAVAILABLE else {}
