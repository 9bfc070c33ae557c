"""What of a tournament is open to whom: its list, its registration, its decks, its linked ones."""

from typing import Any

from relayd.web.visit import Visit
from ruleset.errors import CommandRejected
from ruleset.ids import Instant
from ruleset.tournament.state import BEFORE_START, Tournament


def decks_are_open(state: Tournament) -> bool:
    """Say whether everybody may read the decks: after the end, if the host wants it so."""
    return state.settings.pages.decklists == "after_end" and state.phase == "finished"


def shows_count(state: Tournament) -> bool:
    """Say whether everybody may know how many have registered (S143); once it starts the field is known."""
    return state.settings.pages.show_registered or state.phase not in BEFORE_START


async def linked_to(visit: Visit, state: Tournament) -> list[Tournament]:
    """Return the tournaments that share one code, this one first (S148).

    Those that it names, and those of the same organiser that name it: nobody else puts his on this page.
    """
    tournaments, found = visit.parts.tournaments, {state.number: state}
    for number in state.settings.linked_events:
        try:
            found[number] = await tournaments.load(number)
        except CommandRejected:
            continue  # a number that was never given to one
    for other in tournaments.running().values():
        if state.number in other.settings.linked_events and other.organiser == state.organiser:
            found[other.number] = other
    return list(found.values())


def registration(state: Tournament, now: Instant) -> dict[str, Any]:
    """Say whether players may still register by themselves, until when, and how many places are left."""
    rules = state.settings.registration
    left = max(0, rules.limit - len(state.players)) if rules.limit else None
    over = rules.closed or (rules.until is not None and now >= rules.until)
    why = "closed" if over else "full" if left == 0 else "open"
    return {"state": why, "until": None if over else rules.until, "left": left, "limit": rules.limit}
