"""What is due when: the alarms of a room, run in order, each at its own time however late one looks."""

from collections.abc import Callable, Hashable


class Alarms:
    """At most one alarm for each key."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._set: dict[Hashable, tuple[float, Callable[[], None]]] = {}
        self._at: float | None = None

    def now(self) -> float:
        """Return the present moment; inside an alarm, the moment that it was set for."""
        return self._clock() if self._at is None else self._at

    def set_in(self, key: Hashable, seconds: float, act: Callable[[], None]) -> None:
        """Call *act* after *seconds*, in place of what was set for *key*."""
        self._set[key] = (self.now() + seconds, act)

    def off(self, key: Hashable) -> None:
        """Take an alarm back."""
        self._set.pop(key, None)

    def is_set(self, key: Hashable) -> bool:
        """Say whether an alarm waits for *key*."""
        return key in self._set

    def clear(self) -> None:
        """Take all of them back."""
        self._set.clear()

    @property
    def next(self) -> float | None:
        """Return when the first of them is due."""
        return min((moment for moment, _ in self._set.values()), default=None)

    def run(self) -> None:
        """Do whatever is due."""
        while (moment := self.next) is not None and moment <= self._clock():
            key = min(self._set, key=lambda key: self._set[key][0])
            self._at, act = self._set.pop(key)
            act()
        self._at = None
