"""The same as JSON: every method of the daemon by its name, and the OpenAPI document made of their models."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final

import msgspec
import structlog
from aiohttp import web

from relayd.accounts.tokens import digest_of
from relayd.errors import DependencyError
from relayd.settings import RoleName
from relayd.storage.accounts import ApiToken
from relayd.storage.log import LogError
from relayd.web.openapi import ANSWERS, allowed, by_query, openapi
from relayd.web.parts import Caller, CallFailed, MethodFacts
from relayd.web.visit import BODY_S, Visit
from ruleset.errors import CommandRejected
from ruleset.ids import TournamentNo, player_label

MOST: Final = 256 * 1024
"""Bytes of a body."""
_decode: Final = msgspec.json.Decoder(dict[str, Any]).decode
_PLAYS: Final[Sequence[RoleName]] = ("viewer", "player")
_log: Final = structlog.get_logger()


async def look(visit: Visit) -> web.StreamResponse:
    """Answer a question: values in the query."""
    method = _method(visit)
    if not by_query(method):
        return _not_so(allowed(method))
    return await _called(visit, method, dict(visit.request.query))


async def change(visit: Visit) -> web.StreamResponse:
    """Carry out a change, or answer a question whose values are in the body."""
    method, body = _method(visit), await _body(visit)
    if body is None:
        return _refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", f"at most {MOST} bytes are read")
    try:
        params = _decode(body or b"{}")
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        return _refused(HTTPStatus.BAD_REQUEST, "bad_json", f"this is no JSON object: {str(error)[:200]}")
    return await _called(visit, method, params)


async def other_verb(visit: Visit) -> web.StreamResponse:
    """Say with which HTTP methods an address answers."""
    return _not_so(allowed(_method(visit)))


async def document(visit: Visit) -> web.StreamResponse:
    """Return the OpenAPI document."""
    return _open(msgspec.json.encode(openapi(visit.parts.calls.methods, visit.origin)))


def only(allow: str) -> Callable[[Visit], Awaitable[web.StreamResponse]]:
    """Return what answers with 405 at an address of *allow* alone."""

    async def refuse(_visit: Visit) -> web.StreamResponse:
        return _not_so(allow)

    return refuse


async def nothing_here(_visit: Visit) -> web.StreamResponse:
    """Say to a program that there is no such address."""
    return _refused(HTTPStatus.NOT_FOUND, "not_found", "there is nothing here; see /api/openapi.json")


async def help_page(visit: Visit) -> web.StreamResponse:
    """Say in a page what programs can ask."""
    subjects: dict[str, list[MethodFacts]] = {}
    for name, method in sorted(visit.parts.calls.methods.items()):
        subjects.setdefault(name.partition(".")[0], []).append(method)
    return visit.page("api.html", subjects=subjects, verbs=lambda m: "GET" if by_query(m) else "POST")


def for_programs(request: web.BaseRequest) -> bool:
    """Say whether an address is one for programs, which are answered in JSON whatever happens."""
    return request.path.startswith("/api/")


def failed(error: Exception) -> web.Response:
    """Tell a program what went wrong, as pages tell people."""
    match error:
        case web.HTTPException():
            code = error.reason.lower().replace(" ", "_")
            response = _refused(error.status, code, ANSWERS.get(error.status, error.reason))
            response.headers.update({k: v for k, v in error.headers.items() if k == "Retry-After"})
            return response
        case CallFailed():
            return _refused(error.status, error.code, error.sentence, error.data)
        case CommandRejected():
            return _refused(HTTPStatus.CONFLICT, error.code, str(error))
        case LogError() | DependencyError():
            return _refused(HTTPStatus.SERVICE_UNAVAILABLE, error.code, ANSWERS[503])
        case _:
            _log.error("api_failed", exc_info=error)
            return _refused(HTTPStatus.INTERNAL_SERVER_ERROR, "internal", "a bug of the daemon")


async def _called(visit: Visit, method: MethodFacts, params: Mapping[str, Any]) -> web.Response:
    caller = await _caller(visit, method, params)
    if isinstance(caller, web.Response):
        return caller
    result = await visit.parts.calls(caller, method.name, params)
    return _open(msgspec.json.encode({"result": result}, enc_hook=str))


async def _caller(visit: Visit, method: MethodFacts, params: Mapping[str, Any]) -> Caller | web.Response:
    """Return in whose name a call comes: its token's, else the reader's own, else nobody's."""
    bearer, token = visit.request.headers.get("Authorization", ""), None
    if bearer:
        store = visit.parts.accounts.store
        scheme, _, secret = bearer.partition(" ")
        token = await store.token(digest_of(secret.strip())) if scheme.casefold() == "bearer" else None
        visit.account = None if token is None else await store.by_player(token.player)
        if token is None or visit.account is None:
            return _refused(HTTPStatus.UNAUTHORIZED, "bad_token", "that token is not known")
        if method.changes and token.scope == "read":
            return _refused(HTTPStatus.FORBIDDEN, "read_only", "that token only reads")
    caller = await _own(visit, method, params)
    return caller if token is None else _within(token, caller)


