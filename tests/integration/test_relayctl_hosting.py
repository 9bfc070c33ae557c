"""relayctl for a host at work: rounds, pairs, teams, lists, undo, corrections looked at first."""

import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import xlsxwriter  # type: ignore[import-untyped]  # it comes without types

from relayd.exits import Exit
from tests.house import House, admin_socket, opened
from tests.terminals import Terminal, entered, quiet

PLAN = ("--title", "Weekly", "--format", "swiss", "--rounds", "3", "--environment", "goat")


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """The daemon's log lines are not ours."""
    with quiet():
        yield


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A daemon with one duel server that is up."""
    async with opened(tmp_path) as house:
        yield house


@pytest.fixture
async def host(house: House, tmp_path: Path) -> AsyncIterator[Terminal]:
    """A terminal beside it."""
    async with admin_socket(house, tmp_path) as admin:
        yield Terminal(admin.path, tmp_path)


async def test_a_host_changes_what_is_left_open(host: Terminal) -> None:
    """S101, S105, S118, S133, S137."""
    await entered(host, (*PLAN, "--set", "rounds_locked=false"), 2)
    assert "registration is closed" in await host.type("tournament registration 1 closed")
    assert "registration is open" in await host.type("tournament registration 1 open")
    assert "co-hosts: P000001, P000002" in await host.type("tournament cohosts 1 1 2")
    assert "co-hosts: nobody" in await host.type("tournament cohosts 1 --none")
    assert "the tournament is private" in await host.type("tournament visibility 1 private")
    assert "5 rounds count" in await host.type("tournament rounds 1 5")
    assert "nothing to do" in await host.type("tournament unset-ended 1")
    assert re.search(r"state +[0-9a-f]{64}", await host.type("tournament fingerprint 1"))
    for words in (("cohosts", "1"), ("cohosts", "1", "1", "--none"), ("registration", "1", "shut")):
        assert (await host.run("tournament", *words)).exit_code == Exit.USAGE


async def test_a_play_off_is_published(host: Terminal) -> None:
    """R033, S100: every format, and one game for the last seat."""
    more = ("--format", "round_robin_elimination", "--rounds", "0", "--cut", "4", "--play-off")
    settings = (await host.data("tournament publish", *PLAN, *more))["events"][0]["settings"]
    assert (settings["format"], settings["cut_playoff"]) == ("round_robin_elimination", True)


async def test_a_play_off_is_played_from_a_terminal(host: Terminal) -> None:
    """R033: two who are equal play one game for the last seat; it is a table, but no paired round."""
    more = ("--format", "swiss_elimination", "--rounds", "1", "--cut", "2", "--play-off")
    await entered(host, (*PLAN, *more, "--set", 'scores.order=["points"]'), 3)
    await host.type("start 1")
    await host.type("result 1 R1T1 1-1")
    assert "the play-off: 1 tables" in await host.type("next 1")
    assert "The play-off (playoff)" in await host.type("tables 1")
    assert "; the play-off; late in" in await host.type("clock show 1")
    why = await host.run("round", "why", "1")
    assert (why.exit_code, "play-off" in why.stderr) == (Exit.REFUSED, True)
    assert (await host.run("result", "1", "P1T1", "2-0")).exit_code == Exit.REFUSED
    assert "table P1T1: a by played, games 1-0" in await host.type("result 1 P1T1 1-0")
    await host.type("next 1")
    assert "R2T1" in await host.type("bracket 1")


async def test_the_last_action_is_taken_back(host: Terminal) -> None:
    """T22: what it was is shown and asked for first; by its number without a question."""
    await entered(host, PLAN, 4)
    nothing = await host.run("undo", "1", "--yes")
    assert (nothing.exit_code, nothing.stderr) == (Exit.REFUSED, "relayctl: there is nothing to undo\n")
    await host.type("start 1")
    await host.type("result 1 R1T1 2-0")
    asked = await host.run("undo", "1", input="n\n")
    assert asked.exit_code == Exit.REFUSED
    number = re.search(r"Take back: ruled, R1T1 \(action (\d+)\)", asked.stderr)
    assert number is not None
    assert "ruled, R1T1" in await host.type("tournament show 1")
    assert (await host.run("undo", "1", "--action", "999")).exit_code == Exit.REFUSED
    assert f"action {number[1]} is taken back" in await host.type(f"undo 1 --action {number[1]}")
    assert (await host.data("table show 1 R1T1"))["result"] is None


async def test_time_is_called_at_one_table_alone(host: Terminal) -> None:
    """S128: that table's time is up, the others play on; a second call is refused."""
    await entered(host, PLAN, 4)
    await host.type("start 1")
    assert "time called at table R1T2" in await host.type("table time-up 1 R1T2")
    called = [row["clock"]["time_called_at"] is None for row in (await host.data("tables 1"))["tables"]]
    assert called == [True, False]
    assert (await host.run("table", "time-up", "1", "R1T2")).exit_code == Exit.REFUSED


