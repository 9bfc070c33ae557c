"""Lists of players and teams that a host takes in: sample, dry run with every error, commit (S109, S110).

Nothing is kept between the dry run and the commit: the page carries what was read.
"""

import asyncio
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from aiohttp import web

from relayd.rosterimport import Outlook, arrivals, known_nicknames, moves, new_teams, outlook
from relayd.rosters import HEADER, SAMPLE, Problem, Roster, read_csv, read_file, rows_again
from relayd.web import exports
from relayd.web.eventview import View, frame
from relayd.web.languages import Language, text
from relayd.web.parts import CallFailed
from relayd.web.visit import Visit
from relayd.web.words import refusal
from ruleset.errors import CommandRejected, RulesetError
from ruleset.ids import player_label
from ruleset.tournament.state import BEFORE_START, Tournament

MOST_BYTES: Final = 2 * 1024 * 1024
SHOWN: Final = 200
"""Problems and changes that a page lists; the rest is counted."""
_LONGEST_LIST: Final = 1_000_000
"""Characters that the call takes."""
_CSV: Final = "text/csv"
_XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


async def form(visit: Visit) -> web.StreamResponse:
    """Show what such a file looks like, and ask for one."""
    state = await visit.tournament()
    await visit.require(state, "cohost")
    return await _page(visit, state, {"status": HTTPStatus.OK})


async def take(visit: Visit) -> web.StreamResponse:
    """Show what would come of a file; with ``step=commit`` take in what was shown, all or nothing."""
    state = await visit.tournament()
    await visit.require(state, "cohost")
    given = await visit.form(MOST_BYTES)
    if given.get("step") == "commit":
        return await _commit(visit, state, given)
    try:
        roster = await _read(given)
    except CommandRejected as problem:
        return await _page(visit, state, {"problem": said(visit, problem)})
    nicknames = known_nicknames(visit.parts.players.nickname, roster)
    found = await asyncio.to_thread(outlook, state, roster, nicknames, visit.now)
    return await _page(visit, state, _seen(visit, state, roster, found))


async def download(visit: Visit) -> web.StreamResponse:
    """Give the sample, or the list as it is now; both can be sent again."""
    state = await visit.tournament()
    await visit.require(state, "cohost")
    name, _, kind = visit.request.match_info["file"].partition(".")
    if name not in {"sample", "roster"} or kind not in {"csv", "xlsx"}:
        raise web.HTTPNotFound
    _, *lines = SAMPLE if name == "sample" else exports.roster(state)
    rows = (_head(visit), *lines)
    body = exports.as_csv(rows) if kind == "csv" else exports.workbook({visit.t("tab.players"): rows})
    response = web.Response(body=body, content_type=_CSV if kind == "csv" else _XLSX)
    response.headers["Content-Disposition"] = f'attachment; filename="relayd-{state.number}-{name}.{kind}"'
    return response


async def _read(given: Mapping[str, str]) -> Roster:
    """Read the file of a form, or what was pasted. Raises CommandRejected ``bad_file``."""
    data = given.get("file", "").encode("latin-1", "replace")
    if data:
        return await asyncio.to_thread(read_file, data)
    return await asyncio.to_thread(read_csv, given.get("text", ""))


async def _commit(visit: Visit, state: Tournament, given: Mapping[str, str]) -> web.StreamResponse:
    wish = {"tournament": state.number, "csv": given.get("csv", "")[:_LONGEST_LIST]}
    once = {"command_id": given["command_id"][:64]} if given.get("command_id") else {}
    try:
        await visit.parts.calls(await visit.caller(state.number), "roster.import", {**wish, **once})
    except CallFailed as error:
        if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR or error.status == HTTPStatus.TOO_MANY_REQUESTS:
            raise
        problem = refusal(visit.language, error.code, error.data, error.sentence)
        return await _page(visit, state, {"problem": problem})
    return visit.redirect(f"/e/{state.number}/players", visit.t("import.done"))


async def _page(visit: Visit, state: Tournament, shown: Mapping[str, Any]) -> web.Response:
    problems = shown.get("problems", ())
    return visit.page(
        "import.html",
        status=shown.get("status", HTTPStatus.UNPROCESSABLE_ENTITY),
        **await frame(visit, state, "host"),
        problem=shown.get("problem", ""),
        problems=problems[:SHOWN],
        more=max(0, len(problems) - SHOWN),
        found=shown.get("found"),
        csv=shown.get("csv", ""),
        open=state.phase in BEFORE_START,
        sample=(_head(visit), SAMPLE[1]),
        shown=SHOWN,
    )


def _seen(visit: Visit, state: Tournament, roster: Roster, found: Outlook) -> dict[str, Any]:
    """Return what the page shows of an outlook."""
    if found.problems:
        called = _called(visit, found.problems)
        told = [_problem(visit.language, problem, called) for problem in found.problems]
        return {"problems": told}
    if found.refusal is not None:
        return {"problem": said(visit, found.refusal)}
    csv = exports.as_csv(rows_again(roster)).decode("utf-8-sig")
    if len(csv) > _LONGEST_LIST:
        return {"problem": visit.t("import.why.long")}
    return {"status": HTTPStatus.OK, "found": _found(state, roster, found), "csv": csv}


def _found(state: Tournament, roster: Roster, found: Outlook) -> View:
    new, moved = arrivals(found), moves(state, found)
    touched = {event.player for event in new} | {move.player for move in moved}
    teams = {move.player: move.after for move in moved}
    return {
        "changes": found.changes,
        "new": [(player_label(p.player), p.nickname, teams.get(p.player, "")) for p in new],
        "moved": [m for m in moved if m.player in state.players],
        "teams": [team.name for team in new_teams(found)],
        "same": sum(line.player not in touched for line in roster.told),
        "misnamed": [
            (line.row, player_label(line.told.player), line.nickname, found.wish.nicknames[line.told.player])
            for line in found.misnamed
        ],
    }


def _called(visit: Visit, problems: Sequence[Problem]) -> Mapping[str, list[str]]:
    """Return who is called as lines say that name nobody, so that the host finds his number."""
    wanted = {p.cell.casefold() for p in problems if p.what == "no_number"}
    found: dict[str, list[str]] = {}
    for player, nickname in visit.parts.roster() if wanted else ():
        if nickname.casefold() in wanted:
            found.setdefault(nickname.casefold(), []).append(player_label(player))
    return found


def _problem(language: Language, problem: Problem, called: Mapping[str, list[str]]) -> View:
    who = called.get(problem.cell.casefold(), [])
    named = text(language, "import.called", name=problem.cell, labels=", ".join(who[:3]))
    return {
        "row": problem.row,
        "column": text(language, f"import.column.{problem.column}"),
        "cell": problem.cell[:40],
        "what": text(language, f"import.what.{problem.what}"),
        "help": named if who else text(language, f"import.fix.{problem.what}"),
    }


def _head(visit: Visit) -> Sequence[str]:
    """Return the columns as the reader calls them; all of these names are read."""
    return [visit.t(f"import.column.{name}") for name in HEADER]


def said(visit: Visit, problem: RulesetError) -> str:
    """Return why a file or a list was not taken, in the reader's language."""
    if "key" in problem.data:
        return visit.t(f"import.why.{problem.data['key']}")
    return refusal(visit.language, problem.code, problem.data, problem.code)
