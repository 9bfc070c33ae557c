"""Moments as people write and read them, in the time zone of a tournament (decisions 8)."""

from datetime import UTC, datetime
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from ruleset.errors import CommandRejected
from ruleset.ids import MINUTE_MS, SECOND_MS, Instant

_MINUTES: Final = "%Y-%m-%d %H:%M"
_LAST: Final = 253_402_300_799_000
"""The end of the year 9999."""


@cache
def zone_names() -> frozenset[str]:
    """Return the time zones that this machine knows; it takes long to look, so that is done once."""
    return frozenset(available_timezones())


def read_moment(text: str, zone: ZoneInfo) -> Instant:
    """Return the moment in ISO 8601; without an offset it is a time of *zone*, the earlier where it is twice.

    Raises CommandRejected ``bad_moment``, and ``no_such_time`` with the two nearest times in a DST gap.
    """
    try:
        given = datetime.fromisoformat(text.strip())
        moment = given if given.tzinfo else _of_zone(given, zone)
        return Instant(round(moment.timestamp() * 1_000))
    except (ValueError, OverflowError) as error:
        raise CommandRejected("bad_moment", text=text, why=str(error)) from error


def show_moment(moment: Instant, zone: ZoneInfo) -> str:
    """Return ``2026-08-01 19:30`` as clocks in *zone* show it, with seconds where there are some."""
    shown = datetime.fromtimestamp(min(moment, _LAST) / 1_000, zone)
    return shown.strftime(_MINUTES if moment % MINUTE_MS < SECOND_MS else f"{_MINUTES}:%S")


def _of_zone(given: datetime, zone: ZoneInfo) -> datetime:
    moment = given.replace(tzinfo=zone)
    if moment.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != given:
        raise CommandRejected("no_such_time", text=str(given), nearest=_nearest(given, zone))
    return moment


def _nearest(given: datetime, zone: ZoneInfo) -> tuple[str, str]:
    """Return what the clock shows when the gap is left out, and when it is skipped."""
    before, behind = (
        given.replace(tzinfo=zone, fold=fold).astimezone(UTC).astimezone(zone) for fold in (1, 0)
    )
    return before.strftime(_MINUTES), behind.strftime(_MINUTES)
