"""The daemon itself: duel servers, log level, what it can do."""

import asyncio
from dataclasses import asdict
from typing import Annotated, Final

from pydantic import Field

from relayd.admin.methods import Methods
from relayd.admin.params import Change, InTournament, Nothing, Params
from relayd.admin.parts import Call, Rows, Shown
from relayd.admin.roles import Role
from relayd.admin.rpc import Code, RpcError
from relayd.observe.logging import LevelName
from relayd.settings import SettingsError
from ruleset.ids import ServerId
from srvpro_bridge.doctor import Finding

METHODS: Final = Methods()


class SetLevel(Change):
    """From which level on lines are written."""

    level: LevelName


class OneServer(Params):
    """One duel server, or all."""

    server: Annotated[str, Field(max_length=64)] | None = None


@METHODS.add("daemon.status", Role.VIEWER)
async def status(call: Call, _params: Nothing) -> Shown:
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
async def servers(call: Call, _params: Nothing) -> Rows:
    """List the duel servers: how they do, how many rooms they still take."""
    free = call.parts.sights.free()
    return [
        {**asdict(health), "free": free.get(server)} for server, health in call.parts.sights.health().items()
    ]


@METHODS.add("server.oddities", Role.JUDGE)
async def oddities(call: Call, _params: InTournament) -> Rows:
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


@METHODS.add("server.doctor", Role.OPERATOR)
async def doctor(call: Call, params: OneServer) -> Rows:
    """Look whether duel servers let relayd do what tournaments need, and say what to change."""
    known = call.parts.sights.health()
    if params.server is not None and params.server not in known:
        sentence = f"there is no duel server {params.server}; known are {', '.join(known) or 'none'}"
        raise RpcError(Code.REFUSED, sentence, code="unknown_server")
    chosen = [ServerId(params.server)] if params.server is not None else known
    examined = await asyncio.gather(*map(call.parts.examine, chosen))
    return [
        {
            "server": one.server,
            "findings": [_plain(finding) for finding in one.findings],
            "checked": list(one.checked),
            "unchecked": list(one.unchecked),
        }
        for one in examined
    ]


def _plain(finding: Finding) -> dict[str, str]:
    return {"weight": finding.weight, "file": finding.file, "what": finding.what, "why": finding.why}


@METHODS.add("log.level", Role.OPERATOR)
async def level(call: Call, _params: Nothing) -> Shown:
    """Say from which level on log lines are written."""
    return {"level": call.parts.level.name}


@METHODS.add("log.set_level", Role.OPERATOR)
async def set_level(call: Call, params: SetLevel) -> Shown:
    """Write log lines from that level on, until the daemon ends."""
    before = call.parts.level.name
    call.parts.level.set(params.level)
    return {"level": params.level, "before": before}


@METHODS.add("daemon.reload", Role.OPERATOR)
async def reload(call: Call, _params: Change) -> Shown:
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
