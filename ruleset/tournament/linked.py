"""Linked tournaments share one code: it lists those of a player and opens the one that is on (S148)."""

from collections.abc import Iterable

from ruleset.ids import Instant, PlayerId
from ruleset.tournament.deadlines import signin_closes_at, signin_opens_at
from ruleset.tournament.state import BEFORE_START, Tournament


def of_player(linked: Iterable[Tournament], player: PlayerId) -> tuple[Tournament, ...]:
    """Return the tournaments among *linked* for which *player* is on the list, the earliest first."""
    mine = (state for state in linked if player in state.players)
    return tuple(sorted(mine, key=lambda state: (state.settings.start_at or 0, state.number)))


def opened(linked: Iterable[Tournament], player: PlayerId, now: Instant) -> Tournament | None:
    """Return the one that the code opens: it runs for him, or he may sign in; ``None``: let him choose."""
    mine = of_player(linked, player)
    running = next((state for state in mine if _plays(state, player)), None)
    return running or next((state for state in mine if _signs_in(state, now)), None)


def _plays(state: Tournament, player: PlayerId) -> bool:
    return state.phase == "running" and player in state.active()


def _signs_in(state: Tournament, now: Instant) -> bool:
    return state.phase in BEFORE_START and signin_opens_at(state) <= now < signin_closes_at(state)
