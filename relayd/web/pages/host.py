"""The console: one page from which one person runs a tournament of 300 (R068, S128)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from aiohttp import web

from relayd.accounts.tokens import digest_of, new_token
from relayd.storage.accounts import Link, LinkRole, StaffRole
from relayd.views.clock import resumed
from relayd.views.people import player_rows
from relayd.views.tables import table_view
from relayd.web.eventview import View, frame, one_round
from relayd.web.history import told
from relayd.web.pages.deck import listed
from relayd.web.visit import LINKS, Visit
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, TableId
from ruleset.tournament.state import BEFORE_START, Tournament

LINK_S: Final = 14 * 24 * 3600
TRAIL: Final = 200
"""Lines of the audit trail on one page."""
SHOWS: Final[Mapping[str, Callable[[View], bool]]] = {
    "open": lambda t: t["status"] != "confirmed",
    "waiting": lambda t: t["status"] == "waiting",
    "absent": lambda t: t["status"] == "waiting" and _here(t, "a") != _here(t, "b"),
    "playing": lambda t: t["status"] == "playing",
    "disputed": lambda t: t["status"] in {"disputed", "reported"},
    "lost": lambda t: t["lost_at"] is not None,
    "all": bool,
}
REASONS: Final = (
    *("ruling", "played", "time", "sudden_death", "concession", "disconnect", "late", "no_show", "foul"),
    *("drop", "cap"),
)


async def console(visit: Visit, made: str = "") -> web.StreamResponse:
    """Show the clock with its buttons, what needs somebody, tables, sign-in, staff and servers."""
    state = await visit.tournament()
    rights = await visit.require(state, "judge")
    store = visit.parts.accounts.store
    shown = visit.request.query.get("show", "open")
    tables = [] if state.round is None else one_round(visit.parts, state, state.round)["tables"]
    return visit.page(
        "host.html",
        **await frame(visit, state, "host"),
        cohost=rights.at_least("cohost"),
        owner=rights.at_least("host"),
        before=state.phase in BEFORE_START,
        unsigned=_unsigned(state),
        calls=[_call(state, call) for call in await store.judge_calls(state.number)],
        disputed=[_seen(visit, state, table) for table in _needing(state)],
        tables=[table for table in tables if SHOWS.get(shown, SHOWS["open"])(table)],
        counts={name: sum(map(fits, tables)) for name, fits in SHOWS.items()},
        shown=shown,
        rows=player_rows(state),
        servers=_servers(visit, state),
        staff=[(player, role, _name(visit, player)) for player, role in await store.staff(state.number)],
        links=await store.links(state.number),
        made=made,
    )


async def table(visit: Visit) -> web.StreamResponse:
    """Show one table with everything that a judge may do there."""
    state = await visit.tournament()
    await visit.require(state, "judge")
    if (found := state.table(visit.table)) is None:
        raise CommandRejected("unknown_table", table=str(visit.table))
    return visit.page(
        "host_table.html",
        **await frame(visit, state, "host"),
        table=_seen(visit, state, found.id),
        reasons=REASONS,
        games=[f"{a}-{b}" for a, b in _scores(state.best_of(found.id))],
        story=await told(visit, state, found.id),
    )


async def deck(visit: Visit) -> web.StreamResponse:
    """Show a player's deck to a judge."""
    state = await visit.tournament()
    await visit.require(state, "judge")
    player = state.players.get(PlayerId(int(visit.request.match_info["player"])))
    if player is None or player.deck is None:
        raise web.HTTPNotFound
    return visit.page(
        "host_deck.html",
        **await frame(visit, state, "host"),
        player=next(row for row in player_rows(state) if row["player"] == player.number),
        remarks=player.remarks,
        deck=await listed(visit, state, player.deck),
    )


async def trail(visit: Visit) -> web.StreamResponse:
    """Show who did what, newest first."""
    state = await visit.tournament()
    await visit.require(state, "judge")
    lines = await told(visit, state)
    text = visit.request.query.get("from", "0")
    start = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0
    older = start + TRAIL if start + TRAIL < len(lines) else 0
    shown = lines[start : start + TRAIL]
    return visit.page(
        "audit.html", **await frame(visit, state, "host"), lines=shown, start=start, older=older
    )


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
    return visit.redirect(f"/e/{state.number}/host", visit.t("do.done"))


async def set_staff(visit: Visit) -> web.StreamResponse:
    """Make a player judge or co-host, or neither any more (S105); only the organiser names co-hosts."""
    state, form = await visit.tournament(), await visit.form()
    await visit.require(state, "host")
    text = form.get("player", "").strip().upper().removeprefix("P")
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise web.HTTPBadRequest
    player = PlayerId(int(text))
    visit.parts.players.nickname(player)
    roles: Mapping[str, StaffRole] = {"judge": "judge", "cohost": "cohost"}
    await visit.parts.accounts.store.set_staff(state.number, player, roles.get(form.get("role", "")))
    return visit.redirect(f"/e/{state.number}/host", visit.t("do.done"))


async def answer_call(visit: Visit) -> web.StreamResponse:
    """Put a player's call for a judge away."""
    state = await visit.tournament()
    await visit.require(state, "judge")
    await visit.parts.accounts.store.answer_call(state.number, int(visit.request.match_info["call"]))
    return visit.redirect(f"/e/{state.number}/host", visit.t("do.done"))


async def judge(visit: Visit) -> web.StreamResponse:
    """Let whoever has a judge link in, in this browser (S128)."""
    token = visit.request.match_info["token"]
    link = await visit.parts.accounts.store.link(digest_of(token))
    if link is None or link.role != "judge":
        return visit.redirect("/", visit.t("host.link_dead"), "bad")
    visit.cookie(f"{LINKS}{link.tournament}", token, LINK_S)
    return visit.redirect(f"/e/{link.tournament}/host")


def _needing(state: Tournament) -> list[TableId]:
    return [t.id for t in state.all_tables() if t.status == "disputed" or t.asked_until is not None]


def _seen(visit: Visit, state: Tournament, number: TableId) -> View:
    seen, sights = resumed(state, visit.now), visit.parts.sights
    found = seen.table(number)
    if found is None:
        raise CommandRejected("unknown_table", table=str(number))
    return table_view(seen, found, sights.live(state.number).get(number), sights.join_string, visit.now)


def _unsigned(state: Tournament) -> list[str]:
    players = state.players.values()
    return [p.nickname for p in players if p.deck_status == "approved" and p.signed_in is None]


def _servers(visit: Visit, state: Tournament) -> list[Any]:
    used = {server.id for server in state.settings.servers}
    return [health for server, health in visit.parts.sights.health().items() if server in used]


def _call(state: Tournament, call: Any) -> dict[str, Any]:  # noqa: ANN401  a JudgeCall
    player = state.players.get(call.player)
    name = "" if player is None else player.nickname
    return {"id": call.id, "table": call.table, "name": name, "note": call.note, "at": call.at}


def _name(visit: Visit, player: PlayerId) -> str:
    return visit.parts.players.nickname(player)


def _scores(best_of: int) -> list[tuple[int, int]]:
    most = (best_of + 1) // 2
    return [(a, b) for a in range(most, -1, -1) for b in range(most + 1) if a + b < 2 * most]


def _here(table: View, seat: str) -> bool:
    return bool(table[seat]["present"] or table[seat]["in_room"])
