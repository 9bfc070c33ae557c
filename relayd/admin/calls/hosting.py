"""What a host changes while a tournament goes on, and what he takes back (S101, S105, S118, S137, T22)."""

from typing import Annotated, Final, Literal

from pydantic import Field

from relayd.admin.methods import Methods
from relayd.admin.params import ChangeTournament, PlayerNumber
from relayd.admin.parts import Call, Done, done
from relayd.admin.roles import Role
from ruleset.tournament import commands as c

METHODS: Final = Methods()


class Rounds(ChangeTournament):
    """How many rounds count."""

    rounds: Annotated[int, Field(ge=0, le=999)]


class Registration(ChangeTournament):
    """Whether players may still register by themselves."""

    closed: bool


class CoHosts(ChangeTournament):
    """Who runs it with the host: these and nobody else."""

    players: Annotated[tuple[PlayerNumber, ...], Field(max_length=100)]


class Visibility(ChangeTournament):
    """Whether it is listed."""

    visibility: Literal["public", "private"]


class Undo(ChangeTournament):
    """Which action; ``tournament.show`` has its number as ``last_action``."""

    action: Annotated[int, Field(ge=1)]


@METHODS.add("tournament.set_rounds", Role.COHOST)
async def set_rounds(call: Call, params: Rounds) -> Done:
    """Let more or fewer rounds count, where the settings leave it open (S101)."""
    return await call.do(c.SetRounds(rounds=params.rounds, now=call.parts.clock.now()))


@METHODS.add("tournament.set_registration", Role.COHOST)
async def set_registration(call: Call, params: Registration) -> Done:
    """Close the registration, whatever its deadline, or open it again (S118)."""
    return await call.do(c.SetRegistration(closed=params.closed))


@METHODS.add("tournament.set_cohosts", Role.HOST)
async def set_co_hosts(call: Call, params: CoHosts) -> Done:
    """Name the co-hosts by player number (S105)."""
    return await call.do(c.SetCoHosts(players=params.players))


@METHODS.add("tournament.set_visibility", Role.HOST)
async def set_visibility(call: Call, params: Visibility) -> Done:
    """List the tournament or hide it, also behind its end (S123, S133)."""
    return await call.do(c.SetVisibility(visibility=params.visibility))


@METHODS.add("tournament.unset_ended", Role.COHOST)
async def unset_ended(call: Call, _params: ChangeTournament) -> Done:
    """Let a tournament go on that counts as ended because nothing happened (S137)."""
    await call.refuse_outdated()
    answer = await call.parts.starter.unset_ended(
        call.tournament, by=call.peer.name, command_id=call.command_id
    )
    return done(answer)


@METHODS.add("tournament.undo", Role.COHOST)
async def undo(call: Call, params: Undo) -> Done:
    """Take the last action back, if nothing rests on it (T22)."""
    await call.refuse_outdated()
    answer = await call.parts.starter.undo(
        call.tournament, params.action, by=call.peer.name, command_id=call.command_id
    )
    return done(answer)
