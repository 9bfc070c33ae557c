"""What a change did, in a line for each event that a host cares about."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from relayd.cli.words import round_name
from relayd.neutral import neutral
from ruleset.ids import TableId, player_label

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
    return str(TableId(*event["table"]))


def _pair(event: Event) -> str:
    return " and ".join(map(player_label, (event["one"], event["other"])))


def _assigned(event: Event) -> str:
    team = "no team" if event["team"] is None else f"team {event['team']}"
    return f"{_player(event)} is in {team}{', shown as ' if event['label'] else ''}{event['label']}"


def _seat(event: Event) -> str:
    return f"table {_table(event)}: seat {event['seat'].upper()}"


def _score(event: Event) -> str:
    return "-".join(map(str, event["wins"]))


def _asked(event: Event) -> str:
    if event["question"] == "room_lost":
        return f"the rooms of {_tables(event)} are lost: rule, or resume with relayctl table resume"
    return f"{round_name(event['round_no'])} leaves nobody: rule within five minutes, or there is no champion"


def _tables(event: Event) -> str:
    return ", ".join(f"T{table}" for table in event["tables"]) or "no table"


def _reseated(event: Event) -> str:
    changed = _tables({"tables": [seating["table"] for seating in event["tables"]]})
    byes = ", ".join(map(player_label, event["byes"]))
    return f"{round_name(event['round_no'])}: seats are changed at {changed}{', bye: ' if byes else ''}{byes}"


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
        f"{round_name(e['round_no'])}: {len(e['tables'])} tables, {len(e.get('byes', ()))} byes"
    ),
    "pairing_changed": _reseated,
    "round_unpaired": lambda e: f"{round_name(e['round_no'])} is taken back",
    "rounds_changed": lambda e: f"{e['rounds']} rounds count",
    "registration_switched": lambda e: f"registration is {'closed' if e['closed'] else 'open'}",
    "visibility_set": lambda e: f"the tournament is {e['visibility']}",
    "co_hosts_named": lambda e: f"co-hosts: {', '.join(map(player_label, e['players'])) or 'nobody'}",
    "team_added": lambda e: f"team {e['team']} {e['name']} is on the list",
    "team_removed": lambda e: f"team {e['team']} is off the list",
    "team_assigned": _assigned,
    "pair_forbidden": lambda e: f"{_pair(e)} are not paired any more",
    "pair_allowed": lambda e: f"{_pair(e)} may be paired again",
    "tournament_lapsed": lambda _: "nothing happened for so long: it counts as ended",
    "end_unset": lambda _: "the tournament goes on",
    "action_undone": lambda e: f"action {e['action']} is taken back",
    "settings_edited": lambda _: "the settings are changed",
    "signin_opened": lambda _: "sign-in is open",
    "signin_closed": lambda _: "sign-in is closed",
    "start_held": lambda _: "the start waits for a second player",
    "player_present": lambda e: f"{_seat(e)} is present",
    "player_seated": lambda e: f"{_seat(e)} is in the room",
    "player_left": lambda e: f"{_seat(e)} has left the room",
    "player_reported": lambda e: f"{_seat(e)} says {e['outcome']}, games {_score(e)}",
    "table_started": lambda e: f"table {_table(e)} plays",
    "score_seen": lambda e: f"table {_table(e)}: {_score(e)}",
    "absence_claimable": lambda e: f"{_seat(e)} may claim the other's absence",
    "extra_game_ordered": lambda e: f"table {_table(e)} plays an extra game",
    "report_filed": lambda e: f"table {_table(e)}: {e['report']['server']} reports the end",
    "report_parked": lambda e: f"a report of {' and '.join(e['names'])} waits: relayctl report list",
    "parked_settled": lambda e: (
        "a waiting report is put away" if e["table"] is None else f"taken for {_table(e)}"
    ),
    "host_asked": _asked,
    "server_lost": lambda e: f"duel server {e['server']} does not answer: its tables are paused",
    "server_back": lambda e: f"duel server {e['server']} answers again",
    "time_warned": lambda e: f"{e['left_min']} minutes left in {round_name(e['round_no'])}",
    "time_called": lambda e: f"time called in {round_name(e['round_no'])}: {_tables(e)}",
    "cap_reached": lambda e: f"hard cap in {round_name(e['round_no'])}: {_tables(e)}",
    "result_confirmed": _result,
    "ruling_offered": lambda e: f"offered to seat {e['result']['outcome'].upper()}: {_result(e)}",
    "offer_declined": lambda e: f"table {_table(e)} plays on",
    "result_disputed": lambda e: f"table {_table(e)} is disputed: {e['why']}",
    "table_reopened": lambda e: f"table {_table(e)} plays again",
    "round_finished": lambda e: f"{round_name(e['round_no'])} is over",
    "round_reopened": lambda e: f"{round_name(e['round_no'])} is open again",
    "clock_paused": lambda _: "paused: every deadline is frozen",
    "clock_resumed": lambda _: "resumed",
    "auto_switched": lambda e: f"automatic clock {'on' if e['on'] else 'off'}",
    "round_postponed": lambda e: f"{round_name(e['round_no'])} postponed by {e['by_ms'] // 1_000} s",
    "table_time_called": lambda e: f"time called at table {_table(e)}",
    "table_extended": lambda e: f"table {_table(e)} has {e['by_ms'] // 1_000} s more",
    "player_dropped": lambda e: f"{_player(e)} has dropped",
    "drop_undone": lambda e: f"{_player(e)} plays on",
    "ranks_revised": lambda _: "ranks are revised",
    "cut_made": lambda e: f"cut made: {len(e['seats'])} go on",
    "rated": lambda e: f"DP: {len(e['rows'])} rows",
    "tournament_finished": lambda _: "the tournament is finished",
    "tournament_cancelled": lambda _: "the tournament is cancelled",
    "announced": lambda _: "announced in all rooms",
}
