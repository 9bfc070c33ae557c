"""A virtual player: he comes, sends his deck, plays, drops, returns, goes home and comes again.

What he does in a room are alarms of the rooms' clock, each set when the one before it rings: however late the
machine runs, what was due first happens first, and nobody's lateness changes a result (decisions 18).
"""

import asyncio
from collections.abc import Callable
from typing import Final

from srvpro_bridge.simulator.clients import Client
from srvpro_bridge.simulator.clock import Cancellable
from srvpro_bridge.simulator.decks import Deck
from srvpro_bridge.simulator.minds import Deed, drop_now, intend, play_turn
from srvpro_bridge.simulator.play import Stage
from srvpro_bridge.simulator.results import plan, round_of
from srvpro_bridge.simulator.room import Room
from srvpro_bridge.simulator.scripts import Script
from srvpro_bridge.simulator.seats import Refused, Seat
from srvpro_bridge.simulator.server import DuelServer

STALE_S: Final = 600
"""So long after a match its room is not entered again: the list was old (duel-server.md 10.0-5)."""
STILL_THE_SAME: Final = "Please do not enter the room you are already in."


class Player:
    """One person at work: `start` him, and `stop` him."""

    def __init__(
        self, server: DuelServer, script: Script, seed: str, dawdles: Callable[[Room], bool]
    ) -> None:
        """*dawdles*: whether anybody in a room does, so that its game goes on until time is called."""
        self.script, self.password = script, script.password
        self.seat: Seat | None = None
        self._me: Client | None = None
        self.refused: tuple[str, ...] = ()
        """What he was told when he was refused last."""
        self._server, self._seed, self._dawdles = server, seed, dawdles
        self._alarm: Cancellable | None = None
        self._wanted: tuple[Deed, int, int] | None = None
        self._joining: asyncio.Task[None] | None = None
        self._owes_wrong_deck = bool(script.wrong_main)
        self._done: dict[str, float] = {}
        """Rooms whose match he has played to its end, and when."""
        self._drops = set(script.drops)
        """Those that are still to come."""

    def start(self) -> None:
        """Let him come."""
        if self.script.comes:
            self._come_in(self.script.first_try_s)

    def tell(self, password: str) -> None:
        """Tell him where to go, on a server that does not seat him by name."""
        self.password = password
        if self.seat is None or self.seat.room.stage is Stage.BEGIN:
            self._leave()
            self._come_in(0)

    def sits_in(self, room: Room) -> bool:
        """Say whether he plays there, also while he is away for a moment."""
        return any(client is self._me for client in room.people.players)

    async def stop(self) -> None:
        """Let him vanish."""
        self._set_alarm(None)
        if self._joining is not None:
            self._joining.cancel()
            await asyncio.gather(self._joining, return_exceptions=True)
        self._leave()

    # Coming and going

    def _come_in(self, seconds: float) -> None:
        self._wanted = None
        self._set_alarm(self._server.clock.call_at(self._server.clock.now() + seconds, self._knock))

    def _knock(self) -> None:
        if self.password or self._server.leads:
            self._joining = asyncio.get_running_loop().create_task(self._join())

    async def _join(self) -> None:
        try:
            seat = await self._server.join(self.script.name, self.password)
        except Refused as refusal:
            self.refused = refusal.lines
            self._stay_or_leave(refusal)
            return
        self._leave()
        self._sit(seat)

    def _stay_or_leave(self, refusal: Refused) -> None:
        """Go on waiting where the match is still the same one; else leave, and try again later."""
        if self.seat is not None and refusal.lines[-1] == STILL_THE_SAME:
            self._think()
            return
        self._leave()
        self._come_in(self.script.retry_s)

    def _sit(self, seat: Seat) -> None:
        self.seat, self._me = seat, seat.client
        seat.watch = self._think
        if self._server.clock.now() < self._done.get(seat.room.name, -STALE_S) + STALE_S:
            self._leave()
            self._come_in(self.script.retry_s)
        elif seat.returning:
            seat.send_deck(self.script.deck)
        else:
            self._think()

    def _leave(self) -> None:
        if self.seat is not None:
            self.seat.watch = None
            self.seat.leave()
            self.seat = None
        self._wanted = None
        self._set_alarm(None)

    def _go_home(self, room: Room) -> None:
        """Leave a room that is gone; one that crashed or was kicked out leaves its match unplayed."""
        self._leave()
        if room.ended:
            self._done[room.name] = self._server.clock.now()
        if not self._server.leads:
            self.password = ""
        last, this = self.script.last_round, round_of(room.name)
        if last is None or this is None or this < last:
            self._come_in(self.script.retry_s)

    # At the table

    def _think(self) -> None:
        """Look at the room; an intent that has not changed goes on running."""
        seat = self.seat
        if seat is None:
            return
        if seat.closed:
            self._go_home(seat.room)
            return
        dawdling = self._dawdles(seat.room)
        wish = intend(seat.room, seat.client, self.script, drops=self._drops, dawdling=dawdling)
        if wish is None:
            self._wanted = None
            self._set_alarm(None)
        elif wish.key != self._wanted:
            self._wanted = wish.key
            moment = self._server.clock.now() + wish.in_s
            self._set_alarm(self._server.clock.call_at(moment, lambda: self._act(seat, wish.deed)))

    def _act(self, seat: Seat, deed: Deed) -> None:
        self._wanted = None
        match deed:
            case "deck":
                seat.send_deck(self._next_deck())
            case "side":
                seat.send_deck(self.script.deck)
            case "drop":
                self._drop(seat.room)
            case "look":
                if self._server.plugin is None:
                    self._knock()
                return
            case "go":
                self._leave()
                self._come_in(self.script.retry_s)
                return
            case _:
                self._play(seat, deed)
        self._think()

    def _play(self, seat: Seat, deed: Deed) -> None:
        room, me = seat.room, seat.client
        the_plan = plan(self._seed, room.name, max(1, room.duel_count), _names(room))
        match deed:
            case "start":
                seat.start()
            case "toss":
                room.toss()
            case "choose":
                room.go_first(plan(self._seed, room.name, room.duel_count + 1, _names(room)).first)
            case _:
                play_turn(room, me, the_plan, dawdling=self._dawdles(room))

    def _next_deck(self) -> Deck:
        """Return his deck, the wrong one the first time if he has one."""
        wrong, self._owes_wrong_deck = self._owes_wrong_deck, False
        return Deck(main=self.script.wrong_main, side=self.script.side) if wrong else self.script.deck

    def _drop(self, room: Room) -> None:
        """Lose the connection, and come back as the script says, or to the next match only."""
        drop = drop_now(room, self._drops)
        self._drops -= {drop}
        self._leave()
        if drop is None or drop.away_s is None:
            self._come_in(self._server.rules.wait_time_s + self.script.retry_s)
        else:
            moment = self._server.clock.now() + drop.away_s
            self._set_alarm(self._server.clock.call_at(moment, self._return))

    def _return(self) -> None:
        seat = self._server.returning(self.script.name, self.password)
        if seat is None:
            self._come_in(self.script.retry_s)
        else:
            self._sit(seat)

    def _set_alarm(self, alarm: Cancellable | None) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = alarm


def _names(room: Room) -> list[str]:
    return [player.name for player in room.people.players]
