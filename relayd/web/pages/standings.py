"""The list of the first stage: every value opens its calculation, every rank says why it is so (H203)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from aiohttp import web

from relayd.views.people import person, teams_view
from relayd.views.ranks import displayed
from relayd.web.eventview import frame
from relayd.web.visit import Visit
from ruleset.ids import PlayerId
from ruleset.standings.explain import Calculation, calculation, comparison
from ruleset.standings.sentences import TITLES, calculation_sentence, comparison_sentence, display
from ruleset.standings.table import Row, Standings
from ruleset.tournament.ranking import cut_seats, explained, live, team_ranking
from ruleset.tournament.state import FIRST_STAGES, Tournament

Line: TypeAlias = dict[str, Any]


async def table(visit: Visit) -> web.StreamResponse:
    """Show everybody with every criterion, ties marked, the line of the cut, the reader's own place."""
    state = await visit.tournament()
    rows = live(state)
    keys = list(rows[0].values) if rows else []
    seats = _seats(state, rows)
    line = _line_behind(state, rows, seats)
    return visit.page(
        "standings.html",
        **await frame(visit, state, "standings"),
        rows=list(_lines(state, rows)),
        own=visit.player if any(row.player == visit.player for row in rows) else None,
        columns=[_column(visit, key) for key in keys],
        swiss_rounds=sum(played.stage in FIRST_STAGES for played in state.rounds),
        cut=state.settings.cut,
        line=line,
        seats=seats,
        marked=bool(seats) and line is None,
        draft=state.settings.live_on == "draft",
    )


async def teams(visit: Visit) -> web.StreamResponse:
    """Show the teams: ranked, with what each sum is made of, or by their list (S130, S131)."""
    state = await visit.tournament()
    ranked = {row.team: row for row in team_ranking(state)}
    keys = list(next(iter(ranked.values())).values) if ranked else []
    shown = {team: {key: display(row.values[key]) for key in keys} for team, row in ranked.items()}
    return visit.page(
        "teams.html",
        **await frame(visit, state, "teams"),
        rows=teams_view(state),
        columns=[_column(visit, key) for key in keys],
        shown=shown,
        top_n=state.settings.teams.top_n,
    )


async def explanation(visit: Visit) -> web.StreamResponse:
    """Say how a player comes to a value, and what parts him from his neighbours in the list."""
    state = await visit.tournament()
    player, key = PlayerId(int(visit.request.match_info["player"])), visit.request.match_info["criterion"]
    found = _standings(state)
    if key not in TITLES or found is None or player not in found.field.records:
        raise web.HTTPNotFound
    name, order = _named(state), [p for group in found.groups for p in group]
    place = order.index(player)
    near = (*order[max(0, place - 1) : place], *order[place + 1 : place + 2])
    told = calculation(found, player, key)
    return visit.page(
        "explain.html",
        number=state.number,
        title=f"{name(player)} · {TITLES[key][visit.language]}",
        sentence=calculation_sentence(told, visit.language, name),
        terms=list(_terms(state, told)),
        neighbours=[comparison_sentence(comparison(found, player, p), visit.language, name) for p in near],
    )


async def why(visit: Visit) -> web.StreamResponse:
    """Say why one player stands before another, with the calculation of what decides for both."""
    state = await visit.tournament()
    one, other = (PlayerId(int(visit.request.match_info[seat])) for seat in ("player", "other"))
    found = _standings(state)
    if found is None or one == other or not {one, other} <= set(found.field.records):
        raise web.HTTPNotFound
    name, compared = _named(state), comparison(found, one, other)
    both = (compared.upper, compared.lower)
    return visit.page(
        "why.html",
        number=state.number,
        title=f"{name(both[0].player)} – {name(both[1].player)}",
        sentence=comparison_sentence(compared, visit.language, name),
        equal=list(_equal(visit, found, both)),
        both=[calculation_sentence(one, visit.language, name) for one in both],
    )


def _lines(state: Tournament, rows: Sequence[Row]) -> Iterator[Line]:
    """Yield everybody's line."""
    for n, row in enumerate(rows):
        near = (*rows[max(0, n - 1) : n], *rows[n + 1 : n + 2])
        yield {
            **person(state, row.player),
            "rank": row.rank,
            "tied": any(other.rank == row.rank for other in near),
            "before": near[0].player if near else None,
            "dropped_in": state.players[row.player].dropped_in,
            "cells": [*displayed(row.values).items()],
        }


def _column(visit: Visit, key: str) -> Mapping[str, str]:
    return {"key": key, "title": TITLES[key][visit.language], "short": visit.t(f"criterion.{key}")}


def _seats(state: Tournament, rows: Sequence[Row]) -> frozenset[PlayerId]:
    """Return who goes on, or would if this were the end."""
    if not state.settings.cut or not rows:
        return frozenset()
    return frozenset(state.seats or cut_seats(state))


def _line_behind(state: Tournament, rows: Sequence[Row], seats: frozenset[PlayerId]) -> PlayerId | None:
    """Return below whom the line of the cut is drawn; ``None``: seats do not follow the list (H223)."""
    left, last = set(seats), None
    for row in rows:
        if row.player in left:
            left.discard(row.player)
            last = row.player
        elif state.players[row.player].dropped_in is None:
            break
    return None if left else last


def _standings(state: Tournament) -> Standings | None:
    """Return the list that the page shows, to be asked why; ``None``: there is none yet."""
    if not any(played.stage in FIRST_STAGES for played in state.rounds):
        return None
    return explained(state, draft=state.settings.live_on == "draft")


def _named(state: Tournament) -> Callable[[PlayerId], str]:
    return lambda number: state.players[number].nickname


def _terms(state: Tournament, told: Calculation) -> Iterator[Line]:
    """Yield what a value is made of, a row for each round."""
    for term in told.terms if told.fold != "self" else ():
        yield {
            "round": term.round_no,
            "opponent": None if term.opponent is None else person(state, term.opponent),
            "number": display(term.number),
            "tally": None if term.tally is None else [display(part) for part in term.tally],
            "counts": term.counts,
        }


def _equal(
    visit: Visit, found: Standings, both: tuple[Calculation, Calculation]
) -> Iterator[tuple[str, str]]:
    """Yield the criteria on which both are equal, with their value, before the one that decides."""
    for criterion in found.in_order:
        if criterion.key == both[0].criterion:
            return
        yield TITLES[criterion.key][visit.language], display(found.value(criterion, both[0].player))
