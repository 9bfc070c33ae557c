"""How events change the state: one after the other, and always the same."""

from collections.abc import Iterable

from ruleset.tournament import events as e
from ruleset.tournament.evolving.draft import Draft
from ruleset.tournament.state import EMPTY, Tournament


def replay(events: Iterable[e.Event], start: Tournament = EMPTY) -> Tournament:
    """Fold *events* over *start*."""
    draft = Draft(start)
    for event in events:
        draft.tell(event)
    return draft.state


def evolve(state: Tournament, event: e.Event) -> Tournament:
    """Return the state after *event*. Total: an event in the log is a fact and is never refused."""
    return replay((event,), state)
