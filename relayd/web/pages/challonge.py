"""Events of Challonge: looked at, counted anew, and brought in as tournaments that are over (H208).

Nothing is kept between the steps: the page carries what was read of the file.
"""

import asyncio
import secrets
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from http import HTTPStatus
from typing import Final

from aiohttp import web

from relayd.adopting import Adopting, Wish
from relayd.files.adoption import NotOurs, losses, rounds_of
from relayd.files.challonge import Bout, Event, byes, compact, read_challonge
from relayd.files.pastevents import AS_THERE, CHOICES, Counting, counting, is_round_robin, rows_of
from relayd.rosters import number_of
from relayd.web.eventview import View
from relayd.web.pages.imports import MOST_BYTES, said
from relayd.web.visit import Visit
from ruleset.errors import CommandRejected, RulesetError
from ruleset.ids import PlayerId, player_label
from ruleset.standings.field import Key
from ruleset.standings.sentences import TITLES, display
from ruleset.standings.table import Row

_POINTED: Final = frozenset({"points", "median_buchholz", "buchholz"})
"""Criteria that count in points, which are shown as Challonge has them."""


async def form(visit: Visit) -> web.StreamResponse:
    """Ask for a file."""
    visit.signed_in()
    return visit.page("import_challonge.html", event=None, problem="")


async def take(visit: Visit) -> web.StreamResponse:
    """Show what a file holds, by another count, or bring the event in: whatever ``step`` says."""
    visit.signed_in()
    given = await visit.form(MOST_BYTES)
    data = given.get("file", "").encode("latin-1", "replace") or given.get("told", "").encode()
    try:
        event = await asyncio.to_thread(read_challonge, data)
        told = compact(data)
    except CommandRejected as problem:
        page = {"event": None, "problem": said(visit, problem)}
        return visit.page("import_challonge.html", status=HTTPStatus.UNPROCESSABLE_ENTITY, **page)
    try:
        if given.get("step") == "adopt":
            return await _adopt(visit, event, given)
        return await _show(visit, event, told, given)
    except (RulesetError, NotOurs) as problem:
        return await _show(visit, event, told, given, problem=_said(visit, problem))


async def _adopt(visit: Visit, event: Event, given: Mapping[str, str]) -> web.StreamResponse:
    account = visit.signed_in()
    if account.verified_at is None and visit.parts.accounts.verify_email:
        return visit.redirect("/me", visit.t("account.verify_needed"), "warn")
    adopting, wish = _adopting(visit), _wish(visit, event, given)
    if await adopting.check(wish) and (wait := visit.parts.floods.secrets.take(visit.address)):
        raise web.HTTPTooManyRequests(headers={"Retry-After": str(int(wait) + 1)})
    number = await adopting.adopt(
        wish,
        organiser=account.player,
        by=f"account:{player_label(account.player)}",
        command_id=given.get("command_id", "")[:48] or secrets.token_hex(16),
    )
    return visit.redirect(f"/e/{number}", visit.t("challonge.done"))


def _adopting(visit: Visit) -> Adopting:
    parts = visit.parts
    return Adopting(
        tournaments=parts.tournaments,
        players=parts.players,
        clock=parts.clock,
        draw_seed=parts.publishing.draw_seed,
    )


def _wish(visit: Visit, event: Event, given: Mapping[str, str]) -> Wish:
    """Read the form. Raises CommandRejected ``bad_number`` for what is no player number."""
    numbers = {place: _number(given.get(f"p{place}", "")) for place in range(len(event.entrants))}
    return Wish(
        event=event,
        choice=_choice(given),
        title=given.get("title", "").strip()[:120] or event.title,
        text=visit.t("challonge.text"),
        time_zone=visit.parts.frontage.time_zone,
        numbers={place: number for place, number in numbers.items() if number is not None},
    )


def _number(text: str) -> PlayerId | None:
    number = number_of(text.strip())
    if number is None and text.strip():
        raise CommandRejected("bad_number", text=text)
    return number


def _choice(given: Mapping[str, str]) -> str:
    choice = given.get("choice", AS_THERE)
    return choice if choice in CHOICES else AS_THERE


