"""Starts a program as a service manager does that holds its sockets (sd_listen_fds(3)).

``python -m relayd.demo.launch http=7,gateway=8 -- relayd run …``: the program finds them at descriptors 3, 4.
"""

import fcntl
import os
import sys
from typing import Final

from relayd.exits import Exit

FIRST: Final = 3


def main() -> None:
    """Put the sockets in their places and become the program."""
    given, marker, command = "".join(sys.argv[1:2]), sys.argv[2:3], sys.argv[3:]
    if marker != ["--"] or not command:
        sys.stderr.write("usage: python -m relayd.demo.launch name=descriptor,… -- program arguments …\n")
        sys.exit(Exit.USAGE)
    held = [item.partition("=") for item in given.split(",")]
    for place, spare in enumerate(_spares([int(descriptor) for _, _, descriptor in held]), FIRST):
        os.dup2(spare, place)
    os.putenv("LISTEN_PID", str(os.getpid()))
    os.putenv("LISTEN_FDS", str(len(held)))
    os.putenv("LISTEN_FDNAMES", ":".join(name for name, _, _ in held))
    os.execvp(command[0], command)  # noqa: S606  that is what it is for


def _spares(descriptors: list[int]) -> list[int]:
    """Return copies that lie behind all places: none is overwritten, and none is its own place."""
    behind = FIRST + len(descriptors)
    return [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, behind) for descriptor in descriptors]


if __name__ == "__main__":
    main()
