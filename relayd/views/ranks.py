"""Who stands where: the Swiss list with all its criteria, the bracket, the places, DP."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from relayd.views.people import View, person
from relayd.views.tables import result_view
from ruleset.ids import PlayerId, RoundNo
from ruleset.kept import Kept
from ruleset.standings.field import Key
from ruleset.standings.sentences import display
from ruleset.standings.table import Row
from ruleset.tournament.brackets import bracket_rounds
from ruleset.tournament.pairings import pairing_report
from ruleset.tournament.preview import Consequences, Moved
from ruleset.tournament.ranking import live
from ruleset.tournament.results import Result
from ruleset.tournament.state import Round, Tournament


def standings_view(state: Tournament) -> View:
    """Return the list of the first stage as it stands (S139), every criterion exact and as it is shown."""
    rows = live(state)
    return {
        "rounds": sum(played.stage != "elimination" for played in state.rounds),
        "criteria": list(rows[0].values) if rows else list(state.settings.scores.order),
        "rows": [_row(state, row) for row in rows],
    }


def bracket_view(state: Tournament) -> View:
    """Return the bracket, round by round; places of a round stand in order, neighbours meet."""
    return {
        "seats": [person(state, player) for player in state.seats],
        "rounds": [_bracket_round(state, played) for played in bracket_rounds(state)],
    }


def places_view(state: Tournament) -> list[View]:
    """Return the final ranking; empty until the end."""
    return [{**person(state, player), "place": place} for player, place in state.places]


def dp_view(state: Tournament) -> list[View]:
    """Return the DP of every entrant, the highest first, with each row that this tournament wrote."""
    rows: Mapping[PlayerId, list[View]] = {player: [] for player in state.entrants}
    for row in state.rows:
        rows[row.player].append(
            {
                "delta": row.delta,
                "dp_before": row.dp_before,
                "reason": row.reason,
                "table": None if row.table is None else str(row.table),
                "opponent": row.opponent,
            }
        )
    ordered = sorted(state.entrants, key=lambda player: (-state.dp[player], player))
    return [
        {
            **person(state, player),
            "at_entry": state.players[player].dp_at_entry,
            "now": state.dp[player],
            "rows": rows[player],
        }
        for player in ordered
    ]


def pairing_view(state: Tournament, number: RoundNo) -> View:
    """Return why a Swiss round is paired as it is (4.10)."""
    found = pairing_report(state, number)
    return {
        "legal": found.legal,
        "floats": [
            {
                "player": person(state, one.player),
                "opponent": person(state, one.opponent),
                "points": list(one.points),
                "why": one.why,
            }
            for one in found.floats
        ],
        "bye": found.bye,
        "rematches": [[person(state, a), person(state, b), before] for a, b, before in found.rematches],
        "forbidden": [[person(state, a), person(state, b)] for a, b in found.barred],
        "same_team": [[person(state, a), person(state, b)] for a, b in found.same_team],
    }


def consequences_view(state: Tournament, found: Consequences) -> View:
    """Return what a correction would bring about (T22)."""
    return {
        "results": [
            {"table": str(table), "before": _result(before), "after": _result(now)}
            for table, (before, now) in found.results.items()
        ],
        "ranks": _moved(state, found.ranks),
        "places": _moved(state, found.places),
        "dp": [{**person(state, player), "delta": delta} for player, delta in found.dp.items()],
        "warnings": list(found.warnings),
    }


displayed: Final = Kept[Mapping[str, Key], Mapping[str, str]](
    lambda values: {key: display(value) for key, value in values.items()}, most=1 << 14
)
"""Return the values of a line as people see them."""


def shown(value: Key) -> object:
    """Return a value: a count, a share with ``exact`` and ``shown`` (``33.22 %``), or a list of them."""
    if isinstance(value, Fraction):
        return {"exact": str(value), "shown": f"{float(value):.2%}".replace("%", " %")}
    return list(map(shown, value)) if isinstance(value, tuple) else value


def _moved(state: Tournament, moved: Moved) -> list[View]:
    return [{**person(state, p), "before": before, "after": now} for p, (before, now) in moved.items()]


def _result(result: Result | None) -> View | None:
    return None if result is None else result_view(result)


def _row(state: Tournament, row: Row) -> View:
    return {
        **person(state, row.player),
        "rank": row.rank,
        "position": row.position,
        "dropped_in": state.players[row.player].dropped_in,
        "values": _values(row.values),
    }


_values: Final = Kept[Mapping[str, Key], Mapping[str, object]](
    lambda values: {key: shown(value) for key, value in values.items()}, most=1 << 14
)
"""What a line shows; of most players it is the same as in the list before."""


def _bracket_round(state: Tournament, played: Round) -> View:
    return {
        "round": played.number,
        "slots": [None if player is None else person(state, player) for player in played.slots],
        "tables": [
            {
                "table": str(table.id),
                "a": person(state, table.a),
                "b": person(state, table.b),
                "status": table.status,
                "result": None if table.result is None else result_view(table.result),
            }
            for table in played.tables.values()
        ],
        "byes": [person(state, player) for player in played.byes],
        "walkovers": [person(state, player) for player in played.walkovers],
    }
