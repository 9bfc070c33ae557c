"""What follows from things that never change, kept as long as it is asked for.

A state shares most of its parts with the one before, so what was found out of a part need not be found again.
A part is known by being that same object, which costs nothing to tell. Each thread keeps for itself.
"""

from collections.abc import Callable
from threading import local
from typing import Generic, TypeVar

Part = TypeVar("Part")
Found = TypeVar("Found")
Key = TypeVar("Key")
Value = TypeVar("Value")


class Recent(local, Generic[Key, Value]):
    """What one thread has put here of late; what was put longest ago goes first."""

    def __init__(self) -> None:
        self._held: dict[Key, Value] = {}

    def take(self, key: Key) -> Value | None:
        """Take out what stands under *key*."""
        return self._held.pop(key, None)

    def put(self, key: Key, value: Value, most: int) -> None:
        """Hold *value*, and *most* in all."""
        self._held[key] = value
        while len(self._held) > most:
            del self._held[next(iter(self._held))]


class Kept(Generic[Part, Found]):
    """A pure function of objects that are never changed; what came of the last *most* calls is kept."""

    def __init__(self, find: Callable[..., Found], most: int) -> None:
        self._find, self._most = find, most
        self._recent = Recent[tuple[int, ...], tuple[tuple[Part, ...], Found]]()
        """By ``id``, which nobody else can have while the objects are held here."""

    def __call__(self, *parts: Part) -> Found:
        """Return what follows from *parts*."""
        key = tuple(map(id, parts))
        known = self._recent.take(key) or (parts, self._find(*parts))
        self._recent.put(key, known, self._most)
        return known[1]
