"""The demo, run as people run it: two programs, real protocols, a real kill."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from click.testing import CliRunner

from relayd.demo.__main__ import main

ROOT = Path(__file__).parents[2]
SAME = ("standings", "bracket", "places", "dp", "dropped")
"""What a kill must not change. The order of entries in the log may differ."""
Ended: TypeAlias = dict[str, Any]


def demo(folder: Path, *options: str) -> subprocess.Popen[bytes]:
    """Start a demo in *folder*."""
    command = [sys.executable, "-m", "relayd.demo", "--json", "--folder", str(folder), *options]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def ended(process: subprocess.Popen[bytes]) -> Ended:
    """Return how a demo ended."""
    out, errors = process.communicate(timeout=400)
    assert process.returncode == 0, errors.decode()
    told: Ended = json.loads(out)
    return told


def relayd(*arguments: str) -> tuple[int, str]:
    """Return exit code and output of a command of the daemon's."""
    command = [sys.executable, "-m", "relayd", *arguments]
    run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False, text=True)
    return run.returncode, run.stdout


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ended, Ended]:
    """An undisturbed demo, and one whose daemon is killed with -9 in the third round; of one seed."""
    calm = demo(tmp_path_factory.mktemp("calm"))
    killed = demo(tmp_path_factory.mktemp("killed"), "--kill-in-round", "3")
    return ended(calm), ended(killed)


def test_a_killed_daemon_comes_to_the_same_end(demos: tuple[Ended, Ended]) -> None:
    """F01, 5.5-7: standings, bracket, DP and places are those of the undisturbed run."""
    calm, killed = demos
    assert (calm["daemon_killed"], killed["daemon_killed"]) == (0, 1)
    assert {name: killed[name] for name in SAME} == {name: calm[name] for name in SAME}


def test_nobody_had_to_type_a_result(demos: tuple[Ended, Ended]) -> None:
    """R059, R061, R065: the duel server settled every table, one of them by time; one player dropped."""
    calm, _ = demos
    tables = [table for played in calm["rounds"] for table in played["tables"]]
    assert not any(table["ruled"] for table in tables)
    assert {table["result"]["reason"] for table in tables} >= {"played", "time"}
    assert calm["dropped"] in {row["nickname"] for row in calm["standings"]["rows"] if row["dropped_in"]}
    assert [row["place"] for row in calm["places"][:4]] == [1, 2, 3, 3]


def test_the_log_leads_to_the_live_state(demos: tuple[Ended, Ended]) -> None:
    """F01: ``relayd replay`` gives the fingerprint that the daemon had at the end, ``verify-log`` agrees."""
    for told in demos:
        code, replayed = relayd("replay", f"t{told['tournament']}", "--log", told["log"], "--json")
        assert code == 0
        assert json.loads(replayed)["state"] == told["fingerprint"]["state"]
        assert json.loads(replayed)["entries"] == told["fingerprint"]["version"]
        code, verdict = relayd("verify-log", told["log"])
        assert (code, verdict.splitlines()[-1]) == (0, "the log is as it was written")


def test_a_flipped_byte_is_named(demos: tuple[Ended, Ended], tmp_path: Path) -> None:
    """F02: stream and version, and exit code 5; the entry is found in the file by its own words."""
    calm, _ = demos
    whole = Path(calm["log"]).read_bytes()
    place = whole.index(b'"version":40,')
    torn = tmp_path / "relayd.db"
    torn.write_bytes(whole[: place + 11] + b"9" + whole[place + 12 :])
    code, verdict = relayd("verify-log", str(torn))
    assert code == 5
    assert "stream t1 is broken from version 40 on" in verdict


def test_a_question_that_nobody_would_answer_is_refused() -> None:
    """5.5-8: a duel server that comes back empty asks the host, unless its plugin knows the games."""
    refused = CliRunner().invoke(main, ["--kill-duel-server-in-round", "2"])
    assert refused.exit_code == 2
    assert "add --link plugin" in refused.output
