"""The console: one page from which one person runs a tournament of 300 (R068, S128)."""

from collections.abc import Iterator
from typing import Any, Final

from aiohttp import web

from relayd.storage.accounts import JudgeCall
from relayd.views.people import person, player_rows
from relayd.views.tables import result_view, table_view
from relayd.web import lists
from relayd.web.clockface import face
from relayd.web.eventview import View, frame, one_round
from relayd.web.visit import Visit
from relayd.web.waiting import waiting
from relayd.web.wish import Wish
from ruleset.ids import PlayerId, RoundNo
from ruleset.tournament.state import BEFORE_START, Round, Tournament

TABLES: Final = 200
"""On one page: a round of 400 players needs no second one."""
PEOPLE: Final = 30
FOUND: Final = 12
"""Players whose tables of all rounds are shown to whoever looks for them."""


async def console(visit: Visit, made: str = "") -> web.StreamResponse:
    """Show everything; *made* is a link that is shown this once."""
    state = await visit.tournament()
    rights = await visit.require(state, "judge")
    owner, store = rights.at_least("host"), visit.parts.accounts.store
    return visit.page(
        "host.html",
        **await _live(visit, state, await frame(visit, state, "host")),
        oob=False,
        owner=owner,
        staff=[(player, role, _name(visit, player)) for player, role in await store.staff(state.number)],
        co_hosts=[(player, _name(visit, player)) for player in state.settings.co_hosts],
        links=await store.links(state.number),
        made=made,
    )


async def live(visit: Visit) -> web.StreamResponse:
    """Send what moves on the console: its page asks again whenever something has happened."""
    state = await visit.tournament()
    await visit.require(state, "judge")
    shell = await frame(visit, state, "host")
    return visit.page("host_live.html", **await _live(visit, state, shell), oob=True)


async def _live(visit: Visit, state: Tournament, shell: View) -> View:
    rights, wish = await visit.rights(state), Wish.of(visit.request.query)
    rows, before = player_rows(state), state.phase in BEFORE_START
    calls = await visit.parts.accounts.store.judge_calls(state.number)
    return {
        **shell,
        "cohost": rights.at_least("cohost"),
        "before": before,
        "wish": wish,
        "here": f"/e/{state.number}/host{wish.but()}",
        "face": face(shell["e"]),
        "calls": [_call(state, call) for call in calls],
        "needing": sorted(_needing(visit, state), key=lambda table: table["status"] != "disputed"),
        "parked": waiting(visit.language, state, visit.now),
        "oddities": await _oddities(visit),
        "reviews": _reviews(state) if before else [],
        "unsigned": _unsigned(state) if before else [],
        "servers": _servers(visit, state),
        **_tables(visit, state, wish),
        **_people(state, rows, wish),
    }


def _tables(visit: Visit, state: Tournament, wish: Wish) -> View:
    played = _chosen(state, wish)
    rows: list[Any] = [] if played is None else one_round(visit.parts, state, played)["tables"]
    shown = wish.show if wish.show in lists.TABLES else "open"
    if wish.q:
        found = [row for row in rows if lists.is_table(row, wish.q)]
    else:
        found = [row for row in rows if lists.TABLES[shown](row)]
    pages = list(lists.batches(found, TABLES))
    return {
        "round": None if played is None else played.number,
        "rounds": [one.number for one in state.all_rounds()],
        "tables": pages[min(wish.page, len(pages) - 1)] if pages else [],
        "table_pages": len(pages),
        "counts": lists.counts(rows, lists.TABLES),
        "shown": "" if wish.q else shown,
    }


def _people(state: Tournament, rows: list[View], wish: Wish) -> View:
    filters = lists.BEFORE if state.phase in BEFORE_START else lists.SINCE
    who = wish.who if wish.who in filters else next(iter(filters))
    if wish.q:
        found = [row for row in rows if lists.is_player(row, wish.q)]
    else:
        found = [row for row in rows if filters[who](row)]
    pages = list(lists.batches(found, PEOPLE))
    named = {row["player"] for row in found[:FOUND]} if wish.q else set()
    return {
        "people": pages[min(wish.people, len(pages) - 1)] if pages else [],
        "people_pages": len(pages),
        "people_counts": {n: c for n, c in lists.counts(rows, filters).items() if n != "nobody"},
        "who": "" if wish.q else who,
        "played": _played_by(state, named),
    }


def _played_by(state: Tournament, players: set[Any]) -> dict[int, list[View]]:
    """Return the tables of all rounds at which each of some players sat: the way to correct an old result."""
    found: dict[int, list[View]] = {player: [] for player in players}
    for table in state.all_tables() if players else ():
        for player in players & {table.a, table.b}:
            result = None if table.result is None else result_view(table.result)
            found[player].append({"table": str(table.id), "result": result, "status": table.status})
    return found


def _needing(visit: Visit, state: Tournament) -> Iterator[View]:
    """Yield the tables that wait for a judge: disputes, and rooms that are lost for good."""
    sights = visit.parts.sights
    live = sights.live(state.number)
    for table in state.all_tables():
        if table.status == "disputed" or table.asked_until is not None:
            yield table_view(state, table, live.get(table.id), sights.join_string, visit.now)


def _chosen(state: Tournament, wish: Wish) -> Round | None:
    known = {played.number: played for played in state.all_rounds()}
    return known.get(RoundNo(wish.r), state.round) if wish.r else state.round


def _reviews(state: Tournament) -> list[View]:
    """Return the decks that wait for a look, with what their check remarked (D44)."""
    waits = (player for player in state.players.values() if player.deck_status == "review")
    return [{**person(state, player.number), "remarks": player.remarks} for player in waits]


def _unsigned(state: Tournament) -> list[str]:
    """Return who would stay out if it started now (T3')."""
    players = state.players.values()
    return [p.nickname for p in players if p.deck_status == "approved" and p.signed_in is None]


async def _oddities(visit: Visit) -> Any:  # noqa: ANN401  plain data
    return await visit.parts.calls(
        await visit.caller(visit.number), "server.oddities", {"tournament": visit.number}
    )


def _servers(visit: Visit, state: Tournament) -> list[Any]:
    used = {server.id for server in state.settings.servers}
    return [health for server, health in visit.parts.sights.health().items() if server in used]


def _call(state: Tournament, call: JudgeCall) -> View:
    return {
        "id": call.id,
        "table": call.table,
        "name": person(state, call.player)["nickname"],
        "note": call.note,
        "at": call.at,
    }


def _name(visit: Visit, player: PlayerId) -> str:
    return visit.parts.players.nickname(player)
