"""The demo's stand-in for a service manager: sockets reach the program wherever they were before."""

import fcntl
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

SHOW = """
import json, os, socket
names = os.environ["LISTEN_FDNAMES"].split(":")
ports = {name: socket.socket(fileno=3 + place).getsockname()[1] for place, name in enumerate(names)}
print(json.dumps({"ports": ports, "mine": os.environ["LISTEN_PID"] == str(os.getpid())}))
"""


@pytest.fixture
def listening() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Two sockets that listen."""
    with ExitStack() as stack:
        one, two = (stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2))
        yield one, two


@pytest.mark.parametrize("from_", [3, 4, 40])
def test_held_sockets_arrive_at_3_and_4(listening: tuple[socket.socket, socket.socket], from_: int) -> None:
    """Decisions 7, sd_listen_fds(3): in order and open, whether their old places are taken or free."""
    one, two = (fcntl.fcntl(own.fileno(), fcntl.F_DUPFD, from_) for own in listening)
    command = [sys.executable, "-m", "relayd.demo.launch", f"http={one},gateway={two}", "--"]
    show = [sys.executable, "-c", SHOW]
    run = subprocess.run([*command, *show], stdout=subprocess.PIPE, pass_fds=(one, two), check=True)
    ports = {"http": listening[0].getsockname()[1], "gateway": listening[1].getsockname()[1]}
    assert json.loads(run.stdout) == {"ports": ports, "mine": True}


def test_a_wrong_call_says_how(capfd: pytest.CaptureFixture[str]) -> None:
    """Decisions 11: a sentence and a code, no traceback."""
    run = subprocess.run([sys.executable, "-m", "relayd.demo.launch", "http=3"], check=False)
    assert run.returncode == 2
    assert capfd.readouterr().err.startswith("usage: ")
