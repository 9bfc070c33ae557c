"""Errors of the daemon itself, by who must act. What the rules refuse is in ruleset.errors."""

from typing import ClassVar


class DependencyError(Exception):
    """Nobody: something that the daemon needs is away. The same request again later may succeed."""

    code: ClassVar[str] = "unavailable"


class InvariantBroken(Exception):
    """We: a bug. The desk that met it takes no more commands; the others go on."""

    code: ClassVar[str] = "internal"
