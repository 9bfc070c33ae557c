"""Reading JSON of strangers: bounded, typed, total."""

import re
from typing import Final, TypeVar

import msgspec

from srvpro_bridge.errors import NotSrvpro, PeerError

T = TypeVar("T")

_SURROGATE: Final = re.compile(
    rb"(\\\\)|(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
_REPLACEMENT: Final = rb"\ufffd"


def decode(body: bytes, shape: type[T], *, limit: int, refuse: type[PeerError]) -> T:
    """Read *body* as *shape*. Raises *refuse*: too_large, too_deep, not_json or wrong_shape (F18)."""
    if len(body) > limit:
        raise refuse("too_large", f"the body has {len(body)} bytes, at most {limit} are read", limit=limit)
    try:
        return msgspec.json.decode(body, type=shape)
    except msgspec.ValidationError as error:
        raise refuse("wrong_shape", f"the body has another shape: {error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise refuse("not_json", f"the body is no JSON text: {error}{_beginning(body, refuse)}") from None
    except RecursionError:
        raise refuse("too_deep", "the body nests deeper than any message does") from None


def without_lone_surrogates(body: bytes) -> bytes:
    """Replace halves of characters by U+FFFD: a name cut at 20 units may end in one (duel-server.md 6)."""
    return _SURROGATE.sub(lambda found: found[0] if found[1] or found[2] else _REPLACEMENT, body)


def _beginning(body: bytes, refuse: type[PeerError]) -> str:
    """Quote what the admin API answers; whatever comes to us may hold a key."""
    return f"; it begins with {body[:40]!r}" if issubclass(refuse, NotSrvpro) else ""
