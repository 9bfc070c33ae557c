"""What a host does while a tournament goes on, over a real unix socket."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.house import Caller, House, calling, entered, opened, refusal


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A daemon with one duel server that is up."""
    async with opened(tmp_path) as house:
        yield house


@pytest.fixture
async def host(house: House, tmp_path: Path) -> AsyncIterator[Caller]:
    """An operator's connection."""
    async with calling(house, tmp_path) as caller:
        yield caller


async def running(host: Caller, players: int, **plan: Any) -> int:
    """Publish a tournament and start it."""
    number = await entered(host, players, **plan)
    await host.call("tournament.start", tournament=number)
    return number


async def code(host: Caller, method: str, **params: Any) -> str:
    """Return the code with which a call is refused."""
    return str((await refusal(host, method, **params)).data["code"])


async def test_a_host_steers_what_the_settings_leave_open(host: Caller) -> None:
    """S101, S105, S118, S133, S137."""
    number = await entered(host, 2, rounds_locked=False, rounds=2)
    await host.call("tournament.set_registration", tournament=number, closed=True)
    await host.call("tournament.set_cohosts", tournament=number, players=["P000002"])
    await host.call("tournament.set_visibility", tournament=number, visibility="private")
    await host.call("tournament.start", tournament=number)
    await host.call("tournament.set_rounds", tournament=number, rounds=5)
    settings = (await host.call("tournament.show", tournament=number))["settings"]
    assert (settings["rounds"], settings["co_hosts"]) == (5, [2])
    assert (settings["registration"]["closed"], settings["visibility"]) == (True, "private")
    assert not (await host.call("tournament.unset_ended", tournament=number))["changed"]


async def test_the_last_action_is_shown_and_taken_back(host: Caller) -> None:
    """T22: by its number."""
    number = await running(host, 4)
    await host.call("table.rule", tournament=number, table="R1T1", outcome="a", wins=[2, 0])
    last = (await host.call("tournament.show", tournament=number))["last_action"]
    assert (last["what"], last["tables"]) == ("ruled", ["R1T1"])
    assert await code(host, "tournament.undo", tournament=number, action=9) == "outdated_action"
    assert (await host.call("tournament.undo", tournament=number, action=last["action"]))["changed"]
    assert (await host.call("tournament.show", tournament=number))["last_action"] is None
    assert (await host.call("table.show", tournament=number, table="R1T1"))["result"] is None


async def test_a_correction_is_looked_at_first(host: Caller) -> None:
    """T22: results, ranks, DP and warnings; nothing is written."""
    number = await running(host, 10)
    for n in range(1, 6):
        await host.call("table.rule", tournament=number, table=f"R1T{n}", outcome="a", wins=[2, 0])
    about = {"tournament": number, "table": "R1T1"}
    version = (await host.call("tournament.show", tournament=number))["version"]
    seen = await host.call("table.preview", **about, outcome="b", wins=[0, 2])
    assert [change["after"]["outcome"] for change in seen["results"]] == ["b"]
    assert sorted(change["delta"] for change in seen["dp"]) == [-16, 16]
    assert (seen["warnings"], seen["places"]) == ([], [])
    assert (await host.call("table.preview", **about))["warnings"] == ["gap_cancelled"]
    assert await code(host, "table.preview", tournament=number, table="R9T9", outcome="a") == "unknown_table"
    assert (await host.call("tournament.show", tournament=number))["version"] == version


async def test_pairings_are_changed_before_anybody_plays(host: Caller) -> None:
    """4.10: anew, exchanged, ruled out, explained."""
    number = await running(host, 4)
    tables = (await host.call("table.list", tournament=number))["tables"]
    one, other = tables[0]["a"]["player"], tables[1]["a"]["player"]
    await host.call("round.swap", tournament=number, one=one, other=other)
    swapped = (await host.call("table.list", tournament=number))["tables"]
    assert swapped[0]["a"]["player"] == other
    await host.call("pair.forbid", tournament=number, one=one, other=other)
    assert len((await host.call("tournament.show", tournament=number))["forbidden"]) == 1
    await host.call("pair.allow", tournament=number, one=one, other=other)
    assert (await host.call("round.pair_again", tournament=number))["changed"]
    assert (await host.call("round.why", tournament=number, round=1))["legal"]
    assert await code(host, "round.why", tournament=number, round=2) == "unknown_round"
    cup = await running(host, 2, format="elimination", rounds=0)
    assert await code(host, "round.why", tournament=cup, round=1) == "not_swiss"


async def test_a_list_of_players_and_teams_is_taken_in(host: Caller) -> None:
    """S107-S110, S130: a dry run first; wrong lines are named."""
    number = await entered(host, 2, teams={"ranking": True})
    third = (await host.call("player.register", nickname="Third"))["player"]
    text = f"player,team\nP000001,Red\n{third},Red\n2,Blue\n"
    dry = await host.call("roster.import", tournament=number, csv=text, dry_run=True)
    assert (dry["changed"], dry["would"]) == (False, 6)
    assert (await host.call("roster.import", tournament=number, csv=text))["changed"]
    assert await code(host, "roster.import", tournament=number, csv="player\n99\n") == "bad_rows"
    await host.call("team.add", tournament=number, name="Grey")
    await host.call("team.assign", tournament=number, player=2, team=3, label="Greys")
    teams = await host.call("team.list", tournament=number)
    assert [(team["name"], len(team["players"])) for team in teams] == [("Red", 2), ("Blue", 0), ("Grey", 1)]
    await host.call("team.remove", tournament=number, team=2)
    await host.call("tournament.start", tournament=number)
    await host.call("table.rule", tournament=number, table="R1T1", outcome="a", wins=[2, 0])
    ranked = await host.call("team.list", tournament=number)
    assert sorted(team["rank"] for team in ranked) == [1, 2]


async def test_a_foul_is_offered_and_answered(host: Caller) -> None:
    """H220: in claim mode, unless it is final."""
    number = await running(host, 2, clock={"late_mode": "claim"})
    about = {"tournament": number, "table": "R1T1"}
    player = (await host.call("table.show", **about))["a"]["player"]
    await host.call("table.rule", **about, outcome="a", reason="foul")
    await host.call("table.answer", **about, player=player, take=False)
    assert (await host.call("table.show", **about))["result"] is None
    await host.call("table.rule", **about, outcome="a", reason="foul", final=True)
    assert (await host.call("table.show", **about))["result"]["reason"] == "foul"
