"""The two programs of a demo. The daemon's sockets are held here, so that it may be killed and come back."""

import json
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from relayd.cli.client import Away, Client, UnixWire
from relayd.demo.folder import Folder

STARTS_WITHIN_S: Final = 20.0


class DidNotStart(Exception):
    """A program of the demo ended, or said nothing, where it should have begun to work."""


class Programs:
    """Both programs; nothing is left when the block ends."""

    def __init__(self, folder: Folder) -> None:
        self._folder, self._stack = folder, ExitStack()
        self._daemon: subprocess.Popen[bytes] | None = None
        self._duel_server: subprocess.Popen[bytes] | None = None
        self.http, self.gateway = _listening(), _listening()

    def __enter__(self) -> Self:
        self._stack.callback(self._end)
        for own in (self.http, self.gateway):
            self._stack.enter_context(own)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def http_port(self) -> int:
        """Where the daemon answers HTTP."""
        return int(self.http.getsockname()[1])

    @property
    def gateway_port(self) -> int:
        """Where the daemon answers plugins."""
        return int(self.gateway.getsockname()[1])

    def start_daemon(self) -> None:
        """Start the daemon on the sockets that are held for it, and wait until it answers."""
        held = {"http": self.http.fileno(), "gateway": self.gateway.fileno()}
        launch = ",".join(f"{name}={descriptor}" for name, descriptor in held.items())
        run = [sys.executable, "-m", "relayd", "run", "--config", str(self._folder.settings)]
        command = [sys.executable, "-m", "relayd.demo.launch", launch, "--", *run]
        with self._folder.log_lines.open("ab") as lines:
            self._daemon = subprocess.Popen(command, pass_fds=tuple(held.values()), stderr=lines)  # noqa: S603  our own program
        self.connect().close()

    def kill_daemon(self) -> None:
        """Kill it as hard as can be."""
        if self._daemon is not None:
            self._daemon.kill()
            self._daemon.wait()

    def stop_daemon(self) -> int:
        """Ask it to stop; return its exit code."""
        if self._daemon is None:
            return 0
        self._daemon.terminate()
        return self._daemon.wait(timeout=STARTS_WITHIN_S)

    def connect(self) -> Client:
        """Return a connection to the daemon, once it answers. Raises DidNotStart."""
        deadline = time.monotonic() + STARTS_WITHIN_S
        while True:
            try:
                return Client(UnixWire(self._folder.socket))
            except Away as away:
                ended = self._daemon is None or self._daemon.poll() is not None
                if ended or time.monotonic() > deadline:
                    raise DidNotStart(f"{away}\n{_tail(self._folder.log_lines)}") from away
            time.sleep(0.05)

    def start_duel_server(self) -> None:
        """Start the simulated duel server, and wait until it answers. Raises DidNotStart."""
        command = [sys.executable, "-m", "srvpro_bridge.simulator", "--config", str(self._folder.world)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE)  # noqa: S603  our own program
        self._duel_server = server
        self._stack.callback(_end, server)
        line = b"" if server.stdout is None else server.stdout.readline()
        if not line or "url" not in json.loads(line):
            raise DidNotStart("the simulated duel server ended")

    def kill_duel_server(self) -> None:
        """Kill it as hard as can be, with all rooms."""
        if self._duel_server is not None:
            self._duel_server.kill()
            self._duel_server.wait()

    def _end(self) -> None:
        if self._daemon is not None:
            _end(self._daemon)


def free_port() -> int:
    """Return a port that nobody listens at."""
    with _listening() as own:
        return int(own.getsockname()[1])


def _listening() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0), backlog=1_024)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _tail(path: Path, lines: int = 5) -> str:
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    return "\n".join(text.splitlines()[-lines:])
