"""A list that is frozen anew, and what becomes of the decks that are in (R045, R014)."""

from collections.abc import Iterator
from itertools import chain

from ruleset.errors import CommandRejected
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament import guards
from ruleset.tournament.decks import DeckList, Rechecked
from ruleset.tournament.publishing import editable
from ruleset.tournament.state import Player, Tournament


def refresh(state: Tournament, command: c.RefreshEnvironment) -> tuple[e.Event, ...]:
    """Judge by another table from now on; the same table changes nothing.

    Refuses with ``too_late_to_edit``, ``environment_fixed``, and ``decks_changed`` if a deck is in that
    was not checked again.
    """
    guards.before_start(state)
    editable(state, command.now)
    if command.environment.key != state.settings.environment:
        raise CommandRejected("environment_fixed", environment=state.settings.environment)
    if command.environment == state.environment:
        return ()
    decks = [(player, deck, _found(command, player, deck)) for player, deck in decks_in(state)]
    if missed := tuple(player.number for player, _, found in decks if found is None):
        raise CommandRejected("decks_changed", players=missed)
    refrozen = e.EnvironmentRefrozen(environment=command.environment, at=command.now)
    changes = (_again(player, deck, found) for player, deck, found in decks if found is not None)
    return (refrozen, *chain.from_iterable(changes))


def decks_in(state: Tournament) -> tuple[tuple[Player, DeckList], ...]:
    """Return every deck that was handed in and not refused, with its player, in order of registration."""
    return tuple(
        (player, player.deck)
        for player in state.players.values()
        if player.deck is not None and player.deck_status in {"review", "approved"}
    )


def _found(command: c.RefreshEnvironment, player: Player, deck: DeckList) -> Rechecked | None:
    found = command.checked.get(player.number)
    return found if found is not None and found.sha256 == deck.sha256 else None


def _again(player: Player, deck: DeckList, found: Rechecked) -> Iterator[e.Event]:
    """Yield what the second look changes; where it shows the host nothing new, his approval holds."""
    approved = player.deck_status == "approved"
    nothing_new = approved and set(found.remarks) <= set(player.remarks)
    passes = found.verdict == "legal" or (found.verdict == "review" and nothing_new)
    if found.verdict == "illegal":
        yield e.DeckRevoked(player=player.number, why=found.why)
    elif (passes, found.remarks) != (approved, player.remarks):
        if approved and not passes:
            yield e.DeckRevoked(player=player.number, why="")
        yield e.DeckSubmitted(player=player.number, deck=deck, approved=passes, remarks=found.remarks)
