"""The demo through the plugin link: two tournaments of two kinds on one duel server, and real kills."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, TypeAlias

import pytest

ROOT = Path(__file__).parents[2]
SAME = ("standings", "bracket", "places", "dp", "dropped", "beside")
"""What a kill must not change. The order of entries in the log may differ."""
Ended: TypeAlias = dict[str, Any]


def demo(folder: Path, *options: str, players: int = 8) -> subprocess.Popen[bytes]:
    """Start a demo of that many players in *folder*."""
    command = [sys.executable, "-m", "relayd.demo", "--json", "--folder", str(folder)]
    wanted = [*command, "--players", str(players), "--link", "plugin", *options]
    return subprocess.Popen(wanted, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def ended(process: subprocess.Popen[bytes]) -> Ended:
    """Return how a demo ended."""
    out, errors = process.communicate(timeout=400)
    assert process.returncode == 0, errors.decode()
    told: Ended = json.loads(out)
    return told


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ended, Ended]:
    """An undisturbed demo, and one whose daemon is killed with -9 in the third round; of one seed."""
    calm = demo(tmp_path_factory.mktemp("calm"))
    killed = demo(tmp_path_factory.mktemp("killed"), "--kill-in-round", "3")
    return ended(calm), ended(killed)


def played(told: Ended) -> list[dict[str, Any]]:
    """Return all tables of a tournament."""
    return [table for round_ in told["rounds"] for table in round_["tables"]]


def test_a_killed_daemon_comes_to_the_same_end(demos: tuple[Ended, Ended]) -> None:
    """F01, F31, issue 3 done-when 4: the plugin keeps every result until the daemon has it."""
    calm, killed = demos
    assert (calm["daemon_killed"], killed["daemon_killed"]) == (False, True)
    told = [{name: ended[name] for name in SAME} for ended in (calm, killed)]
    for one in told:
        one["beside"] = {name: one["beside"][name] for name in ("standings", "places")}
    assert told[0] == told[1]


def test_ten_kills_of_the_daemon_and_one_of_the_duel_server(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """F01, F29, F31, issue 3 done-when 4: the same end as undisturbed, or the host was asked (5.5-8)."""
    if not request.config.getoption("--long"):
        pytest.skip("three demos of 20 players: the long form, by --long")
    calm, ten, lost = (
        ended(demo(tmp_path / name, *options, players=20))
        for name, options in (
            ("calm", ()),
            ("ten", ("--kills", "10")),
            ("lost", ("--kill-duel-server-in-round", "2")),
        )
    )
    assert (ten["daemon_killed"], lost["duel_server_killed"]) == (10, True)
    assert {name: ten[name] for name in SAME[:-1]} == {name: calm[name] for name in SAME[:-1]}
    asked = b'"host_asked.1"' in Path(lost["log"]).read_bytes()
    assert asked or {name: lost[name] for name in SAME[:-1]} == {name: calm[name] for name in SAME[:-1]}


def test_two_kinds_of_match_on_one_server(demos: tuple[Ended, Ended]) -> None:
    """Issue 3 done-when 3: a GOAT best of three and a best of one at the same time, each by its own rules."""
    calm, _ = demos
    assert {max(table["result"]["wins"]) for table in played(calm)} <= {1, 2}
    assert any(sum(table["result"]["wins"]) == 3 for table in played(calm))
    assert {tuple(sorted(table["result"]["wins"])) for table in played(calm["beside"])} == {(0, 1)}


def test_nobody_had_to_type_a_result(demos: tuple[Ended, Ended]) -> None:
    """R059, R065: the plugin told every result with its games; one of them was decided by time."""
    calm, _ = demos
    tables = [*played(calm), *played(calm["beside"])]
    assert not any(table["ruled"] or table["dispute"] for table in tables)
    assert {table["result"]["reason"] for table in played(calm)} == {"played", "time"}
    for table in tables:
        wins = [sum(game["winner"] == seat for game in table["result"]["games"]) for seat in "ab"]
        assert wins == table["result"]["wins"]
