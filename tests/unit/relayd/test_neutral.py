"""Strangers' text on one line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relayd.neutral import neutral


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("甲 and Ünï – ok", "甲 and Ünï – ok"),
        ("a\nb\r\tc", r"a\u000ab\u000d\u0009c"),
        ("\x1b[31mred", r"\u001b[31mred"),
        ("abc\u202etxt", r"abc\u202etxt"),
        ("a\u2028b\x85c\ufeff", r"a\u2028b\u0085c\ufeff"),
        ("\U000e0041", r"\udb40\udc41"),
        ("\ud800", r"\ud800"),
    ],
)
def test_active_characters_are_written_out(text: str, shown: str) -> None:
    """F21: newline, ESC, U+202E and their like; ordinary text of any script stays."""
    assert neutral(text) == shown


@given(st.text())
def test_a_json_line_keeps_its_meaning(text: str) -> None:
    """F21: one line, and it round-trips."""
    line = neutral(json.dumps({"a": text}, ensure_ascii=False))
    assert len(line.splitlines()) == 1
    assert json.loads(line) == {"a": text}
