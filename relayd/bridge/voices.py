"""How the daemon speaks in the rooms of a duel server: through its plugin, or to all rooms by its API."""

from typing import Protocol

from relayd.bridge.api import AdminApi
from ruleset.ids import TournamentNo


class Voice(Protocol):
    """Whatever can speak."""

    async def say(self, number: TournamentNo, text: str) -> None:
        """Say one line in every room of a tournament at least. Raises NoAnswer."""
        ...


class ApiVoice:
    """Speaks to all rooms of the server, whoever plays there: the API can do no better (duel-server.md 1)."""

    def __init__(self, api: AdminApi) -> None:
        self._api = api

    async def say(self, number: TournamentNo, text: str) -> None:
        del number
        await self._api.order("shout", text)
