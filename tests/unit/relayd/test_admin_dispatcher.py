"""Calls that go wrong in ways that nobody foresaw, and what is counted and logged of each."""

import io
import json
import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import structlog

from relayd.admin.buckets import Buckets
from relayd.admin.dispatcher import Dispatcher
from relayd.admin.methods import Methods
from relayd.admin.params import ChangeTournament, Nothing
from relayd.admin.parts import Call
from relayd.admin.roles import Peer, Role
from relayd.admin.session import Session
from relayd.observe.logging import Level, configure
from tests.house import House, opened

ROOT = Peer(name="unix:root", role=Role.OPERATOR)
METHODS = Methods()


@METHODS.add("boom", Role.VIEWER)
async def boom(_call: Call, _params: Nothing) -> object:
    """Fail."""
    raise ZeroDivisionError("s3cret")


@METHODS.add("change", Role.HOST)
async def change(call: Call, _params: ChangeTournament) -> object:
    """Change nothing."""
    return {"number": call.tournament, "version": call.expected_version}


@METHODS.add("nowhere", Role.VIEWER)
async def nowhere(call: Call, _params: Nothing) -> object:
    """Need a tournament that nobody named."""
    return call.tournament


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    """Log lines."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    stream = io.StringIO()
    configure(Level(), "json", stream)
    yield stream
    root.handlers, root.level = before, level
    structlog.reset_defaults()


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A daemon."""
    async with opened(tmp_path) as house:
        yield house


async def asked(house: House, method: str, peer: Peer = ROOT, **params: object) -> dict[str, object]:
    """Return the answer to one call."""

    async def send(_message: bytes) -> None:
        raise AssertionError("nothing is sent but the answer")

    dispatcher = Dispatcher(METHODS, house.parts, house.metrics, Buckets(100, 100))
    wish = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    line = Session(peer, dispatcher, send, lambda: None)
    answer = await dispatcher.answer(peer, json.dumps(wish).encode(), line)
    told: dict[str, object] = json.loads(answer or b"{}")
    return told


async def test_a_bug_is_answered_counted_and_logged(house: House, out: io.StringIO) -> None:
    """House 4: our bug: the caller learns nothing of it, the log all."""
    answer = await asked(house, "boom")
    assert answer["error"] == {
        "code": -32603,
        "message": "a bug of the daemon; its log says more",
        "data": {"code": "internal"},
    }
    failed, call = (json.loads(line) for line in out.getvalue().splitlines())
    assert "s3cret" in failed["exception"]
    assert (call["event"], call["kind"], call["outcome"]) == ("admin_call", "boom", "broken")
    labels = {"method": "boom", "outcome": "broken"}
    assert house.metrics.registry.get_sample_value("relayd_admin_calls_total", labels) == 1


async def test_each_change_leaves_one_canonical_line(house: House, out: io.StringIO) -> None:
    """House 5: who, what, on which tournament, what came of it; nothing of what else was sent."""
    answer = await asked(house, "change", tournament=12, expected_version=3, command_id="c1")
    assert answer["result"] == {"number": 12, "version": 3}
    (line,) = (json.loads(line) for line in out.getvalue().splitlines())
    del line["timestamp"], line["ms"]
    assert line == {
        "event": "admin_call",
        "level": "info",
        "kind": "change",
        "peer": "unix:root",
        "outcome": "ok",
        "code": "",
        "tournament": 12,
        "command_id": "c1",
    }


async def test_names_that_we_do_not_know_are_no_labels(house: House, out: io.StringIO) -> None:
    """House 5: whoever invents methods does not fill the metrics; F21: nor breaks the log."""
    for n in range(3):
        assert "error" in await asked(house, f"evil\n{n}" + "x" * 1_000)
    labels = {"method": "unknown", "outcome": "bad"}
    assert house.metrics.registry.get_sample_value("relayd_admin_calls_total", labels) == 3
    assert all(len(json.loads(line)["kind"]) <= 64 for line in out.getvalue().splitlines())


async def test_a_right_is_needed_and_so_is_a_tournament(house: House) -> None:
    """5.2: too little of a right is said with what is needed; a missing tournament, too."""
    viewer = Peer(name="token:v", role=Role.VIEWER)
    answer = await asked(house, "change", viewer, tournament=1)
    assert "needs the role host, yours here is viewer" in str(answer["error"])
    assert "name the tournament" in str((await asked(house, "nowhere"))["error"])
