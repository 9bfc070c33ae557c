"""How events change one player before the start."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeAlias

from ruleset.copies import replace
from ruleset.tournament import events as e
from ruleset.tournament.state import Player

OfPlayer: TypeAlias = Callable[[Player, Any], Player]


def _submitted(player: Player, event: e.DeckSubmitted) -> Player:
    status: Literal["approved", "review"] = "approved" if event.approved else "review"
    return replace(player, deck=event.deck, deck_status=status, remarks=event.remarks)


def _approved(player: Player, _event: e.DeckApproved) -> Player:
    return replace(player, deck_status="approved")


def _revoked(player: Player, event: e.DeckRevoked) -> Player:
    remarks = (event.why,) if event.why else ()
    return replace(player, deck_status="refused", remarks=remarks, signed_in=None)


def _signed_in(player: Player, event: e.PlayerSignedIn) -> Player:
    return replace(player, signed_in=event.sequence)


def _assigned(player: Player, event: e.TeamAssigned) -> Player:
    return replace(player, team=event.team, team_label=event.label)


def _drop_undone(player: Player, _event: e.DropUndone) -> Player:
    return replace(player, dropped_in=None)


OF_PLAYER: Final[Mapping[type[e.Event], OfPlayer]] = {
    e.DeckSubmitted: _submitted,
    e.DeckApproved: _approved,
    e.DeckRevoked: _revoked,
    e.PlayerSignedIn: _signed_in,
    e.TeamAssigned: _assigned,
    e.DropUndone: _drop_undone,
}
"""All with a field ``player``."""
