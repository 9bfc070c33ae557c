"""Rounds, standings, brackets, places, DP, waiting reports."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from relayd.cli.draw.base import View, cell, grid, named
from relayd.cli.words import moment, round_name

_STATUS = {
    "waiting": "dim",
    "playing": "green",
    "reported": "cyan",
    "disputed": "bold red",
    "confirmed": "blue",
}


def tables(view: View) -> RenderableType:
    """Show a round."""
    columns = ("Table", "Seat A", "Seat B", "Games", "Status", "Live", "LP", "Type", "Server")
    drawn = grid(
        f"{round_name(view['round'])} ({view['stage']})".capitalize(),
        columns,
        (_table(table) for table in view["tables"]),
    )
    byes = [f"bye: {named(player)}" for player in view["byes"]]
    walkovers = [f"walkover: {named(player)}" for player in view["walkovers"]]
    rematch = [f"{view['rematches']} rematches: no legal round existed"] if view["rematches"] else []
    return Group(drawn, *(cell(line) for line in (*byes, *walkovers, *rematch)))


def _table(table: View) -> Sequence[object]:
    live, result = table["live"], table["result"]
    wins = table["wins"] if result is None else result["wins"]
    return (
        table["table"],
        _seat(table["a"], table["status"]),
        _seat(table["b"], table["status"]),
        f"{wins[0]}-{wins[1]}",
        cell(status_of(table), _STATUS.get(table["status"], "")),
        "" if live is None else live_line(live),
        "" if live is None else "/".join("–" if lp is None else str(lp) for lp in live["lp"]),
        table["join"] or "",
        table["server"],
    )


def status_of(table: View) -> str:
    """Say in words how a table stands."""
    result = table["result"]
    if result is not None:
        return f"{result['outcome']} ({result['reason']})"
    if table["status"] == "disputed":
        return f"disputed: {table['dispute']}"
    if table["offered"] is not None:
        return f"{table['offered']['reason']}: win offered"
    return "absence claimable" if table["claimable_by"] is not None else str(table["status"])


def live_line(live: View) -> str:
    """Say in a line what the duel server shows of a room."""
    turn = f" turn {live['turn']}" if live["stage"] == "dueling" else ""
    last = f"/{live['last_turn']}" if turn and live["last_turn"] is not None else ""
    death = "" if live["death"] == "off" else f" {live['death']}"
    strangers = f" strangers: {', '.join(live['strangers'])}" if live["strangers"] else ""
    return f"{live['stage']} game {live['duel']}{turn}{last}{death}{strangers}"


def _seat(seat: View, status: str) -> Text:
    here = " ✓" if status == "waiting" and seat["present"] else ""
    return cell(f"{named(seat)}{here}")


def standings(view: View) -> RenderableType:
    """Show the Swiss list."""
    criteria = view["criteria"]
    return grid(
        f"Standings after {view['rounds']} Swiss rounds",
        ("Rank>", "Player", *(f"{key}>" for key in criteria), ""),
        (
            (
                row["rank"],
                named(row),
                *(_value(row["values"][key]) for key in criteria),
                "" if row["dropped_in"] is None else f"dropped in {row['dropped_in']}",
            )
            for row in view["rows"]
        ),
    )


def _value(value: object) -> str:
    if isinstance(value, dict):
        return str(value["shown"])
    if isinstance(value, list):
        return " ".join(map(_value, value)) or "–"
    return str(value)


def bracket(view: View) -> RenderableType:
    """Show the bracket, a table for each round."""
    drawn = [
        grid(
            f"Round {played['round']}",
            ("Table", "Seat A", "Seat B", "Result"),
            [
                *((t["table"], named(t["a"]), named(t["b"]), _outcome(t)) for t in played["tables"]),
                *(("", named(player), "", "bye") for player in played["byes"]),
                *(("", named(player), "", "walkover") for player in played["walkovers"]),
            ],
        )
        for played in view["rounds"]
    ]
    return Group(*drawn) if drawn else cell("There is no bracket yet.")


def _outcome(table: View) -> str:
    result = table["result"]
    if result is None:
        return str(table["status"])
    return f"{result['outcome']} {result['wins'][0]}-{result['wins'][1]} ({result['reason']})"


def places(rows: Sequence[View]) -> RenderableType:
    """Show the final ranking."""
    return grid("Final ranking", ("Place>", "Player"), ((row["place"], named(row)) for row in rows))


def dp(rows: Sequence[View]) -> RenderableType:
    """Show DP with its changes."""
    return grid(
        "DP",
        ("Player", "Before>", "Change>", "Now>", "Rows"),
        (
            (
                named(row),
                row["at_entry"],
                f"{row['now'] - row['at_entry']:+d}",
                row["now"],
                " ".join(
                    f"{change['table'] or change['reason']}:{change['delta']:+d}" for change in row["rows"]
                ),
            )
            for row in rows
        ),
    )


def reports(rows: Sequence[View]) -> RenderableType:
    """List waiting reports."""
    return grid(
        "Waiting reports",
        ("Id", "Why", "Names", "Scores", "Server", "Candidates"),
        (
            (
                row["id"],
                row["why"],
                " / ".join(row["names"]),
                _scores(row),
                row["server"],
                ", ".join(candidate["table"] for candidate in row["candidates"]),
            )
            for row in rows
        ),
    )


def strays(rows: Sequence[View]) -> RenderableType:
    """List ends of matches that fit no tournament."""
    return grid(
        "Matches of no tournament",
        ("When", "Server", "Room", "Names", "Scores"),
        (
            (moment(row["at"]), row["server"], row["room_name"], " / ".join(row["names"]), _scores(row))
            for row in rows
        ),
    )


def _scores(row: View) -> str:
    return "-".join(score["ending"] or str(score["wins"]) for score in row["scores"])
