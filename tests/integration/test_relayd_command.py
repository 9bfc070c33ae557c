"""The daemon as a process: it starts, obeys, stops; and what it says where it cannot start."""

import asyncio
import json
import signal
import socket
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from relayd.__main__ import main as relayd
from relayd.exits import Exit
from tests.daemons import PROGRAMS, running, settings
from tests.house import opened

SWISS = ("--format", "swiss", "--environment", "goat")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Settings of a daemon on free ports, with its data in a folder of its own."""
    return settings(tmp_path)


def run(*words: str) -> Result:
    """Return how ``relayd`` ended, without a process of its own."""
    return CliRunner().invoke(relayd, words)


def refused(config: Path) -> tuple[int, str]:
    """Return how a daemon ended that could not start, and what it said."""
    words = [str(PROGRAMS / "relayd"), "run", "--config", str(config)]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert "Traceback" not in ended.stderr
    return ended.returncode, ended.stderr


def test_it_starts_obeys_and_stops(config: Path) -> None:
    """Issue 2, F28: one command to start it, another to talk to it; SIGTERM ends it with 0 in time."""
    with running(config) as daemon:
        assert daemon.data("status")["tournaments"] == 0
        daemon.ctl("tournament", "publish", "--title", "T", "--rounds", "1", *SWISS)
        live: dict[str, object] = {}
        while live.get("version") != 2:  # sign-in opens by itself
            live = json.loads(daemon.ctl("raw", "tournament.fingerprint", '{"tournament": 1}'))
        began = time.monotonic()
        assert (daemon.end(), time.monotonic() - began < 10) == (0, True)
    assert str(live["state"]) in run("replay", "t1", "--config", str(config)).stdout
    verified = run("verify-log", "--config", str(config), "--json")
    streams = {one["stream"]: one["entries"] for one in json.loads(verified.stdout)["streams"]}
    assert (verified.exit_code, streams) == (Exit.OK, {"directory": 1, "t1": 2})
    assert "t1: 2 entries, all as written" in run("verify-log", "--config", str(config)).stdout


def test_it_goes_on_where_it_was_killed(config: Path) -> None:
    """F01: kill -9, start again: everything acknowledged is there; the old socket is no obstacle."""
    with running(config) as daemon:
        assert "P000001" in daemon.ctl("players", "register", "Alice")
        daemon.end(signal.SIGKILL)
    with running(config) as daemon:
        assert "Alice" in daemon.ctl("players", "show", "1")


def test_a_second_daemon_is_refused(config: Path, tmp_path: Path) -> None:
    """Issue 2: a data folder in use, a port in use: one clear sentence and a non-zero exit."""
    with running(config):
        code, said = refused(config)
        assert (code, len(said.strip().splitlines())) == (Exit.AWAY, 1)
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        text = f'data_dir = "{tmp_path}/x"\nhttp.port = {port}\ngateway.port = 0\n'
        config.write_text(text, encoding="utf-8")
        code, said = refused(config)
    assert (code, f"127.0.0.1:{port}" in said) == (Exit.AWAY, True)


@pytest.mark.parametrize("command", ["run", "check-config", "verify-log", "replay"])
def test_unknown_settings_are_refused(config: Path, command: str) -> None:
    """Issue 2: every problem in a line with its path, and an exit code of its own."""
    config.write_text("htttp.port = 1\n[clock]\nscale = 0\n", encoding="utf-8")
    ended = run(command, "--config", str(config))
    assert ended.exit_code == Exit.UNREADABLE
    assert "relayd: htttp: unknown setting; did you mean http?" in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 2


def test_an_unusable_data_folder_is_named(config: Path, tmp_path: Path) -> None:
    """Issue 2: something else lies where the data should be."""
    (tmp_path / "data").write_text("a file", encoding="utf-8")
    code, said = refused(config)
    assert (code != 0, str(tmp_path / "data") in said) == (True, True)


def test_damage_is_reported_with_its_place(config: Path, tmp_path: Path) -> None:
    """F02: one flipped byte: stream and version, exit code 5; the daemon does not start on it."""
    with running(config) as daemon:
        daemon.ctl("players", "register", "Alice", "Bob", "Carol")
        daemon.end()
    flip(tmp_path / "data" / "relayd.db", b"Bob", b"Rob")
    verified = run("verify-log", "--config", str(config))
    assert verified.exit_code == Exit.DAMAGED
    assert "directory is broken from version 2 on" in verified.stdout
    assert run("replay", "--config", str(config)).exit_code == Exit.DAMAGED
    code, said = refused(config)
    assert (code, "version 2" in said) == (Exit.DAMAGED, True)


def flip(path: Path, old: bytes, new: bytes) -> None:
    """Change bytes of a database, inside and outside of its write-ahead log."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = path.read_bytes()
    assert data.count(old) == 1
    path.write_bytes(data.replace(old, new))


def test_a_log_that_is_none_is_refused(config: Path, tmp_path: Path) -> None:
    """Issue 2: no log, no database, no such stream: a sentence and an exit code."""
    absent = run("verify-log", "--config", str(config))
    assert (absent.exit_code, "there is no log" in absent.stderr) == (Exit.UNREADABLE, True)
    (tmp_path / "junk.db").write_bytes(b"junk" * 2_000)
    junk = run("verify-log", str(tmp_path / "junk.db"))
    assert junk.exit_code in {Exit.UNREADABLE, Exit.DAMAGED}
    assert "junk.db" in junk.stderr


def test_one_stream_is_replayed(tmp_path: Path) -> None:
    """``replay``: of a log by its path, as words or data; an unknown stream is named."""
    log = str(tmp_path / "relayd.db")

    async def write() -> None:
        async with opened(tmp_path) as house:
            await house.directory.register("Alice", by="host")

    asyncio.run(write())
    told = json.loads(run("replay", "directory", "--log", log, "--json").stdout)
    assert (told["entries"], told["damage"]) == (1, "")
    assert f"directory  1 entries  {told['state']}" in run("replay", "--log", log).stdout
    unknown = run("replay", "t99", "--log", log)
    assert (unknown.exit_code, "no such stream" in unknown.stderr) == (Exit.UNREADABLE, True)


def test_settings_are_checked_without_a_daemon(config: Path, tmp_path: Path) -> None:
    """``check-config``: printed as they hold; a secret that is missing is a problem, none is printed."""
    with config.open("a", encoding="utf-8") as more:
        more.write(f'[[admin_token]]\nname = "x"\nrole = "host"\ntoken_file = "{tmp_path}/token"\n')
    missing = run("check-config", "--config", str(config))
    assert (missing.exit_code, "admin_token.0.role = 'host'" in missing.stdout) == (Exit.UNREADABLE, True)
    assert str(tmp_path / "token") in missing.stderr
    (tmp_path / "token").write_text("s3cret", encoding="utf-8")
    (tmp_path / "token").chmod(0o600)
    checked = run("check-config", "--config", str(config), "--json")
    assert (checked.exit_code, "s3cret" in checked.stdout) == (Exit.OK, False)
    assert json.loads(checked.stdout)["problems"] == []


def test_it_says_its_version() -> None:
    """The version of the package."""
    assert run("version").stdout.startswith("relayd 0.")
