"""The public pages of a tournament: what, when, who, how it stands."""

from io import BytesIO
from typing import Any

import segno
from aiohttp import web

from relayd.views.clock import resumed
from relayd.views.people import player_rows
from relayd.views.ranks import bracket_view, dp_view, standings_view
from relayd.views.tables import table_view
from relayd.web.bracket import drawn
from relayd.web.eventview import entry_of, frame, one_round
from relayd.web.links import table_path
from relayd.web.markdown import rendered
from relayd.web.visit import Visit
from ruleset.errors import CommandRejected, RulesetError
from ruleset.ids import PlayerId, RoundNo
from ruleset.rating import rated
from ruleset.roomcode import parse
from ruleset.standings.explain import calculation, comparison
from ruleset.standings.sentences import TITLES, calculation_sentence, comparison_sentence, display
from ruleset.standings.table import Standings
from ruleset.tournament.ranking import standings
from ruleset.tournament.records import records_of, scoring_of
from ruleset.tournament.state import Tournament


async def overview(visit: Visit) -> web.StreamResponse:
    """Show the rules of the tournament on one screen, and what the reader can do next."""
    state = await visit.tournament()
    titles = [TITLES[key][visit.language] for key in state.settings.scores.order if key in TITLES]
    return visit.page(
        "event.html",
        **await frame(visit, state, "overview"),
        entry=entry_of(state, visit.player),
        my_table=_own_table(visit, state),
        text=state.settings.text,
        criteria=[*titles, TITLES[state.settings.scores.seats_by][visit.language]],
        byes=_if_it_started_now(visit, state),
        address=f"{visit.origin}/e/{state.number}",
    )


async def players(visit: Visit) -> web.StreamResponse:
    """List everybody who registered."""
    state = await visit.tournament()
    return visit.page("players.html", **await frame(visit, state, "players"), rows=player_rows(state))


async def rounds(visit: Visit) -> web.StreamResponse:
    """Show the pairings of a round, the present one where none is named."""
    state = await visit.tournament()
    number = int(visit.request.match_info.get("round") or 0)
    if number > len(state.rounds):
        raise CommandRejected("unknown_round", round=RoundNo(number), rounds=len(state.rounds))
    played = state.rounds[number - 1] if number else state.round
    return visit.page(
        "round.html",
        **await frame(visit, state, "rounds"),
        r=None if played is None else one_round(visit.parts, state, played),
        all_rounds=range(1, len(state.rounds) + 1),
    )


async def table_of_standings(visit: Visit) -> web.StreamResponse:
    """Show the Swiss list with every criterion; each value opens how it came about (H203)."""
    state = await visit.tournament()
    shown = standings_view(state)
    numbers = {row.player: row.values for row in standings(state)}
    keys = [str(key) for key in _listed(shown["criteria"])]
    rows = [
        {**row, "shown": {key: display(numbers[row["player"]][key]) for key in keys}}
        for row in _listed(shown["rows"])
    ]
    columns = [
        {"key": key, "title": TITLES[key][visit.language], "short": visit.t(f"criterion.{key}")}
        for key in keys
    ]
    return visit.page(
        "standings.html",
        **await frame(visit, state, "standings"),
        rows=rows,
        columns=columns,
        swiss_rounds=shown["rounds"],
        cut=state.settings.cut,
    )


async def explanation(visit: Visit) -> web.StreamResponse:
    """Say how a player comes to a value, and what parts him from his neighbours in the list (H203)."""
    state = await visit.tournament()
    player, key = PlayerId(int(visit.request.match_info["player"])), visit.request.match_info["criterion"]
    if key not in TITLES or player not in state.players or not state.rounds:
        raise web.HTTPNotFound
    found = _standings(state)

    def name(number: PlayerId) -> str:
        return state.players[number].nickname

    order = [row.player for row in standings(state)]
    if player not in order:
        raise web.HTTPNotFound
    place = order.index(player)
    near = (order[place - 1 : place] if place else [], order[place + 1 : place + 2])
    before, behind = (
        comparison_sentence(comparison(found, player, other[0]), visit.language, name) if other else ""
        for other in near
    )
    return visit.page(
        "explain.html",
        title=f"{name(player)} · {TITLES[key][visit.language]}",
        sentence=calculation_sentence(calculation(found, player, key), visit.language, name),
        number=state.number,
        before=before,
        behind=behind,
    )


