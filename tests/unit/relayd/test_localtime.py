"""Moments as hosts write them."""

from zoneinfo import ZoneInfo

import pytest

from relayd.localtime import read_moment, show_moment
from ruleset.errors import CommandRejected
from ruleset.ids import Instant

SHANGHAI, BERLIN = ZoneInfo("Asia/Shanghai"), ZoneInfo("Europe/Berlin")
AUGUST = Instant(1_785_583_800_000)
"""2026-08-01 19:30 in Shanghai."""


@pytest.mark.parametrize(
    "text", ["2026-08-01 19:30", "2026-08-01T19:30:00", "2026-08-01T11:30Z", " 2026-08-01 13:30+02:00 "]
)
def test_a_time_is_read_in_the_tournaments_zone_or_its_own(text: str) -> None:
    """Decisions 8: without an offset it is a time of the tournament's zone."""
    assert read_moment(text, SHANGHAI) == AUGUST


@pytest.mark.parametrize("text", ["tomorrow", "2026-13-01 10:00", "", "0001-01-01 00:00"])
def test_what_is_no_moment_is_refused(text: str) -> None:
    """A code, the text and why."""
    with pytest.raises(CommandRejected) as caught:
        read_moment(text, SHANGHAI)
    assert (caught.value.code, caught.value.data["text"]) == ("bad_moment", text)


def test_a_start_in_a_gap_of_summer_time_is_refused_with_the_nearest_times() -> None:
    """Decisions 8: 02:30 does not exist on that night; where a time is twice, it is the earlier."""
    with pytest.raises(CommandRejected) as caught:
        read_moment("2026-03-29 02:30", BERLIN)
    assert caught.value.code == "no_such_time"
    assert caught.value.data["nearest"] == ("2026-03-29 01:30", "2026-03-29 03:30")
    assert read_moment("2026-10-25 02:30", BERLIN) == read_moment("2026-10-25 02:30+02:00", BERLIN)


def test_a_moment_is_shown_as_the_clocks_there_show_it() -> None:
    """To the minute, with seconds where there are some; the end of time is a time."""
    assert show_moment(AUGUST, SHANGHAI) == "2026-08-01 19:30"
    assert show_moment(Instant(AUGUST + 5_000), BERLIN) == "2026-08-01 13:30:05"
    assert show_moment(Instant(2**62), ZoneInfo("UTC")).startswith("9999")
