"""The lint of lflist.conf."""

import pytest

from deckcheck.lint import lint
from tests.decks import LFLIST, needs_shared


def found(text: bytes) -> list[tuple[int, str]]:
    """Return line and code of each problem."""
    return [(each.line, each.code) for each in lint(text)]


def test_a_clean_file_has_no_problems() -> None:
    """D11: comments, CRLF, blank lines, unlimited cards and directives in their place are fine."""
    text = (
        b"#c\n!2026.7\r\n1 0 --a\r\n\r\n2 3\n3 -1\n!1.1\n$whitelist\n1 3\n!2.2\n$genesys 100\n1 $genesys 5\n"
    )
    assert found(text) == []


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"1", "missing_count"),
        (b"1 ", "missing_count"),
        (b"1 --name\r", "missing_count"),
        (b"x 1", "no_entry"),
        (b"-1 1", "no_entry"),
        (b"4294967296 1", "code_too_large"),
        (b"1 4", "odd_count"),
        (b"1 -2", "odd_count"),
        (b"1 1 " + b"x" * 1020, "long_line"),
        (b"$what", "unknown_directive"),
        (b"$", "unknown_directive"),
        (b"1 $genesys 5", "no_budget"),
        (b"!TCG", "undated_header"),
    ],
)
def test_problems_of_a_line(line: bytes, code: str) -> None:
    """D03, D04, D05, D09, D10: each is reported with its line."""
    assert found(b"!2026.7\n2 1\n" + line + b"\n") == [(3, code)]


def test_a_bom_is_reported() -> None:
    """D05: ygopro loses a list that follows it."""
    assert found(b"\xef\xbb\xbf!2026.7\n") == [(1, "bom")]


def test_lines_before_the_first_header_are_reported() -> None:
    """D01: they belong to no list."""
    assert found(b"#c\n1 0\n!2026.7\n") == [(2, "before_first_list")]


def test_duplicates_are_reported_with_the_line_before() -> None:
    """D06: the last wins; equal lines cancel; another list may name the card again."""
    text = b"!1.1\n1 0\n1 1\n2 2\n2 2\n!2.2\n1 0\n"
    assert found(text) == [(3, "duplicate"), (5, "equal_lines")]
    assert "line 2" in lint(text)[0].message
    assert "cancel" in lint(text)[1].message


def test_a_late_whitelist_is_reported() -> None:
    """D08: it must follow the header."""
    assert found(b"!1.1\n1 0\n$whitelist\n") == [(3, "whitelist_late")]


@needs_shared
def test_the_real_file() -> None:
    """D11: the published file has no problem but its repeated cards, if any."""
    assert {code for _, code in found(LFLIST.read_bytes())} <= {"equal_lines", "duplicate"}
