"""Where the daemon listens: on sockets that the service manager holds, else on its own (decisions 7).

A held socket stays open while the daemon restarts, so that who connects meanwhile waits instead of failing.
"""

import resource
import socket
from collections.abc import Mapping
from typing import Final

from relayd.settings import Surroundings
from relayd.settings.tree import Address

FIRST_HELD: Final = 3
"""The descriptor of the first held socket (sd_listen_fds(3))."""
BACKLOG: Final = 1_024
DESCRIPTORS: Final = 1 << 16
"""As many as are of use to one process."""


class AddressTaken(Exception):
    """The operator: the address cannot be listened at. Says which, why, and which setting to change."""


def held_sockets(around: Surroundings) -> Mapping[str, socket.socket]:
    """Return the sockets that the service manager holds for us, by their names (``FileDescriptorName=``)."""
    return {name: socket.socket(fileno=FIRST_HELD + place) for place, name in enumerate(around.sockets)}


def listen(setting: str, address: Address, held: socket.socket | None = None) -> socket.socket:
    """Return a listening socket: *held*, or one of our own at *address*. Raises AddressTaken."""
    if held is not None:
        held.settimeout(0)
        return held
    try:
        own = socket.create_server((address.host, address.port), backlog=BACKLOG)
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        where = f"{address.host}:{address.port}"
        raise AddressTaken(f"{where}: cannot listen there: {why}; see [{setting}] in the settings") from error
    own.settimeout(0)
    return own


def allow_many_lines() -> None:
    """Let the process have as many descriptors as it may: thousands look on at once (F14)."""
    now, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
    if now != resource.RLIM_INFINITY and now < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def printed(own: socket.socket) -> str:
    """Return the address of a TCP socket as people type it: ``127.0.0.1:8720``."""
    host, port = own.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