async def _own(visit: Visit, method: MethodFacts, params: Mapping[str, Any]) -> Caller:
    """Return what the account at work may do in the tournament that the call is about."""
    number = _number(params.get("tournament"))
    if number is not None:
        try:
            return _named(visit, await visit.caller(number))
        except CommandRejected:
            pass
    own = visit.player
    if own is None:
        return Caller(name=f"address:{visit.address}", role="viewer")
    return Caller(name=f"account:{player_label(own)}", role=_anywhere(visit, method), player=own)


def _within(token: ApiToken, caller: Caller) -> Caller:
    """Return what is left of a right in the hand of a token."""
    if token.tournament is not None and token.tournament != caller.tournament:
        return replace(caller, role="viewer", player=None)
    if token.scope == "play" and caller.role not in _PLAYS:
        return replace(caller, role="player")
    return caller


def _number(value: object) -> TournamentNo | None:
    if isinstance(value, str) and value.isascii() and value.isdecimal():
        value = int(value[:18])
    plain = isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**53
    return TournamentNo(value) if plain and isinstance(value, int) else None


def _anywhere(visit: Visit, method: MethodFacts) -> RoleName:
    """Return what an account is outside of all tournaments: whoever is verified may publish (R051, R053)."""
    account = visit.account
    verified = account is not None and (
        account.verified_at is not None or not visit.parts.accounts.verify_email
    )
    publishes = method.name in {"tournament.check", "tournament.publish"}
    return "host" if publishes and verified else "player"


def _named(visit: Visit, caller: Caller) -> Caller:
    return caller if caller.name != "nobody" else replace(caller, name=f"address:{visit.address}")


def _method(visit: Visit) -> MethodFacts:
    """Return the method that an address names. Raises CallFailed."""
    method = visit.parts.calls.methods.get(visit.request.match_info["method"])
    if method is None:
        sentence = "there is no such method; see /api/openapi.json"
        raise CallFailed(HTTPStatus.NOT_FOUND, "unknown_method", sentence, {})
    return method


async def _body(visit: Visit) -> bytes | None:
    if (visit.request.content_length or 0) > MOST:
        return None
    try:
        async with asyncio.timeout(BODY_S):
            return await visit.request.clone(client_max_size=MOST).read()
    except web.HTTPRequestEntityTooLarge:
        return None
    except TimeoutError:
        raise web.HTTPRequestTimeout from None


def _not_so(allow: str) -> web.Response:
    response = _refused(HTTPStatus.METHOD_NOT_ALLOWED, "method_not_allowed", f"ask with {allow}")
    response.headers["Allow"] = allow
    return response


def _refused(status: int, code: str, message: str, data: Mapping[str, object] | None = None) -> web.Response:
    told = {"error": {"code": code, "message": message, **({"data": data} if data else {})}}
    response = _open(msgspec.json.encode(told, enc_hook=str), status)
    if status in {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}:
        response.headers["Retry-After"] = "2"
    if status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _open(body: bytes, status: int = 200) -> web.Response:
    """Answer any origin: it sees what is public, for cookies do not come with it (decisions 20)."""
    response = web.Response(body=body, status=status, content_type="application/json")
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Cache-Control"] = "no-store"
    return response
