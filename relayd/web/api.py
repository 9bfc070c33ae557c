"""The same as JSON: every method of the daemon by its name, and the OpenAPI document made of their models."""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec
from aiohttp import web

from relayd.accounts.tokens import digest_of
from relayd.web.parts import Caller, CallFailed, MethodFacts
from relayd.web.visit import BODY_S, Visit
from ruleset.errors import CommandRejected
from ruleset.ids import TournamentNo, player_label

MOST: Final = 256 * 1024
"""Bytes of a body."""
VERSION: Final = "1"
_decode: Final = msgspec.json.Decoder(dict[str, Any]).decode
_ANSWERS: Final[Mapping[int, str]] = {
    400: "The values make no sense: what, where, what to do.",
    401: "That token is not known.",
    403: "That right is not yours.",
    404: "There is no such method or tournament.",
    409: "The rules say no; `code` says which one.",
    413: "The body is too large.",
    422: "The deck is illegal, with every violation; or this command_id belongs to another command.",
    429: "Too many calls; Retry-After says how long to wait.",
    503: "Something is away; the same again, with the same command_id, is carried out once.",
}


async def look(visit: Visit) -> web.StreamResponse:
    """Answer a question: values in the query."""
    method = _method(visit)
    if method is None or method.changes:
        return _refused(
            HTTPStatus.NOT_FOUND, "unknown_method", "there is no such question; see /api/openapi.json"
        )
    return await _called(visit, method, dict(visit.request.query))


async def change(visit: Visit) -> web.StreamResponse:
    """Carry out a change, or answer a question whose values are in the body."""
    method = _method(visit)
    if method is None:
        return _refused(
            HTTPStatus.NOT_FOUND, "unknown_method", "there is no such method; see /api/openapi.json"
        )
    body = await _body(visit)
    if body is None:
        return _refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", f"at most {MOST} bytes are read")
    try:
        params = _decode(body or b"{}")
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        return _refused(HTTPStatus.BAD_REQUEST, "bad_json", f"this is no JSON object: {str(error)[:200]}")
    return await _called(visit, method, params)


async def document(visit: Visit) -> web.StreamResponse:
    """Return the OpenAPI document."""
    return _open(msgspec.json.encode(openapi(visit.parts.calls.methods, visit.origin)))


async def help_page(visit: Visit) -> web.StreamResponse:
    """Say in a page what programs can ask."""
    return visit.page("api.html", methods=sorted(visit.parts.calls.methods.values(), key=lambda m: m.name))


def openapi(methods: Mapping[str, MethodFacts], origin: str) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of *methods*."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "relayd", "version": VERSION, "description": "Tournaments beside a duel server."},
        "servers": [{"url": origin}],
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Refusal": _REFUSAL},
        },
        "paths": {f"/api/v1/{name}": _operation(method) for name, method in sorted(methods.items())},
    }


async def _called(visit: Visit, method: MethodFacts, params: Mapping[str, Any]) -> web.Response:
    caller = await _caller(visit, method, params)
    if isinstance(caller, web.Response):
        return caller
    try:
        result = await visit.parts.calls(caller, method.name, params)
    except CallFailed as error:
        if (
            error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
            and error.status != HTTPStatus.SERVICE_UNAVAILABLE
        ):
            raise
        return _refused(error.status, error.code, error.sentence, **error.data)
    return _open(msgspec.json.encode({"result": result}, enc_hook=str))


async def _caller(visit: Visit, method: MethodFacts, params: Mapping[str, Any]) -> Caller | web.Response:
    """Return in whose name a call comes: its token's, else the reader's own, else nobody's."""
    bearer = visit.request.headers.get("Authorization", "")
    if bearer:
        store = visit.parts.accounts.store
        scheme, _, secret = bearer.partition(" ")
        token = await store.token(digest_of(secret.strip())) if scheme.casefold() == "bearer" else None
        visit.account = None if token is None else await store.by_player(token.player)
        if token is None or visit.account is None:
            return _refused(HTTPStatus.UNAUTHORIZED, "bad_token", "that token is not known")
        if method.changes and token.scope != "write":
            return _refused(HTTPStatus.FORBIDDEN, "read_only", "that token only reads")
    number = params.get("tournament")
    if isinstance(number, str) and number.isascii() and number.isdecimal():
        number = int(number[:18])
    if isinstance(number, int) and not isinstance(number, bool) and 0 < number < 2**53:
        try:
            return _named(visit, await visit.caller(TournamentNo(number)))
        except CommandRejected:
            pass
    own = visit.player
    if own is None:
        return Caller(name=f"address:{visit.address}", role="viewer")
    return Caller(name=f"account:{player_label(own)}", role=_anywhere(visit, method), player=own)


def _anywhere(visit: Visit, method: MethodFacts) -> Any:  # noqa: ANN401  a RoleName
    """Return what an account is outside of all tournaments: whoever is verified may publish (R051, R053)."""
    account = visit.account
    verified = account is not None and (
        account.verified_at is not None or not visit.parts.accounts.verify_email
    )
    publishes = method.name in {"tournament.check", "tournament.publish"}
    return "host" if publishes and verified else "player"


def _named(visit: Visit, caller: Caller) -> Caller:
    if caller.name != "nobody":
        return caller
    return Caller(name=f"address:{visit.address}", role=caller.role, tournament=caller.tournament)


def _method(visit: Visit) -> MethodFacts | None:
    return visit.parts.calls.methods.get(visit.request.match_info["method"])


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


def _operation(method: MethodFacts) -> dict[str, Any]:
    schema = method.params.model_json_schema()
    answers: dict[str, Any] = {str(status): _refusal(words) for status, words in _ANSWERS.items()}
    ok = {"type": "object", "required": ["result"], "properties": {"result": {}}}
    answers["200"] = {"description": "Done.", "content": {"application/json": {"schema": ok}}}
    post = {
        "operationId": method.name,
        "summary": method.help,
        "description": f"Needs the role `{method.role}`" + (", or one's own player." if method.own else "."),
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": answers,
        "security": [{"token": []}, {}],
    }
    return {"post": post}


def _refusal(words: str) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
    return {"description": words, "content": content}


def _refused(status: int, code: str, message: str, **data: object) -> web.Response:
    told = {"error": {"code": code, "message": message, **({"data": data} if data else {})}}
    response = _open(msgspec.json.encode(told, enc_hook=str), status)
    if status in {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}:
        response.headers["Retry-After"] = "2"
    return response


def _open(body: bytes, status: int = 200) -> web.Response:
    """Answer any origin: it sees what is public, for cookies do not come with it (decisions 20)."""
    response = web.Response(body=body, status=status, content_type="application/json")
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Cache-Control"] = "no-store"
    return response


_REFUSAL: Final = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "data": {"type": "object"},
            },
        }
    },
}
