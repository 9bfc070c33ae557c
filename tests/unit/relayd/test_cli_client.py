"""The wire of relayctl against daemons that behave in odd ways."""

import json
from collections import deque
from pathlib import Path

import pytest

from relayd.admin import rpc
from relayd.cli import client as module
from relayd.cli.client import BUSY, LONGEST, Away, Client, Refused, UnixWire


class Script:
    """A wire that says what the test wrote down."""

    def __init__(self, *messages: object) -> None:
        self.messages = deque(json.dumps(message) for message in messages)
        self.sent: list[dict[str, object]] = []

    def send(self, message: str) -> None:
        """Note it."""
        self.sent.append(json.loads(message))

    def receive(self, _seconds: float) -> str | None:
        """Return the next line of the script."""
        return self.messages.popleft() if self.messages else None

    def close(self) -> None:
        """Have nothing to let go of."""


NOTE = {"jsonrpc": "2.0", "method": "live", "params": {"n": 1}}


def test_answers_are_found_among_notifications() -> None:
    """What comes between is kept for whoever follows; an answer to something else is not ours."""
    script = Script(NOTE, {"id": 99, "result": "stale"}, {"id": 1, "result": "mine"}, NOTE)
    client = Client(script)
    assert client.call("m", a="ä") == "mine"
    assert script.sent == [{"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"a": "ä"}}]
    assert [client.heard(0), client.heard(0), client.heard(0)] == [{"n": 1}, {"n": 1}, None]


def test_an_error_without_id_is_ours() -> None:
    """A daemon that could not even read the call answers with the id null."""
    error = {"code": -32700, "message": "this is not JSON"}
    with pytest.raises(Refused) as caught:
        Client(Script({"id": None, "error": error})).call("m")
    assert (caught.value.code, caught.value.message, caught.value.data) == (-32700, "this is not JSON", {})


def busy(wait_ms: int) -> dict[str, object]:
    """Return a refusal of too many calls."""
    return {"id": 1, "error": {"code": BUSY, "message": "wait", "data": {"retry_after_ms": wait_ms}}}


def test_a_busy_daemon_is_asked_again() -> None:
    """F27: nothing was done, so the same call comes after the wait, with the same command_id."""
    script = Script(busy(1), busy(1), {"id": 3, "result": "done"})
    assert Client(script).call("m", command_id="c1") == "done"
    assert [wish["params"] for wish in script.sent] == [{"command_id": "c1"}] * 3


@pytest.mark.parametrize("wait_ms", [0, 3_600_000])
def test_who_cannot_wait_is_told(wait_ms: int) -> None:
    """House 4: not for ever, and not where nobody says how long."""
    with pytest.raises(Refused, match="wait"):
        Client(Script(busy(wait_ms))).call("m")


def test_what_the_daemon_would_not_read_is_not_sent() -> None:
    """F18: it would hang up in the middle of it, and nobody would know why."""
    script = Script()
    with pytest.raises(Refused, match="too long for one call"):
        Client(script).call("m", deck="x" * LONGEST)
    assert (script.sent, LONGEST) == ([], rpc.LONGEST)


def test_bytes_that_are_no_text_are_not_sent() -> None:
    """F18: a name that the shell took from another encoding."""
    script = Script()
    with pytest.raises(Refused, match="no UTF-8"):
        Client(script).call("m", nickname=b"a\xffb".decode("utf-8", "surrogateescape"))
    assert script.sent == []


def test_silence_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """F31: nobody waits for ever."""
    monkeypatch.setattr(module, "ANSWER_S", 0.01)
    with pytest.raises(Away, match="no answer within"):
        Client(Script()).call("m")


def test_a_socket_that_is_not_there_is_away(tmp_path: Path) -> None:
    """The path is named."""
    with pytest.raises(Away, match=r"nobody\.sock"):
        UnixWire(tmp_path / "nobody.sock")
