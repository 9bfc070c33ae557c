"""The host's hand on the clock (R068, T8', T18-T21)."""

from typing import Final

from relayd.admin.methods import Methods
from relayd.admin.params import ChangeTable, ChangeTournament, Milliseconds
from relayd.admin.parts import Call, Done
from relayd.admin.roles import Role
from ruleset.ids import MINUTE_MS
from ruleset.tournament import commands as c

METHODS: Final = Methods()


class Auto(ChangeTournament):
    """Whether deadlines act by themselves."""

    on: bool


class Postpone(ChangeTournament):
    """How far the round's clock moves."""

    by_ms: Milliseconds = 5 * MINUTE_MS


class Extend(ChangeTable):
    """How much more time a table gets."""

    by_ms: Milliseconds


@METHODS.add("clock.pause", Role.COHOST)
async def pause(call: Call, _params: ChangeTournament) -> Done:
    """Freeze every deadline."""
    return await call.do(c.Pause(now=call.parts.clock.now()))


@METHODS.add("clock.resume", Role.COHOST)
async def resume(call: Call, _params: ChangeTournament) -> Done:
    """Go on; deadlines move by the length of the pause."""
    return await call.do(c.Resume(now=call.parts.clock.now()))


@METHODS.add("clock.auto", Role.COHOST)
async def auto(call: Call, params: Auto) -> Done:
    """Let deadlines act by themselves, or only show them (T20)."""
    return await call.do(c.SetAuto(on=params.on))


@METHODS.add("clock.call_time", Role.COHOST)
async def call_time(call: Call, _params: ChangeTournament) -> Done:
    """Call time now for every open table (T8')."""
    return await call.do(c.CallTime(now=call.parts.clock.now()))


@METHODS.add("clock.postpone", Role.COHOST)
async def postpone(call: Call, params: Postpone) -> Done:
    """Move this round's clock, by 5 minutes unless said otherwise (T19)."""
    return await call.do(c.Postpone(by_ms=params.by_ms))


@METHODS.add("clock.call_table", Role.JUDGE)
async def call_table(call: Call, params: ChangeTable) -> Done:
    """Call time at one table: it goes into its last turns, the others play on (S128)."""
    return await call.do(c.CallTableTime(table=params.table, now=call.parts.clock.now()))


@METHODS.add("clock.extend", Role.JUDGE)
async def extend(call: Call, params: Extend) -> Done:
    """Give one table more time (T21)."""
    return await call.do(c.ExtendTable(table=params.table, by_ms=params.by_ms))
