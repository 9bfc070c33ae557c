"""What /api/message does (duel-server.md 1). A yes to ``death`` proves nothing (0-1)."""

from collections.abc import Callable
from typing import Final

from srvpro_bridge.simulator.bodies import answer_body
from srvpro_bridge.simulator.lobby import Lobby
from srvpro_bridge.simulator.room import Room

NOT_FOUND: Final = "room not found"


class Orders:
    """The calls that an account may make."""

    def __init__(self, lobby: Lobby, reboot: Callable[[], None]) -> None:
        self._lobby, self._reboot = lobby, reboot
        self._welcome = "Welcome"

    def carry_out(self, verb: str, what: str) -> str:
        """Return the answer to ``?verb=what``."""
        match verb:
            case "death" | "deathcancel" | "kick":
                return answer_body(self._on_rooms(verb, self._meant(what)), what)
            case "getwelcome":
                return answer_body("get ok", self._welcome)
            case "loadtips":
                return answer_body("tip fail", "false")
            case "ban":
                return answer_body("ban fail", what)
            case _:
                self._set(verb, what)
                return answer_body(f"{verb} ok", what)

    def _meant(self, what: str) -> list[Room]:
        """Find rooms by full name, by process id, or all of them."""
        rooms = self._lobby.rooms.values()
        return [room for room in rooms if what in {"all", room.name, str(room.rid)}]

    def _on_rooms(self, verb: str, rooms: list[Room]) -> str:
        match verb:
            case "death":
                for room in rooms:
                    room.start_death()
                return "death ok" if rooms else NOT_FOUND
            case "deathcancel":
                cancelled = [room.cancel_death() for room in rooms]
                return "death cancel ok" if any(cancelled) else NOT_FOUND
            case _:
                for room in rooms:
                    room.kick()
                return "kick ok" if rooms else NOT_FOUND

    def _set(self, verb: str, what: str) -> None:
        match verb:
            case "shout":
                for room in self._lobby.rooms.values():
                    room.say(f"[Server]: {what}")
            case "stop":
                self._lobby.stopped = None if what == "false" else what
            case "welcome":
                self._welcome = what
            case _:
                self._reboot()
