"""The daemon as a process of its own, for tests that start, disturb and end it."""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from signal import SIGTERM, Signals
from typing import Any, Final
from urllib.request import urlopen

from click.testing import CliRunner

from relayd.cli import main as relayctl

ROOT: Final = Path(__file__).parents[1]
PROGRAMS: Final = Path(sys.executable).parent
WITHIN_S: Final = 60.0
"""Loose: how long anything may take before a test gives up."""
ANY_PORTS: Final = "http.port = 0\ngateway.port = 0\n"


class Daemon:
    """A daemon that runs, with all that it has said."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process: Final = process
        self.lines: Final[list[dict[str, Any]]] = []
        self._news = threading.Condition()
        self._ended = False
        threading.Thread(target=self._read, daemon=True).start()
        started = self.said("started")
        self.http: Final[str] = started["http"]
        self.websocket: Final[str] = started["websocket"]
        self.socket: Final = Path(started["admin_socket"])

    def said(self, event: str, count: int = 1) -> dict[str, Any]:
        """Return the line of the *count*-th *event*, once it is there."""
        with self._news:
            done = self._news.wait_for(lambda: self._ended or len(self.heard(event)) >= count, WITHIN_S)
            found = self.heard(event)
            assert done, f"nothing said of {event}: {self.lines[-5:]}"
            assert len(found) >= count, f"ended without {event}: {self.lines[-5:]}"
            return found[count - 1]

    def heard(self, event: str) -> list[dict[str, Any]]:
        """Return all lines of *event* so far."""
        return [line for line in self.lines if line.get("event") == event]

    def said_in_plain_words(self) -> list[str]:
        """Return all that was no line of the log, once the daemon has ended."""
        with self._news:
            assert self._news.wait_for(lambda: self._ended, WITHIN_S)
        return [line["text"] for line in self.heard("")]

    def ctl(self, *words: str) -> str:
        """Return what ``relayctl`` printed, which must end well."""
        result = CliRunner().invoke(relayctl, ["--socket", str(self.socket), *words])
        assert result.exit_code == 0, result.output
        return result.stdout

    def data(self, *words: str) -> Any:
        """Return what ``relayctl --json`` printed."""
        return json.loads(self.ctl("--json", *words))

    def get(self, path: str) -> str:
        """Return a page of the HTTP port. Raises HTTPError."""
        with urlopen(self.http + path, timeout=WITHIN_S) as answer:  # noqa: S310  our own
            return str(answer.read().decode())

    def tell(self, number: Signals) -> None:
        """Send a signal."""
        self.process.send_signal(number)

    def end(self, number: Signals = SIGTERM) -> int:
        """Send a signal, and return the exit code."""
        self.tell(number)
        return self.process.wait(WITHIN_S)

    def _read(self) -> None:
        assert self.process.stderr is not None
        for text in self.process.stderr:
            with self._news:
                self.lines.append(_line(text))
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()


@contextmanager
def running(
    config: Path,
    *,
    command: Sequence[str] = (str(PROGRAMS / "relayd"), "run"),
    environment: Mapping[str, str] | None = None,
    descriptors: Sequence[int] = (),
) -> Iterator[Daemon]:
    """Run a daemon until the end of the block; *command*: what else starts it."""
    process = subprocess.Popen(
        [*command, "--config", str(config)],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **(environment or {})},
        pass_fds=descriptors,
    )
    try:
        yield Daemon(process)
    finally:
        process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()


class Manager:
    """The service manager's ear (sd_notify(3))."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self._end: Final = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._end.bind(str(path))

    @property
    def environment(self) -> Mapping[str, str]:
        """What it sets for its services, with a watchdog of a second."""
        return {"NOTIFY_SOCKET": str(self.path), "WATCHDOG_USEC": "1000000"}

    def hears(self, beginning: str) -> None:
        """Wait until it is told something that begins so."""
        self._end.settimeout(WITHIN_S)
        while not self._end.recv(4_096).decode().startswith(beginning):
            pass

    def silent(self, seconds: float) -> bool:
        """Whether it is told nothing for so long, from what it has not heard yet on."""
        while self._waits(0):
            pass
        return not self._waits(seconds)

    def _waits(self, seconds: float) -> bool:
        self._end.settimeout(seconds)
        try:
            return bool(self._end.recv(4_096))
        except (TimeoutError, BlockingIOError):
            return False

    def close(self) -> None:
        """Hear no more."""
        self._end.close()


def settings(folder: Path, more: str = "") -> Path:
    """Return a file with the settings of a daemon on free ports, with its data in *folder*."""
    path = folder / "relayd.toml"
    path.write_text(f'data_dir = "{folder}/data"\n{ANY_PORTS}{more}', encoding="utf-8")
    return path


def _line(text: str) -> dict[str, Any]:
    try:
        told: dict[str, Any] = json.loads(text)
    except ValueError:
        return {"event": "", "text": text}
    return told
