"""Starts a program as a service manager does that holds its sockets (sd_listen_fds(3)).

``python -m relayd.demo.launch http=7,gateway=8 -- relayd run …``: the program finds them at descriptors 3, 4.
"""

import os
import sys
from typing import Final

FIRST: Final = 3


def main() -> None:
    """Put the sockets in their places and become the program."""
    given, marker, *command = sys.argv[1:]
    if marker != "--" or not command:
        sys.exit("usage: python -m relayd.demo.launch name=descriptor,… -- program arguments …")
    held = [item.partition("=") for item in given.split(",")]
    spare = [os.dup(int(descriptor)) for _, _, descriptor in held]  # none of them is overwritten below
    for place, descriptor in enumerate(spare, FIRST):
        os.dup2(descriptor, place)
    os.putenv("LISTEN_PID", str(os.getpid()))
    os.putenv("LISTEN_FDS", str(len(held)))
    os.putenv("LISTEN_FDNAMES", ":".join(name for name, _, _ in held))
    os.execvp(command[0], command)  # noqa: S606  that is what it is for


if __name__ == "__main__":
    main()
