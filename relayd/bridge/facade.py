"""The Challonge v1 face: how srvpro without a plugin finds its tables and tells results (duel-server.md 3).

Each duel server has its own: its ``challonge_url`` is ``http://<address>/challonge/<server id>``.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from hmac import compare_digest
from http import HTTPStatus
from typing import Final, TypeVar
from uuid import uuid4

import msgspec
from aiohttp import web

from relayd.bridge.answers import Refusing
from relayd.bridge.inside import Inside
from relayd.bridge.intake import Intake
from relayd.bridge.roster import Roster, match_of
from relayd.bridge.servers import DuelServer
from relayd.errors import DependencyError
from ruleset.ids import Instant, ServerId
from ruleset.tournament.reports import Report
from srvpro_bridge.challonge import MAX_SCORE_BYTES, Score, parse_score, report
from srvpro_bridge.errors import BadReport
from srvpro_bridge.matching import Matched

T = TypeVar("T")

HOLD_S: Final = 8.0
"""How long a report waits for the log: srvpro tries six times within a quarter second, then never again."""
_AGAIN_S: Final = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """The last that came of a duel server at its face."""

    at: Instant
    right_key: bool


class Facade:
    """Answers duel servers that take it for Challonge."""

    def __init__(
        self, servers: Iterable[DuelServer], inside: Inside, intake: Intake, *, hold_s: float = HOLD_S
    ) -> None:
        self._tables, self._clock = inside.tables, inside.clock
        self._rosters: dict[ServerId, Roster] = {}
        self.heard: dict[ServerId, Heard] = {}
        self.use(servers)
        self._refuse, self._intake, self._hold_s = Refusing(inside.metrics), intake, hold_s

    def use(self, servers: Iterable[DuelServer]) -> None:
        """Answer these duel servers from now on, and no others."""
        self._keys = {s.id: s.challonge_key.encode() for s in servers if s.challonge_key is not None}
        self._rosters = {
            server: self._rosters.get(server) or Roster(server, self._tables) for server in self._keys
        }

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
        score = self._read(await self._refuse.body(request, MAX_SCORE_BYTES))
        self._admit(server, score.api_key)
        found = await self._patiently(lambda: self._intake.table_of(server, match))
        if found is None:
            raise self._refuse(HTTPStatus.NOT_FOUND, "unknown_match", f"no table here is {match[:40]!r}")
        told = self._report(score, found, server)
        await self._patiently(lambda: self._intake.file(found, told, command_id=command_id))
        scores = f"{score.scores[0]}-{score.scores[1]}"
        echo = {"id": str(found.candidate.code), "scores_csv": scores, "winner_id": score.winner_id}
        return web.Response(body=msgspec.json.encode({"match": echo}), content_type="application/json")

    def _server(self, request: web.Request) -> ServerId:
        server = ServerId(request.match_info["server"])
        if server not in self._keys:
            raise self._refuse(HTTPStatus.NOT_FOUND, "unknown_server", "no such duel server has this link")
        return server

    def _admit(self, server: ServerId, key: str) -> None:
        right_key = compare_digest(key.encode("utf-8", "surrogatepass"), self._keys[server])
        self.heard[server] = Heard(at=self._clock.now(), right_key=right_key)
        if not right_key:
            raise self._refuse(HTTPStatus.UNAUTHORIZED, "wrong_key", "Invalid API key")

    def _read(self, body: bytes) -> Score:
        try:
            return parse_score(body)
        except BadReport as error:
            raise self._refuse.bad(error) from None

    def _report(self, score: Score, found: Matched, server: ServerId) -> Report:
        try:
            return report(score, match_of(found.candidate), server)
        except BadReport as error:
            raise self._refuse.bad(error) from None

    async def _patiently(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Ask again while the log is away, for some seconds; then say so."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._hold_s
        while True:
            try:
                return await ask()
            except DependencyError as error:
                if loop.time() >= until:
                    raise self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, error.code, "try again") from None
            await asyncio.sleep(_AGAIN_S)
