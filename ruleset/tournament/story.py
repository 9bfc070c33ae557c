"""What happens because of one command: events, and the state that they lead to."""

from ruleset.tournament.events import Event
from ruleset.tournament.evolve import evolve
from ruleset.tournament.state import Tournament


class Story:
    """Events in the making: each is applied at once, so that the next one is decided on what it left."""

    def __init__(self, state: Tournament) -> None:
        self.state = state
        self._events: list[Event] = []

    def tell(self, *events: Event) -> None:
        """Let *events* happen."""
        for event in events:
            self._events.append(event)
            self.state = evolve(self.state, event)

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened, in order."""
        return tuple(self._events)
