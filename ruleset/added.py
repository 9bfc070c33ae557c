"""The mark of what the daemon adds to a command on receipt: time, seed, and the answers of other parts.

A retry of a command brings these anew, so they do not count when two commands are compared (F08, F12).
"""

from typing import Annotated, TypeAlias, TypeVar

T = TypeVar("T")

Added: TypeAlias = Annotated[T, "added by the daemon"]
