"""What follows from things that never change, kept as long as it is asked for.

A state shares most of its parts with the one before, so what was found out of a part need not be found again.
A part is known by being that same object, which costs nothing to tell. Each thread keeps for itself.
"""

from collections.abc import Callable
from threading import local
from typing import Generic, TypeVar

Part = TypeVar("Part")
Found = TypeVar("Found")


class Kept(Generic[Part, Found]):
    """A pure function of objects that are never changed; what came of the last *most* calls is kept."""

    def __init__(self, find: Callable[..., Found], most: int) -> None:
        self._find, self._most = find, most
        self._here = _Here[Part, Found]()

    def __call__(self, *parts: Part) -> Found:
        """Return what follows from *parts*."""
        key, kept = tuple(map(id, parts)), self._here.kept
        known = kept.pop(key, None) or (parts, self._find(*parts))
        kept[key] = known
        if len(kept) > self._most:
            del kept[next(iter(kept))]
        return known[1]


class _Here(local, Generic[Part, Found]):
    """What one thread keeps."""

    def __init__(self) -> None:
        self.kept: dict[tuple[int, ...], tuple[tuple[Part, ...], Found]] = {}
        """By ``id``, which nobody else can have while the objects are held here."""
