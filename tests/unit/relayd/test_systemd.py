"""What the service manager hears."""

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from relayd.observe.metrics import Metrics
from relayd.systemd import Notifier, heartbeat


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """The manager's end of the notify socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind(str(tmp_path / "notify"))
        end.settimeout(5)
        yield end


def test_the_states_of_a_service_are_told(manager: socket.socket, tmp_path: Path) -> None:
    """sd_notify(3): ready, reloading with its time, stopping; a status is one line."""
    notifier = Notifier(str(tmp_path / "notify"))
    notifier.ready()
    notifier.reloading()
    notifier.status("2 tournaments\nREADY=1")
    notifier.stopping()
    heard = [manager.recv(256).decode() for _ in range(4)]
    assert (heard[0], heard[2], heard[3]) == ("READY=1", "STATUS=2 tournaments", "STOPPING=1")
    assert heard[1].startswith("RELOADING=1\nMONOTONIC_USEC=")


def test_an_abstract_address_is_understood() -> None:
    """sd_notify(3): a leading @ stands for the zero byte."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind("\0relayd-test-notify")
        end.settimeout(5)
        Notifier("@relayd-test-notify").ready()
        assert end.recv(64) == b"READY=1"


@pytest.mark.parametrize("address", [None, "/nowhere/notify"])
def test_without_a_manager_nothing_happens(address: str | None) -> None:
    """A daemon started by hand runs as well."""
    Notifier(address).ready()


async def test_a_turning_loop_feeds_the_watchdog(manager: socket.socket, tmp_path: Path) -> None:
    """F28: at least twice in the watchdog's time, with the loop's lag measured."""
    metrics = Metrics()
    beat = asyncio.create_task(heartbeat(Notifier(str(tmp_path / "notify")), metrics, 30_000))
    manager.settimeout(0)
    loop = asyncio.get_running_loop()
    assert [await loop.sock_recv(manager, 64) for _ in range(2)] == [b"WATCHDOG=1"] * 2
    assert (metrics.registry.get_sample_value("relayd_loop_lag_seconds_count") or 0) >= 2
    beat.cancel()
    with pytest.raises(asyncio.CancelledError):
        await beat
