"""Days as clocks in a tournament's time zone have them."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from ruleset.ids import Instant
from ruleset.tournament.state import Tournament


def day(state: Tournament, moment: Instant) -> date:
    """Return the day of *moment* where the tournament is played (decisions 8)."""
    return datetime.fromtimestamp(moment / 1_000, ZoneInfo(state.settings.time_zone)).date()


def first_day(state: Tournament) -> date:
    """Return when it was played: the day it began, else is to begin, else was published."""
    return day(state, state.started_at or state.settings.start_at or state.published_at)
