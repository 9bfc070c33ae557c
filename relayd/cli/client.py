"""The wire of relayctl: JSON-RPC over the daemon's unix socket, or over WebSocket with a token. Blocking."""

import json
import select
import socket
import time
from collections import deque
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, Protocol

ANSWER_S: Final = 60.0
"""Seconds that an answer may take."""
LONGEST: Final = 256 * 1024
"""Bytes of a call that the daemon reads; behind them it hangs up (relayd.admin.rpc)."""
TOO_LONG: Final = -32600
BAD_PARAMS: Final = -32602
BUSY: Final = -32006
"""Error code: too many calls; nothing was done (relayd.admin.rpc)."""


class Away(Exception):
    """Nobody: the daemon cannot be reached, or went away before it answered."""


class Refused(Exception):
    """The caller: an error answer, with its code, sentence and data."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error.get("message", ""))
        self.code: int = error.get("code", 0)
        self.message: str = error.get("message", "")
        self.data: dict[str, Any] = error.get("data") or {}


class Wire(Protocol):
    """Carries whole messages."""

    def send(self, message: str) -> None:
        """Send one. Raises Away."""
        ...

    def receive(self, seconds: float) -> str | None:
        """Return the next one, or ``None`` after so many seconds without. Raises Away."""
        ...

    def close(self) -> None:
        """Hang up."""
        ...


class Client:
    """Calls methods one after the other; notifications that come between are kept."""

    def __init__(self, wire: Wire) -> None:
        self._wire, self._last = wire, 0
        self._notes: deque[dict[str, Any]] = deque()

    def call(self, method: str, **params: Any) -> Any:  # noqa: ANN401  whatever a method takes and returns
        """Return the result; wait where the daemon says so, for then it has done nothing.

        Raises Refused, or Away.
        """
        deadline = time.monotonic() + ANSWER_S
        while True:
            try:
                return self._once(method, params, deadline)
            except Refused as refusal:
                wait_s = refusal.data.get("retry_after_ms", 0) / 1_000
                if refusal.code != BUSY or not wait_s or time.monotonic() + wait_s > deadline:
                    raise
            time.sleep(wait_s)

    def _once(self, method: str, params: Mapping[str, Any], deadline: float) -> Any:  # noqa: ANN401  as above
        self._last += 1
        self._wire.send(_call({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}))
        while (message := self._wire.receive(max(0.0, deadline - time.monotonic()))) is not None:
            answer = json.loads(message)
            if "method" in answer:
                self._notes.append(answer["params"])
            elif "error" in answer:
                raise Refused(answer["error"])
            elif answer.get("id") == self._last:
                return answer["result"]
        raise Away(f"no answer within {ANSWER_S:.0f} s")

    def heard(self, seconds: float) -> dict[str, Any] | None:
        """Return the next notification, or ``None`` after so many seconds without. Raises Away."""
        if not self._notes and (message := self._wire.receive(seconds)) is not None:
            note = json.loads(message)
            self._notes.append(note.get("params", {}))
        return self._notes.popleft() if self._notes else None

    def close(self) -> None:
        """Hang up."""
        self._wire.close()


def _call(wish: Mapping[str, Any]) -> str:
    """Return what is sent. Raises Refused where the daemon could only hang up on it."""
    call = json.dumps(wish, ensure_ascii=False)
    try:
        length = len(call.encode())
    except UnicodeEncodeError as error:
        raise Refused({"code": BAD_PARAMS, "message": "a value holds bytes that are no UTF-8"}) from error
    if length > LONGEST:
        raise Refused({"code": TOO_LONG, "message": f"too long for one call: {LONGEST} bytes at most"})
    return call


class UnixWire:
    """Lines over a unix socket."""

    def __init__(self, path: Path) -> None:
        """Connect. Raises Away."""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(ANSWER_S)
        self._buffer = b""
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise Away(f"the daemon does not listen at {path}: {error.strerror or error}") from error

    def send(self, message: str) -> None:
        try:
            self._socket.sendall(message.encode() + b"\n")
        except OSError as error:
            raise Away(f"the daemon went away: {error.strerror or error}") from error

    def receive(self, seconds: float) -> str | None:
        deadline = time.monotonic() + seconds
        while b"\n" not in self._buffer:
            ready, _, _ = select.select([self._socket], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                return None
            self._buffer += self._chunk()
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode()

    def close(self) -> None:
        self._socket.close()

    def _chunk(self) -> bytes:
        try:
            chunk = self._socket.recv(65_536)
        except OSError as error:
            raise Away(f"the daemon went away: {error.strerror or error}") from error
        if not chunk:
            raise Away("the daemon hung up")
        return chunk


class WebSocketWire:
    """Messages over WebSocket."""

    def __init__(self, url: str, token: str) -> None:
        """Connect. Raises Away."""
        from websockets.exceptions import WebSocketException  # noqa: PLC0415  slow to load, seldom needed
        from websockets.sync.client import connect  # noqa: PLC0415

        self._failures = (OSError, WebSocketException)
        self._stack = ExitStack()
        headers = {"Authorization": f"Bearer {token}"}
        try:
            line = connect(url, additional_headers=headers, compression=None, max_size=None)
            self._line = self._stack.enter_context(line)
        except (*self._failures, ValueError) as error:
            raise Away(f"the daemon does not listen at {url}: {error}") from error

    def send(self, message: str) -> None:
        try:
            self._line.send(message)
        except self._failures as error:
            raise Away(f"the daemon went away: {error}") from error

    def receive(self, seconds: float) -> str | None:
        try:
            return self._line.recv(seconds, decode=True)
        except TimeoutError:
            return None
        except self._failures as error:
            raise Away(f"the daemon hung up: {error}") from error

    def close(self) -> None:
        self._stack.close()
