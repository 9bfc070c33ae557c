"""How people write durations, scores and choices on a command line, and how they read them."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from ruleset.ids import PLAYOFF

_UNITS: Final = (3_600_000, 60_000, 1_000)
"""Milliseconds of an hour, a minute, a second."""
_DURATION: Final = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", re.ASCII)
_SCORE: Final = re.compile(r"(\d)\s*[-:]\s*(\d)", re.ASCII)
_LAST: Final = 253_402_300_799_000


def read_duration(text: str) -> int:
    """Return milliseconds of ``40m``, ``1h30m``, ``90s``; a bare number is minutes."""
    plain = text.strip().lower()
    found = _DURATION.fullmatch(f"{plain}m" if plain.isdecimal() else plain)
    if found is None or not any(found.groups()):
        raise click.BadParameter(f"{text!r} is no duration: write 40m, 1h30m or 90s")
    parts = zip(found.groups(), _UNITS, strict=True)
    return sum(int(number) * unit for number, unit in parts if number)


def read_score(text: str) -> tuple[int, int]:
    """Return the games that seats A and B won, of ``2-1``."""
    found = _SCORE.fullmatch(text.strip())
    if found is None:
        raise click.BadParameter(f"{text!r} is no score: write 2-1, seat A first")
    return int(found[1]), int(found[2])


def winner(score: tuple[int, int]) -> str:
    """Return the outcome that a score means."""
    return "draw" if score[0] == score[1] else "a" if score[0] > score[1] else "b"


def duration(milliseconds: int) -> str:
    """Return ``12:05``, ``1:02:05``, or with a minus what is overdue."""
    seconds = abs(milliseconds) // 1_000
    minutes, hours = seconds // 60, seconds // 3_600
    shown = f"{minutes}:{seconds % 60:02}" if not hours else f"{hours}:{minutes % 60:02}:{seconds % 60:02}"
    return f"-{shown}" if milliseconds <= -1_000 else shown


def round_name(number: int) -> str:
    """Return what people call a round; the play-off has no number."""
    return "the play-off" if number == PLAYOFF else f"round {number}"


def moment(value: int | None, zone: str = "UTC") -> str:
    """Return a moment as clocks in *zone* show it; ``–``: there is none."""
    if value is None:
        return "–"
    shown = datetime.fromtimestamp(min(value, _LAST) / 1_000, _zone(zone))
    return shown.strftime("%Y-%m-%d %H:%M")


def _zone(name: str) -> Any:  # noqa: ANN401  a tzinfo of either kind
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def nested(path: str, value: object) -> dict[str, Any]:
    """Return ``{"clock": {"gap_ms": 1}}`` for ``clock.gap_ms`` and 1."""
    head, _, rest = path.partition(".")
    return {head: nested(rest, value) if rest else value}


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return *base* with *over* on top, table by table."""
    result = dict(base)
    for name, value in over.items():
        before = result.get(name)
        both = isinstance(before, dict) and isinstance(value, dict)
        result[name] = merged(before, value) if both else value  # type: ignore[arg-type]  # it is a dict
    return result
