"""A whole tournament as one JSON document, and back: every entry of its stream, byte by byte (H208).

``{"format":"relayd-tournament-1","stream":"t12","hash":"…","entries":[…]}`` with ``hash`` that of the last
entry in hexadecimal. The entries are those of the log, secrets and all: decks, the seed, who did what. It is
the host's, not the public's. A document that was written anew by another program (blanks, order) is refused.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeVar

import msgspec

from relayd.desk import Reducer
from relayd.storage.codec import UnknownKind
from relayd.storage.log import LogEntry, chained, start_of

S = TypeVar("S")
E = TypeVar("E")
FORMAT: Final = "relayd-tournament-1"


class _Document(msgspec.Struct):
    format: Literal["relayd-tournament-1"]
    stream: str
    hash: str
    entries: tuple[msgspec.Raw, ...]


class BadExport(Exception):
    """Not a document of ours, or changed since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported(Generic[S, E]):
    """What a document holds."""

    stream: str
    entries: tuple[LogEntry[E], ...]
    state: S
    """To which they lead."""


def exported(stream: str, entries: Iterable[LogEntry[Any]]) -> bytes:
    """Return the document of *stream* with all of its *entries*, first to last."""
    kept = tuple(entries)
    last = kept[-1].hash if kept else start_of(stream).hash
    raw = tuple(msgspec.Raw(entry.body) for entry in kept)
    return msgspec.json.encode(_Document(format=FORMAT, stream=stream, hash=last.hex(), entries=raw))


def imported(document: bytes, reducer: Reducer[S, Any, E]) -> Imported[S, E]:
    """Return what *document* holds, checked as the log is. Raises BadExport with what does not fit."""
    try:
        found = msgspec.json.decode(document, type=_Document)
        entries = _entries(found, reducer)
        state = reducer.replay(tuple(event for entry in entries for event in entry.events), reducer.empty)
    except (UnknownKind, msgspec.MsgspecError) as error:
        raise BadExport(str(error)) from error
    except (LookupError, AssertionError) as error:
        raise BadExport(f"its events do not follow from each other: {error!r}") from error
    return Imported(stream=found.stream, entries=tuple(entries), state=state)


def _entries(found: _Document, reducer: Reducer[S, Any, E]) -> Sequence[LogEntry[E]]:
    head, entries = start_of(found.stream), list[LogEntry[E]]()
    for raw in found.entries:
        body = bytes(raw)
        entry = reducer.codec.unseal(body, chained(head.hash, body))
        if entry.version != head.version + 1:
            raise BadExport(f"entry {head.version + 1} of {found.stream} is missing")
        entries.append(entry)
        head = entry.head
    if head.hash.hex() != found.hash:
        raise BadExport(f"the entries of {found.stream} were changed: their hash does not fit")
    return entries
