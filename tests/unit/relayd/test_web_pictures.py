"""What pages draw: the curve of DP, and the bracket."""

import re
from typing import Any

from relayd.storage.ledger import FIRST_DP, LedgerRow
from relayd.web.bracket import drawn
from relayd.web.pages.people import curve
from ruleset.ids import PlayerId, RoundNo, TableNo, TournamentNo

WIDE = "一二三四五六七八九十一二三四五六"


def row(key: str, delta: int, **more: Any) -> LedgerRow:
    """Return a row of player 1's ledger."""
    plain: dict[str, Any] = {
        "tournament": TournamentNo(1),
        "round": RoundNo(1),
        "table": TableNo(1),
        "player": PlayerId(1),
        "opponent": PlayerId(2),
        "dp_before": 0,
        "reason": "table",
    }
    return LedgerRow(key=key, delta=delta, **{**plain, **more})


def test_the_curve_goes_through_every_value() -> None:
    """R046: DP after each row, from left to right; the higher DP, the higher the line."""
    found = curve([row("a", 16), row("b", -32), row("c", 4)], "DP")
    assert found is not None
    assert (found.lowest, found.highest, found.matches) == (FIRST_DP - 16, FIRST_DP + 16, 3)
    path = re.search(r'd="M([^"]+)"', found.picture)
    assert path is not None
    points = [tuple(map(float, point.split())) for point in path[1].split(" L")]
    assert [x for x, _ in points] == [0, 200, 400, 600]
    heights = [y for _, y in points]
    assert heights[2] > heights[3] > heights[0] > heights[1]  # y goes downwards


def test_what_was_corrected_away_is_no_match() -> None:
    """A reversed row, its reversal and a prize move the line, and are no matches."""
    rows = [
        row("a", 8),
        row("-a", -8, reverses="a"),
        row("a2", -8),
        row("p", 64, round=None, table=None, opponent=None),
    ]
    found = curve(rows, "DP")
    assert found is not None
    assert found.matches == 1


def test_one_match_makes_no_curve() -> None:
    """There is nothing to see in a single step."""
    assert curve([row("a", 16)], "DP") is None
    assert curve([], "DP") is None


def test_long_names_stay_in_their_boxes() -> None:
    """A name that has no room is shortened, told in full, and is text (F24)."""
    people = [{"player": n, "label": f"P{n:06d}", "nickname": name} for n, name in ((1, WIDE), (2, "<b>&"))]
    picture = drawn({"rounds": [{"slots": people, "tables": []}]}, 1, "Bracket")
    assert picture is not None
    assert ">一二三四五六七八九十…<title>" in picture
    assert f"<title>{WIDE}</title>" in picture
    assert "&lt;b&gt;&amp;" in picture
    assert "<b>" not in picture


def test_there_is_no_bracket_before_the_cut() -> None:
    """Nothing is drawn of nothing."""
    assert drawn({"rounds": []}, 1, "Bracket") is None
