"""Exit codes of all commands (decisions 11); over many inputs the worst wins."""

from enum import IntEnum


class Exit(IntEnum):
    """How a command ended."""

    OK = 0
    REFUSED = 1
    USAGE = 2
    UNREADABLE = 3
    AWAY = 4
    DAMAGED = 5
