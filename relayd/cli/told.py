"""What a change did, in a line for each event that a host cares about."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from relayd.neutral import neutral
from ruleset.ids import player_label

Event: TypeAlias = Mapping[str, Any]


def told(result: Mapping[str, Any]) -> Iterator[str]:
    """Yield one neutral line for each event; that nothing changed is a line, too."""
    if not result.get("changed", True):
        yield "nothing to do: it is so already"
        return
    for event in result.get("events", ()):
        name = str(event.get("kind", "")).partition(".")[0]
        words = _WORDS.get(name)
        yield neutral(words(event) if words else name.replace("_", " "))


def _player(event: Event) -> str:
    return player_label(event["player"])


def _table(event: Event) -> str:
    round_no, table = event["table"]
    return f"R{round_no}T{table}"


def _tables(event: Event) -> str:
    return ", ".join(f"T{table}" for table in event["tables"]) or "no table"


def _result(event: Event) -> str:
    result = event["result"]
    wins = [sum(game["winner"] == seat for game in result["games"]) for seat in ("a", "b")]
    return f"table {_table(event)}: {result['outcome']} by {result['reason']}, games {wins[0]}-{wins[1]}"


_WORDS: Final[Mapping[str, Callable[[Event], str]]] = {
    "tournament_published": lambda e: f"tournament {e['number']} is published: {e['settings']['title']}",
    "environment_refrozen": lambda e: (
        f"decks are judged by {e['environment']['list_name']} ({e['environment']['list_hash']:08x}) now"
    ),
    "player_registered": lambda e: f"{_player(e)} {e['nickname']} is registered",
    "player_withdrawn": lambda e: f"{_player(e)} has withdrawn",
    "deck_submitted": lambda e: (
        f"{_player(e)}: deck {'approved' if e['approved'] else 'waits for your look'}"
    ),
    "deck_approved": lambda e: f"{_player(e)}: deck approved",
    "deck_revoked": lambda e: f"{_player(e)}: deck refused, not signed in",
    "player_signed_in": lambda e: f"{_player(e)} signed in as number {e['sequence']}",
    "tournament_started": lambda e: f"started with {len(e['entrants'])} players",
    "round_paired": lambda e: (
        f"round {e['round_no']}: {len(e['tables'])} tables, {len(e.get('byes', ()))} byes"
    ),
    "player_present": lambda e: f"table {_table(e)}: seat {e['seat'].upper()} is present",
    "time_called": lambda e: f"time called in round {e['round_no']}: {_tables(e)}",
    "cap_reached": lambda e: f"hard cap in round {e['round_no']}: {_tables(e)}",
    "result_confirmed": _result,
    "result_disputed": lambda e: f"table {_table(e)} is disputed: {e['why']}",
    "table_reopened": lambda e: f"table {_table(e)} plays again",
    "round_finished": lambda e: f"round {e['round_no']} is over",
    "round_reopened": lambda e: f"round {e['round_no']} is open again",
    "clock_paused": lambda _: "paused: every deadline is frozen",
    "clock_resumed": lambda _: "resumed",
    "auto_switched": lambda e: f"automatic clock {'on' if e['on'] else 'off'}",
    "round_postponed": lambda e: f"round {e['round_no']} postponed by {e['by_ms'] // 1_000} s",
    "table_extended": lambda e: f"table {_table(e)} has {e['by_ms'] // 1_000} s more",
    "player_dropped": lambda e: f"{_player(e)} has dropped",
    "drop_undone": lambda e: f"{_player(e)} plays on",
    "cut_made": lambda e: f"cut made: {len(e['seats'])} go on",
    "rated": lambda e: f"DP: {len(e['rows'])} rows",
    "tournament_finished": lambda _: "the tournament is finished",
    "tournament_cancelled": lambda _: "the tournament is cancelled",
    "announced": lambda _: "announced in all rooms",
}
