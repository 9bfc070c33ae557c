"""Why a round is paired as it is, and what a correction would bring about."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType

from relayd.cli.draw.base import View, cell, grid, named

_FLOATS: Final[Mapping[str, str]] = {
    "odd": "the players down to this score are odd in number",
    "no_opponent": "may meet nobody with the same score",
    "no_round": "without it there is no legal round",
}
_BYES: Final[Mapping[str, str]] = {
    "lowest": "the bye is in the lowest group of those who had none",
    "higher": "the bye is not in the lowest group: with it there, there is no legal round",
    "again": "a second bye: everybody had one",
}
_WARNINGS: Final[Mapping[str, str]] = {
    "pairing_kept": "a later round was paired on this result and stays as it is",
    "gap_cancelled": "the round is open again: the next one waits",
    "seats_kept": "others would go on, but the bracket is drawn and stays",
    "ends": "the tournament ends",
}
_SHOWN: Final = 20
"""Rows of who moves; data have all (decisions 12)."""


def why(view: View, number: int) -> RenderableType:
    """Say what there is to say of a round."""
    legal = "" if view["legal"] else ": no legal round, so what breaks the rules least"
    floats = grid(
        f"Round {number}{legal}",
        ("Floats down", "Points>", "Meets", "Points>", "Why"),
        (
            (named(f["player"]), f["points"][0], named(f["opponent"]), f["points"][1], _FLOATS[f["why"]])
            for f in view["floats"]
        ),
    )
    return Group(floats, *map(cell, _remarks(view)))


def _remarks(view: View) -> Iterator[str]:
    if view["bye"] is not None:
        yield _BYES[view["bye"]]
    for a, b, before in view["rematches"]:
        yield f"rematch: {named(a)} and {named(b)} met in round {before}"
    for a, b in view["forbidden"]:
        yield f"ruled out by the host: {named(a)} and {named(b)}"
    for a, b in view["same_team"]:
        yield f"of one team: {named(a)} and {named(b)}"


def forbidden(rows: Sequence[Sequence[View]]) -> RenderableType:
    """List pairs that are ruled out."""
    return grid("Ruled out", ("One", "Other"), ((named(one), named(other)) for one, other in rows))


def consequences(view: View) -> RenderableType:
    """Show what a correction would bring about."""
    results = grid(
        "Results",
        ("Table", "Before", "After"),
        ((row["table"], _result(row["before"]), _result(row["after"])) for row in view["results"]),
    )
    warnings = (cell(f"note: {_WARNINGS[name]}", "yellow") for name in view["warnings"])
    return Group(cell("Nothing is written. It would change:"), results, *_moved(view), *_dp(view), *warnings)


def _moved(view: View) -> Iterator[RenderableType]:
    """Yield who goes up or down; those who move most first, as many as people read."""
    for title, key in (("Ranks", "ranks"), ("Places", "places")):
        most = sorted(view[key], key=_step, reverse=True)
        if most:
            rows = ((named(m), m["before"], m["after"]) for m in most[:_SHOWN])
            yield grid(title, ("Player", "Before>", "After>"), rows)
        if len(most) > _SHOWN:
            yield cell(f"and {len(most) - _SHOWN} more")


def _step(moved: View) -> int:
    before, after = moved["before"], moved["after"]
    return 0 if before is None or after is None else abs(after - before)


def _dp(view: View) -> Iterator[RenderableType]:
    if view["dp"]:
        rows = ((named(row), f"{row['delta']:+d}") for row in view["dp"])
        yield grid("DP", ("Player", "Change>"), rows)


def _result(result: View | None) -> str:
    if result is None:
        return "open"
    return f"{result['outcome']} {result['wins'][0]}-{result['wins'][1]} ({result['reason']})"
