"""Somebody who is connected to the duel server."""

from dataclasses import dataclass
from typing import Final

from srvpro_bridge.simulator.decks import Deck
from srvpro_bridge.simulator.nicks import Nick

SPECTATOR: Final = 7
LOCAL: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """Who he is in the Challonge tournament that the server was told of."""

    id: str
    name: str
    deck: Deck | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class Client:
    """A person in a room. Identity is the object: two of one name are two."""

    nick: Nick
    ip: str = LOCAL
    registered: Registered | None = None
    pos: int = SPECTATOR
    late: bool = False
    """A spectator who came after the start: he is not in the list."""
    ready: bool = False
    first_deck: Deck | None = None
    """What he must send again when he returns."""
    sided: bool = False
    lp: int = 0
    away: bool = False
    """His connection is broken; for a while he may return."""

    @property
    def name(self) -> str:
        """Return what everybody sees."""
        return self.nick.name

    @property
    def key(self) -> str:
        """Return under what his score is kept."""
        return self.nick.key
