"""From a line of a peer to its answer: rights, values, handler, and one canonical log line for each call."""

import asyncio
import time
from collections.abc import Mapping
from math import ceil
from typing import Final

import structlog

from relayd.admin import rpc
from relayd.admin.buckets import Buckets
from relayd.admin.failures import Outcome, explain, outcome_of
from relayd.admin.methods import Method
from relayd.admin.params import Params
from relayd.admin.parts import Call, Line, Parts
from relayd.admin.roles import Peer, Role
from relayd.admin.rpc import Code, Request, RpcError
from relayd.observe.metrics import Metrics
from ruleset.ids import TournamentNo

_log: Final = structlog.get_logger()


class Dispatcher:
    """Answers requests of any transport."""

    def __init__(
        self, methods: Mapping[str, Method], parts: Parts, metrics: Metrics, buckets: Buckets
    ) -> None:
        self._methods, self._parts, self._metrics, self._buckets = methods, parts, metrics, buckets
        for method in methods:
            metrics.admin_calls.labels(method, "broken")

    async def answer(self, peer: Peer, message: bytes, line: Line) -> bytes | None:
        """Return the answer to a request or a batch, whose requests start in their order; ``None``: none.

        Never raises: whatever goes wrong is an answer.
        """
        requests, is_batch = rpc.parse(message)
        wait = self._buckets.take(peer.name, len(requests))
        if wait:
            answers = [self._busy(request, wait) for request in requests]
        else:
            answers = list(await asyncio.gather(*(self._one(peer, request, line) for request in requests)))
        told = [answer for answer in answers if answer is not None]
        return None if not told else rpc.batch(told) if is_batch else told[0]

    def _busy(self, request: Request | RpcError, wait: float) -> bytes | None:
        self._metrics.admin_calls.labels("any", "busy").inc()
        tenths = ceil(wait * 10)
        told = RpcError(Code.BUSY, f"too many calls: wait {tenths / 10} s", retry_after_ms=tenths * 100)
        if isinstance(request, RpcError):
            return rpc.failure(None, told)
        return rpc.failure(request.answer_id, told) if request.wants_answer else None

    async def _one(self, peer: Peer, request: Request | RpcError, line: Line) -> bytes | None:
        if isinstance(request, RpcError):
            self._metrics.peer_errors.labels("admin", request.code.name.lower()).inc()
            return rpc.failure(None, request)
        began = time.perf_counter()
        try:
            answer, outcome, code = (
                rpc.result(request.answer_id, await self._call(peer, request, line)),
                "ok",
                "",
            )
        except Exception as error:  # noqa: BLE001  root of a call: nobody may be left waiting
            told = explain(error, _text(request.params.get("command_id")))
            answer, outcome = rpc.failure(request.answer_id, told), outcome_of(told)
            code = str(told.data.get("code", told.code.name.lower()))
            if told.code is Code.INTERNAL:
                _log.error("admin_call_failed", method=request.method, exc_info=error)
        self._note(peer, request, outcome, code, began)
        return answer if request.wants_answer else None

    async def _call(self, peer: Peer, request: Request, line: Line) -> object:
        method = self._methods.get(request.method)
        if method is None:
            raise RpcError(Code.UNKNOWN_METHOD, f"there is no method {request.method[:64]}; see rpc.methods")
        params = method.params.model_validate(request.params)
        call = _call_of(peer, self._parts, line, params)
        _admit(method, call, params)
        return await method.handler(call, params)

    def _note(self, peer: Peer, request: Request, outcome: Outcome | str, code: str, began: float) -> None:
        method = self._methods.get(request.method)
        self._metrics.admin_calls.labels("unknown" if method is None else method.name, outcome).inc()
        write = _log.info if method is None or method.changes or outcome != "ok" else _log.debug
        write(
            "admin_call",
            kind=request.method[:64],
            peer=peer.name,
            outcome=outcome,
            code=code,
            ms=round((time.perf_counter() - began) * 1_000, 2),
            **_about(request.params),
        )


def _call_of(peer: Peer, parts: Parts, line: Line, params: Params) -> Call:
    number = getattr(params, "tournament", None)
    return Call(
        peer=peer,
        parts=parts,
        line=line,
        number=None if number is None else TournamentNo(number),
        command_id=getattr(params, "command_id", None),
        expected_version=getattr(params, "expected_version", None),
    )


def _admit(method: Method, call: Call, params: Params) -> None:
    """Let a call through, or refuse: too little of a right, or a player who speaks for another."""
    if call.role >= method.role:
        return
    if method.own and call.role is Role.PLAYER and call.peer.player == getattr(params, "player", None):
        return
    needed = method.role.name.lower()
    raise RpcError(
        Code.FORBIDDEN, f"{method.name} needs the role {needed}, yours here is {call.role.name.lower()}"
    )


def _about(params: Mapping[str, object]) -> dict[str, object]:
    """Return which tournament, player and table a call named, for its log line."""
    named = {name: params[name] for name in ("tournament", "player", "table", "command_id") if name in params}
    return {name: value if isinstance(value, int) else str(value)[:64] for name, value in named.items()}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
