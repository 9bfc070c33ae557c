"""F26, F01: a daemon that is killed tells its webhooks what it had not told yet, in order."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from signal import SIGKILL

from tests.daemons import WITHIN_S, running, settings

PLAN = ("--title", "Weekly", "--format", "swiss", "--rounds", "3", "--environment", "goat")


class Receiver:
    """A program that takes messages, or is broken."""

    def __init__(self) -> None:
        self.broken = False
        self.taken: list[int] = []
        self._news = threading.Condition()

    def hear(self, body: bytes) -> int:
        """Take a message and return the status of the answer."""
        with self._news:
            self._news.notify_all()
            if self.broken:
                return 500
            self.taken.append(json.loads(body)["version"])
            return 204

    def wait(self, version: int) -> None:
        """Wait until a version was taken."""
        with self._news:
            assert self._news.wait_for(lambda: version in self.taken, WITHIN_S), self.taken


@contextmanager
def listening(receiver: Receiver) -> Iterator[str]:
    """Yield the address of a receiver."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(receiver.hear(body))
            self.end_headers()

        def log_message(self, *_words: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_killed_daemon_tells_the_rest_afterwards(tmp_path: Path) -> None:
    """At least once and in order, through a receiver that fails and a daemon that is killed."""
    config, receiver = settings(tmp_path, '[webhooks]\nallow = ["127.0.0.0/8"]\n'), Receiver()
    with listening(receiver) as url:
        with running(config) as daemon:
            daemon.ctl("tournament", "publish", *PLAN)
            daemon.ctl("webhook", "add", "1", url)
            red = daemon.data("team", "add", "1", "Red")["version"]
            receiver.wait(red)
            receiver.broken = True
            green, blue = (daemon.data("team", "add", "1", team)["version"] for team in ("Green", "Blue"))
            daemon.end(SIGKILL)
        receiver.broken = False
        with running(config) as daemon:
            daemon.ctl("webhook", "resume", "1", "1")
            receiver.wait(blue)
            (hook,) = daemon.data("webhook", "list", "1")
            assert (hook["trouble"], hook["off_at"]) == ("", None)
    told = list(dict.fromkeys(receiver.taken))
    assert told[told.index(red) :][:3] == [red, green, blue]
    assert receiver.taken == sorted(receiver.taken)
