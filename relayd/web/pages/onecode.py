"""One code for everybody at the door, and hands without a login where a host allows it (S111-S113, S148).

Without a login a hand only signs in, says that a player has reached his table, and tells a result that needs
the other side's word as well: nothing that one guess could end.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

from aiohttp import web

from relayd.views.people import person
from relayd.views.whole import summary
from relayd.web.eventview import entry_of
from relayd.web.openness import linked_to
from relayd.web.parts import Caller, CallFailed
from relayd.web.roomcodes import code_in
from relayd.web.visit import Visit
from relayd.web.words import refusal
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, TournamentNo, player_label
from ruleset.tournament.linked import of_player, opened
from ruleset.tournament.ranking import live
from ruleset.tournament.state import Table, Tournament
from srvpro_bridge.names import fold, number_in

View: TypeAlias = dict[str, Any]


async def show(visit: Visit) -> web.StreamResponse:
    """Lead a player to what is on for him; ask whoever is not signed in who he is, where that is enough."""
    state = await visit.tournament()
    linked = await linked_to(visit, state)
    if visit.player is not None:
        return _of_player(visit, state, linked, visit.player)
    if all(one.settings.pages.require_login for one in linked):
        return visit.redirect(f"/e/{state.number}")
    return _page(visit, state, [], who="")


async def act(visit: Visit) -> web.StreamResponse:
    """Look a player up by his number, or his name, and sign him in where he says so (S111, S113)."""
    state, form = await visit.tournament(), await visit.form()
    linked = await linked_to(visit, state)
    if all(one.settings.pages.require_login for one in linked):
        visit.signed_in()
    who = form.get("who", "").strip()[:40]
    found = _looked_up(state, linked, who)
    if len(found) != 1:
        key = "code.unknown" if not found else "code.namesakes"
        return _page(visit, state, [], who=who, problem=visit.t(key))
    problem = await _signed_in(visit, linked, found[0], form.get("sign_in", ""))
    linked = await linked_to(visit, await visit.tournament())
    return _page(visit, state, _lines(visit, linked, found[0]), who=who, problem=problem)


async def at_table(visit: Visit) -> web.StreamResponse:
    """Take a word from a table without a login: its room code and a player number give it (S113)."""
    state, form = await visit.tournament(), await visit.form()
    table, page = state.table(visit.table), f"/e/{state.number}/t/{visit.table}"
    if table is None:
        raise CommandRejected("unknown_table", table=str(visit.table))
    if state.settings.pages.require_login:
        visit.signed_in()
        raise web.HTTPForbidden
    player = _at(state, table, form)
    if player is None:
        return visit.redirect(page, visit.t("code.wrong_table"), "bad")
    params: View = {"tournament": state.number, "table": str(table.id), "player": player}
    method = "table.present"
    if form.get("score"):
        if state.settings.confirm == "single":
            return visit.redirect(page, visit.t("code.needs_login"), "bad")
        outcome, _, wins = form["score"].partition(" ")
        method, params = "table.report", {**params, "outcome": outcome, "wins": wins.split("-")}
    problem = await _tried(visit, state.number, player, method, params)
    return visit.redirect(page, problem or visit.t("do.done"), "bad" if problem else "good")


def _of_player(
    visit: Visit, state: Tournament, linked: Sequence[Tournament], player: PlayerId
) -> web.StreamResponse:
    mine, now_on = of_player(linked, player), opened(linked, player, visit.now)
    scored = any(one.settings.pages.show_scores_on_signin for one in mine)
    if not mine or (now_on is not None and not scored):
        return visit.redirect(f"/e/{(now_on or state).number}")
    return _page(visit, state, _lines(visit, linked, player), who=player_label(player))


def _page(
    visit: Visit, state: Tournament, lines: Sequence[View], *, who: str, problem: str = ""
) -> web.Response:
    rules = state.settings.pages
    by_name = rules.lookup == "id_or_name"
    key = "number" if not by_name else "name" if rules.prompt_number == "off" else "number_or_name"
    return visit.page(
        "onecode.html",
        status=422 if problem else 200,
        number=state.number,
        title=state.settings.title,
        lines=lines,
        who=who,
        prompt=visit.t(f"code.prompt_{key}"),
        by_name=by_name,
        problem=problem,
        note=state.settings.pages.registration_note,
    )


def _looked_up(state: Tournament, linked: Sequence[Tournament], who: str) -> list[PlayerId]:
    """Return who is meant: whoever has that number, else everybody of that name, if names are allowed."""
    known = {player.number: player for one in linked for player in one.players.values()}
    number = number_in(fold(who))
    if number is not None and number in known:
        return [number]
    if state.settings.pages.lookup == "id_only" or not who:
        return []
    return [player.number for player in known.values() if fold(player.nickname) == fold(who)]


async def _signed_in(visit: Visit, linked: Sequence[Tournament], player: PlayerId, wanted: str) -> str:
    """Sign a player in where that was asked; return why it was not done."""
    chosen = next((one for one in linked if str(one.number) == wanted), None)
    if chosen is None:
        return ""
    if chosen.settings.pages.require_login and visit.signed_in().player != player:
        raise web.HTTPForbidden
    params = {"tournament": chosen.number, "player": player}
    return await _tried(visit, chosen.number, player, "entry.sign_in", params)


async def _tried(visit: Visit, number: TournamentNo, player: PlayerId, method: str, params: View) -> str:
    """Do something as a player who has not signed in; the audit trail says so. Return why it was refused."""
    caller = Caller(name=f"number:{player_label(player)}", role="player", tournament=number, player=player)
    try:
        await visit.parts.calls(caller, method, params)
    except CallFailed as error:
        if error.status >= 500 or error.status == 429:
            raise
        return refusal(visit.language, error.code, error.data, error.sentence)
    return ""


def _lines(visit: Visit, linked: Sequence[Tournament], player: PlayerId) -> list[View]:
    """Return the player's tournaments with what is next for him in each, the one that is on first."""
    now_on = opened(linked, player, visit.now)
    mine = sorted(of_player(linked, player), key=lambda one: one is not now_on)
    return [_line(visit, one, player) for one in mine]


def _line(visit: Visit, state: Tournament, player: PlayerId) -> View:
    table = (
        None
        if state.round is None
        else next((t for t in state.round.tables.values() if t.seat_of(player) is not None), None)
    )
    other = None if table is None else table.b if table.a == player else table.a
    return {
        "e": summary(state),
        "entry": entry_of(state, player),
        "table": table if state.phase == "running" else None,
        "opponent": None if other is None else person(state, other),
        "login": state.settings.pages.require_login and visit.player != player,
        "score": _score(state, player),
    }


def _score(state: Tournament, player: PlayerId) -> View | None:
    """Return how he stands, where the host shows it here (S140)."""
    if not state.settings.pages.show_scores_on_signin:
        return None
    row = next((row for row in live(state) if row.player == player), None)
    return None if row is None else {"rank": row.rank, "points": next(iter(row.values.values()))}


def _at(state: Tournament, table: Table, form: dict[str, str]) -> PlayerId | None:
    """Return who speaks: a number that sits at the table whose room code was given."""
    player = number_in(fold(form.get("player", "")))
    fits = code_in(form.get("code", "")) == (state.number, table.id)
    return player if fits and player is not None and table.seat_of(player) is not None else None
