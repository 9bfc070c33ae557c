"""How far each effect has followed the log: names with a version per stream."""

from collections.abc import Mapping
from typing import Protocol


class Cursors(Protocol):
    """What a store implements. Raises LogUnavailable or LogBroken."""

    async def of(self, name: str) -> Mapping[str, int]:
        """Return the last version of each stream that the effect *name* is done with."""
        ...

    async def move(self, name: str, stream: str, version: int) -> None:
        """Note that *name* is done with *stream* up to *version*; never moves back."""
        ...

    async def close(self) -> None:
        """Let go of the store."""
        ...


def effect_key(stream: str, version: int, index: int) -> str:
    """Name one effect of an entry for ever, so that it happens once: ``t12/7/0``."""
    return f"{stream}/{version}/{index}"
