"""relayctl watch: a tournament as it happens, with its clock and its tables."""

import time
from typing import Any, Final

import click
from rich.console import Group, RenderableType
from rich.live import Live
from rich.rule import Rule

from relayd.cli.client import Away, Client
from relayd.cli.desk import Desk
from relayd.cli.draw.base import cell
from relayd.cli.draw.play import places, standings, tables
from relayd.cli.draw.tournament import clock_line
from relayd.cli.groups import Command, pass_desk, tournament_argument
from relayd.cli.told import told
from relayd.exits import Exit

_ENDED: Final = frozenset({"finished", "cancelled"})
_LINES: Final = 8
"""Of what happened last."""
_AROUND: Final = _LINES + 8
"""Lines of the picture besides its tables."""
_FEWEST: Final = 5
_ORDER: Final = ("disputed", "reported", "waiting", "playing", "confirmed")
"""Tables that somebody must look at before those that go by themselves."""


@click.command(cls=Command)
@tournament_argument
@click.option("--interval", type=click.FloatRange(0.05), default=1.0, show_default=True, help="Seconds.")
@click.option("--once", is_flag=True, help="Print it once, and end.")
@pass_desk
def watch(desk: Desk, tournament: int, interval: float, *, once: bool) -> None:
    """Follow a tournament until it ends or you press Ctrl-C."""
    if once:
        desk.show(_seen(desk, tournament), lambda view: frame(view, []))
        return
    desk.ask("live.follow", tournament=tournament)
    news: list[str] = []
    view = _seen(desk, tournament)
    try:
        with Live(_fitted(desk, view, news), console=desk.out, auto_refresh=False, transient=False) as live:
            while view["show"]["phase"] not in _ENDED:
                _listen(desk.client(), news, interval)
                view = _seen(desk, tournament)
                live.update(_fitted(desk, view, news), refresh=True)
    except KeyboardInterrupt:
        return
    except Away as away:
        desk.fail(str(away), Exit.AWAY)


def _listen(client: Client, news: list[str], seconds: float) -> None:
    """Take in what happens, for at least so long: news come in bursts."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        note = client.heard(left)
        if note is not None:
            news.extend(told(note.get("message", {})))
    del news[:-_LINES]


def _seen(desk: Desk, tournament: int) -> dict[str, Any]:
    show = desk.ask("tournament.show", tournament=tournament)
    seen: dict[str, Any] = {"show": show, "tables": None, "standings": None}
    if show["round"] is not None:
        seen["tables"] = desk.ask("table.list", tournament=tournament)
    if show["phase"] in _ENDED:
        seen["standings"] = desk.ask("standings.show", tournament=tournament)
    return seen


def _fitted(desk: Desk, view: dict[str, Any], news: list[str]) -> RenderableType:
    """Return the picture as far as a terminal has lines for it; without a terminal all of it."""
    return frame(view, news, max(_FEWEST, desk.out.height - _AROUND) if desk.out.is_terminal else None)


def frame(view: dict[str, Any], news: list[str], most: int | None = None) -> RenderableType:
    """Return the whole picture: clock, tables or final standings, and what happened last.

    Of more than *most* tables those are shown that need somebody, or that still play.
    """
    show = view["show"]
    head = f"{show['tournament']} {show['title']}: {show['phase']}"
    parts: list[RenderableType] = [Rule(cell(head)), cell(clock_line(show["clock"], show["time_zone"]))]
    if view["tables"] is not None and show["phase"] not in _ENDED:
        parts += _tables(view["tables"], most)
    if view["standings"] is not None and view["standings"]["rows"]:
        parts.append(standings(view["standings"]))
    if show["places"]:
        parts.append(places(show["places"]))
    return Group(*parts, *(cell(line, "dim") for line in news))


def _tables(round_view: dict[str, Any], most: int | None) -> list[RenderableType]:
    every = round_view["tables"]
    if most is None or len(every) <= most:
        return [tables(round_view)]
    chosen = sorted(every, key=lambda table: _ORDER.index(table["status"]))[:most]
    left = f"and {len(every) - most} tables more: relayctl tables"
    return [tables({**round_view, "tables": chosen, "byes": [], "walkovers": []}), cell(left, "dim")]