async def _show(
    visit: Visit, event: Event, told: str, given: Mapping[str, str], problem: str = ""
) -> web.Response:
    choice = _choice(given)
    by = counting(event, choice)
    scale = event.scale if choice == AS_THERE else 1
    lists = await asyncio.to_thread(lambda: [_list(visit, event, bouts, by, scale) for bouts in event.groups])
    return visit.page(
        "import_challonge.html",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
        event=event,
        problem=problem,
        told=told,
        choice=choice,
        choices=[
            (key, visit.t(f"preset.{key}" if key != AS_THERE else "challonge.as_there")) for key in CHOICES
        ],
        title=given.get("title", event.title),
        lists=lists,
        rounds=[*_rounds(event)],
        losses=losses(event),
        obstacle=_obstacle(event),
        people=[*_people(visit, event, given)],
        order=[TITLES[key][visit.language] for key in by.order],
        byes=sum(len([*_byes(event, bouts)]) for bouts in event.groups),
    )


def _obstacle(event: Event) -> str:
    """Return why the event cannot become a tournament; empty: as far as can be seen it can."""
    try:
        rounds_of(event, {place: PlayerId(place + 1) for place in range(len(event.entrants))})
    except NotOurs as problem:
        return problem.why
    return ""


def _list(visit: Visit, event: Event, bouts: Sequence[Bout], by: Counting, scale: int) -> View:
    rows = rows_of(event, bouts, by)
    return {
        "columns": [visit.t(f"criterion.{key}") for key in by.order],
        "titles": [TITLES[key][visit.language] for key in by.order],
        "rows": [_row(event, row, by, scale) for row in rows],
    }


def _row(event: Event, row: Row, by: Counting, scale: int) -> View:
    entrant = event.entrants[row.player - 1]
    shown = [_value(key, row.values[key], scale) for key in by.order]
    return {"rank": row.rank, "name": entrant.name, "there": entrant.final_rank, "shown": shown}


def _value(key: str, value: Key, scale: int) -> str:
    if key in _POINTED and isinstance(value, int | Fraction):
        return f"{float(Fraction(value, scale)):g}"
    return display(value)


def _byes(event: Event, bouts: Sequence[Bout]) -> Iterator[tuple[int, int]]:
    return iter(()) if is_round_robin(event, bouts) else byes(bouts, event.entrants)


def _rounds(event: Event) -> Iterator[View]:
    """Yield every round of every stage: its name's parts and its matches, byes last."""
    for group, bouts in enumerate(event.groups, 1):
        free = [*_byes(event, bouts)]
        for number in sorted({bout.round for bout in bouts}):
            idle = [event.entrants[place].name for at, place in free if at == number]
            yield {
                "group": group if len(event.groups) > 1 else 0,
                **_round(event, bouts, number),
                "byes": idle,
            }
    for number in sorted({bout.round for bout in event.bracket}):
        yield {"group": 0, **_round(event, event.bracket, number), "byes": [], "bracket": True}


def _round(event: Event, bouts: Sequence[Bout], number: int) -> View:
    name = [entrant.name for entrant in event.entrants]
    return {
        "number": number,
        "bracket": False,
        "matches": [
            {"a": name[b.a], "b": name[b.b], "wins": b.wins, "outcome": b.outcome, "forfeited": b.forfeited}
            for b in bouts
            if b.round == number
        ],
    }


def _people(visit: Visit, event: Event, given: Mapping[str, str]) -> Iterator[View]:
    """Yield everybody with the number that he might have here: of the one player who is called so."""
    known: dict[str, list[str]] = {}
    for player, nickname in visit.parts.roster():
        known.setdefault(nickname.casefold(), []).append(player_label(player))
    for place, entrant in enumerate(event.entrants):
        found = known.get(entrant.name.casefold(), [])
        guess = found[0] if len(found) == 1 else ""
        yield {
            "place": place,
            "name": entrant.name,
            "number": given.get(f"p{place}", guess)[:20],
            "others": found[:5] if len(found) > 1 else [],
        }


def _said(visit: Visit, problem: RulesetError | NotOurs) -> str:
    if isinstance(problem, NotOurs):
        return visit.t(f"challonge.obstacle.{problem.why}")
    return said(visit, problem)
