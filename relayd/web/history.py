"""The audit trail in words: who did what, when; of a table or of a whole tournament."""

from collections.abc import Iterator, Mapping
from typing import Any

from relayd.public import public_events
from relayd.storage.log import Entry
from relayd.web.languages import Language, known, text
from relayd.web.visit import Visit
from relayd.web.words import result_text
from ruleset.ids import PlayerId, RoundNo, TableId, TableNo, player_label
from ruleset.tournament.state import Tournament

Line = dict[str, Any]


async def told(visit: Visit, state: Tournament, table: TableId | None = None) -> list[Line]:
    """Return what happened, newest first: at one table, or all of it."""
    entries = await visit.parts.history(state.number)
    if table is not None:  # a look at the bytes spares reading all that happened elsewhere
        named = b'"table":[%d,%d]' % (table.round_no, table.table)
        entries = [entry for entry in entries if named in entry.body]
    lines = (line for entry in entries for line in _lines(visit, state, entry, table))
    return list(lines)[::-1]


def _lines(visit: Visit, state: Tournament, entry: Entry, table: TableId | None) -> Iterator[Line]:
    for event in public_events(entry):
        kind = str(event["kind"]).partition(".")[0]
        if table is not None and event.get("table") != [table.round_no, table.table]:
            continue
        key = f"event_kind.{kind}"
        yield {
            "at": entry.at,
            "by": entry.by,
            "version": entry.version,
            "what": visit.t(key) if known(key) else kind.replace("_", " "),
            "about": _about(visit.language, state, event, at_table=table is not None),
        }


def _about(language: Language, state: Tournament, event: Mapping[str, Any], *, at_table: bool) -> str:
    parts = []
    if isinstance(named := event.get("table"), list) and not at_table:
        parts.append(str(TableId(RoundNo(named[0]), TableNo(named[1]))))
    if isinstance(player := event.get("player"), int):
        known_player = state.players.get(PlayerId(player))
        parts.append(known_player.nickname if known_player else player_label(PlayerId(player)))
    if isinstance(seat := event.get("seat"), str):
        parts.append(seat.upper())
    if isinstance(result := event.get("result"), dict):
        parts.append(_result(language, result))
    values = (event.get(name) for name in ("why", "text", "round_no", "on"))
    parts += [_value(language, value) for value in values if value not in (None, "")]
    return " · ".join(parts)


def _value(language: Language, value: object) -> str:
    if isinstance(value, bool):
        return "✓" if value else "✗"
    return text(language, key) if known(key := f"dispute.{value}") else str(value)


def _result(language: Language, result: Mapping[str, Any]) -> str:
    wins = [sum(game["winner"] == seat for game in result["games"]) for seat in ("a", "b")]
    return " ".join(filter(None, (f"{wins[0]}:{wins[1]}", result_text(language, result))))
