"""All virtual players of a duel server."""

import asyncio
from collections.abc import Iterable

from srvpro_bridge.simulator.players import Player
from srvpro_bridge.simulator.results import round_of
from srvpro_bridge.simulator.room import Room
from srvpro_bridge.simulator.scripts import Script
from srvpro_bridge.simulator.server import DuelServer


class Troupe:
    """They know each other only so far that two of them can agree to dawdle."""

    def __init__(self, server: DuelServer, scripts: Iterable[Script], seed: str) -> None:
        self.players = {
            script.name: Player(server, script, seed, dawdles=self._dawdles) for script in scripts
        }
        """By the names that they type."""
        self._dawdlers = [player for player in self.players.values() if player.script.dawdles_in]

    def start(self) -> None:
        """Let everybody come."""
        for player in self.players.values():
            player.start()

    async def stop(self) -> None:
        """Let everybody vanish."""
        await asyncio.gather(*(player.stop() for player in self.players.values()))

    def _dawdles(self, room: Room) -> bool:
        """Say whether one of the people in *room* dawdles in its round."""
        now = round_of(room.name)
        dawdlers = (player for player in self._dawdlers if now in player.script.dawdles_in)
        return any(player.sits_in(room) for player in dawdlers)
