"""Moments, lengths and numbers as people read them."""

from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from ruleset.ids import MINUTE_MS, SECOND_MS

_LAST: Final = 253_402_300_799_000


def date_and_time(moment: int, zone: str) -> str:
    """Return ``2026-08-01 19:30`` as clocks in *zone* show it."""
    return _in_zone(moment, zone).strftime("%Y-%m-%d %H:%M")


def time_of_day(moment: int, zone: str) -> str:
    """Return ``19:30:05`` as clocks in *zone* show it."""
    return _in_zone(moment, zone).strftime("%H:%M:%S")


def iso(moment: int) -> str:
    """Return the moment for programs, in UTC."""
    return datetime.fromtimestamp(min(moment, _LAST) / 1_000, UTC).isoformat(timespec="milliseconds")


def countdown(milliseconds: int) -> str:
    """Return what is left as ``1:05:09`` or ``5:09``; nothing is less than ``0:00``."""
    seconds = max(0, milliseconds) // SECOND_MS
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def whole_minutes(milliseconds: int) -> int:
    """Return a length in minutes."""
    return milliseconds // MINUTE_MS


def signed(number: int) -> str:
    """Return ``+8``, ``−8`` or ``±0``, with a real minus."""
    return f"+{number}" if number > 0 else f"\u2212{-number}" if number < 0 else "±0"


def _in_zone(moment: int, zone: str) -> datetime:
    return datetime.fromtimestamp(min(moment, _LAST) / 1_000, ZoneInfo(zone))
