"""Reports of duel servers that wait for somebody who knows their table (5.6)."""

from typing import Annotated, Final

from pydantic import Field

from relayd.admin.methods import Methods
from relayd.admin.params import ChangeTournament, InTournament, Nothing, TableName
from relayd.admin.parts import Call, Done, Rows
from relayd.admin.roles import Role
from relayd.views.tables import parked_view, scores_view
from ruleset.tournament import commands as c

METHODS: Final = Methods()
ReportName = Annotated[str, Field(max_length=200)]


class Accept(ChangeTournament):
    """Which report is which table's."""

    id: ReportName
    table: TableName
    swapped: bool = False
    """The first name sits at seat B."""


class Dismiss(ChangeTournament):
    """A report that is nobody's."""

    id: ReportName


@METHODS.add("report.list", Role.JUDGE)
async def listed(call: Call, _params: InTournament) -> Rows:
    """List the reports that wait, with the tables that they may belong to."""
    state = await call.state()
    return [parked_view(state, parked) for parked in state.parked.values()]


@METHODS.add("report.strays", Role.OPERATOR)
async def strays(call: Call, _params: Nothing) -> Rows:
    """List the last ends of matches that fit no tournament; they are gone after a restart."""
    return [
        {
            "at": stray.at,
            "server": stray.report.server,
            "room_name": stray.room_name,
            "names": list(stray.names),
            "scores": scores_view(stray.report),
        }
        for stray in call.parts.strays()
    ]


@METHODS.add("report.accept", Role.JUDGE)
async def accept(call: Call, params: Accept) -> Done:
    """Take a waiting report for a table."""
    command = c.AcceptParked(
        id=params.id, table=params.table, swapped=params.swapped, now=call.parts.clock.now()
    )
    return await call.do(command)


@METHODS.add("report.dismiss", Role.JUDGE)
async def dismiss(call: Call, params: Dismiss) -> Done:
    """Put a waiting report away."""
    return await call.do(c.DismissParked(id=params.id))
