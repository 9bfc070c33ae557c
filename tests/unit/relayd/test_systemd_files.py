"""What lies in systemd/: units, and settings to start from."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from relayd.cli.desk import SYSTEM_SOCKET
from relayd.exits import Exit
from relayd.settings import Settings, load
from relayd.settings.surroundings import FOLDER, FOLDER_ID

ROOT = Path(__file__).parents[3] / "systemd"
SOCKETS = ("http", "gateway", "admin")
installed = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="needs the Debian package systemd"
)


def unit(name: str) -> configparser.ConfigParser:
    """Return a unit file; of keys that come twice the last."""
    read = configparser.ConfigParser(strict=False, interpolation=None)
    read.optionxform = str  # type: ignore[assignment, method-assign]  # the documented way to keep the case
    read.read(ROOT / name, encoding="utf-8")
    return read


def analyze(*words: str) -> str:
    """Return what ``systemd-analyze`` says, which must end well and complain of nothing."""
    ended = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture
def units(tmp_path: Path) -> list[str]:
    """The units in a folder of their own, with a program that is there on this machine."""
    for file in (*ROOT.glob("*.socket"), ROOT / "relayd.service"):
        text = file.read_text(encoding="utf-8").replace("ExecStart=/usr/bin/relayd", "ExecStart=/bin/true")
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    return [str(tmp_path / f"relayd-{name}.socket") for name in SOCKETS] + [str(tmp_path / "relayd.service")]


def test_the_example_settings_are_the_defaults(tmp_path: Path) -> None:
    """As it is, it changes nothing; with every comment taken away it loads, too."""
    assert load(ROOT / "relayd.toml") == Settings()
    text = (ROOT / "relayd.toml").read_text(encoding="utf-8")
    everything = re.sub(r"^# (?=\[|[a-z_]+ = )", "", text, flags=re.MULTILINE)
    (tmp_path / "relayd.toml").write_text(everything, encoding="utf-8")
    settings = load(tmp_path / "relayd.toml")
    assert settings.duel_server[0].facts.lists == (("goat", 3),)
    assert settings.admin_socket.role[0].role == "judge"


def test_the_unit_keeps_what_the_daemon_promises() -> None:
    """Issue 2, F03, F28: ready means ready, a failed write restarts it, what cannot mend itself does not."""
    service = unit("relayd.service")["Service"]
    assert (service["Type"], service["Restart"]) == ("notify", "on-failure")
    assert service["ExecReload"].endswith("-HUP $MAINPID")
    prevented = {int(code) for code in service["RestartPreventExitStatus"].split()}
    assert prevented == {Exit.USAGE, Exit.UNREADABLE, Exit.DAMAGED}
    assert int(service["TimeoutStopSec"]) > 10
    assert service["StateDirectory"] == "relayd"
    assert service["LoadCredential"] == f"{FOLDER_ID}:{FOLDER}"


def test_the_sockets_are_those_that_the_daemon_looks_for() -> None:
    """Decisions 7, F31: by their names, at the addresses of the settings, for the unit that asks for them."""
    sockets = {name: unit(f"relayd-{name}.socket")["Socket"] for name in SOCKETS}
    assert {name: socket["FileDescriptorName"] for name, socket in sockets.items()} == {n: n for n in SOCKETS}
    assert {socket["Service"] for socket in sockets.values()} == {"relayd.service"}
    defaults = Settings()
    assert sockets["http"]["ListenStream"] == f"{defaults.http.host}:{defaults.http.port}"
    assert sockets["gateway"]["ListenStream"] == f"{defaults.gateway.host}:{defaults.gateway.port}"
    assert Path(sockets["admin"]["ListenStream"]) == SYSTEM_SOCKET
    wanted = unit("relayd.service")["Service"]["Sockets"].split()
    assert wanted == [f"relayd-{name}.socket" for name in SOCKETS]


def test_its_user_and_its_folders_are_made() -> None:
    """Issue 3: sysusers.d makes the user of the unit, tmpfiles.d its folder for secrets, root's alone."""
    users = (ROOT / "relayd.sysusers").read_text(encoding="utf-8")
    assert re.search(rf"^u {unit('relayd.service')['Service']['User']} ", users, re.MULTILINE)
    folders = (ROOT / "relayd.tmpfiles").read_text(encoding="utf-8")
    assert re.search(rf"^d {FOLDER}\s+0700 root root ", folders, re.MULTILINE)


@installed
def test_systemd_finds_nothing_wrong(units: list[str]) -> None:
    """Issue 3: every key is known and every unit that is named is there."""
    analyze("verify", "--man=no", *units)


@installed
def test_the_service_is_exposed_no_more_than_it_must(units: list[str]) -> None:
    """Issue 3: an exposure of 1.5 at most."""
    told = analyze("security", "--offline=true", "--threshold=15", "--no-pager", units[-1])
    found = re.search(r"exposure level for relayd\.service: ([0-9.]+)", told)
    assert found is not None
    assert float(found[1]) <= 1.5