async def test_a_correction_is_looked_at_first(host: Terminal) -> None:
    """T22: results, ranks, DP and warnings; nothing is written."""
    await entered(host, PLAN, 10)
    await host.type("start 1")
    for n in range(1, 6):
        await host.type(f"result 1 R1T{n} 2-0")
    before = (await host.data("tournament show 1"))["version"]
    corrected = await host.type("result 1 R1T1 0-2 --dry-run")
    assert re.search(r"R1T1 +a 2-0 \(played\) +b 0-2 \(played\)", corrected)
    assert re.search(r"Ranks[\s\S]*DP[\s\S]*-16", corrected)
    assert "ruling" in await host.type("rule 1 R1T1 double_loss --games 1-1 --dry-run")
    assert "the round is open again" in await host.type("table reopen 1 R1T1 --dry-run")
    assert (await host.data("table reopen 1 R1T1 --dry-run"))["warnings"] == ["gap_cancelled"]
    assert (await host.data("tournament show 1"))["version"] == before


async def test_pairings_are_changed_and_explained(host: Terminal) -> None:
    """4.10: anew, exchanged, ruled out, why it is so."""
    await entered(host, PLAN, 5)
    unstarted = await host.run("round", "why", "1")
    assert (unstarted.exit_code, "has not started" in unstarted.stderr) == (Exit.REFUSED, True)
    await host.type("start 1")
    tables = (await host.data("tables 1"))["tables"]
    one, other = tables[0]["a"]["label"], tables[1]["a"]["label"]
    assert "round 1: seats are changed at T1, T2, bye: P0" in await host.type(f"round swap 1 {one} {other}")
    assert (await host.data("tables 1"))["tables"][0]["a"]["label"] == other
    first, second = sorted((one, other))
    told = await host.type(f"pair forbid 1 {one} {other}")
    assert told == f"{first} and {second} are not paired any more\n"
    assert {one, other} == set(re.findall(r"P\d{6}", await host.type("pair list 1")))
    assert "round 1 is taken back" in await host.type("round pair-again 1")
    assert "may be paired again" in await host.type(f"pair allow 1 {one} {other}")
    assert "the bye is in the lowest group" in await host.type("round why 1")
    assert (await host.data("round why 1 1"))["legal"]
    assert (await host.run("round", "swap", "1", one, "Alice")).exit_code == Exit.USAGE


async def test_what_a_round_could_not_avoid_is_told(host: Terminal) -> None:
    """4.10-3: rematches, teams together, floats; a swap that breaks rules needs a yes."""
    await entered(host, (*PLAN, "--set", "teams.avoid_same_team=prefer"), 4)
    await host.type("team add 1 Red")
    for n in (1, 2, 3, 4):
        await host.type(f"team assign 1 {n} 1")
    await host.type("start 1")
    assert "of one team: P0" in await host.type("round why 1")
    for table in ("R1T1", "R1T2"):
        await host.type(f"result 1 {table} 2-0")
    await host.type("next 1")
    one, two = (
        (await host.data("tables 1 --round 1"))["tables"][0]["a"],
        (await host.data("tables 1"))["tables"],
    )
    rival = (await host.data("tables 1 --round 1"))["tables"][0]["b"]["label"]
    mine = next(t for t in two if one["label"] in {t["a"]["label"], t["b"]["label"]})
    partner = mine["b"]["label"] if mine["a"]["label"] == one["label"] else mine["a"]["label"]
    refused = await host.run("round", "swap", "1", partner, rival)
    assert (refused.exit_code, "speak against that" in refused.stderr) == (Exit.REFUSED, True)
    await host.type(f"round swap 1 {partner} {rival} --yes")
    told = await host.type("round why 1 2")
    assert "met in round 1" in told
    assert "no legal round" in told


