"""What of new settings holds at once, and what waits."""

from ipaddress import IPv4Network
from pathlib import Path

import pytest

from relayd.settings import AdminToken, EnvironmentSettings, OwnEnvironment, Settings, SocketRole
from relayd.settings.changes import LIVE, differences, taken_up
from relayd.settings.tree import AdminSocket, LogSettings, Metrics, Webhooks
from tests.house import SERVER

TOKEN = AdminToken(name="judge", role="judge", token_file=Path("/nowhere"))
OTHER = SERVER.model_copy(update={"id": "other"})


@pytest.fixture
def new() -> Settings:
    """Settings in which much has changed."""
    return Settings(
        data_dir=Path("/elsewhere"),
        duel_server=(SERVER.model_copy(update={"capacity": 7}), OTHER),
        admin_token=(TOKEN,),
        admin_socket=AdminSocket(path=Path("/elsewhere/a.sock"), role=(SocketRole(group="g", role="host"),)),
        log=LogSettings(level="debug", format="json"),
        environment=EnvironmentSettings(
            cdb_paths=(Path("/c.cdb"),), own=(OwnEnvironment(key="summer", file=Path("/s.conf")),)
        ),
        metrics=Metrics(allow=(IPv4Network("10.0.0.0/8"),)),
        webhooks=Webhooks(allow=(IPv4Network("10.0.0.0/8"),)),
        time_zone="Europe/Berlin",
    )


def test_differences_are_named_by_path_and_by_name(new: Settings) -> None:
    """Issue 3, SIGHUP: an operator reads which line it is; entries of lists go by their id or name."""
    old = Settings(data_dir=Path("/here"), duel_server=(SERVER,))
    assert differences(old, new) == (
        "data_dir",
        "admin_socket.path",
        "admin_socket.role",
        "admin_token.judge (added)",
        "duel_server.main.capacity",
        "duel_server.other (added)",
        "environment.cdb_paths",
        "environment.own.summer (added)",
        "log.level",
        "log.format",
        "metrics.allow",
        "webhooks.allow",
        "time_zone",
    )
    assert "duel_server.other (removed)" in differences(new, old)
    assert differences(new, new) == ()


def test_a_running_daemon_takes_up_what_it_can(new: Settings) -> None:
    """Issue 3, SIGHUP: servers, tokens, roles, environments, level, networks, zone; the rest waits."""
    old = Settings(data_dir=Path("/here"), duel_server=(SERVER,))
    present = taken_up(old, new)
    assert differences(present, new) == ("data_dir", "admin_socket.path", "log.format")
    assert {path.split(" ")[0].split(".")[0] for path in differences(old, present)} == {
        path.split(".")[0] for path in LIVE
    }
    assert taken_up(present, new) == present
