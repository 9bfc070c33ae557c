"""The page of one table: where to sit, what is left of the time, how it stands, what can be done (对局页)."""

from typing import Any, Final

from aiohttp import web

from relayd.settings import DuelServer
from relayd.storage.accounts import JudgeCall
from relayd.views.clock import resumed
from relayd.views.tables import table_view
from relayd.web.eventview import entry_of, frame
from relayd.web.history import told
from relayd.web.languages import known
from relayd.web.links import ygomobile
from relayd.web.parts import Caller
from relayd.web.roomcodes import code_in
from relayd.web.visit import Visit
from relayd.web.waiting import fitting
from ruleset.errors import CommandRejected
from ruleset.ids import Seat
from ruleset.tournament.deadlines import scores_until
from ruleset.tournament.seatkeys import name_to_type
from ruleset.tournament.state import DECISIVE, Parked, Table, Tournament

NOTE: Final = 200


async def show(visit: Visit) -> web.StreamResponse:
    """Show a table to everybody, and to its players what they can do."""
    state = await visit.tournament()
    table = _table(visit, state)
    seen, sights = resumed(state, visit.now), visit.parts.sights
    live = sights.live(state.number).get(table.id)
    view = table_view(seen, _same(seen, table), live, sights.join_string, visit.now)
    seat = None if visit.player is None else table.seat_of(visit.player)
    server = _server(visit, table)
    calls = await visit.parts.accounts.store.judge_calls(state.number)
    return visit.page(
        "table.html",
        **await frame(visit, state, "rounds"),
        table=view,
        seat=seat,
        typed=None if visit.player is None or seat is None else name_to_type(state, table.id, visit.player),
        faces=await visit.parts.accounts.store.avatars([table.a, table.b]),
        other="b" if seat == "a" else "a",
        server=server,
        mobile=None if server is None or not view["join"] else ygomobile(server, str(view["join"])),
        outcomes=_outcomes(state, table, seat),
        confirmed_at=None if table.open else table.confirmed_at,
        may_report=_may_report(state, table, visit),
        by_hand=seat is None and not state.settings.pages.require_login and table.unfinished,
        entry=entry_of(state, visit.player),
        claims=[p for p in state.parked.values() if table.id in p.candidates] if seat else [],
        called=any(c.table == str(table.id) and c.player == visit.player for c in calls),
        story=await told(visit, state, table.id),
        double=state.settings.confirm != "single",
        dispute=visit.t(f"dispute.{table.dispute}") if known(f"dispute.{table.dispute}") else table.dispute,
    )


async def claim_report(visit: Visit) -> web.StreamResponse:
    """Take the parked report that is this table's: one of its players fills in the room code (5.6-3)."""
    state = await visit.tournament()
    account, form = visit.signed_in(), await visit.form()
    table = _table(visit, state)
    page = f"/e/{state.number}/t/{table.id}"
    if table.seat_of(account.player) is None:
        raise web.HTTPForbidden
    if code_in(form.get("code", "")) != (state.number, table.id):
        return visit.redirect(page, visit.t("table.claim_wrong"), "bad")
    for parked in tuple(state.parked.values()):
        if table.id in parked.candidates:
            await _accept(visit, state, parked, table)
    return visit.redirect(page, visit.t("table.claimed"))


async def call_judge(visit: Visit) -> web.StreamResponse:
    """Ask for a judge at this table."""
    state = await visit.tournament()
    account, form = visit.signed_in(), await visit.form()
    table = _table(visit, state)
    if table.seat_of(account.player) is None:
        raise web.HTTPForbidden
    call = JudgeCall(
        id=0,
        tournament=state.number,
        table=str(table.id),
        player=account.player,
        note=form.get("note", "")[:NOTE],
        at=visit.now,
    )
    await visit.parts.accounts.store.call_judge(call)
    return visit.redirect(f"/e/{state.number}/t/{table.id}", visit.t("table.judge_called"))


async def _accept(visit: Visit, state: Tournament, parked: Parked, table: Table) -> None:
    player = visit.signed_in().player
    caller = Caller(
        name=f"account:P{player:06d}", role="judge", tournament=state.number, player=player
    )  # the room code in the hand of one of the two is what 5.6-3 asks for
    params = {
        "tournament": state.number,
        "id": parked.id,
        "table": str(table.id),
        "swapped": _swapped(state, parked, table),
    }
    await visit.parts.calls(caller, "report.accept", params)


def _swapped(state: Tournament, parked: Parked, table: Table) -> bool:
    """Say whether the first name of a report is that of seat B.

    Raises CommandRejected ``ask_the_host`` where both seats carry one nickname: names do not tell (5.6-3).
    """
    straight, crossed = fitting(state, parked, table)
    if straight == crossed:
        raise CommandRejected("ask_the_host")
    return crossed > straight


def _table(visit: Visit, state: Tournament) -> Table:
    if (found := state.table(visit.table)) is None:
        raise CommandRejected("unknown_table", table=str(visit.table))
    return found


def _same(state: Tournament, table: Table) -> Table:
    return state.table(table.id) or table


def _server(visit: Visit, table: Table) -> DuelServer | None:
    return next((server for server in visit.parts.servers() if server.id == table.server), None)


def _may_report(state: Tournament, table: Table, visit: Visit) -> bool:
    """Say whether players may tell results now (S114): with ``clock`` only while the round's clock runs."""
    always = state.settings.score_gate == "always"
    return always or visit.now < scores_until(state, state.played(table.id.round_no), table)


def _outcomes(state: Tournament, table: Table, seat: Seat | None) -> list[dict[str, Any]]:
    """Return what may be said of a match: best for the reader first, or for seat A."""
    own: Seat = seat or "a"
    other: Seat = "b" if own == "a" else "a"
    best = (state.best_of(table.id) + 1) // 2
    scores = [*((best, lost) for lost in range(best)), *((n, n - 1) for n in range(best - 1, 0, -1))]
    won = [_outcome(own, own, score) for score in scores]
    lost = [_outcome(other, own, score) for score in reversed(scores)]
    drawn = state.played(table.id.round_no).stage not in DECISIVE
    middle = [{"outcome": "draw", "wins": (n, n), "shown": (n, n)} for n in range(best)] if drawn else []
    return [*won, *middle, *lost]


def _outcome(winner: Seat, seat: Seat, score: tuple[int, int]) -> dict[str, Any]:
    wins = score if winner == "a" else score[::-1]
    return {"outcome": winner, "wins": wins, "shown": wins if seat == "a" else wins[::-1]}
