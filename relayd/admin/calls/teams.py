"""Teams, and lists of players taken in at once (S107-S110, S130)."""

from typing import Annotated, Final

from pydantic import Field

from relayd.admin.methods import Methods
from relayd.admin.params import ChangePlayer, ChangeTournament, InTournament
from relayd.admin.parts import Call, Done, Rows
from relayd.admin.roles import Role
from relayd.rosterimport import known_nicknames, outlook
from relayd.rosters import read_csv
from relayd.views.people import teams_view
from ruleset.tournament import commands as c

METHODS: Final = Methods()
Name = Annotated[str, Field(max_length=100)]


class Named(ChangeTournament):
    """A team by its name."""

    name: Name


class Numbered(ChangeTournament):
    """A team by its number."""

    team: Annotated[int, Field(ge=1)]


class Assignment(ChangePlayer):
    """A player's team."""

    team: Annotated[int, Field(ge=1)] | None = None
    label: Name = ""
    """What is shown as his team; it counts for nothing (S108)."""


class Roster(ChangeTournament):
    """A list as text."""

    csv: Annotated[str, Field(max_length=1_000_000)]
    """With a header: player, and team if there are any."""
    dry_run: bool = False
    """Only say what would come of it."""


@METHODS.add("team.list", Role.VIEWER)
async def listed(call: Call, _params: InTournament) -> Rows:
    """Show the teams with their players and, where they are ranked, their ranks."""
    return teams_view(await call.state())


@METHODS.add("team.add", Role.COHOST)
async def add(call: Call, params: Named) -> Done:
    """Put a team on the list; one that is there changes nothing."""
    return await call.do(c.AddTeam(name=params.name))


@METHODS.add("team.remove", Role.COHOST)
async def remove(call: Call, params: Numbered) -> Done:
    """Take a team off the list; its players stay, without it."""
    return await call.do(c.RemoveTeam(team=params.team))


@METHODS.add("team.assign", Role.COHOST)
async def assign(call: Call, params: Assignment) -> Done:
    """Put a player into a team of the list, or into none."""
    return await call.do(c.AssignTeam(player=params.player, team=params.team, label=params.label))


@METHODS.add("roster.import", Role.COHOST)
async def import_roster(call: Call, params: Roster) -> Done:
    """Take a list of players and teams in, all or nothing; a dry run names what is wrong (S110)."""
    roster, parts = read_csv(params.csv), call.parts
    nicknames = known_nicknames(parts.players.nickname, roster)
    found = outlook(await call.state(), roster, nicknames, parts.clock.now())
    if params.dry_run or found.problems:
        found.sound()
    return {"changed": False, "would": found.changes} if params.dry_run else await call.do(found.wish)
