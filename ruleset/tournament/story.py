"""What happens because of one command: events, and the state that they lead to."""

from ruleset.tournament.events import Event
from ruleset.tournament.evolving.draft import Draft
from ruleset.tournament.state import Tournament


class Story:
    """Events in the making: each is applied at once, so that the next one is decided on what it left."""

    def __init__(self, state: Tournament) -> None:
        self._draft = Draft(state)
        self._events: list[Event] = []

    @property
    def state(self) -> Tournament:
        """The tournament after all that happened so far."""
        return self._draft.state

    def tell(self, *events: Event) -> None:
        """Let *events* happen."""
        for event in events:
            self._events.append(event)
            self._draft.tell(event)

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened, in order."""
        return tuple(self._events)
