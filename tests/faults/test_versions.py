"""F30: a newer program goes on with an older log, and an older one leaves a newer log alone."""

import asyncio
import json
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from relayd.__main__ import main as relayd
from relayd.exits import Exit
from tests.daemons import PROGRAMS, WITHIN_S, running, settings
from tests.golden.disk import LOGS, lines, newer, stored

SHOW = '{"tournament": 12}'


def put(bodies: Sequence[bytes], path: Path) -> None:
    """Write a log to *path*."""

    async def write() -> None:
        await (await stored(bodies, path)).close()

    path.parent.mkdir()
    asyncio.run(write())


def refused(config: Path) -> tuple[int, list[str]]:
    """Return how a daemon ended that will not start, and its lines."""
    words = [str(PROGRAMS / "relayd"), "run", "--config", str(config)]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=WITHIN_S, check=False)
    return ended.returncode, ended.stderr.strip().splitlines()


def print_of(folder: Path) -> str:
    """Return what all rows of the log there amount to."""
    with closing(sqlite3.connect(folder / "relayd.db")) as db:
        return sha256("\n".join(db.iterdump()).encode()).hexdigest()


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_daemon_goes_on_with_an_older_log(path: Path, tmp_path: Path) -> None:
    """F30, upgrade: every golden log is taken up as it is; ranks are those of the program that wrote it."""
    put(lines(path), tmp_path / "data" / "relayd.db")
    expected: dict[str, Any] = json.loads(path.with_suffix(".facts.json").read_bytes())
    with running(settings(tmp_path)) as daemon:
        rows = daemon.data("standings", "12")["rows"]
        live = daemon.data("raw", "tournament.fingerprint", SHOW)
        assert daemon.data("dp", "12")
        assert daemon.end() == Exit.OK
    ranks = sorted([row["player"], row["rank"]] for row in rows)
    assert ranks == sorted(expected["swiss_ranks"])
    replayed = CliRunner().invoke(
        relayd, ["replay", "t12", "--config", str(tmp_path / "relayd.toml"), "--json"]
    )
    told = json.loads(replayed.stdout)
    assert (told["state"], told["entries"]) == (live["state"], live["version"])


def test_an_older_daemon_does_not_start_on_a_newer_log(tmp_path: Path) -> None:
    """F30, downgrade: one sentence with stream, version and kind, exit 5, and not a byte is changed."""
    put(newer(lines(LOGS[0]), 6), tmp_path / "data" / "relayd.db")
    before = print_of(tmp_path / "data")
    code, said = refused(settings(tmp_path))
    assert (code, len(said)) == (Exit.DAMAGED, 1)
    assert "t12 is broken from version 6 on: unknown kind xdeck_submitted" in said[0]
    verified = CliRunner().invoke(relayd, ["verify-log", "--config", str(tmp_path / "relayd.toml")])
    assert verified.exit_code == Exit.DAMAGED
    assert print_of(tmp_path / "data") == before


@pytest.mark.parametrize("name", ["relayd.db", "ledger.db", "cursors.db", "accounts.db", "webhooks.db"])
def test_an_older_daemon_leaves_newer_tables_alone(tmp_path: Path, name: str) -> None:
    """F30, downgrade: the version of each file is looked at first; one sentence that names it, exit 3."""
    config = settings(tmp_path)
    with running(config) as daemon:
        assert daemon.end() == Exit.OK
    with closing(sqlite3.connect(tmp_path / "data" / name)) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        db.execute(f"PRAGMA user_version = {version + 1}")
    code, said = refused(config)
    assert (code, len(said)) == (Exit.UNREADABLE, 1)
    assert name in said[0]
    with closing(sqlite3.connect(tmp_path / "data" / name)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (version + 1,)
