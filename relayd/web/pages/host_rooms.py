"""All lost rooms at once: a duel server that comes back empty leaves a hundred of them (5.5-8)."""

from aiohttp import web

from relayd.web.parts import CallFailed
from relayd.web.visit import Visit


async def resume_all(visit: Visit) -> web.StreamResponse:
    """Let every match whose room is lost play on from its last finished game; again changes nothing."""
    state, form = await visit.tournament(), await visit.form()
    await visit.require(state, "judge")
    caller, page = await visit.caller(state.number), visit.back(form, f"/e/{state.number}/host")
    for table in [table for table in state.all_tables() if table.asked_until is not None]:
        asked = {"tournament": state.number, "table": str(table.id)}
        try:
            await visit.parts.calls(caller, "table.resume", asked)
        except CallFailed as error:
            if error.code != "room_not_lost":  # else somebody was faster
                raise
    return visit.redirect(page, visit.t("do.done"))
