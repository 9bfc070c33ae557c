"""Tables for a terminal. Text of strangers is neutral, and no markup (F21)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from relayd.neutral import neutral

View: TypeAlias = Mapping[str, Any]


def cell(value: object, style: str = "") -> Text:
    """Return anything as the text of a cell; ``None`` is a dash."""
    return Text("–" if value is None else neutral(str(value)), style=style)


def grid(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Return a table; names of columns that end with ``>`` stand on the right."""
    table = Table(title=cell(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column.removesuffix(">"), justify="right" if column.endswith(">") else "left")
    for row in rows:
        table.add_row(*(value if isinstance(value, Text) else cell(value) for value in row))
    return table


def facts(view: View) -> RenderableType:
    """Show plain values by name."""
    drawn = grid("", ("", ""), view.items())
    drawn.show_header = False
    return drawn


def named(player: View) -> str:
    """Return ``P000123 Nick``."""
    return f"{player['label']} {player['nickname']}".rstrip()
