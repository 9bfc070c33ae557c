"""Sheets of a tournament (H208)."""

import csv
from io import StringIO

from relayd.web.exports import as_csv, dp
from tests.builders import after, minutes, started, tables, won


def test_the_dp_sheet_has_every_row_that_was_written() -> None:
    """4.6, H208: corrections too: the row, its reversal, the new one."""
    state = after(started(10), won(tables(started(10))[0], "a", minutes(5)))
    state = after(state, won(tables(state)[0], "b", minutes(6)))
    head, *rows = csv.reader(StringIO(as_csv(dp(state)).decode("utf-8-sig")))
    assert head[:4] == ["number", "nickname", "at_entry", "delta"]
    assert [(row[3], row[6], row[8]) for row in rows] == [
        ("8", "R1T1", ""),
        ("-8", "R1T1", ""),
        ("-8", "R1T1", "yes"),
        ("8", "R1T1", "yes"),
        ("-8", "R1T1", ""),
        ("8", "R1T1", ""),
    ]
    assert rows[0][7] == rows[1][0]
