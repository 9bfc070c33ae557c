"""Every other address below /challonge: told as Challonge would, in JSON, and not as the pages do."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from http import HTTPStatus
from typing import Final

from aiohttp import web

from relayd.bridge.answers import Refusal, Refusing

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_ROOT: Final = "/challonge"


def elsewhere(known: Iterable[web.RouteDef], refuse: Refusing) -> list[web.RouteDef]:
    """Return what answers where *known* does not: 405 with ``Allow`` at its addresses, 404 at all others."""
    methods = defaultdict[str, list[str]](list)
    for route in known:
        methods[route.path].append(route.method)
    return [
        *(web.route("*", path, _other_method(refuse, found)) for path, found in methods.items()),
        *(web.route("*", path, _unknown(refuse)) for path in (_ROOT, f"{_ROOT}/{{rest:.*}}")),
    ]


def _other_method(refuse: Refusing, methods: Iterable[str]) -> Handler:
    allow = ", ".join(sorted(methods))

    async def answer(request: web.Request) -> web.StreamResponse:
        why = f"{request.method} is not possible here; {allow} is"
        refusal: Refusal = refuse(HTTPStatus.METHOD_NOT_ALLOWED, "method_not_allowed", why)
        refusal.headers["Allow"] = allow
        raise refusal

    return answer


def _unknown(refuse: Refusing) -> Handler:
    async def answer(_request: web.Request) -> web.StreamResponse:
        why = "nothing of Challonge's is here; see challonge_url in docs/operators.md"
        raise refuse(HTTPStatus.NOT_FOUND, "unknown_address", why)

    return answer
