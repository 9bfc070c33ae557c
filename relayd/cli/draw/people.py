"""Players, duel servers, methods."""

from collections.abc import Sequence

from rich.console import Group, RenderableType

from relayd.cli.draw.base import View, cell, facts, grid
from relayd.cli.words import moment


def players(rows: Sequence[View]) -> RenderableType:
    """List the players of a tournament."""
    columns = ("Player", "Nickname", "Deck", "Signed in>", "Status", "Dropped>", "DP>")
    return grid(
        "Players",
        columns,
        (
            (
                row["label"],
                row["nickname"],
                row["deck"],
                row["signed_in"],
                row["status"],
                row["dropped_in"],
                None if row["dp"] is None else row["dp"]["now"],
            )
            for row in rows
        ),
    )


def roster(rows: Sequence[View]) -> RenderableType:
    """List player numbers."""
    return grid("Players", ("Player", "Nickname"), ((row["label"], row["nickname"]) for row in rows))


def servers(rows: Sequence[View]) -> RenderableType:
    """List duel servers."""
    columns = ("Server", "State", "Last contact", "Rooms>", "Free>", "Failure")
    return grid(
        "Duel servers",
        columns,
        (
            (r["server"], r["state"], moment(r["last_contact"]), r["rooms"], r["free"], r["failure"])
            for r in rows
        ),
    )


def oddities(rows: Sequence[View]) -> RenderableType:
    """List what is odd about rooms."""
    columns = ("Table", "What", "Server", "Room", "Who")
    return grid(
        "Odd rooms",
        columns,
        ((r["table"], r["kind"], r["server"], r["room_name"], ", ".join(r["names"])) for r in rows),
    )


def status(view: View) -> RenderableType:
    """Say who one is to the daemon, and how much runs."""
    return facts({**view, "now": f"{moment(view['now'])} UTC"})


def reloaded(view: View) -> RenderableType:
    """Say what came of reading the settings anew."""
    lines = [f"changed: {name}" for name in view["changed"]]
    lines += [f"needs a restart: {name}" for name in view["needs_restart"]]
    return Group(*(cell(line) for line in lines or ["nothing has changed"]))


def methods(rows: Sequence[View]) -> RenderableType:
    """List methods."""
    return grid(
        "Methods",
        ("Method", "Role", "What it does"),
        ((row["method"], row["role"] + (" (or oneself)" if row["own"] else ""), row["help"]) for row in rows),
    )
