"""Entries to bytes and back. The only place that knows how a fact looks on disk.

``{"version":7,"command_id":"c7","digest":"…","at":1795000000000,"by":"host","events":[["time_called.1",{…}]]}``
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from hashlib import sha256
from typing import Final, Generic, TypeVar, get_args, get_type_hints

import msgspec

from relayd.storage.log import Head, LogEntry, chained
from ruleset.added import Added
from ruleset.ids import Instant

E = TypeVar("E")

_encode: Final = msgspec.json.Encoder().encode
_encode_in_order: Final = msgspec.json.Encoder(order="sorted").encode
_MARK: Final = get_args(Added)[1:]


class _Body(msgspec.Struct, frozen=True, kw_only=True):
    version: int
    command_id: str
    digest: bytes
    at: Instant
    by: str
    events: tuple[tuple[str, msgspec.Raw], ...]


_decode: Final = msgspec.json.Decoder(_Body).decode


class UnknownKind(Exception):
    """An event of a kind that this program does not know: a newer one wrote it (F30)."""


class Codec(Generic[E]):
    """Writes and reads the events of one reducer.

    *kinds* names the class that is written as each kind. A kind stays readable for ever: when its class
    goes, an upcaster in *old* takes the place of its reader and makes today's event from its JSON.
    """

    def __init__(
        self, kinds: Mapping[str, type[E]], old: Mapping[str, Callable[[bytes], E]] | None = None
    ) -> None:
        self.kinds: Final = kinds
        self._kind_of: dict[type[E], str] = {event: kind for kind, event in kinds.items()}
        self._readers: dict[str, Callable[[bytes], E]] = dict(old or {})
        self._readers |= {kind: msgspec.json.Decoder(event).decode for kind, event in kinds.items()}

    def seal(
        self, after: Head, *, command_id: str, digest: bytes, at: Instant, by: str, events: Iterable[E]
    ) -> LogEntry[E]:
        """Return the entry behind *after*, read back from its bytes: what cannot be read is never written."""
        said = [(self._kind_of[type(event)], event) for event in events]
        fields = {"version": after.version + 1, "command_id": command_id, "digest": digest}
        body = _encode(fields | {"at": at, "by": by, "events": said})
        return self.unseal(body, chained(after.hash, body))

    def unseal(self, body: bytes, hash_: bytes) -> LogEntry[E]:
        """Return the entry in *body*. Raises UnknownKind, or MsgspecError where it is no entry of ours."""
        fields = _decode(body)
        return LogEntry(
            version=fields.version,
            command_id=fields.command_id,
            digest=fields.digest,
            at=fields.at,
            by=fields.by,
            events=tuple([self.event(kind, raw) for kind, raw in fields.events]),
            hash=hash_,
            body=body,
        )

    def event(self, kind: str, raw: bytes | msgspec.Raw) -> E:
        """Return the event that stands in an entry as *kind* and *raw*."""
        reader = self._readers.get(kind)
        if reader is None:
            raise UnknownKind(f"unknown kind {kind}: a newer program wrote it")
        return reader(raw)


def digest_of(command: object) -> bytes:
    """Return SHA-256 of what the sender said: not of what the daemon added, which a retry brings anew."""
    said = {name: getattr(command, name) for name in _said(type(command))}  # type: ignore[arg-type]  # a class is hashable
    return sha256(_encode_in_order((type(command).__name__, said))).digest()


def fingerprint(value: object) -> bytes:
    """Return SHA-256 of *value* as JSON, mappings and sets in order: equal values, equal fingerprints."""
    plain = msgspec.to_builtins(value, str_keys=True, order="sorted")
    return sha256(_encode_in_order(plain)).digest()


@cache
def _said(command: type) -> tuple[str, ...]:
    hints = get_type_hints(command, include_extras=True)
    return tuple(name for name, hint in hints.items() if getattr(hint, "__metadata__", ()) != _MARK)
