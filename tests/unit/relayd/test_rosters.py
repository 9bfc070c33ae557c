"""Lists of players and teams as files."""

import csv
from io import StringIO

import pytest

from relayd.rosterimport import arrivals, known_nicknames, moves, new_teams, outlook
from relayd.rosters import (
    LONGEST_TEAM,
    MOST,
    SAMPLE,
    Problem,
    Roster,
    read_csv,
    read_file,
    read_rows,
    rows_of,
)
from relayd.web.exports import as_csv
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId
from ruleset.tournament import commands as c
from ruleset.tournament.settings import RegistrationRules, Settings, TeamRules
from ruleset.tournament.state import EMPTY, Tournament
from tests.builders import SWISS, after, minutes, publish, started

NAMES = {PlayerId(n): f"Nick{n}" for n in range(1, 10)}


def nickname(player: PlayerId) -> str:
    """Return who it is, of nine (relayd.ports.Players)."""
    if player not in NAMES:
        raise CommandRejected("unknown_player", player=player)
    return NAMES[player]


def told(roster: Roster) -> list[tuple[int, str]]:
    """Return number and team of each line."""
    return [(line.player, line.team) for line in roster.told]


def published(settings: Settings = SWISS) -> Tournament:
    """Return a tournament with player 1 in team Red."""
    here = c.Register(player=PlayerId(1), nickname="Nick1", team=1, now=minutes(-120))
    return after(EMPTY, publish(settings), c.AddTeam(name="Red"), here)


def seen(text: str, settings: Settings = SWISS) -> tuple[list[Problem], CommandRejected | None]:
    """Return what is wrong with a list."""
    found = outlook(published(settings), read_csv(text), NAMES, minutes(-100))
    return [*found.problems], found.refusal


def test_the_sample_is_read_as_it_is_handed_out() -> None:
    """S109: a header and one example."""
    out = StringIO()
    csv.writer(out).writerows(SAMPLE)
    roster = read_file(out.getvalue().encode("utf-8-sig"))
    assert (told(roster), roster.teams, roster.problems) == ([(123, "Red")], (), ())
    assert [line.nickname for line in roster.lines] == ["Nick"]


def test_columns_stand_in_any_order_and_the_team_may_be_missing() -> None:
    """S110: optional team column; a team without players stands alone; empty lines are nothing."""
    rows = [["队伍", "选手号", "remark"], ["Red", "7", "x"], ["Blue", "", ""], ["", ""], ["", "p000008"]]
    roster = read_rows(rows)
    assert (told(roster), roster.teams) == ([(7, "Red"), (8, "")], ("Blue",))
    assert [line.row for line in roster.lines] == [2, 5]
    assert told(read_rows([["player"], ["9"]])) == [(9, "")]


@pytest.mark.parametrize(
    "head", ["选手编号,昵称,战队", "選手番号,ニックネーム,チーム", "Number;Name;Team", "ID\tname\tTEAM"]
)
def test_headers_are_read_as_people_write_them(head: str) -> None:
    """S110: in Chinese, Japanese and English, with commas, semicolons or tabs."""
    delimiter = next(mark for mark in ",;\t" if mark in head)
    roster = read_csv(f"{head}\r\n{delimiter.join(('7', 'Nick7', 'Red'))}\r\n")
    assert [(line.nickname, line.told.team) for line in roster.lines] == [("Nick7", "Red")]


def test_every_wrong_line_is_named_by_its_number_in_the_file() -> None:
    """S110: dry run with row errors first: row, column and what."""
    rows = [["player", "team"], ["1"], ["Nick"], ["P0"], ["٣"], ["9" * 40], ["1", "x" * (LONGEST_TEAM + 1)]]
    problems = read_rows(rows).problems
    assert [(p.row, p.column, p.what) for p in problems] == [
        *((row, "player", "bad_number") for row in (3, 4, 5, 6)),
        (7, "team", "long_team"),
    ]


def test_a_nickname_alone_says_nobody() -> None:
    """R004: who is meant says the number, never the nickname; a line with a nickname is no team either."""
    problems = read_csv("player,nickname,team\n,Nick,Red\n").problems
    assert [(p.row, p.what, p.cell) for p in problems] == [(2, "no_number", "Nick")]


