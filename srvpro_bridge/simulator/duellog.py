"""The duel log of the simulated server (duel-server.md 8)."""

from datetime import datetime
from typing import TypeAlias

from srvpro_bridge.simulator.clients import Client
from srvpro_bridge.simulator.room import Room

Row: TypeAlias = dict[str, object]


class DuelLog:
    """One row per game that ended while position 0 looked on; newest first."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def add(self, room: Room, winner: Client | None) -> None:
        """Write the game that has just ended, with the score after it."""
        players = sorted(room.people.players, key=lambda player: player.pos)
        if players[0].away:
            return
        number, time = len(self.rows) + 1, datetime.now().astimezone()
        names = " VS ".join(player.name for player in players)
        row = {
            "id": number,
            "time": f"{time:%Y-%m-%d %H:%M:%S}",
            "name": f"{room.name[:20]} (Duel:{room.duel_count})",
            "roomid": room.rid,
            "cloud_replay_id": f"R#{number}",
            "replay_filename": f"{time:%Y-%m-%d %H-%M-%S} {names}.yrp",
            "roommode": room.options.mode,
            "players": [_player(player, room, winner) for player in players],
        }
        self.rows.insert(0, row)

    def of(self, room_name: str | None) -> list[Row]:
        """Return the rows of one room, or all."""
        return [row for row in self.rows if room_name is None or _belongs(row, room_name)]


def _player(player: Client, room: Room, winner: Client | None) -> Row:
    score = f"(Score:{room.score.of(player)} LP:{player.lp} Cards:5)"
    return {
        "pos": player.pos,
        "is_first": room.first[-1] is player,
        "name": f"{player.name} (IP: {player.ip}) {score}",
        "winner": winner is player,
    }


def _belongs(row: Row, room_name: str) -> bool:
    return str(row["name"]).startswith(f"{room_name[:20]} (Duel:")
