"""The daemon itself: duel servers, log level, what it can do."""

from dataclasses import asdict
from typing import Final

from relayd.admin.methods import Methods
from relayd.admin.params import Change, InTournament, Nothing
from relayd.admin.parts import Call
from relayd.admin.roles import Role
from relayd.admin.rpc import Code, RpcError
from relayd.observe.logging import LevelName
from relayd.settings import SettingsError

METHODS: Final = Methods()


class SetLevel(Change):
    """From which level on lines are written."""

    level: LevelName


@METHODS.add("daemon.status", Role.VIEWER)
async def status(call: Call, _params: Nothing) -> object:
    """Say who you are here, what time it is, and how much runs."""
    running = call.parts.tournaments.running()
    return {
        "peer": call.peer.name,
        "role": call.peer.role.name.lower(),
        "tournament": call.peer.tournament,
        "now": call.parts.clock.now(),
        "tournaments": len(running),
        "running": sum(state.phase == "running" for state in running.values()),
    }


@METHODS.add("server.list", Role.JUDGE)
async def servers(call: Call, _params: Nothing) -> object:
    """List the duel servers: how they do, how many rooms they still take."""
    free = call.parts.sights.free()
    return [
        {**asdict(health), "free": free.get(server)} for server, health in call.parts.sights.health().items()
    ]


@METHODS.add("server.oddities", Role.JUDGE)
async def oddities(call: Call, _params: InTournament) -> object:
    """List what is odd about the tournament's rooms: strangers, second rooms, rooms on another server."""
    await call.state()
    return [
        {
            "kind": odd.kind,
            "table": str(odd.table),
            "server": odd.server,
            "room_name": odd.room_name,
            "names": list(odd.names),
        }
        for odd in call.parts.oddities(call.tournament)
    ]


@METHODS.add("log.level", Role.OPERATOR)
async def level(call: Call, _params: Nothing) -> object:
    """Say from which level on log lines are written."""
    return {"level": call.parts.level.name}


@METHODS.add("log.set_level", Role.OPERATOR)
async def set_level(call: Call, params: SetLevel) -> object:
    """Write log lines from that level on, until the daemon ends."""
    before = call.parts.level.name
    call.parts.level.set(params.level)
    return {"level": params.level, "before": before}


@METHODS.add("daemon.reload", Role.OPERATOR)
async def reload(call: Call, _params: Change) -> object:
    """Read the settings anew, as SIGHUP does; say what holds now and what needs a restart."""
    try:
        told = await call.parts.reload()
    except SettingsError as error:
        raise RpcError(
            Code.REFUSED,
            "the settings cannot be used, the old ones hold on",
            code="settings_refused",
            problems=list(error.problems),
        ) from error
    return {"changed": list(told.changed), "needs_restart": list(told.waiting)}
