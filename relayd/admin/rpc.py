"""The JSON-RPC 2.0 envelope: bytes to requests and back, safe against whatever JSON can do (F18)."""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

LONGEST: Final = 256 * 1024
"""Bytes of one request or batch; a deck has 64 KiB at most."""
BATCH: Final = 200
"""Requests of one batch."""

RequestId: TypeAlias = int | str | None


class Code(IntEnum):
    """Error codes: those of JSON-RPC, and ours from -32000 down."""

    PARSE = -32700
    INVALID_REQUEST = -32600
    UNKNOWN_METHOD = -32601
    INVALID_PARAMS = -32602
    INTERNAL = -32603
    REFUSED = -32000
    """The rules say no; ``data.code`` says which one."""
    FORBIDDEN = -32001
    AWAY = -32002
    """Outcome unknown: send the same again, with the same command_id."""
    CONFLICT = -32003
    """Somebody else was first: look again, then decide again."""
    DECK = -32004
    """``data.violations`` holds all."""
    COMMAND_ID = -32005
    """That command_id belongs to another command (F12)."""
    BUSY = -32006
    """Too many calls: wait."""


class RpcError(Exception):
    """What a caller is told instead of a result."""

    def __init__(self, code: Code, message: str, /, **data: object) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One call; without an id nobody waits for an answer."""

    jsonrpc: Literal["2.0"]
    method: str
    params: dict[str, Any] = {}
    id: int | str | UnsetType | None = UNSET

    @property
    def wants_answer(self) -> bool:
        """Whether it has an id."""
        return self.id is not UNSET

    @property
    def answer_id(self) -> RequestId:
        """What the answer is marked with."""
        return None if self.id is UNSET else self.id


_parts: Final = msgspec.json.Decoder(list[msgspec.Raw])
_request: Final = msgspec.json.Decoder(Request)
_encoder: Final = msgspec.json.Encoder(enc_hook=str)


def parse(line: bytes) -> tuple[list[Request | RpcError], bool]:
    """Return what was asked, broken requests as their error, and whether it was a batch."""
    if len(line) > LONGEST:
        return [RpcError(Code.INVALID_REQUEST, f"a request has {LONGEST} bytes at most")], False
    if not line.lstrip(b" \t\r\n").startswith(b"["):
        return [_read(line)], False
    try:
        parts = _parts.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        return [_unreadable(error)], False
    if not 0 < len(parts) <= BATCH:
        return [RpcError(Code.INVALID_REQUEST, f"a batch has 1 to {BATCH} requests")], False
    return [_read(bytes(part)) for part in parts], True


def result(id_: RequestId, value: object) -> bytes:
    """Return the answer with *value*."""
    return _encoder.encode({"jsonrpc": "2.0", "id": id_, "result": value})


def failure(id_: RequestId, error: RpcError) -> bytes:
    """Return the answer that says why not."""
    told: dict[str, object] = {"code": int(error.code), "message": error.message}
    if error.data:
        told["data"] = error.data
    return _encoder.encode({"jsonrpc": "2.0", "id": id_, "error": told})


def batch(answers: Sequence[bytes]) -> bytes:
    """Return several answers as one."""
    return b"[" + b",".join(answers) + b"]"


def notification(method: str, params: Mapping[str, object] | bytes) -> bytes:
    """Return a message that nobody answers; *params* may be JSON already."""
    raw = msgspec.Raw(params) if isinstance(params, bytes) else params
    return _encoder.encode({"jsonrpc": "2.0", "method": method, "params": raw})


def _read(raw: bytes) -> Request | RpcError:
    try:
        return _request.decode(raw)
    except msgspec.ValidationError as error:
        return RpcError(Code.INVALID_REQUEST, f"this is no JSON-RPC 2.0 request: {error}")
    except (msgspec.DecodeError, RecursionError) as error:
        return _unreadable(error)


def _unreadable(error: Exception) -> RpcError:
    why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
    return RpcError(Code.PARSE, f"this is not JSON: {why}")
