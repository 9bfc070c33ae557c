"""The host's hand on pairings: anew, seats exchanged, pairs ruled out, and why a round is as it is (4.10)."""

from typing import Annotated, Final

from pydantic import Field

from relayd.admin.methods import Methods
from relayd.admin.params import ChangeTournament, InTournament, PlayerNumber
from relayd.admin.parts import Call, Done, Shown
from relayd.admin.roles import Role
from relayd.views.ranks import pairing_view
from ruleset.errors import CommandRejected
from ruleset.ids import RoundNo
from ruleset.tournament import commands as c

METHODS: Final = Methods()


class Two(ChangeTournament):
    """Two players."""

    one: PlayerNumber
    other: PlayerNumber


class Swap(Two):
    """Two players who change seats."""

    confirmed: bool = False
    """Also where the rules speak against it."""


class OfRound(InTournament):
    """A round."""

    round: Annotated[int, Field(ge=1, le=9_999)]


@METHODS.add("round.pair_again", Role.COHOST)
async def pair_again(call: Call, _params: ChangeTournament) -> Done:
    """Pair the present round anew, before anybody plays in it (4.10-5)."""
    parts = call.parts
    return await call.do(c.PairAgain(free=dict(parts.sights.free()), now=parts.clock.now()))


@METHODS.add("round.swap", Role.COHOST)
async def swap(call: Call, params: Swap) -> Done:
    """Let two players of a Swiss round change seats, before anybody plays in it; one may have the bye."""
    now = call.parts.clock.now()
    wish = c.SwapPlayers(one=params.one, other=params.other, confirmed=params.confirmed, now=now)
    return await call.do(wish)


@METHODS.add("round.why", Role.VIEWER)
async def why(call: Call, params: OfRound) -> Shown:
    """Say why a Swiss round is paired as it is: who floats, who has the bye, what could not be avoided."""
    state = await call.state()
    number = RoundNo(params.round)
    if number > len(state.rounds):
        raise CommandRejected("unknown_round", round=number, rounds=len(state.rounds))
    if state.played(number).stage != "swiss":
        raise CommandRejected("not_swiss", stage=state.played(number).stage)
    return pairing_view(state, number)


@METHODS.add("pair.forbid", Role.COHOST)
async def forbid(call: Call, params: Two) -> Done:
    """Rule out that two players are paired."""
    return await call.do(c.ForbidPair(one=params.one, other=params.other))


@METHODS.add("pair.allow", Role.COHOST)
async def allow(call: Call, params: Two) -> Done:
    """Let two players be paired again."""
    return await call.do(c.AllowPair(one=params.one, other=params.other))
