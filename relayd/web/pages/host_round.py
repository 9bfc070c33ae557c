"""The host's hand on a round: why it is paired so, seats exchanged, pairs ruled out, undo (4.10, T22)."""

from typing import Any

from aiohttp import web

from relayd.views.people import person, player_rows
from relayd.views.ranks import pairing_view
from relayd.web.consequences import foreseen
from relayd.web.eventview import View, frame, one_round
from relayd.web.visit import Visit
from relayd.web.wish import Wish
from ruleset.ids import RoundNo
from ruleset.tournament.commands import Undo
from ruleset.tournament.state import Round, Tournament


async def pairing(visit: Visit) -> web.StreamResponse:
    """Show how the rounds are paired, with what a host may change before anybody plays."""
    state = await visit.tournament()
    rights = await visit.require(state, "judge")
    chosen = Wish.of(visit.request.query).r
    known = {played.number: played for played in state.all_rounds()}
    played = known.get(RoundNo(chosen), state.round) if chosen else state.round
    return visit.page(
        "host_round.html",
        **await frame(visit, state, "host"),
        cohost=rights.at_least("cohost"),
        rounds=list(known),
        round=None if played is None else played.number,
        r=None if played is None else one_round(visit.parts, state, played),
        why=_why(state, played),
        present=played is not None and played == state.round,
        fresh=played is not None and played == state.round and _fresh(played),
        people=[row for row in player_rows(state) if row["status"] != "not_entered"],
        names={player.number: player.nickname for player in state.players.values()},
    )


async def undo(visit: Visit) -> web.StreamResponse:
    """Show what the last action was and what taking it back would change (T22)."""
    state = await visit.tournament()
    await visit.require(state, "cohost")
    action = state.last_action
    found: View | None = None
    if action is not None:
        granted = tuple(state.players)
        found = foreseen(visit.language, state, Undo(action=action.number, granted=granted, now=visit.now))
    return visit.page("host_undo.html", **await frame(visit, state, "host"), found=found)


def _why(state: Tournament, played: Round | None) -> Any:  # noqa: ANN401  a view
    if played is None or played.stage != "swiss":
        return None
    found = pairing_view(state, played.number)
    return {**found, "bye_player": [person(state, player) for player in played.byes]}


def _fresh(played: Round) -> bool:
    """Say whether nobody plays in a round yet: what it takes to change it."""
    return all(table.status == "waiting" for table in played.tables.values())
