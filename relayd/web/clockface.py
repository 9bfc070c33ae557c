"""The state of a tournament in one word and one number: what can be read from two metres away."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from relayd.web.eventview import View

Mood: TypeAlias = Literal["before", "held", "playing", "time", "gap", "asked", "paused", "ended", "lapsed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """What the clock shows, largest first, and which of its buttons do something now."""

    mood: Mood
    until: int | None
    """The moment that comes next; ``None``: none is known."""
    can_call_time: bool = False
    can_pair: bool = False
    """All tables of the round are final."""


def face(event: View) -> Face:
    """Return the clock's face for a view of ``relayd.views.whole``."""
    clock, phase = event["clock"], event["phase"]
    if phase in {"finished", "cancelled"}:
        return Face(mood="ended", until=None)
    if event["lapsed_at"] is not None:
        return Face(mood="lapsed", until=None)
    if phase != "running":
        return _before(event)
    played = clock["round"]
    until, mood = _of_round(played)
    return Face(
        mood="paused" if clock["paused_at"] is not None else mood,
        until=until,
        can_call_time=played["time_up_at"] is not None,
        can_pair=event["open_tables"] == 0,
    )


def _before(event: View) -> Face:
    paused, held = event["clock"]["paused_at"] is not None, event["phase"] == "held"
    return Face(mood="paused" if paused else "held" if held else "before", until=event["start_at"])


def _of_round(played: dict[str, Any]) -> tuple[int | None, Mood]:
    if played["asked_until"] is not None:
        return played["asked_until"], "asked"
    if played["done_at"] is not None:
        return played["next_at"], "gap"
    if played["time_up_at"] is not None:
        return played["time_up_at"], "playing"
    return played["cap_at"], "time"
