"""Lists of players and teams as files."""

import csv
from io import StringIO

import pytest

from relayd.rosters import MOST, SAMPLE, Roster, read_csv, read_rows
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId
from ruleset.tournament import commands as c
from ruleset.tournament.state import EMPTY
from tests.builders import after, minutes, publish


def line(player: int, team: str = "") -> c.RosterLine:
    """Return what a line says."""
    return c.RosterLine(player=PlayerId(player), team=team)


def refused(rows: list[list[str]]) -> CommandRejected:
    """Return the refusal of *rows*."""
    with pytest.raises(CommandRejected) as refusal:
        read_rows(rows)
    return refusal.value


def test_the_sample_is_read_as_it_is_handed_out() -> None:
    """S109: a header and one example."""
    out = StringIO()
    csv.writer(out).writerows(SAMPLE)
    assert read_csv(out.getvalue().encode("utf-8-sig")) == Roster(lines=(line(123, "Red"),), teams=())


def test_columns_stand_in_any_order_and_the_team_may_be_missing() -> None:
    """S110: optional team column; a team without players stands alone; empty lines are nothing."""
    rows = [["队伍", "选手号", "remark"], ["Red", "7", "x"], ["Blue", "", ""], ["", ""], ["", "p000008"]]
    assert read_rows(rows) == Roster(lines=(line(7, "Red"), line(8)), teams=("Blue",))
    assert read_rows([["player"], ["9"]]) == Roster(lines=(line(9),), teams=())


def test_every_wrong_line_is_named_by_its_number_in_the_file() -> None:
    """S110: dry run with row errors first."""
    refusal = refused([["player"], ["1"], ["Nick"], ["P0"], ["٣"], ["9" * 40]])
    assert (refusal.code, list(refusal.data["rows"])) == ("bad_rows", [3, 4, 5, 6])  # type: ignore[call-overload]


def test_what_is_no_such_file_is_refused() -> None:
    """S110: no header, nothing, too much, no text."""
    for rows in ([["name"], ["1"]], [], [["player"], *[["1"]] * MOST]):
        assert refused(rows).code == "bad_file"
    with pytest.raises(CommandRejected, match="bad_file"):
        read_csv(b"\xff\xfe\x00")


def test_what_was_read_is_taken_in() -> None:
    """S107, S110: teams that are found fill the list."""
    roster = read_rows([["player", "team"], ["7", "Red"], ["", "Blue"]])
    nicknames = {PlayerId(7): "Seven"}
    wish = c.ImportRoster(lines=roster.lines, teams=roster.teams, nicknames=nicknames, now=minutes(-99))
    assert after(EMPTY, publish(), wish).teams == {1: "Blue", 2: "Red"}
