"""F31 at a server that is linked by Challonge: the daemon is away while the duel server plays on."""

import asyncio
import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from signal import SIGKILL, SIGTERM, Signals
from typing import Any, Final
from urllib.request import urlopen

import pytest

from relayd.cli.client import Client, UnixWire
from relayd.demo.cast import ENVIRONMENT, actors
from relayd.demo.folder import SERVER, USER, Folder, Plan, Ports
from relayd.demo.processes import free_port
from relayd.reducers import TOURNAMENT
from relayd.storage.history import read
from relayd.storage.sqlite.log import SqliteLog
from ruleset.tournament.events import ResultConfirmed
from tests.daemons import PROGRAMS, WITHIN_S, Daemon, running

PLAYERS: Final = 8
SCALE: Final = 60
Rows = Sequence[Mapping[str, Any]]


@pytest.fixture
def place(tmp_path: Path) -> Folder:
    """A folder of one's own, as far as paths of sockets go."""
    return Folder(path=tmp_path)


@contextmanager
def holding(place: Folder) -> Iterator[Callable[[], Any]]:
    """Hold the HTTP socket as the service manager does; yield what starts a daemon on it."""
    with socket.create_server(("127.0.0.1", 0), backlog=1_024) as http:
        prepare(place, http.getsockname()[1])
        launch = (sys.executable, "-m", "relayd.demo.launch", f"http={http.fileno()}", "--")
        command = (*launch, str(PROGRAMS / "relayd"), "run")
        environment = {"RELAYD_GATEWAY__PORT": "0"}
        yield lambda: running(
            place.settings, command=command, environment=environment, descriptors=(http.fileno(),)
        )


@contextmanager
def not_holding(place: Folder) -> Iterator[Callable[[], Any]]:
    """Let the daemon listen by itself: while it is away nobody does."""
    port = free_port()
    prepare(place, port)
    environment = {"RELAYD_HTTP__PORT": str(port), "RELAYD_GATEWAY__PORT": "0"}
    yield lambda: running(place.settings, environment=environment)


def prepare(place: Folder, http_port: int) -> None:
    """Write the settings of both programs."""
    plan = Plan(seed="away", scale=SCALE, actors=actors(PLAYERS, place.path / "no-decks"))
    place.write(plan, Ports(http=http_port, gateway=0, api=free_port()))


@contextmanager
def duel_server(place: Folder) -> Iterator[str]:
    """Let the simulated duel server play; yield the address of its API."""
    command = [sys.executable, "-m", "srvpro_bridge.simulator", "--config", str(place.world)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        try:
            yield str(json.loads(server.stdout.readline())["url"])
        finally:
            server.terminate()


def rooms(place: Folder, url: str) -> list[Mapping[str, Any]]:
    """Return the rooms that the duel server shows."""
    secret = (place.path / "secret").read_text(encoding="utf-8")
    with urlopen(f"{url}/api/getrooms?username={USER}&pass={secret}", timeout=WITHIN_S) as answer:  # noqa: S310  our own
        found: list[Mapping[str, Any]] = json.loads(answer.read())["rooms"]
        return found


def begin(client: Client) -> None:
    """Bring everybody into the only round of tournament 1."""
    settings = {
        "title": "Cup",
        "format": "swiss",
        "rounds": 1,
        "environment": ENVIRONMENT,
        "servers": [SERVER],
    }
    client.call("tournament.publish", settings=settings)
    for number, actor in enumerate(actors(PLAYERS, Path("no-decks")), 1):
        client.call("player.register", nickname=actor.name)
        client.call("entry.register", tournament=1, player=number)
        client.call("deck.submit", tournament=1, player=number, deck=actor.text.decode())
    client.call("entry.sign_in_all", tournament=1)
    client.call("tournament.start", tournament=1)


def tables_once(daemon: Daemon, done: Callable[[Rows], bool]) -> Rows:
    """Return the tables of the round once they are as wanted; looked at after each event."""
    client = Client(UnixWire(daemon.socket))
    try:
        client.call("live.follow", tournament=1)
        deadline = time.monotonic() + WITHIN_S * 2
        while not done(rows := client.call("table.list", tournament=1)["tables"]):
            assert time.monotonic() < deadline, rows
            client.heard(1.0)
        return list(rows)
    finally:
        client.close()


def played_on(place: Folder, url: str) -> None:
    """Wait until the duel server has played all its matches to their ends."""
    deadline = time.monotonic() + WITHIN_S * 2
    while rooms(place, url):
        assert time.monotonic() < deadline
        time.sleep(0.1)  # it tells nobody that a room has gone


def all_play(rows: Rows) -> bool:
    """Whether every match has begun and none has ended."""
    return all(row["status"] == "playing" for row in rows)


def all_ended(rows: Rows) -> bool:
    """Whether every match has its result."""
    return all(row["result"] is not None for row in rows)


def results(place: Folder) -> list[tuple[int, str]]:
    """Return table and reason of each result that was ever confirmed."""

    async def entries() -> list[tuple[int, str]]:
        log = SqliteLog(place.data / "relayd.db")
        events = [event async for entry in read(log, "t1", TOURNAMENT.codec) for event in entry.events]
        await log.close()
        confirmed = [event for event in events if isinstance(event, ResultConfirmed)]
        return [(event.table.table, event.result.reason) for event in confirmed]

    return asyncio.run(entries())


@pytest.mark.parametrize("number", [SIGTERM, SIGKILL])
def test_scores_wait_in_the_socket_that_is_held(place: Folder, number: Signals) -> None:
    """F31: every final result arrives after the daemon is back, once; nobody is asked about anything."""
    with holding(place) as daemon, daemon() as before:
        client = Client(UnixWire(before.socket))
        begin(client)
        client.close()
        with duel_server(place) as url:
            tables_once(before, all_play)
            before.end(number)
            played_on(place, url)
            with daemon() as after:
                rows = tables_once(after, all_ended)
                after.end()
    assert {row["result"]["reason"] for row in rows} == {"played"}
    assert sorted(results(place)) == [(table, "played") for table in range(1, PLAYERS // 2 + 1)]


def test_what_nobody_could_deliver_is_shown_as_missing(place: Folder) -> None:
    """F31, 5.5-8: with no socket held srvpro gives up; the host sees which matches have lost their rooms."""
    with not_holding(place) as daemon, daemon() as before:
        client = Client(UnixWire(before.socket))
        begin(client)
        client.close()
        with duel_server(place) as url:
            tables_once(before, all_play)
            before.end()
            played_on(place, url)
            with daemon() as after:
                rows = tables_once(after, lambda rows: all(row["lost_at"] is not None for row in rows))
    assert [row["result"] for row in rows] == [None] * (PLAYERS // 2)
    assert results(place) == []
