"""Buttons: a form names a method of the daemon and its values; rights are the method's own."""

from collections.abc import Mapping
from typing import Any, Final

from aiohttp import web

from relayd.web.parts import CallFailed
from relayd.web.visit import Visit
from relayd.web.words import refusal

_OURS: Final = frozenset({"back", "command_id", "expected_version"})
_NUMBERS: Final = frozenset({"wins_a", "wins_b"})


async def do(visit: Visit) -> web.StreamResponse:
    """Carry a button out once and go back to its page with a word of what came of it."""
    form, method = await visit.form(), visit.request.match_info["method"]
    page = visit.back(form, f"/e/{visit.number}")
    facts = visit.parts.calls.methods.get(method)
    if facts is None or not facts.changes or "tournament" not in facts.params.model_fields:
        raise web.HTTPNotFound
    if visit.player is None and await visit.link(visit.number) is None:
        visit.signed_in()
    try:
        await visit.parts.calls(await visit.caller(visit.number), method, params_of(visit, form))
    except CallFailed as error:
        if error.status >= 500 or error.status == 429:
            raise
        zone = (await visit.tournament()).settings.time_zone
        words = refusal(visit.language, error.code, error.data, error.sentence, zone)
        return visit.redirect(page, words, "bad")
    return visit.redirect(page, visit.t("do.done"))


def params_of(visit: Visit, form: Mapping[str, str]) -> dict[str, Any]:
    """Return what a form says, as the method takes it; empty fields are not said."""
    given: dict[str, Any] = {
        name: value for name, value in form.items() if name not in _OURS | _NUMBERS and value != ""
    }
    if form.get("wins_a") and form.get("wins_b"):
        given["wins"] = [form["wins_a"], form["wins_b"]]
    if form.get("games_score"):
        given["wins"] = given.pop("games_score").split("-")
    if form.get("score"):  # one choice for outcome and games
        outcome, _, wins = given.pop("score").partition(" ")
        given |= {"outcome": outcome, "wins": wins.split("-")}
    if form.get("minutes"):
        given["by_ms"] = _milliseconds(given.pop("minutes"))
    given["tournament"] = visit.number
    if form.get("command_id"):
        given["command_id"] = form["command_id"][:64]
    if form.get("expected_version"):
        given["expected_version"] = form["expected_version"]
    return given


def _milliseconds(text: str) -> int:
    try:
        return max(-10_000, min(10_000, int(text))) * 60_000
    except ValueError:
        raise web.HTTPBadRequest from None