async def test_teams_and_lists(host: Terminal) -> None:
    """S107-S110, S130: by hand and as a list, which comes back as it was sent."""
    await entered(host, (*PLAN, "--set", "teams.ranking=true"), 3)
    text = "player,nickname,team\nP000001,Nick1,Red\nP000002,Nick2,=1+1\nP000003,Nick3,\n"
    path = host.file("list.csv", text)
    assert "nothing is written" in await host.type("roster import 1", path, "--dry-run")
    assert await host.data("team list 1") == []
    assert "team 1 Red is on the list" in await host.type("roster import 1", path)
    assert await host.type("roster export 1") == text.replace("=1+1", "'=1+1")
    assert (
        await host.run("roster", "import", "1", "-", input=await host.type("roster export 1"))
    ).exit_code == 0
    assert len(await host.data("team list 1")) == 2
    assert (await host.data("roster export 1"))[0] == {
        "player": "P000001",
        "nickname": "Nick1",
        "team": "Red",
    }
    wrong = await host.run("roster", "import", "1", host.file("wrong.csv", "player\n1\n99\n"))
    assert (wrong.exit_code, "unknown_player" in wrong.stderr) == (Exit.REFUSED, True)
    assert "team 3 Grey" in await host.type("team add 1 Grey")
    assert ",,Grey" in await host.type("roster export 1")
    assert "is in team 3, shown as Greys" in await host.type("team assign 1 3 3 --label Greys")
    assert "is in no team" in await host.type("team assign 1 3")
    assert re.search(r"Red +– +P000001 Nick1", await host.type("team list 1"))
    assert "team 3 is off the list" in await host.type("team remove 1 3")


async def test_a_list_comes_from_any_excel(host: Terminal) -> None:
    """S110: a workbook, semicolons, GB18030; what is none of it says why and ends with 3."""
    await entered(host, PLAN, 2)
    sheet = host.folder / "list.xlsx"
    with xlsxwriter.Workbook(sheet, {"strings_to_formulas": False}) as book:
        book.add_worksheet().write_column(0, 0, ["player", "P000001"])
        book.worksheets()[0].write_column(0, 1, ["team", "=red"])
    assert "team 1 =red is on the list" in await host.type("roster import 1", str(sheet))
    (host.folder / "gb.csv").write_bytes("选手号;队伍\n2;蓝\n".encode("gb18030"))
    assert "team 2 蓝 is on the list" in await host.type("roster import 1", str(host.folder / "gb.csv"))
    (host.folder / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0")
    old = await host.run("roster", "import", "1", str(host.folder / "old.xls"))
    assert (old.exit_code, "save it as .xlsx" in old.stderr) == (Exit.UNREADABLE, True)
    assert (await host.run("roster", "import", "1", "absent.csv")).exit_code == Exit.UNREADABLE


async def test_a_foul_is_offered_and_answered(host: Terminal) -> None:
    """H220: in claim mode, unless the judge says that it is final."""
    await entered(host, (*PLAN, "--late-mode", "claim"), 2)
    await host.type("start 1")
    player = (await host.data("table show 1 R1T1"))["a"]["label"]
    assert "offered to seat A" in await host.type("rule 1 R1T1 a --reason foul")
    assert "foul: win offered" in await host.type("tables 1")
    assert "a by foul: relayctl table answer" in await host.type("table show 1 R1T1")
    assert "plays on" in await host.type(f"table answer 1 R1T1 {player} play-on")
    assert (await host.run("table", "answer", "1", "R1T1", player, "take")).exit_code == Exit.REFUSED
    await host.type("rule 1 R1T1 a --reason foul")
    assert "a by foul" in await host.type(f"table answer 1 R1T1 {player} take")
    await host.type("table reopen 1 R1T1")
    assert "a by foul" in await host.type("rule 1 R1T1 a --reason foul --final")
