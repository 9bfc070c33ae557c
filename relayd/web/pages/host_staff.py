"""Who helps a host: co-hosts, judges, and links for people without an account (S105, S127, S128)."""

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from relayd.accounts.tokens import digest_of, new_token
from relayd.storage.accounts import Link, LinkRole, StaffRole
from relayd.web.pages.host import console
from relayd.web.parts import CallFailed
from relayd.web.visit import LINKS, Visit
from relayd.web.words import refusal
from ruleset.ids import PlayerId
from ruleset.tournament.state import Tournament

LINK_S: Final = 14 * 24 * 3600
_LONGEST_NUMBER: Final = 16
_ROLES: Final[Mapping[str, StaffRole]] = {"judge": "judge"}


async def make_link(visit: Visit) -> web.StreamResponse:
    """Make a link for a judge or a hall screen; it is shown this once (S127, S128)."""
    state, form = await visit.tournament(), await visit.form()
    await visit.require(state, "cohost")
    role: LinkRole = "judge" if form.get("role") == "judge" else "viewer"
    token = new_token()
    link = Link(
        id=0,
        digest=digest_of(token),
        tournament=state.number,
        role=role,
        label=form.get("label", "").strip()[:40] or role,
        created_at=visit.now,
    )
    await visit.parts.accounts.store.make_link(link)
    path = "judge" if role == "judge" else "hall"
    return await console(visit, made=f"{visit.origin}/{path}/{token}")


async def revoke_link(visit: Visit) -> web.StreamResponse:
    """End a link."""
    state = await visit.tournament()
    await visit.require(state, "cohost")
    number = int(visit.request.match_info["link"])
    await visit.parts.accounts.store.revoke_link(state.number, number, visit.now)
    return _back(visit)


async def set_staff(visit: Visit) -> web.StreamResponse:
    """Make a player judge or co-host, or neither any more; only the organiser names them (S105)."""
    state, form = await visit.tournament(), await visit.form()
    await visit.require(state, "host")
    player, role = _player(form.get("player", "")), form.get("role", "")
    visit.parts.players.nickname(player)
    try:
        await _name_co_host(visit, state, player, named=role == "cohost")
    except CallFailed as error:
        if error.status >= web.HTTPInternalServerError.status_code:
            raise
        words = refusal(visit.language, error.code, error.data, error.sentence)
        return visit.redirect(f"/e/{state.number}/host", words, "bad")
    await visit.parts.accounts.store.set_staff(state.number, player, _ROLES.get(role))
    return _back(visit)


async def answer_call(visit: Visit) -> web.StreamResponse:
    """Put a player's call for a judge away."""
    state, form = await visit.tournament(), await visit.form()
    await visit.require(state, "judge")
    await visit.parts.accounts.store.answer_call(state.number, int(visit.request.match_info["call"]))
    return visit.redirect(visit.back(form, f"/e/{state.number}/host"), visit.t("do.done"))


async def judge(visit: Visit) -> web.StreamResponse:
    """Let whoever has a judge link in, in this browser (S128)."""
    token = visit.request.match_info["token"]
    link = await visit.parts.accounts.store.link(digest_of(token))
    if link is None or link.role != "judge":
        return visit.redirect("/", visit.t("host.link_dead"), "bad")
    visit.cookie(f"{LINKS}{link.tournament}", token, LINK_S)
    return visit.redirect(f"/e/{link.tournament}/host")


async def _name_co_host(visit: Visit, state: Tournament, player: PlayerId, *, named: bool) -> None:
    """Put a player on the list of co-hosts, which is in the log, or take him off."""
    before = state.settings.co_hosts
    others = [one for one in before if one != player]
    if named != (player in before):
        asked = {"tournament": state.number, "players": [*others, player] if named else others}
        await visit.parts.calls(await visit.caller(state.number), "tournament.set_cohosts", asked)


def _back(visit: Visit) -> web.StreamResponse:
    return visit.redirect(f"/e/{visit.number}/host", visit.t("do.done"))


def _player(text: str) -> PlayerId:
    digits = text.strip().upper().removeprefix("P")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < _LONGEST_NUMBER):
        raise web.HTTPBadRequest
    return PlayerId(int(digits))
