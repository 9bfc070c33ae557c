"""Looking at tournaments."""

from typing import Annotated, Final, Literal

from pydantic import Field

from relayd.admin.methods import Methods
from relayd.admin.params import MOST, InTournament, Params, TableName
from relayd.admin.parts import Call, Rows, Shown
from relayd.admin.roles import Role
from relayd.storage.codec import fingerprint
from relayd.views.clock import clock, resumed
from relayd.views.ranks import bracket_view, dp_view, places_view, standings_view
from relayd.views.tables import round_view, table_view
from relayd.views.whole import summary, whole
from ruleset.errors import CommandRejected
from ruleset.ids import SEATS, RoundNo, Seat
from ruleset.tournament.seatkeys import name_to_type
from ruleset.tournament.state import Round, Table, Tournament

METHODS: Final = Methods()
MOST_LISTED: Final = 50
"""Ended tournaments are read from the log."""


class Which(Params):
    """Part of the tournaments."""

    phase: Literal["open", "all"] = "open"
    """``open``: those that have not ended; ``all``: the last 50, newest first."""
    before: Annotated[int, Field(ge=1, le=MOST)] = MOST
    """Of all: only numbers below this one."""


class InRound(InTournament):
    """A round; none: the present one."""

    round: Annotated[int, Field(ge=1, le=9_999)] | None = None


class InTable(InTournament):
    """One table."""

    table: TableName


@METHODS.add("tournament.list", Role.VIEWER)
async def listed(call: Call, params: Which) -> Rows:
    """List tournaments: those that have not ended, or the last 50 of all."""
    tournaments = call.parts.tournaments
    if params.phase == "open":
        return [summary(state) for _, state in sorted(tournaments.running().items())]
    numbers = sorted((n for n in tournaments.numbers() if n < params.before), reverse=True)
    return [summary(await tournaments.load(number)) for number in numbers[:MOST_LISTED]]


@METHODS.add("tournament.show", Role.VIEWER)
async def show(call: Call, _params: InTournament) -> Shown:
    """Show a tournament: settings, clock, what waits for the host."""
    state = await call.state()
    version = call.parts.tournaments.version(call.tournament)
    return {"version": version, **whole(state, call.parts.clock.now())}


@METHODS.add("tournament.fingerprint", Role.VIEWER)
async def state_fingerprint(call: Call, _params: InTournament) -> Shown:
    """Show the fingerprint of the live state, to compare with ``relayd replay``."""
    state = await call.state()
    return {"version": call.parts.tournaments.version(call.tournament), "state": fingerprint(state).hex()}


@METHODS.add("clock.show", Role.VIEWER)
async def clock_show(call: Call, _params: InTournament) -> Shown:
    """Show every deadline, as it acts or would act (R068)."""
    return clock(await call.state(), call.parts.clock.now())


@METHODS.add("table.list", Role.VIEWER)
async def tables(call: Call, params: InRound) -> Shown:
    """List the tables of a round: how they stand, what the duel servers show, what players type."""
    state = await call.state()
    played = _round(state, params.round)
    return round_view(state, played, call.live(), call.parts.sights.join_string, call.parts.clock.now())


@METHODS.add("table.show", Role.VIEWER)
async def table(call: Call, params: InTable) -> Shown:
    """Show one table; to judges and its players with the names to type, which hold the seat keys."""
    now = call.parts.clock.now()
    state = resumed(await call.state(), now)
    found = state.table(params.table)
    if found is None:
        raise CommandRejected("unknown_table", table=str(params.table))
    view = table_view(state, found, call.live().get(found.id), call.parts.sights.join_string, now)
    return {**view, "joins_as": _names(call, state, found)}


@METHODS.add("standings.show", Role.VIEWER)
async def standings(call: Call, _params: InTournament) -> Shown:
    """Show the Swiss list as it stands, with every criterion."""
    return standings_view(await call.state())


@METHODS.add("bracket.show", Role.VIEWER)
async def bracket(call: Call, _params: InTournament) -> Shown:
    """Show the bracket."""
    return bracket_view(await call.state())


@METHODS.add("places.show", Role.VIEWER)
async def places(call: Call, _params: InTournament) -> Rows:
    """Show the final ranking; empty until the end."""
    return places_view(await call.state())


@METHODS.add("dp.show", Role.VIEWER)
async def dp(call: Call, _params: InTournament) -> Rows:
    """Show the DP of every entrant, with each change."""
    return dp_view(await call.state())


def _names(call: Call, state: Tournament, table: Table) -> dict[Seat, str | None]:
    """Return what each player types as his name, as far as the caller may know it (decisions 4)."""
    return {
        seat: name_to_type(state, table.id, table.player(seat))
        if call.role >= Role.JUDGE or call.peer.player == table.player(seat)
        else None
        for seat in SEATS
    }


def _round(state: Tournament, number: int | None) -> Round:
    if not state.rounds:
        raise CommandRejected("not_started")
    if number is None:
        return state.current_round
    if number > len(state.rounds):
        raise CommandRejected("unknown_round", round=RoundNo(number), rounds=len(state.rounds))
    return state.rounds[number - 1]
