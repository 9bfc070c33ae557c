"""Tournaments as XML in the manner of Konami's Tournament Software."""

from dataclasses import replace
from xml.etree.ElementTree import Element, fromstring

import pytest

from relayd.files.kts import OURS, as_kts
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId
from ruleset.tournament import commands as c
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import Tournament
from tests.builders import SWISS, after, entered, minutes, play_out, result, start, started, tables

CUT = Settings(title="Cup <&>", format="swiss_elimination", rounds=2, cut=4, ends_after_ms=0)


def document(state: Tournament) -> Element:
    """Return the document, as any reader of XML sees it."""
    return fromstring(as_kts(state))  # noqa: S314  it is ours


def texts(node: Element, *names: str) -> list[str | None]:
    """Return what stands in elements below *node*."""
    return [node.findtext(name) for name in names]


def test_readers_of_kts_find_players_matches_and_winners() -> None:
    """H208: players by ten digits with rank, points and drop; matches by plain numbers with their winner."""
    state = after(started(4), c.Drop(player=PlayerId(3), now=minutes(1)))
    state = play_out(state)
    found = document(state)
    assert texts(found, "Name", "Date", "Structure", "Finalized") == ["Weekly", "2027-01-15", "Swiss", "True"]
    people = found.findall("TournamentPlayers/TournPlayer")
    assert people[0].findtext("Player/ID") == f"{state.places[0][0]:010d}"
    assert [texts(p, "Rank", "DropRound") for p in people][-1] == ["4", "1"]
    assert sum(int(p.findtext("Points") or 0) for p in people) == 3 * (3 + 3)
    matches = found.findall("Matches/TournMatch")
    assert {match.findtext("Status") for match in matches} == {"Winner"}
    assert {match.findtext("Winner") for match in matches} <= {"1", "2", "3", "4"}
    byes = [match for match in matches if match.findall("Player")[1].text == "0"]
    assert [texts(m, "Table", f"{{{OURS}}}Reason") for m in byes] == [["0", "bye"]] * len(byes)


def test_results_that_are_no_wins_have_no_winner() -> None:
    """5.7: draws, double losses and open matches; games and reasons stand in elements of ours."""
    state = started(6)
    for table, told in zip(
        tables(state), (result("draw", (1, 1), "cap"), result("double_loss", (0, 0), "cap")), strict=False
    ):
        state = after(state, c.Rule(table=table.id, result=told, now=minutes(5)))
    matches = document(state).findall("Matches/TournMatch")
    own = [f"{{{OURS}}}{name}" for name in ("Games", "Reason")]
    assert [texts(match, "Status", "Winner", *own) for match in matches] == [
        ["Draw", "0", "1-1-0", "cap"],
        ["DoubleLoss", "0", "0-0-0", "cap"],
        ["Incomplete", "0", None, None],
    ]


def test_the_bracket_is_marked() -> None:
    """R002: rounds go on through the cut; titles of strangers are text and nothing else (F24)."""
    state = play_out(started(8, CUT))
    found = document(state)
    assert texts(found, "Name", "TopCut", "CurrentRound", "PlayoffRound") == ["Cup <&>", "4", "4", "2"]
    marks = [texts(m, "Round", "PlayoffMatch") for m in found.findall("Matches/TournMatch")]
    assert marks.count(["3", "True"]) == 2
    assert marks.count(["1", "False"]) == 4
    assert found.findtext("TournamentPlayers/TournPlayer/Rank") == "1"


def test_teams_and_turned_text_are_told_and_neutral() -> None:
    """S107, F21: a team that counts; no character turns the text of others or breaks the document."""
    state = after(entered(2, replace(SWISS, title="a\u202eb\x1b")), c.AddTeam(name="Red"))
    state = after(state, c.AssignTeam(player=PlayerId(1), team=1))
    found = document(after(state, start(state)))
    assert found.findtext("Name") == "a\\u202eb\\u001b"
    teams = [node.findtext(f"{{{OURS}}}Team") for node in found.findall("TournamentPlayers/TournPlayer")]
    assert set(teams) == {None, "Red"}


def test_before_the_start_there_is_nothing_to_tell() -> None:
    """R013: who plays is known from the start on."""
    with pytest.raises(CommandRejected, match="not_started"):
        as_kts(entered(4))
