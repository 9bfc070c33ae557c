"""What happens because of one command: events, and the state that they lead to."""

from ruleset.ids import RoundNo, TableId
from ruleset.tournament.events import Event
from ruleset.tournament.evolving.draft import Draft
from ruleset.tournament.state import Table, Tournament


class Story:
    """Events in the making: each is applied at once, so that the next one is decided on what it left."""

    def __init__(self, state: Tournament) -> None:
        self._draft = Draft(state)
        self._events: list[Event] = []

    @property
    def state(self) -> Tournament:
        """The tournament after all that happened so far."""
        return self._draft.state

    @property
    def frame(self) -> Tournament:
        """The same at less cost; what changed of tables, players and DP is not in it."""
        return self._draft.frame

    def table(self, table: TableId) -> Table:
        """Return a table after all that happened so far."""
        return self._draft.table(table)

    def waiting_for(self, number: RoundNo) -> int:
        """Return how many tables of a round are open after all that happened so far."""
        return self._draft.waiting_for(number)

    def tell(self, *events: Event) -> None:
        """Let *events* happen."""
        for event in events:
            self._events.append(event)
            self._draft.tell(event)

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened, in order."""
        return tuple(self._events)
