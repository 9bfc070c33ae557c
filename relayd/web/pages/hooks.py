"""The webhooks of a tournament, for its host: what is told to whom, and how that goes (docs/webhooks.md)."""

from typing import Any, Final

from aiohttp import web

from relayd.web.eventview import frame
from relayd.web.parts import CallFailed
from relayd.web.visit import Visit
from relayd.web.words import refusal
from ruleset.tournament.state import Tournament

ACTIONS: Final = frozenset({"test", "resume", "remove"})


async def show(visit: Visit) -> web.StreamResponse:
    """Show them, with the form for another one."""
    return await _page(visit, await visit.tournament())


async def add(visit: Visit) -> web.StreamResponse:
    """Add one; its secret is shown this once."""
    state, form = await visit.tournament(), await visit.form()
    url = form.get("url", "")
    try:
        made = await _called(visit, state, "webhook.add", url=url)
    except CallFailed as error:
        if error.status >= 500 or error.status == 429:
            raise
        words = refusal(visit.language, error.code, error.data, error.sentence)
        return await _page(visit, state, status=422, problem=words, url=url)
    return await _page(visit, state, made=made)


async def act(visit: Visit) -> web.StreamResponse:
    """Try, switch on again or end one."""
    state, action = await visit.tournament(), visit.request.match_info["action"]
    if action not in ACTIONS:
        raise web.HTTPNotFound
    told = await _called(visit, state, f"webhook.{action}", hook=int(visit.request.match_info["hook"]))
    page = f"/e/{state.number}/hooks"
    if action == "test" and not told["taken"]:
        words = visit.t("hooks.not_taken", trouble=_trouble(visit, told["trouble"]))
        return visit.redirect(page, words, "bad")
    return visit.redirect(page, visit.t("hooks.taken" if action == "test" else "do.done"))


async def _page(visit: Visit, state: Tournament, *, status: int = 200, **more: Any) -> web.Response:  # noqa: ANN401  what the template shows
    rights = await visit.require(state, "cohost")
    shown: dict[str, Any] = {"made": None, "problem": "", "url": "", **more}
    return visit.page(
        "hooks.html",
        status=status,
        **await frame(visit, state, "host"),
        hooks=[
            {**hook, "trouble": _trouble(visit, hook["trouble"])}
            for hook in await _called(visit, state, "webhook.list")
        ],
        owner=rights.at_least("host"),
        **shown,
    )


def _trouble(visit: Visit, code: str) -> str:
    """Say what went wrong at the last try; empty: nothing."""
    kind, _, status = code.rpartition("_")
    if kind == "status":
        return f"HTTP {status}"
    return visit.t(f"hooks.trouble.{code}") if code else ""


async def _called(visit: Visit, state: Tournament, method: str, **params: object) -> Any:  # noqa: ANN401  plain data
    caller = await visit.caller(state.number)
    return await visit.parts.calls(caller, method, {"tournament": state.number, **params})
