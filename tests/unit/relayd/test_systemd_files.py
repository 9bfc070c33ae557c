"""What lies in systemd/: a unit and settings to start from."""

import configparser
import re
from pathlib import Path

from relayd.exits import Exit
from relayd.settings import Settings, load

FOLDER = Path(__file__).parents[3] / "systemd"


def test_the_example_settings_are_the_defaults(tmp_path: Path) -> None:
    """As it is, it changes nothing; with every comment taken away it loads, too."""
    assert load(FOLDER / "relayd.toml") == Settings()
    text = (FOLDER / "relayd.toml").read_text(encoding="utf-8")
    everything = re.sub(r"^# (?=\[|[a-z_]+ = )", "", text, flags=re.MULTILINE)
    (tmp_path / "relayd.toml").write_text(everything, encoding="utf-8")
    settings = load(tmp_path / "relayd.toml")
    assert settings.duel_server[0].facts.lists == (("goat", 3),)
    assert settings.admin_socket.role[0].role == "judge"


def test_the_unit_keeps_what_the_daemon_promises() -> None:
    """Issue 2, F03, F28: ready means ready, a failed write restarts it, what cannot mend itself does not."""
    unit = configparser.ConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment, method-assign]  # the documented way to keep the case
    unit.read(FOLDER / "relayd.service", encoding="utf-8")
    service = unit["Service"]
    assert (service["Type"], service["Restart"]) == ("notify", "on-failure")
    prevented = {int(code) for code in service["RestartPreventExitStatus"].split()}
    assert prevented == {Exit.USAGE, Exit.UNREADABLE, Exit.DAMAGED}
    assert int(service["TimeoutStopSec"]) > 10
    assert service["RuntimeDirectory"] == service["StateDirectory"] == "relayd"
