"""The bracket as SVG, drawn on the server: places of a round stand in order, neighbours meet."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final
from unicodedata import east_asian_width

from markupsafe import Markup

from relayd.neutral import neutral

_WIDTH: Final = 176
_HEIGHT: Final = 22
_GAP: Final = 44
_STEP: Final = 58
_TOP: Final = 8
_ROOM: Final = 20
"""Narrow letters that a name has room for; a wide one counts twice."""
View = Mapping[str, Any]


def drawn(bracket: View, tournament: int, title: str) -> Markup | None:
    """Return the picture of a bracket as views.ranks.bracket_view has it; ``None``: there is none yet."""
    rounds: Sequence[View] = bracket["rounds"]
    if not rounds:
        return None
    columns = max(1, (len(rounds[0]["slots"]) // 2).bit_length())
    width = columns * (_WIDTH + _GAP) - _GAP + 4
    height = len(rounds[0]["slots"]) // 2 * _STEP + 2 * _TOP
    inner = "".join(
        part for n in range(columns) for part in _column(rounds, n, len(rounds[0]["slots"]) >> n, tournament)
    )
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    head = f'<svg class="bracket" {size} role="group" aria-label="{escape(title)}">'
    return Markup(f"{head}{inner}</svg>")  # noqa: S704  every text in it is escaped


def _column(rounds: Sequence[View], n: int, places: int, tournament: int) -> Iterator[str]:
    played = rounds[n] if n < len(rounds) else None
    for pair in range(places // 2):
        x, y = 2 + n * (_WIDTH + _GAP), _middle(n, pair)
        slots = [None, None] if played is None else played["slots"][2 * pair : 2 * pair + 2]
        yield from _match(slots, played, x, y, tournament)
        if places > 2:
            yield _line(x + _WIDTH, y, x + _WIDTH + _GAP, _middle(n + 1, pair // 2))


def _middle(column: int, pair: int) -> float:
    step = _STEP << column
    return _TOP + step * pair + step / 2


def _match(
    slots: Sequence[View | None], played: View | None, x: float, y: float, tournament: int
) -> Iterator[str]:
    table = None if played is None else _table_of(played, slots)
    for seat, person in zip(("upper", "lower"), slots, strict=True):
        top = y - _HEIGHT if seat == "upper" else y
        yield f'<rect class="seat" x="{x}" y="{top}" width="{_WIDTH}" height="{_HEIGHT}" rx="3"/>'
        if person is not None:
            yield _name(person, table, x, top)
    if table is not None:
        label = escape(table["table"])
        yield (
            f'<a href="/e/{tournament}/t/{label}" aria-label="{label}">'
            f'<rect x="{x}" y="{y - _HEIGHT}" width="{_WIDTH}" height="{2 * _HEIGHT}" fill="transparent"/>'
            "</a>"
        )


def _name(person: View, table: View | None, x: float, top: float) -> str:
    style, wins = "", ""
    if table is not None and table["result"] is not None:
        seat = "a" if table["a"]["player"] == person["player"] else "b"
        style = "win" if table["result"]["outcome"] == seat else "lost"
        wins = str(table["result"]["wins"][0 if seat == "a" else 1])
    name = neutral(str(person["nickname"] or person["label"]))
    return (
        f'<text class="{style}" x="{x + 7}" y="{top + 15.5}">{escape(_shortened(name))}'
        f"<title>{escape(name)}</title></text>"
        f'<text class="{style}" x="{x + _WIDTH - 8}" y="{top + 15.5}" text-anchor="end">{wins}</text>'
    )


def _shortened(name: str) -> str:
    """Return as much of a name as its place has room for."""
    used = 0
    for n, letter in enumerate(name):
        used += 2 if letter in "WM@" or east_asian_width(letter) in "WF" else 1
        if used > _ROOM:
            return f"{name[:n]}…"
    return name


def _table_of(played: View, slots: Sequence[View | None]) -> View | None:
    inside = {person["player"] for person in slots if person is not None}
    return next((t for t in played["tables"] if {t["a"]["player"], t["b"]["player"]} <= inside), None)


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    middle = (x1 + x2) / 2
    return f'<path d="M{x1} {y1}H{middle}V{y2}H{x2}"/>'
