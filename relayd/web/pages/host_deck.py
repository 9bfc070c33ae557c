"""A player's deck, for the judges of his tournament (R014, D44)."""

from aiohttp import web

from relayd.views.people import player_rows
from relayd.web.eventview import frame
from relayd.web.pages.deck import listed
from relayd.web.visit import Visit
from ruleset.ids import PlayerId


async def deck(visit: Visit) -> web.StreamResponse:
    """Show it, with what its check remarked, and let it pass or refuse it."""
    state = await visit.tournament()
    rights = await visit.require(state, "judge")
    player = state.players.get(PlayerId(int(visit.request.match_info["player"])))
    if player is None or player.deck is None:
        raise web.HTTPNotFound
    return visit.page(
        "host_deck.html",
        **await frame(visit, state, "host"),
        cohost=rights.at_least("cohost"),
        player=next(row for row in player_rows(state) if row["player"] == player.number),
        remarks=player.remarks,
        deck=await listed(visit, state, player.deck),
    )
