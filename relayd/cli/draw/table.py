"""One table, as a judge looks at it."""

from collections.abc import Iterator

from rich.console import RenderableType

from relayd.cli.draw.base import View, grid, named
from relayd.cli.draw.play import live_line, status_of
from relayd.cli.words import duration

_AHEAD = {"late_at": "late", "time_up_at": "time-up", "cap_at": "hard cap"}


def table(view: View, now: int) -> RenderableType:
    """Show a table; deadlines as the time that is left at *now*."""
    drawn = grid(f"Table {view['table']}", ("", ""), _facts(view, now))
    drawn.show_header = False
    return drawn


def _facts(view: View, now: int) -> Iterator[tuple[str, str]]:
    wins = view["wins"] if view["result"] is None else view["result"]["wins"]
    for seat in ("a", "b"):
        yield f"seat {seat.upper()}", _seat(view[seat], view["joins_as"][seat])
    yield "games", f"{wins[0]}-{wins[1]}"
    yield "status", status_of(view) + (" (ruled)" if view["ruled"] else "")
    yield "room", f"{view['room_code']} at {view['server'] or 'no duel server'}"
    if view["join"] is not None:
        yield "players type", view["join"]
    if view["live"] is not None:
        yield "live", live_line(view["live"])
    yield from _waiting(view)
    yield from _clock(view["clock"], now)


def _seat(seat: View, typed: str | None) -> str:
    said = seat["said"]
    words = [named(seat)]
    words += [f"joins as {typed}"] if typed not in {None, seat["nickname"]} else []
    words += ["present"] if seat["present"] else []
    words += ["in the room"] if seat["in_room"] else []
    words += [f"says {said['outcome']}, games {said['wins'][0]}-{said['wins'][1]}"] if said else []
    return "; ".join(words)


def _waiting(view: View) -> Iterator[tuple[str, str]]:
    """Yield what waits for somebody."""
    if view["claimable_by"] is not None:
        yield "absence", f"seat {view['claimable_by'].upper()} may claim it: relayctl table claim"
    if view["offered"] is not None:
        offered = view["offered"]
        yield (
            "offered",
            f"{offered['outcome']} by {offered['reason']}: relayctl table answer … take, or play-on",
        )
    if view["lost_at"] is not None:
        yield "lost", "the duel server came back without its room: rule, or relayctl table resume"


def _clock(clock: View, now: int) -> Iterator[tuple[str, str]]:
    if clock["time_called_at"] is not None:
        yield "time", "called"
    for key, name in _AHEAD.items():
        if clock[key] is not None:
            yield f"{name} in", duration(clock[key] - now)
    if clock["extended_ms"]:
        yield "extended by", duration(clock["extended_ms"])
