"""The OpenAPI document: made of the models of the methods, so that it cannot lie about them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from relayd.web.parts import MethodFacts

VERSION: Final = "1"
PREFIX: Final = "/api/v1/"
ANSWERS: Final[Mapping[int, str]] = {
    400: "The values make no sense: what, where, what to do.",
    401: "That token is not known.",
    403: "That right is not yours.",
    404: "There is no such tournament, table, round, player or whatever else was named.",
    405: "Not with this HTTP method: `Allow` says with which.",
    408: "The body takes too long to arrive.",
    409: "The rules say no; `code` says which one.",
    413: "The body is too large.",
    422: "The deck is illegal, with every violation; or this command_id belongs to another command.",
    429: "Too many calls; Retry-After says how long to wait.",
    503: "Something is away; the same again, with the same command_id, is carried out once.",
}
LONGEST: Final = 1_000
"""Characters of a value that is worth a place in a query."""
_SCALAR: Final = frozenset({"string", "integer", "number", "boolean", "null"})
_NAMING: Final = frozenset({"tournament", "player", "table", "round", "server", "hook", "one", "other"})
"""Values that name something which may not be there."""
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


def openapi(methods: Mapping[str, MethodFacts], origin: str) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of *methods*."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "relayd", "version": VERSION, "description": "Tournaments beside a duel server."},
        "servers": [{"url": origin}],
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Refusal": _REFUSAL, **dict(_models(methods))},
            "responses": {str(status): _refusal(status, words) for status, words in ANSWERS.items()},
        },
        "paths": {f"{PREFIX}{name}": _path(method) for name, method in sorted(methods.items())},
    }


def by_query(method: MethodFacts) -> bool:
    """Say whether a method can be asked by GET: it changes nothing, and all its values fit into a query."""
    schema = _schema(method)
    values = schema["properties"].values()
    return not method.changes and all(_fits(one, schema) for one in values)


def allowed(method: MethodFacts) -> str:
    """Return what the ``Allow`` header says of a method's address."""
    return "GET, HEAD, POST" if by_query(method) else "POST"


def _schema(method: MethodFacts) -> dict[str, Any]:
    return method.params.model_json_schema(ref_template=f"#/components/schemas/{method.name}.{{model}}")


def _models(methods: Mapping[str, MethodFacts]) -> Iterator[tuple[str, Any]]:
    for method in methods.values():
        for name, model in _schema(method).get("$defs", {}).items():
            yield f"{method.name}.{name}", model


def _path(method: MethodFacts) -> dict[str, Any]:
    schema = _schema(method)
    inner = {name: value for name, value in schema.items() if name != "$defs"}
    post = _operation(method, "post") | {
        "requestBody": {
            "required": bool(schema.get("required")),
            "content": {"application/json": {"schema": inner}},
        }
    }
    if not by_query(method):
        return {"post": post}
    return {"get": _operation(method, "get") | {"parameters": list(_parameters(schema))}, "post": post}


def _operation(method: MethodFacts, verb: str) -> dict[str, Any]:
    own = ", or one's own player" if method.own else ""
    return {
        "operationId": method.name if verb == "post" else f"{method.name}.get",
        "tags": [method.name.partition(".")[0]],
        "summary": method.help,
        "description": f"Needs the role `{method.role}`{own}. Other HTTP methods are answered with 405.",
        "responses": {
            "200": _done(method),
            **{str(status): {"$ref": f"#/components/responses/{status}"} for status in _told(method, verb)},
        },
        "security": [{"token": []}, {}],
    }


def _told(method: MethodFacts, verb: str) -> Iterator[int]:
    """Yield the statuses with which a call may be refused."""
    values = set(method.params.model_fields)
    yield from (400, 401)
    if verb == "post" or method.role != "viewer":
        yield 403
    if values & _NAMING:
        yield 404
    if verb == "post":
        yield from (408, 413)
    if method.changes or values & {"tournament", "settings"}:
        yield 409
    if method.changes or "deck" in values:
        yield 422
    yield from (429, 503)


def _done(method: MethodFacts) -> dict[str, Any]:
    ok = {"type": "object", "required": ["result"], "properties": {"result": method.answer}}
    return {"description": "Done.", "content": {"application/json": {"schema": ok}}}


def _refusal(status: int, words: str) -> dict[str, Any]:
    told: dict[str, Any] = {
        "description": words,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}},
    }
    header = {405: "Allow", 429: "Retry-After", 503: "Retry-After"}.get(status)
    if header is not None:
        told["headers"] = {header: {"required": True, "schema": {"type": "string"}}}
    return told


def _parameters(schema: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, one in schema["properties"].items():
        yield {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            "schema": _there(_followed(one, schema)),
        }


def _there(one: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema without null, which is no text: in a query, what is not there is left out."""
    kinds = [kind for kind in one.get("anyOf", ()) if kind.get("type") != "null"]
    if not kinds:
        return one
    return dict(kinds[0]) if len(kinds) == 1 else {"anyOf": kinds}


def _followed(one: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in one:
        return one
    found: Mapping[str, Any] = schema["$defs"][one["$ref"].rpartition(".")[2]]
    return found


def _fits(one: Mapping[str, Any], schema: Mapping[str, Any]) -> bool:
    return set(_kinds(one, schema)) <= _SCALAR and one.get("maxLength", 0) <= LONGEST


def _kinds(one: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the JSON types that a value may have; "any" where the schema leaves it open."""
    one = _followed(one, schema)
    if "anyOf" in one:
        for kind in one["anyOf"]:
            yield from _kinds(kind, schema)
    else:
        yield one.get("type", "string" if "enum" in one or "const" in one else "any")
