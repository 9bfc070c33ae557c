"""SIGHUP and ``relayctl reload``, of a daemon that runs."""

import json
import signal
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from relayd.cli import main as relayctl
from relayd.exits import Exit
from tests.daemons import Daemon, Manager, running, settings

TOKEN = '[[admin_token]]\nname = "{name}"\nrole = "judge"\ntoken_file = "{file}"\n'


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    """A service manager that listens."""
    ear = Manager(tmp_path / "notify")
    yield ear
    ear.close()


def metric(daemon: Daemon, name: str) -> float:
    """Return the value of a metric without labels."""
    lines = daemon.get("/metrics").splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith(f"{name} ")))


def judge(daemon: Daemon, token: str) -> ClientConnection:
    """Return a connection of whoever has *token*."""
    return connect(daemon.websocket, additional_headers={"Authorization": f"Bearer {token}"})


def asked(line: ClientConnection) -> str:
    """Return the role that the daemon sees in *line*."""
    line.send('{"jsonrpc": "2.0", "id": 1, "method": "daemon.status"}')
    return str(json.loads(line.recv(30))["result"]["role"])


def test_sighup_takes_up_new_settings(tmp_path: Path, manager: Manager) -> None:
    """F28, decisions 1: tokens, level and networks hold at once; the manager hears of begin and end."""
    config = settings(tmp_path)
    with running(config, environment=manager.environment) as daemon:
        manager.hears("READY=1")
        (tmp_path / "token").write_text("s3cret", encoding="utf-8")
        more = '[log]\nlevel = "debug"\n' + TOKEN.format(name="j", file=tmp_path / "token")
        settings(tmp_path, 'clock.scale = 2\nmetrics.allow = ["10.0.0.0/8"]\n' + more)
        daemon.tell(signal.SIGHUP)
        manager.hears("RELOADING=1")
        manager.hears("READY=1")
        told = daemon.said("settings_reloaded")
        assert told["changed"] == ["admin_token.j (added)", "log.level", "metrics.allow"]
        assert told["needs_restart"] == ["clock.scale"]
        assert daemon.data("log-level")["level"] == "debug"
        with judge(daemon, "s3cret") as line:
            assert asked(line) == "judge"
        with pytest.raises(urllib.error.HTTPError, match="403"):
            metric(daemon, "relayd_settings_waiting")


def test_a_bad_file_leaves_the_old_settings_in_force(tmp_path: Path, manager: Manager) -> None:
    """F28: one line that says why, one metric; the daemon goes on, and the next good file is taken up."""
    config = settings(tmp_path)
    with running(config, environment=manager.environment) as daemon:
        for times, text in enumerate(
            ('[log]\nlevle = "debug"\n', "= 3", TOKEN.format(name="x", file="/no")), 1
        ):
            settings(tmp_path, text)
            daemon.tell(signal.SIGHUP)
            assert daemon.said("settings_refused", times)["problems"]
            manager.hears("RELOADING=1")
            manager.hears("STATUS=the old settings hold on: ")
            manager.hears("READY=1")
            assert metric(daemon, "relayd_settings_refused") == 1
        assert daemon.data("status")["role"] == "operator"
        assert daemon.data("log-level")["level"] == "info"
        settings(tmp_path, '[log]\nlevel = "debug"\n')
        assert daemon.data("reload") == {"changed": ["log.level"], "needs_restart": []}
        assert metric(daemon, "relayd_settings_refused") == 0
        assert len(daemon.heard("settings_refused")) == 3


def test_a_bad_file_is_refused_by_relayctl_reload(tmp_path: Path) -> None:
    """Decisions 11: the same by a command, which says every problem and ends with 1; a file gone, too."""
    config = settings(tmp_path)
    with running(config) as daemon:
        settings(tmp_path, "http.prot = 1\nclock.scale = 0\n")
        refused = CliRunner().invoke(relayctl, ["--socket", str(daemon.socket), "reload"])
        assert refused.exit_code == Exit.REFUSED
        assert "the old ones hold on" in refused.stderr
        assert "  clock.scale: " in refused.stderr
        config.unlink()
        refused = CliRunner().invoke(relayctl, ["--socket", str(daemon.socket), "reload"])
        assert "cannot be read: No such file" in refused.stderr


def test_a_token_that_is_gone_opens_nothing_any_more(tmp_path: Path) -> None:
    """Decisions 6: a right that is taken away ends also for whoever is connected; others stay."""
    for name in ("one", "two"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    both = [TOKEN.format(name=name, file=tmp_path / name) for name in ("one", "two")]
    settings(tmp_path, both[0] + both[1])
    with (
        running(tmp_path / "relayd.toml") as daemon,
        judge(daemon, "one") as gone,
        judge(daemon, "two") as kept,
    ):
        assert (asked(gone), asked(kept)) == ("judge", "judge")
        settings(tmp_path, both[1])
        assert daemon.data("reload")["changed"] == ["admin_token.one (removed)"]
        with pytest.raises(ConnectionClosed):
            gone.recv(30)
        assert asked(kept) == "judge"
        with judge(daemon, "one") as again, pytest.raises(ConnectionClosed):
            again.recv(30)


def test_many_reloads_at_once_come_one_after_the_other(tmp_path: Path) -> None:
    """F28: signals and calls together leave the settings of the last file."""
    config = settings(tmp_path)
    with running(config) as daemon:
        settings(tmp_path, '[log]\nlevel = "warning"\n')
        threads = [Thread(target=daemon.ctl, args=("reload",)) for _ in range(4)]
        for thread in threads:
            thread.start()
            daemon.tell(signal.SIGHUP)
        for thread in threads:
            thread.join()
        assert daemon.data("reload") == {"changed": [], "needs_restart": []}
        assert daemon.data("log-level")["level"] == "warning"
