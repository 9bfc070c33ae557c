"""F04: the wall clock is stepped while a round runs; the daemon's own goes on as if nothing had been."""

import json
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from tests.daemons import WITHIN_S, Daemon, running, settings
from tests.house import deck

LIBRARY: Final = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
PLAN: Final = ("--format", "swiss", "--rounds", "1", "--environment", "goat", "--title", "Cup")
LENGTH_S, CAP_S = 6, 3
DAY_MS: Final = 86_400_000
needs_libfaketime = pytest.mark.skipif(LIBRARY is None, reason="needs the Debian package libfaketime")


@contextmanager
def following(daemon: Daemon) -> Iterator[Iterator[tuple[float, dict[str, Any]]]]:
    """Follow tournament 1: each event with the moment at which it was heard, by our own steady clock."""
    follow = b'{"jsonrpc": "2.0", "id": 1, "method": "live.follow", "params": {"tournament": 1}}\n'
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(WITHIN_S)
        line.connect(str(daemon.socket))
        line.sendall(follow)
        with line.makefile("rb") as lines:
            yield _events(lines)


def _events(lines: Iterable[bytes]) -> Iterator[tuple[float, dict[str, Any]]]:
    for text in lines:
        heard, told = time.monotonic(), json.loads(text)
        for event in told.get("params", {}).get("message", {}).get("events", ()):
            yield heard, event


def until(events: Iterator[tuple[float, dict[str, Any]]], kind: str, seen: list[str]) -> float:
    """Read on until an event of that kind; return when it was heard."""
    for heard, event in events:
        seen.append(str(event["kind"]).partition(".")[0])
        if seen[-1] == kind:
            return heard
    raise AssertionError(f"hung up before {kind}")


def begin(daemon: Daemon, folder: Path) -> None:
    """Bring two players into their only round, and both to their table."""
    lengths = ("--length", f"{LENGTH_S}s", "--cap", f"{CAP_S}s")
    daemon.ctl("tournament", "publish", *PLAN, *lengths)
    daemon.ctl("players", "register", "Alice", "Bob")
    daemon.ctl("entry", "add", "1", "1", "2")
    (folder / "deck.ydk").write_text(deck(), encoding="utf-8")
    for player in ("1", "2"):
        daemon.ctl("deck", "submit", "1", player, str(folder / "deck.ydk"))
    daemon.ctl("entry", "sign-in", "1", "--all")


@needs_libfaketime
@pytest.mark.parametrize(("step", "ms"), [("+1d", DAY_MS), ("-1d", -DAY_MS), ("-1h", -3_600_000)])
def test_a_step_of_the_wall_clock_moves_no_deadline(
    tmp_path: Path, either: Callable[[int, int], int], step: str, ms: int
) -> None:
    """F04, 5.3-2: time-up and hard cap come once each, not early and not late; the step is a line."""
    wall = tmp_path / "wall"
    wall.write_text("+0\n", encoding="utf-8")
    fake = {
        "LD_PRELOAD": str(LIBRARY),
        "FAKETIME_TIMESTAMP_FILE": str(wall),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    seen: list[str] = []
    with running(settings(tmp_path), environment=fake) as daemon:
        begin(daemon, tmp_path)
        with following(daemon) as events:
            began = time.monotonic()
            daemon.ctl("start", "1")
            for player in ("1", "2"):  # else the late rule ends the match before
                daemon.ctl("table", "present", "1", "R1T1", player)
            wall.write_text(f"{step}\n", encoding="utf-8")
            called = until(events, "time_called", seen)
            capped = until(events, "cap_reached", seen)
            until(events, "round_finished", seen)
            assert called - began >= LENGTH_S
            assert capped - began >= LENGTH_S + CAP_S
            assert capped - called < either(int(WITHIN_S), CAP_S + 2)  # each within a second
        stepped = daemon.said("clock_stepped")
        assert abs(stepped["ms"] - ms) < 5_000
        assert [seen.count(kind) for kind in ("time_called", "cap_reached", "round_finished")] == [1, 1, 1]
        assert "relayd_clock_steps_total 1.0" in daemon.get("/metrics")
