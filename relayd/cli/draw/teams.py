"""Teams, and lists of players with their teams."""

import csv
from collections.abc import Sequence
from io import StringIO
from typing import Final, TypeAlias

from rich.console import RenderableType

from relayd.cli.draw.base import View, grid, named
from relayd.neutral import neutral

HEADER: Final = ("player", "nickname", "team")
"""As ``roster.import`` reads it."""
Line: TypeAlias = tuple[str, str, str]
_FORMULA: Final = ("=", "+", "-", "@")


def teams(rows: Sequence[View]) -> RenderableType:
    """List teams, the best first where they are ranked."""
    return grid(
        "Teams",
        ("Team>", "Name", "Rank>", "Players"),
        ((row["team"], row["name"], row["rank"], ", ".join(map(named, row["players"]))) for row in rows),
    )


def lines(players: Sequence[View], teams: Sequence[View]) -> list[Line]:
    """Return a header, a line for each player and one for each team without players."""
    team_of = {player["player"]: team["name"] for team in teams for player in team["players"]}
    named = [(p["label"], p["nickname"], team_of.get(p["player"], "")) for p in players]
    empty = [("", "", team["name"]) for team in teams if not team["players"]]
    return [HEADER, *named, *empty]


def as_csv(lines: Sequence[Sequence[str]]) -> str:
    """Return them as text; a spreadsheet takes no cell for a formula (F21)."""
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows([_plain(cell) for cell in line] for line in lines)
    return out.getvalue()


def _plain(text: str) -> str:
    return f"'{neutral(text)}" if text.startswith(_FORMULA) else neutral(text)
