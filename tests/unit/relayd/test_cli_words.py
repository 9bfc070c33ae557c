"""What people write on a command line, and what they read there."""

import json
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relayd.cli.told import told
from relayd.cli.words import duration, merged, moment, nested, read_duration, read_score, winner

KINDS = Path(__file__).parents[2] / "golden" / "kinds" / "tournament"


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [("40m", 2_400_000), ("5", 300_000), ("1h30m", 5_400_000), ("90s", 90_000), (" 1H1M1S ", 3_661_000)],
)
def test_a_duration_is_read(text: str, milliseconds: int) -> None:
    """Hours, minutes, seconds; a bare number is minutes."""
    assert read_duration(text) == milliseconds


@pytest.mark.parametrize("text", ["", "soon", "-5m", "1.5h", "5m1h", "m", "٣m"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    """Decisions 11: usage, with how to write it."""
    with pytest.raises(click.BadParameter, match="write 40m"):
        read_duration(text)


@given(st.integers(min_value=0, max_value=9), st.integers(min_value=0, max_value=9))
def test_a_score_names_its_winner(a: int, b: int) -> None:
    """Seat A first; as many on both sides is a draw."""
    assert read_score(f" {a}-{b} ") == read_score(f"{a}:{b}") == (a, b)
    assert winner((a, b)) == ("a" if a > b else "b" if b > a else "draw")


@pytest.mark.parametrize("text", ["2", "2-", "10-0", "a-b", "2–1"])
def test_what_is_no_score_is_refused(text: str) -> None:
    """Decisions 11: usage, with how to write it."""
    with pytest.raises(click.BadParameter, match="write 2-1"):
        read_score(text)


def test_time_left_reads_like_a_clock() -> None:
    """Minutes and seconds, hours where there are some, a minus for what is overdue."""
    shown = [duration(ms) for ms in (0, 65_000, 3_725_000, -5_000, -400)]
    assert shown == ["0:00", "1:05", "1:02:05", "-0:05", "0:00"]


def test_a_moment_is_shown_in_its_zone() -> None:
    """Decisions 8: in the tournament's time zone; an unknown one is no reason to fail."""
    assert moment(1_785_583_800_000, "Asia/Shanghai") == "2026-08-01 19:30"
    assert moment(1_785_583_800_000, "No/Where") == moment(1_785_583_800_000) == "2026-08-01 11:30"
    assert (moment(None), moment(2**62)[:4]) == ("–", "9999")


def test_settings_are_nested_by_their_path() -> None:
    """``--set clock.gap_ms=1`` leaves the rest of the clock alone."""
    base = {"clock": {"auto": True, "gap_ms": 5}, "title": "T"}
    assert merged(base, nested("clock.gap_ms", 1)) == {"clock": {"auto": True, "gap_ms": 1}, "title": "T"}
    assert merged(base, nested("clock", 3)) == {"clock": 3, "title": "T"}
    assert base["clock"] == {"auto": True, "gap_ms": 5}


@pytest.mark.parametrize("path", sorted(KINDS.glob("*.json")), ids=lambda path: path.stem)
def test_every_kind_of_event_can_be_told(path: Path) -> None:
    """House 5: of every version that was ever written, as a host reads it in ``watch``."""
    kind, fields = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    (line,) = told({"events": [{"kind": kind, **fields}]})
    assert line.isprintable()


def test_what_happens_at_a_table_names_it() -> None:
    """House 5: seats, scores and reports say of which table."""
    fields = {"seat": "b", "wins": [1, 0], "duel": 2, "outcome": "a", "report": {"server": "main"}}
    kinds = ("player_seated", "player_left", "player_reported", "table_started", "score_seen", "report_filed")
    lines = told({"events": [{"kind": f"{kind}.1", "table": [3, 4], **fields} for kind in kinds]})
    assert all("R3T4" in line for line in lines)


def test_the_host_is_told_what_he_is_asked() -> None:
    """5.5-8, 5.5-13: with what to do."""
    asked = {"kind": "host_asked.1", "round_no": 5, "tables": [1]}
    lines = told({"events": [{**asked, "question": q} for q in ("room_lost", "no_champion")]})
    assert ["resume" in line or "champion" in line for line in lines] == [True, True]


def test_events_are_told_in_words() -> None:
    """What a host cares about is a sentence, the rest is named; F21: on one line, whatever it holds."""
    events = [
        {"kind": "player_registered.1", "player": 7, "nickname": "a\nb"},
        {"kind": "brand_new_thing.3"},
        {"kind": "result_disputed.1", "table": [1, 2], "why": "suspect"},
        {"kind": "cap_reached.1", "round_no": 2, "tables": []},
        {"kind": "score_seen.1", "table": [0, 1], "wins": [1, 0]},
    ]
    assert list(told({"changed": True, "events": events})) == [
        r"P000007 a\u000ab is registered",
        "brand new thing",
        "table R1T2 is disputed: suspect",
        "hard cap in round 2: no table",
        "table P1T1: 1-0",
    ]
    assert list(told({"changed": False})) == ["nothing to do: it is so already"]
