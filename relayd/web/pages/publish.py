"""Publishing a tournament, and changing it until 12 hours before the start (R051-R056)."""

from typing import Any

from aiohttp import web

from relayd.web.parts import Caller, CallFailed
from relayd.web.publishform import DEFAULTS, form_of, preview, wishes_of
from relayd.web.visit import Visit
from relayd.web.words import refusal
from ruleset.errors import RulesetError
from ruleset.ids import player_label
from ruleset.standings.presets import PRESETS
from ruleset.standings.sentences import TITLES
from ruleset.tournament.settings import Settings


async def form(visit: Visit) -> web.StreamResponse:
    """Show the form with sensible values in it."""
    visit.signed_in()
    servers = {f"server_{server.id}": "1" for server in visit.parts.servers()}
    return _page(visit, {**DEFAULTS, **servers, "time_zone": _zone(visit)})


async def publish(visit: Visit) -> web.StreamResponse:
    """Show what would come of it, or publish."""
    account, given = visit.signed_in(), await visit.form()
    wishes = wishes_of(given)
    try:
        command = await visit.parts.publishing.check(wishes)
    except RulesetError as error:
        return _page(visit, given, problem=_said(visit, error.code, error.data))
    if given.get("step") != "publish":
        lines = preview(command.settings, visit.now, visit.language)
        return _page(visit, given, preview=lines, settings=command.settings)
    if account.verified_at is None and visit.parts.accounts.verify_email:
        return visit.redirect("/me", visit.t("account.verify_needed"), "warn")
    caller = Caller(name=f"account:{player_label(account.player)}", role="host", player=account.player)
    once = {"command_id": given["command_id"][:64]} if given.get("command_id") else {}
    params = {"settings": wishes, "organiser": account.player, **once}
    try:
        made = await visit.parts.calls(caller, "tournament.publish", params)
    except CallFailed as error:
        return _page(visit, given, problem=_said(visit, error.code, error.data, error.sentence))
    number = made["tournament"] if isinstance(made, dict) else 0
    return visit.redirect(f"/e/{number}", visit.t("publish.done"))


async def edit_form(visit: Visit) -> web.StreamResponse:
    """Show the form with what was published."""
    state = await visit.tournament()
    await visit.require(state, "cohost")
    return _page(visit, form_of(state.settings), number=state.number)


async def edit(visit: Visit) -> web.StreamResponse:
    """Show what would come of the change, or change it."""
    state, given = await visit.tournament(), await visit.form()
    await visit.require(state, "cohost")
    wishes: dict[str, Any] = {**wishes_of(given), "environment": state.settings.environment}
    try:
        command = await visit.parts.publishing.edited(state.number, wishes)
    except RulesetError as error:
        return _page(visit, given, problem=_said(visit, error.code, error.data), number=state.number)
    if given.get("step") != "publish":
        lines = preview(command.settings, visit.now, visit.language)
        return _page(visit, given, preview=lines, settings=command.settings, number=state.number)
    try:
        params = {"tournament": state.number, "settings": wishes}
        await visit.parts.calls(await visit.caller(state.number), "tournament.edit", params)
    except CallFailed as error:
        problem = _said(visit, error.code, error.data, error.sentence)
        return _page(visit, given, problem=problem, number=state.number)
    return visit.redirect(f"/e/{state.number}", visit.t("publish.edited"))


def _page(
    visit: Visit,
    given: dict[str, str],
    *,
    problem: str = "",
    preview: list[str] | None = None,
    settings: Settings | None = None,
    number: int = 0,
) -> web.Response:
    order = () if settings is None else settings.scores.order
    return visit.page(
        "publish.html",
        status=422 if problem else 200,
        f={**dict.fromkeys((*DEFAULTS, "title", "text", "start_at", "time_zone", "command_id"), ""), **given},
        problem=problem,
        preview=preview,
        criteria=[TITLES[key][visit.language] for key in order],
        number=number,
        environments=visit.parts.environments.keys,
        presets=PRESETS.values(),
        servers=visit.parts.servers(),
    )


def _said(visit: Visit, code: str, data: Any, fallback: str = "") -> str:  # noqa: ANN401  as errors carry it
    return refusal(visit.language, code, data, fallback or code)


def _zone(visit: Visit) -> str:
    return visit.parts.frontage.time_zone
