"""Addresses that lead out: into YGOMobile, and to a table from its room code (D60-D62)."""

from urllib.parse import quote, urlencode

from relayd.settings import DuelServer
from ruleset.roomcode import RoomCode


def ygomobile(server: DuelServer, room: str) -> str:
    """Return the link that opens a room in YGOMobile, which decodes every value twice (D60)."""
    values = {"ygotype": "room", "v": "1", "h": server.host, "po": str(server.port), "pw": room}
    return "ygo://room?" + urlencode({name: quote(value, safe="") for name, value in values.items()})


def table_path(code: RoomCode) -> str:
    """Return the page of the table that a room code names."""
    letter = "P" if code.playoff else "R"
    return f"/e/{code.tournament}/t/{letter}{code.round_no}T{code.table}"
