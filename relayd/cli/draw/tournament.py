"""Tournaments, their clock and their settings."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType

from relayd.cli.draw.base import View, grid
from relayd.cli.draw.play import places
from relayd.cli.words import duration, moment, round_name

_AHEAD = {"late_at": "late", "time_up_at": "time-up", "cap_at": "hard cap", "next_at": "next round"}


def tournaments(rows: Sequence[View]) -> RenderableType:
    """List tournaments."""
    columns = ("No>", "Title", "Phase", "Format", "Start", "Players>", "Signed in>", "Round>", "Open>")
    return grid(
        "Tournaments",
        columns,
        (
            (
                row["tournament"],
                row["title"],
                row["phase"],
                row["format"],
                moment(row["start_at"], row["time_zone"]),
                row["players"],
                row["signed_in"],
                row["round"],
                row["open_tables"],
            )
            for row in rows
        ),
    )


def whole(view: View) -> RenderableType:
    """Show one tournament."""
    settings, zone = view["settings"], view["time_zone"]
    facts: list[tuple[str, object]] = [
        ("phase", view["phase"]),
        ("version", view["version"]),
        ("format", f"{view['format']}, best of {settings['best_of']}"),
        ("rounds, cut", f"{settings['rounds']}, {settings['cut']}"),
        ("environment", f"{view['environment']} ({(view['frozen'] or {}).get('list_name')})"),
        ("start", moment(view["start_at"], zone)),
        (
            "players",
            f"{view['players']} registered, {view['signed_in']} signed in, {view['entrants']} entered",
        ),
        ("duel servers", ", ".join(server["id"] for server in settings["servers"]) or "none"),
        ("clock", clock_line(view["clock"], zone)),
        ("exhibition", "yes: DP stays as it is" if view["exhibition"] else "no"),
        ("disputed", ", ".join(view["disputed"]) or "none"),
        ("asked", ", ".join(view["asked"]) or "nothing"),
        ("waiting reports", len(view["parked"])),
        ("last action", "none" if view["last_action"] is None else last_action(view["last_action"])),
        ("seed", view["seed"]["seed"] or f"SHA-256 {view['seed']['sha256']}"),
    ]
    body = grid(f"Tournament {view['tournament']}: {view['title']}", ("", ""), facts)
    body.show_header = False
    return Group(body, places(view["places"])) if view["places"] else body


def last_action(view: View) -> str:
    """Say in a line what can be undone, and by which number."""
    about = (*view["tables"], *(player["label"] for player in view["players"]))
    return f"{', '.join((view['what'].replace('_', ' '), *about))} (action {view['action']})"


def clock_line(clock: View, zone: str) -> str:
    """Say in a line what the clock does next."""
    played = clock["round"]
    state = "paused" if clock["paused_at"] is not None else "auto" if clock["auto"] else "by hand"
    if played is None:
        opens, closes = (moment(clock[key], zone) for key in ("signin_opens_at", "signin_closes_at"))
        return f"{state}; sign-in {opens} to {closes}"
    called = ["time called"] if played["time_called_at"] is not None else []
    return "; ".join((state, round_name(played["round"]), *called, *_ahead(played, clock["now"])))


def _ahead(played: View, now: int) -> Iterator[str]:
    return (
        f"{name} in {duration(played[key] - now)}" for key, name in _AHEAD.items() if played[key] is not None
    )
