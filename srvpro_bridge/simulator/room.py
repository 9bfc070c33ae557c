"""One room: a state machine without sockets or timers, driven by what people do and by time.

Nothing here knows the daemon, Challonge or HTTP. What happens is told to a listener at once.
"""

from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

from srvpro_bridge.simulator import events as e
from srvpro_bridge.simulator.clients import Client
from srvpro_bridge.simulator.decks import FORBIDDEN, Deck, error_of
from srvpro_bridge.simulator.passwords import Options
from srvpro_bridge.simulator.people import LEFT_MARK
from srvpro_bridge.simulator.play import Play, RoomRules, Stage, Who

DECK_ERROR: Final = 2
SIDE_ERROR: Final = 3
"""Kinds of ERROR_MSG (duel-server.md 6)."""

Listener: TypeAlias = Callable[["Room", e.Event], None]


class Refusal(Protocol):
    """Why a deck may not be played."""

    @property
    def reason(self) -> str:
        """What its player reads."""
        ...

    @property
    def card(self) -> int:
        """The card that he is shown; 0: none."""
        ...


Judge: TypeAlias = Callable[["Room", Client, Deck], Refusal | None]


class Room(Play):
    """A room of two players and those who watch."""

    def __init__(
        self,
        *,
        rid: int,
        name: str,
        options: Options,
        rules: RoomRules,
        clock: Callable[[], float],
        listener: Listener,
    ) -> None:
        super().__init__(options=options, rules=rules, clock=clock)
        self.rid, self.name = rid, name
        self.kicked = self.crashed = False
        self._listener = listener
        self.judge: Judge | None = None
        """A plugin that looks at decks before the server does."""

    def enter(self, client: Client) -> None:
        """Seat him, or let him watch."""
        begun = self.stage is not Stage.BEGIN
        if begun or not self.people.seat(client):
            self.people.watch(client, late=begun)
        self._emit(e.Entered(client=client))

    def drop(self, who: Who) -> None:
        """Lose his connection: before the start his seat is free, later it is kept for a while."""
        client = self._player(who)
        if self.stage is Stage.BEGIN or client not in self.people.players:
            self._go(client)
        elif not client.away and not self.deleted:
            client.away = True
            self._alarms.set_in(client, self.rules.wait_time_s, lambda: self._give_up_on(client))
            self._say(f"{client.name} disconnected from the game")
            self._emit(e.Dropped(client=client))

    def come_back(self, who: Who, deck: Deck) -> bool:
        """Let him return if he shows his first deck, order included (duel-server.md 0-7)."""
        client = self._player(who)
        if deck != client.first_deck:
            self._refuse(client, "Please pick your previous deck.", DECK_ERROR)
            return False
        client.away = False
        self._alarms.off(client)
        self._say("Reconnecting to server...", client)
        self._say(f"{client.name} reconnected to the game")
        self._emit(e.Returned(client=client))
        return True

    def evict(self, who: Who) -> None:
        """HS_KICK by the host; with Challonge it hits the host himself (duel-server.md 3)."""
        if self.stage is Stage.BEGIN:
            client = self.people.host if self.rules.challonge else self._player(who)
            by = "by server" if self.rules.challonge else "from the game"
            self._say(f"{client.name} was evicted {by}.")
            self._go(client)

    def send_deck(self, who: Who, deck: Deck) -> None:
        """Take a deck before the start or in siding; else, and from spectators, it means nothing."""
        client = self._player(who)
        if client not in self.people.players:
            return
        if self.stage is Stage.BEGIN and not client.ready:
            if not self._refused(client, deck):
                self._take_first_deck(client, deck)
        elif self.stage is Stage.SIDING and not self._refused(client, deck):
            self._take_side_deck(client, deck)

    def unready(self, who: Who) -> None:
        """HS_NOTREADY: he may send another deck."""
        if self.stage is Stage.BEGIN:
            self._player(who).ready = False

    def start(self, who: Who) -> None:
        """HS_START: counts from the host only, with both ready."""
        players = self.people.players
        ready = len(players) == 2 and all(player.ready for player in players)
        if self.stage is Stage.BEGIN and ready and self._player(who) is self.people.host:
            self._start_match()

    def say(self, text: str) -> None:
        """Write into the chat of the room."""
        self._say(text)

    def expel(self, who: Who) -> None:
        """Throw one out: before the start his seat is free, later he has left for good (10.f)."""
        client = self._player(who)
        if self.stage is Stage.BEGIN or client not in self.people.players:
            self._go(client)
        elif not self._closing:
            self._give_up_on(client)

    def kick(self) -> None:
        """Close the room from outside: both scores 0, the wins stay."""
        self.kicked = True
        self.score.clear()
        self._delete()

    def crash(self) -> None:
        """Let the process of the room die."""
        self.crashed = True
        self._delete()

    def deadline(self) -> float | None:
        """Return when `tick` has something to do."""
        return self._alarms.next

    def tick(self) -> None:
        """Do whatever is due by now, each thing at its own time."""
        self._alarms.run()

    def _go(self, client: Client) -> None:
        client.ready = False
        self.people.remove(client)
        self._emit(e.Left(client=client))
        if not self.people.players:
            self._delete()

    def _give_up_on(self, client: Client) -> None:
        self.score.mark(client, LEFT_MARK)
        self._say(f"{client.name} quited game")
        self._emit(e.Left(client=client))
        self._close()

    def _refused(self, client: Client, deck: Deck) -> bool:
        """Say whether a plugin refuses a deck; then nobody else looks at it (duel-server.md 5)."""
        refusal = None if self.judge is None else self.judge(self, client, deck)
        if refusal is None:
            return False
        if self.stage is Stage.SIDING:
            self._refuse(client, refusal.reason, SIDE_ERROR)
        else:
            self._refuse(client, refusal.reason, DECK_ERROR, FORBIDDEN << 28 | refusal.card)
        return True

    def _take_first_deck(self, client: Client, deck: Deck) -> None:
        registered = client.registered
        if self.rules.deck_lock and registered is not None and registered.deck is not None:
            if not deck.same_cards(registered.deck):
                self._refuse(client, _DIFFERS.format(registered.name), DECK_ERROR)
                return
            self._say(_PASSED.format(registered.name), client)
        error = error_of(deck, self.options, self.rules.forbidden)
        if error is not None:
            self._refuse(client, "", DECK_ERROR, error)
            return
        client.first_deck, client.ready = deck, True
        self._emit(e.DeckTaken(client=client))

    def _take_side_deck(self, client: Client, deck: Deck) -> None:
        """The extra-time rule looks at the message, before anybody looks at the cards."""
        first = client.first_deck
        if self._ends_by_side():
            return
        if first is None or not deck.swapped_from(first):
            self._refuse(client, "", SIDE_ERROR)
        else:
            self._take_side(client)

    def _refuse(self, client: Client, text: str, msg: int, code: int = 0) -> None:
        if text:
            self._say(text, client)
        self._emit(e.DeckRefused(client=client, msg=msg, code=code))

    def _emit(self, event: e.Event) -> None:
        self._listener(self, event)


_DIFFERS: Final = (
    "The deck you are using is not the same as your submitted deck {} . "
    "Please make sure all the cards are in the correct sequence."
)
_PASSED: Final = "Your deck {} has passed the deck check for this tournament."
