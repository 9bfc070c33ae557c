"""The bodies of the admin API, to the byte (duel-server.md 1)."""

import json
from collections.abc import Iterable
from typing import Final

from srvpro_bridge.simulator.clients import LOCAL, SPECTATOR, Client
from srvpro_bridge.simulator.config import ServerConfig
from srvpro_bridge.simulator.play import Stage
from srvpro_bridge.simulator.room import Room
from srvpro_bridge.simulator.rules import OFF

REFUSED_ROOMS: Final = '{"rooms":[{"roomid":"0","roomname":"密码错误","needpass":"true"}]}'
REFUSED_ORDER: Final = "['密码错误', 0]"
REFUSED_LOG: Final = "[{name:'密码错误'}]"
"""What a wrong account hears, with status 200."""


def rooms_body(rooms: Iterable[Room], config: ServerConfig, *, public: bool = False) -> str:
    """Return the answer to getrooms; *public*: without an account, names lose their ``$password``."""
    return _json({"rooms": [_room(room, config, public=public) for room in rooms]})


def rows_body(rows: list[dict[str, object]]) -> str:
    """Return the answer to duellog."""
    return _json(rows)


def answer_body(words: str, target: str) -> str:
    """Return the answer to an order: single quotes, nothing escaped, no JSON."""
    return f"['{words}', '{target}']"


def istart(room: Room, *, show_info: bool = True) -> str:
    """Return the stage of a room as the API tells it."""
    if room.stage is Stage.BEGIN or not show_info:
        return "wait" if room.stage is Stage.BEGIN else "start"
    if room.stage is Stage.SIDING:
        return f"Duel:{room.duel_count} Siding"
    limit = "" if room.death == OFF else f"/{room.death - 1}" if room.death > OFF else "/Death"
    return f"Duel:{room.duel_count} Turn:{room.turn}{limit}"


def _room(room: Room, config: ServerConfig, *, public: bool) -> dict[str, object]:
    return {
        "roomid": str(room.rid),
        "roomname": room.name.partition("$")[0] if public else room.name,
        "roommode": room.options.mode,
        "needpass": "true" if "$" in room.name else "false",
        "users": [_user(client, room, config, public=public) for client in room.people.listed],
        "istart": istart(room, show_info=config.show_info),
    }


def _user(client: Client, room: Room, config: ServerConfig, *, public: bool) -> dict[str, object]:
    told = room.stage is not Stage.BEGIN and client.pos != SPECTATOR and config.show_info
    return {
        "id": "-1",
        "name": client.name,
        "ip": client.ip if config.show_ip and client.ip != LOCAL and not public else None,
        "status": {"score": room.score.of(client), "lp": client.lp, "cards": 5} if told else None,
        "pos": client.pos,
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
