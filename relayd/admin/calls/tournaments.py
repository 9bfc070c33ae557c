"""From a plan to a running tournament, and its end."""

from typing import Final

from relayd.admin.methods import Methods
from relayd.admin.params import Change, ChangeTournament, Params, PlayerNumber, Text, Wishes
from relayd.admin.parts import Call, Done, Shown, done
from relayd.admin.roles import Role
from ruleset.tournament import commands as c

METHODS: Final = Methods()


class Check(Params):
    """Settings to look at."""

    settings: Wishes


class Publish(Change):
    """A new tournament."""

    settings: Wishes
    organiser: PlayerNumber | None = None


class Edit(ChangeTournament):
    """What is to be different."""

    settings: Wishes


class Start(ChangeTournament):
    """A start by hand."""

    confirmed: bool = False
    """Whoever is not signed in yet stays out (T3')."""


class Announce(ChangeTournament):
    """Words for all rooms."""

    text: Text


@METHODS.add("tournament.check", Role.HOST)
async def check(call: Call, params: Check) -> Shown:
    """Say what publishing these settings would do, or why it cannot; nothing is written."""
    command = await call.parts.publishing.check(params.settings)
    environment = command.environment
    return {
        "settings": command.settings,
        "environment": environment.key,
        "list_name": environment.list_name,
        "list_hash": f"{environment.list_hash:08x}",
    }


@METHODS.add("tournament.publish", Role.HOST)
async def publish(call: Call, params: Publish) -> Done:
    """Open a tournament for registration and return its number."""
    published = await call.parts.publishing.publish(
        params.settings, by=call.peer.name, organiser=params.organiser, command_id=call.command_id
    )
    return {"tournament": published.number, **done(published.answer)}


@METHODS.add("tournament.edit", Role.COHOST)
async def edit(call: Call, params: Edit) -> Done:
    """Change settings, until 12 hours before the start (R056); what is not named stays."""
    return await call.do(await call.parts.publishing.edited(call.tournament, params.settings))


@METHODS.add("tournament.start", Role.COHOST)
async def start(call: Call, params: Start) -> Done:
    """Start now: freeze the field and pair round 1 (T3')."""
    await call.refuse_outdated()
    answer = await call.parts.starter.start(
        call.tournament, confirmed=params.confirmed, by=call.peer.name, command_id=call.command_id
    )
    return done(answer)


@METHODS.add("tournament.next_round", Role.COHOST)
async def next_round(call: Call, _params: ChangeTournament) -> Done:
    """Pair the next round now, without the rest of the gap (T15')."""
    parts = call.parts
    return await call.do(c.NextRound(free=dict(parts.sights.free()), now=parts.clock.now()))


@METHODS.add("tournament.finish", Role.COHOST)
async def finish(call: Call, _params: ChangeTournament) -> Done:
    """End a Swiss tournament early, between rounds (5.5-14)."""
    return await call.do(c.Finish(now=call.parts.clock.now()))


@METHODS.add("tournament.cancel", Role.HOST)
async def cancel(call: Call, _params: ChangeTournament) -> Done:
    """Call the tournament off; every DP row goes back (T24)."""
    return await call.do(c.Cancel(now=call.parts.clock.now()))


@METHODS.add("tournament.announce", Role.COHOST)
async def announce(call: Call, params: Announce) -> Done:
    """Say something in all rooms of the tournament's duel servers."""
    return await call.do(c.Announce(text=params.text, now=call.parts.clock.now()))
