"""The public pages of a tournament: what, when, who, how it stands."""

from io import BytesIO
from operator import itemgetter
from typing import Any

import segno
from aiohttp import web

from relayd.decklists import deck_of
from relayd.views.clock import resumed
from relayd.views.people import person, player_rows
from relayd.views.ranks import bracket_view, dp_view
from relayd.views.tables import table_view
from relayd.views.whole import summary
from relayd.web.bracket import drawn
from relayd.web.eventview import entry_of, frame, one_round
from relayd.web.links import table_path
from relayd.web.markdown import rendered
from relayd.web.openness import decks_are_open, linked_to, registration
from relayd.web.pages.deck import deck_file, listed
from relayd.web.visit import Visit
from ruleset.errors import CommandRejected, RulesetError
from ruleset.ids import PlayerId, RoundNo
from ruleset.rating import multiplier, rated
from ruleset.roomcode import parse
from ruleset.standings.presets import PRESETS
from ruleset.standings.sentences import TITLES
from ruleset.tournament.presets import changed
from ruleset.tournament.state import BEFORE_START, Player, Tournament


async def overview(visit: Visit) -> web.StreamResponse:
    """Show the rules of the tournament on one screen, and what the reader can do next."""
    state = await visit.tournament()
    scores = state.settings.scores
    return visit.page(
        "event.html",
        **await frame(visit, state, "overview"),
        entry=entry_of(state, visit.player),
        my_table=_own_table(visit, state),
        open_for=registration(state, visit.now),
        teams=list(state.teams.items()),
        own_team=_team(state, visit.player),
        linked=[summary(other) for other in (await linked_to(visit, state))[1:]],
        staff=[(number, _name(visit, number)) for number in state.settings.co_hosts],
        preset=scores.preset,
        ours=scores.preset in PRESETS,
        otherwise=changed(scores),
        criteria=[*_titles(visit, scores.order), TITLES[scores.seats_by][visit.language]],
        cut_criteria=_titles(visit, scores.cut_order),
        byes=_if_it_started_now(visit, state),
        address=f"{visit.origin}/e/{state.number}",
        edits=state.phase in BEFORE_START and (await visit.rights(state)).at_least("cohost"),
    )


async def players(visit: Visit) -> web.StreamResponse:
    """List everybody who registered; where the host keeps that to himself, the reader finds himself."""
    state = await visit.tournament()
    values = await frame(visit, state, "players")
    rows = player_rows(state)
    shown = rows if values["counted"] else [row for row in rows if row["player"] == visit.player]
    teams = {player: _team(state, player) for player in state.players}
    return visit.page("players.html", **values, rows=shown, teams=teams, has_teams=any(teams.values()))


async def decks(visit: Visit) -> web.StreamResponse:
    """List whose decks can be read, after the end of a tournament that opens them."""
    state = await visit.tournament()
    if not decks_are_open(state):
        raise web.HTTPNotFound
    places = dict(state.places)
    rows = [
        {**person(state, p.number), "place": places.get(p.number, len(places) + 1)}
        for p in state.players.values()
        if p.deck is not None and p.status == "entered"
    ]
    rows.sort(key=itemgetter("place"))
    return visit.page("decks.html", **await frame(visit, state, "decks"), rows=rows)


async def one_deck(visit: Visit) -> web.StreamResponse:
    """Show a deck that everybody may read by now."""
    state = await visit.tournament()
    player = _with_open_deck(visit, state)
    assert player.deck is not None  # noqa: S101  _with_open_deck has looked
    return visit.page(
        "one_deck.html",
        **await frame(visit, state, "decks"),
        player=person(state, player.number),
        deck=await listed(visit, state, player.deck),
    )


async def one_deck_file(visit: Visit) -> web.StreamResponse:
    """Give such a deck as a .ydk."""
    state = await visit.tournament()
    player = _with_open_deck(visit, state)
    assert player.deck is not None  # noqa: S101  _with_open_deck has looked
    return deck_file(state, player.number, deck_of(player.deck))


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
    """Draw the address behind which everybody finds what is next for him as a QR code (S126, S148)."""
    state = await visit.tournament()
    out = BytesIO()
    segno.make(f"{visit.origin}/e/{state.number}/code", error="m").save(
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


def _lost_by_truncation(visit: Visit, count: int, left: int) -> str:
    """Say what the smaller field costs everybody: DP as a whole, or the prizes of DP (R021, R036, R052)."""
    if rated(count) and not rated(left):
        return visit.t("event.truncated_exhibition")
    return visit.t("event.truncated_no_prize") if multiplier(count) and not multiplier(left) else ""


def _with_open_deck(visit: Visit, state: Tournament) -> Player:
    player = state.players.get(PlayerId(int(visit.request.match_info["player"])))
    if player is None or player.deck is None or not decks_are_open(state):
        raise web.HTTPNotFound
    return player


def _team(state: Tournament, player: PlayerId | None) -> str:
    """Return for whom a player plays, as it is shown (S108)."""
    known = None if player is None else state.players.get(player)
    return "" if known is None else state.teams.get(known.team or 0, known.team_label)


def _titles(visit: Visit, order: tuple[str, ...]) -> list[str]:
    return [TITLES[key][visit.language] for key in order if key in TITLES]


def _name(visit: Visit, player: PlayerId) -> str:
    try:
        return visit.parts.players.nickname(player)
    except CommandRejected:
        return ""


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
        told = visit.t("event.truncated", n=count, left=full // 2, out=count - full // 2)
        return told + _lost_by_truncation(visit, count, full // 2)
    return visit.t("event.byes", n=count, byes=full - count)
