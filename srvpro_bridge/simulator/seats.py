"""A connection to the duel server: what one person hears, and what he does."""

from collections.abc import Callable

from srvpro_bridge.simulator import events as e
from srvpro_bridge.simulator.clients import Client
from srvpro_bridge.simulator.decks import Deck
from srvpro_bridge.simulator.room import Room


class Refused(Exception):
    """The server closed the connection at the door; *lines* is what it said before."""

    def __init__(self, *lines: str) -> None:
        super().__init__(lines[-1])
        self.lines = lines


class Seat:
    """One person's connection to one room. Acts are the room's own, in his name."""

    def __init__(
        self, room: Room, client: Client, *, returning: bool, leave: Callable[["Seat"], None]
    ) -> None:
        self.room, self.client = room, client
        self.returning = returning
        """He must send his first deck before he is back."""
        self.closed = False
        self.heard: list[str] = []
        self.errors: list[tuple[int, int]] = []
        """ERROR_MSG that he was shown: kind and code."""
        self.watch: Callable[[], None] | None = None
        """Called whenever something has happened."""
        self._leave = leave

    def send_deck(self, deck: Deck) -> None:
        """UPDATE_DECK: a first deck, a side deck, or the old one after a drop."""
        if not self.returning:
            self.room.send_deck(self.client, deck)
        elif self.room.come_back(self.client, deck):
            self.returning = False

    def start(self) -> None:
        """HS_START."""
        self.room.start(self.client)

    def leave(self) -> None:
        """Close the connection; after the start that is a drop (CTOS_LEAVE_GAME has no effect there)."""
        if not self.closed:
            self.closed = True
            self._leave(self)

    def hear(self, event: e.Event) -> None:
        """Take in what happens in the room."""
        match event:
            case e.Said(text=text, to=to) if to in {None, self.client}:
                self.heard.append(text)
            case e.DeckRefused(client=client, msg=msg, code=code) if client is self.client:
                self.errors.append((msg, code))
            case e.Deleted():
                self.closed = True
            case _:
                pass
        self._tell()

    def shut(self, *lines: str) -> None:
        """Have the connection closed by the server."""
        self.heard.extend(lines)
        self.closed = True
        self._tell()

    def _tell(self) -> None:
        if self.watch is not None:
            self.watch()