async def bracket(visit: Visit) -> web.StreamResponse:
    """Draw the bracket."""
    state = await visit.tournament()
    svg = drawn(bracket_view(state), state.number, visit.t("tab.bracket"))
    return visit.page("bracket.html", **await frame(visit, state, "bracket"), svg=svg)


async def results(visit: Visit) -> web.StreamResponse:
    """Show the places, DP and every match."""
    state = await visit.tournament()
    return visit.page(
        "results.html",
        **await frame(visit, state, "results"),
        rounds=[one_round(visit.parts, state, played) for played in reversed(tuple(state.all_rounds()))],
        dp={row["player"]: row for row in dp_view(state)},
        rated=state.settings.rating.rated and rated(len(state.entrants)),
    )


async def room(visit: Visit) -> web.StreamResponse:
    """Lead from a room code to its table: what is this room, who plays, where do I sit (R058)."""
    text = (visit.request.match_info.get("code") or visit.request.query.get("code", "")).strip()
    if not text:
        return visit.page("room.html", code="", problem="")
    try:
        code = parse(text.rpartition("#")[2])
        state = await visit.parts.tournaments.load(code.tournament)
    except RulesetError:
        return _no_such_room(visit, text)
    path = table_path(code)
    known = any(path.endswith(f"/{table.id}") for table in state.all_tables())
    return visit.redirect(path) if known else _no_such_room(visit, text)


async def qr(visit: Visit) -> web.StreamResponse:
    """Draw the address of the tournament as a QR code."""
    state = await visit.tournament()
    out = BytesIO()
    segno.make(f"{visit.origin}/e/{state.number}", error="m").save(
        out, kind="svg", scale=4, border=2, dark="#000", light="#fff", xmldecl=False
    )
    response = web.Response(body=out.getvalue(), content_type="image/svg+xml")
    response.headers["Cache-Control"] = "public, max-age=86400"
    return response


async def markdown(visit: Visit) -> web.StreamResponse:
    """Show what a host's words will look like (R055)."""
    form = await visit.form()
    return web.Response(text=rendered(form.get("text", "")[:20_000]), content_type="text/html")


def _no_such_room(visit: Visit, text: str) -> web.Response:
    problem = visit.t("room.unknown", code=text[:40])
    return visit.page("room.html", status=404, code=text[:40], problem=problem)


def _standings(state: Tournament) -> Standings:
    scores = state.settings.scores
    return Standings(
        records_of(state),
        order=scores.order,
        scoring=scoring_of(state.settings),
        seed=bytes.fromhex(state.seed),
        seats_by=scores.seats_by,
    )


def _own_table(visit: Visit, state: Tournament) -> dict[str, Any] | None:
    played, own = state.round, visit.player
    if played is None or own is None or state.phase != "running":
        return None
    sights, seen = visit.parts.sights, resumed(state, visit.now)
    for table in seen.current_round.tables.values():
        if table.seat_of(own) is not None:
            live = sights.live(state.number).get(table.id)
            return table_view(seen, table, live, sights.join_string, visit.now)
    return None


def _if_it_started_now(visit: Visit, state: Tournament) -> str:
    """Say what a start with those who are signed in would do to an elimination (4.9, R020, R021)."""
    count, settings = len(state.signed_in()), state.settings
    if state.entrants or settings.format != "elimination" or count < 2:
        return ""
    full = 1 << (count - 1).bit_length()
    if full == count:
        return visit.t("event.no_byes", n=count)
    if settings.odd_field == "truncate":
        return visit.t("event.truncated", n=count, left=full // 2, out=count - full // 2)
    return visit.t("event.byes", n=count, byes=full - count)


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
