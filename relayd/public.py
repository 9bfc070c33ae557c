"""What everybody may know of an entry: no seed, no deck, no raw message (R030, decisions 4 and 5)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from relayd.ports import Clock
from relayd.storage.log import Entry
from relayd.views.whole import whole
from ruleset.ids import TournamentNo
from ruleset.tournament.state import Tournament

_PRIVATE: Final = frozenset({"seed", "deck", "remarks", "body"})
"""Fields of events: what the seed decides is secret until the end, a deck is its owner's and the judges'."""
_PRIVATE_OF: Final[Mapping[str, frozenset[str]]] = {"deck_revoked.1": frozenset({"why"})}
"""Fields of single kinds: the reasons against a deck tell what is in it."""


class _Body(msgspec.Struct):
    events: list[tuple[str, dict[str, Any]]]


_decode: Final = msgspec.json.Decoder(_Body).decode


def public_events(entry: Entry) -> list[dict[str, Any]]:
    """Return the events of an entry as ``{"kind": "round_paired.1", …fields}``, without what is private."""
    return [{"kind": kind, **_shown(kind, data)} for kind, data in _decode(entry.body).events]


def public_entry(number: TournamentNo, entry: Entry) -> bytes:
    """Return ``{"tournament", "version", "at", "events"}`` as JSON."""
    fields = {"tournament": number, "version": entry.version, "at": entry.at}
    return msgspec.json.encode({**fields, "events": public_events(entry)})


def public_view(clock: Clock) -> Callable[[TournamentNo, int, Tournament], bytes]:
    """Return what makes ``{"tournament", "version", "view"}`` of a state, as JSON."""

    def encode(number: TournamentNo, version: int, state: Tournament) -> bytes:
        view = whole(state, clock.now())
        return msgspec.json.encode({"tournament": number, "version": version, "view": view})

    return encode


def public_gap(number: TournamentNo, version: int) -> bytes:
    """Return ``{"tournament", "version", "reset": true}``: ask for the whole, then follow after *version*."""
    return msgspec.json.encode({"tournament": number, "version": version, "reset": True})


def _shown(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    hidden = _PRIVATE | _PRIVATE_OF.get(kind, frozenset())
    shown = {name: value for name, value in data.items() if name not in hidden}
    if isinstance(report := shown.get("report"), dict):
        shown["report"] = {name: value for name, value in report.items() if name not in _PRIVATE}
    if isinstance(environment := shown.get("environment"), dict):
        shown["environment"] = {name: value for name, value in environment.items() if name != "table"}
    return shown
