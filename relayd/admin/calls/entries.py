"""Players of one tournament: registration, sign-in, drops (R014-R018, T1a, T1b, T23)."""

from typing import Annotated, Final

from pydantic import Field

from relayd.admin.methods import Methods
from relayd.admin.params import ChangePlayer, ChangeTournament, InTournament
from relayd.admin.parts import Call, Done, Rows, done
from relayd.admin.roles import Role
from relayd.views.people import player_rows
from ruleset.tournament import commands as c

METHODS: Final = Methods()


class Entry(ChangePlayer):
    """Somebody who wants to play."""

    team: Annotated[int, Field(ge=1)] | None = None
    """For which team of the list (S107, S115)."""


@METHODS.add("entry.list", Role.VIEWER)
async def listed(call: Call, _params: InTournament) -> Rows:
    """List the tournament's players with deck, sign-in and DP."""
    return player_rows(await call.state())


@METHODS.add("entry.register", Role.COHOST, own=True)
async def register(call: Call, params: Entry) -> Done:
    """Enter a player for the tournament; again changes nothing."""
    player, parts = params.player, call.parts
    nickname = parts.players.nickname(player)
    by_host = call.role >= Role.COHOST
    wish = c.Register(
        player=player, nickname=nickname, team=params.team, by_host=by_host, now=parts.clock.now()
    )
    return await call.do(wish)


@METHODS.add("entry.withdraw", Role.COHOST, own=True)
async def withdraw(call: Call, params: ChangePlayer) -> Done:
    """Take a registration back, before the start."""
    return await call.do(c.Withdraw(player=params.player))


@METHODS.add("entry.sign_in", Role.COHOST, own=True)
async def sign_in(call: Call, params: ChangePlayer) -> Done:
    """Sign a player in; on behalf, by a host, also outside of the window (R017)."""
    by_host = call.role >= Role.COHOST
    return await call.do(c.SignIn(player=params.player, by_host=by_host, now=call.parts.clock.now()))


@METHODS.add("entry.sign_in_all", Role.COHOST)
async def sign_in_all(call: Call, _params: ChangeTournament) -> Done:
    """Sign in everybody whose deck has passed (R017)."""
    return await call.do(c.SignInAll(now=call.parts.clock.now()))


@METHODS.add("entry.drop", Role.COHOST, own=True)
async def drop(call: Call, params: ChangePlayer) -> Done:
    """Take a player out of the running tournament; his open match is lost (T23)."""
    by_host = call.role >= Role.COHOST
    return await call.do(c.Drop(player=params.player, by_host=by_host, now=call.parts.clock.now()))


@METHODS.add("entry.undo_drop", Role.COHOST)
async def undo_drop(call: Call, params: ChangePlayer) -> Done:
    """Let a dropped player play on from the next round, if he plays nowhere else by now (R057)."""
    await call.refuse_outdated()
    answer = await call.parts.starter.undo_drop(
        call.tournament, params.player, by=call.peer.name, command_id=call.command_id
    )
    return done(answer)
