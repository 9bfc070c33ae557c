"""Where the daemon listens."""

import os
import resource
import socket
from collections.abc import Iterator

import pytest

from relayd.listening import DESCRIPTORS, AddressTaken, allow_many_lines, held_sockets, listen, printed
from relayd.settings import Surroundings, surroundings
from relayd.settings.tree import Address


@pytest.fixture
def taken() -> Iterator[socket.socket]:
    """A socket of somebody else's."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other


def test_a_taken_port_is_said_in_one_sentence(taken: socket.socket) -> None:
    """Bad input: where, why, and which setting to change."""
    port = taken.getsockname()[1]
    with pytest.raises(AddressTaken, match=rf"127\.0\.0\.1:{port}: cannot listen there: .* see \[http\]"):
        listen("http", Address(port=port))


def test_a_host_that_is_not_here_is_said_too() -> None:
    """Bad input: an address of another machine."""
    with pytest.raises(AddressTaken, match="cannot listen there"):
        listen("gateway", Address(host="192.0.2.1", port=0))


def test_port_0_is_any_free_one() -> None:
    """Decisions 7: printed as people type it."""
    with listen("http", Address(port=0)) as own:
        assert printed(own) == f"127.0.0.1:{own.getsockname()[1]}"
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as six:
        assert printed(six).startswith("[::1]:")


def test_a_held_socket_is_used_as_it_is(taken: socket.socket) -> None:
    """Decisions 7, F31: the manager keeps it open through a restart."""
    assert listen("http", Address(port=1), taken) is taken
    assert taken.gettimeout() == 0


def test_sockets_are_known_by_their_names() -> None:
    """sd_listen_fds(3): descriptors from 3 on, in order; only those meant for this process."""
    env = {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "2", "LISTEN_FDNAMES": "http"}
    assert surroundings(env).sockets == ("http", "")
    assert surroundings({**env, "LISTEN_PID": "1"}).sockets == ()
    assert surroundings({**env, "LISTEN_FDS": "many"}).sockets == ()


def test_nothing_is_held_without_a_manager() -> None:
    """Decisions 7: the daemon opens its own."""
    none = Surroundings(notify_socket=None, watchdog_usec=None, credentials=None, state=None, runtime=None)
    assert held_sockets(none) == {}


def test_thousands_of_lines_may_be_open() -> None:
    """F14: the soft limit of descriptors becomes what the system allows, within reason; never less."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 512), hard))
        allow_many_lines()
        allowed, unchanged = resource.getrlimit(resource.RLIMIT_NOFILE)
        assert allowed == (DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard))
        assert unchanged == hard
        allow_many_lines()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == allowed
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