def test_what_is_no_such_file_is_refused() -> None:
    """S110: no header, nothing, too much, no text."""
    for rows in ([["name"], ["1"]], [], [["player"], *[["1"]] * MOST]):
        with pytest.raises(CommandRejected, match="bad_file"):
            read_rows(rows)
    for data in (
        b"\xff\xfe\x00",
        b"player\n\xff\xff\n",
        b'player\n"' + b"x" * 200_000,
        b"player\n" * (MOST + 1),
    ):
        with pytest.raises(CommandRejected, match="bad_file"):
            read_file(data)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_files_of_excel_are_read_in_their_encodings(encoding: str) -> None:
    """S110: UTF-8 with and without its mark, GB18030 of Chinese Windows, Unicode text."""
    roster = read_file("选手号\t昵称\t队伍\r\n7\t青眼白龙\t决斗者\r\n".encode(encoding))
    assert [(line.nickname, line.told.team) for line in roster.lines] == [("青眼白龙", "决斗者")]


def test_what_the_rules_have_against_lines_is_told_by_their_rows() -> None:
    """S110, S115: rows in the file, not lines of the command, beside what the file itself has wrong."""
    problems, _ = seen("player,team\n,Blue\n77,Red\nNick,\n2,Red\n2,Blue\n", SWISS)
    assert [(p.row, p.what) for p in problems] == [
        (3, "unknown_player"),
        (4, "bad_number"),
        (5, "player_twice"),
        (6, "player_twice"),
    ]
    strict = Settings(title="x", format="swiss", rounds=3, teams=TeamRules(required=True))
    problems, _ = seen("player,team\n2,\n", strict)
    assert [(p.row, p.column, p.what) for p in problems] == [(2, "team", "team_required")]


def test_what_speaks_against_the_whole_list_is_told() -> None:
    """S110: all or nothing: a full list, a tournament that has started."""
    small = Settings(title="x", format="swiss", rounds=3, registration=RegistrationRules(limit=2))
    problems, refusal = seen("player\n2\n3\n", small)
    assert not problems
    assert refusal is not None
    assert refusal.code == "list_full"
    found = outlook(started(4), read_csv("player\n9\n"), NAMES, minutes(5))
    with pytest.raises(CommandRejected, match="already_started"):
        found.sound()


def test_an_outlook_says_what_would_be_different() -> None:
    """S107, S110: who is entered, who comes to which team, which teams are new, who is called otherwise."""
    state = published()
    text = "player,nickname,team\n1,Nick1,Blue\n2,nick2,Red\n3,Other,\n,,Grey\n"
    roster = read_csv(text)
    found = outlook(state, roster, known_nicknames(nickname, roster), minutes(-100))
    assert [(event.player, event.nickname) for event in arrivals(found)] == [(2, "Nick2"), (3, "Nick3")]
    assert [team.name for team in new_teams(found)] == ["Grey", "Blue"]
    assert [(m.player, m.before, m.after) for m in moves(state, found)] == [
        (1, "Red", "Blue"),
        (2, "", "Red"),
    ]
    assert [(line.row, line.nickname) for line in found.misnamed] == [(4, "Other")]
    assert after(state, found.sound()).teams == {1: "Red", 2: "Grey", 3: "Blue"}


def test_only_those_are_known_whom_the_directory_knows() -> None:
    """R004: a number that was never given names nobody."""
    assert known_nicknames(nickname, read_csv("player\n7\n99\n")) == {7: "Nick7"}


def test_a_list_that_was_handed_out_changes_nothing_when_it_comes_back() -> None:
    """S109, S110: teams that look like formulas or hold invisible characters stay the same."""
    state = after(published(), c.AddTeam(name="=1+1"), c.AddTeam(name="a\u200db"))
    lines = [("P000001", "Nick1", "Red"), ("P000002", "Nick2", "=1+1"), ("P000003", "Nick3", "a\u200db")]
    found = outlook(state, read_file(as_csv(rows_of(lines))), NAMES, minutes(-100))
    assert new_teams(found) == ()
    assert [m.after for m in moves(state, found)] == ["=1+1", "a\u200db"]
