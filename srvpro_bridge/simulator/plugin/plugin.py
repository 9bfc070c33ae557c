"""The plugin at work: it leads, sets options, judges decks, keeps death as tables want it, and tells all."""

import asyncio
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from secrets import token_hex
from typing import Final

from ruleset.ids import Instant, Seat
from srvpro_bridge import protocol as p
from srvpro_bridge.simulator import events as e
from srvpro_bridge.simulator.clients import Client
from srvpro_bridge.simulator.clock import Clock
from srvpro_bridge.simulator.config import PluginLink, ServerConfig
from srvpro_bridge.simulator.decks import Deck
from srvpro_bridge.simulator.passwords import Options
from srvpro_bridge.simulator.play import Stage
from srvpro_bridge.simulator.plugin.book import Book
from srvpro_bridge.simulator.plugin.death import Change, cancel, settle
from srvpro_bridge.simulator.plugin.decks import Fault, fault_of
from srvpro_bridge.simulator.plugin.door import Door, Why, options_of
from srvpro_bridge.simulator.plugin.link import Link
from srvpro_bridge.simulator.plugin.spool import Spool
from srvpro_bridge.simulator.plugin.watch import Make, Watch
from srvpro_bridge.simulator.room import Room

VERSION: Final = "simulated"
_MATTERS_TO_DEATH: Final = (e.MatchStarted, e.GameStarted, e.SideAsked, e.DeckTaken)


class Plugin:
    """One for each start of the duel server; the spool outlives it."""

    def __init__(
        self,
        config: PluginLink,
        server: ServerConfig,
        clock: Clock,
        throw_out: Callable[[Room, Client, str], None],
    ) -> None:
        self._config, self._server, self._clock, self._throw_out = config, server, clock, throw_out
        self.spool = Spool(None if config.spool is None else Path(config.spool))
        self.book, self.link = Book(), Link(config, self.spool, self)
        self._door = Door(self.book, self._runs, self._ask_seat, self._refused)
        self._born, self._boot = count(1), ""
        self._watches: dict[Room, Watch] = {}
        self._policy = p.Policy(report="all", ask_seat=False, silence="pass")
        self._origin = time.time_ns() // 1_000_000 - round(clock.now() * 1_000)
        self._running: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, as a new process does: no room is known. Again changes nothing."""
        if self._running is None:
            self._boot, self._watches = token_hex(8), {}
            self._running = asyncio.get_running_loop().create_task(self.link.run())

    def reboot(self) -> None:
        """Die with all rooms, and begin again at once; does nothing while stopped."""
        if self._running is not None:
            self._running.cancel()
            self._running = None
            self.start()

    async def stop(self) -> None:
        """Vanish without a word."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
            self._running = None

    # For the duel server

    async def lead(self, nickname: str, typed: str) -> str:
        """Return the room to which somebody is led. Raises Refused."""
        return await self._door.lead(nickname, typed)

    def options(self, name: str, plain: Options) -> Options:
        """Return what a room of that name is made with."""
        table = self.book.at(name)
        return plain if table is None else options_of(table, plain)

    def judge(self, room: Room, client: Client, deck: Deck) -> Fault | None:
        """Compare a deck with the frozen one of its player; ``None``: it may be played."""
        table, siding = self.book.at(room.name), room.stage is Stage.SIDING
        seat = None if table is None else self.book.seat(table, client.name)
        frozen = None if table is None or seat is None else getattr(table, seat).deck
        if not isinstance(frozen, p.FrozenDeck):
            return None
        fault, watch = fault_of(deck, frozen, siding=siding), self._watches[room]
        self._record(
            watch, watch.judged(client, siding=siding, refused=None if fault is None else fault.reason)
        )
        return fault

    def opened(self, room: Room) -> None:
        """Begin to watch a room."""
        watch = Watch(
            room=room,
            id=f"{self._boot}-{next(self._born)}",
            now=self._now,
            seat_of=lambda client: self._seat_of(client, room),
        )
        self._watches[room] = watch
        self._record(watch, watch.opened(table=self.book.at(room.name) is not None))

    def hear(self, room: Room, event: e.Event) -> None:
        """Tell what has happened, and see to death where it may matter now."""
        watch = self._watches.get(room)
        if watch is None:
            return
        self._note(watch, event)
        if isinstance(event, e.Deleted):
            del self._watches[room]
            return
        if isinstance(event, _MATTERS_TO_DEATH):
            self._clock.call_at(self._clock.now(), lambda: self._settle(watch))
        if watch.code is not None:
            self.link.say(p.RoomChanged(sight=watch.sight()))

    def _note(self, watch: Watch, event: e.Event) -> None:
        if isinstance(event, e.TurnBegan):
            watch.turn, watch.death = event.turn, watch.room.death
        make = watch.record_of(event)
        if make is not None:
            self._record(watch, make)

    def _settle(self, watch: Watch) -> None:
        table = None if watch.code is None else self.book.tables.get(watch.code)
        if table is not None:
            settle(watch, table, self._death_changed)

    def _death_changed(self, watch: Watch, state: Change) -> None:
        self._record(watch, watch.death_changed(state))

    # From the daemon

    def hear_daemon(self, message: p.FromDaemon) -> None:
        """Know the tables as they are now, or do what is ordered."""
        match message:
            case p.Welcome(policy=policy, tables=tables):
                self._policy = policy
                self.book.replace(tables)
            case p.Tables(tables=tables):
                self.book.replace(tables)
            case p.TableChanged(table=table):
                self.book.tables[table.code] = table
            case p.TableGone(code=code):
                self.book.tables.pop(code, None)
            case p.Death() | p.DeathCancel() | p.Say() | p.Kick() | p.Close():
                outcome = self._obey(message)
                ok = outcome in {"done", "already", "pending", "ended"}
                self.link.say(p.Done(id=message.id, ok=ok, outcome=outcome))
                return
            case _:
                return
        for watch in self._open():
            self._settle(watch)

    def _obey(self, order: p.RoomOrder) -> str:
        watch = next((watch for watch in self._open() if watch.code == order.code), None)
        if watch is None:
            return "no_room"
        match order:
            case p.Say(text=text):
                watch.room.say(text)
            case p.Kick():
                return self._kick(watch, order)
            case p.Close(text=text):
                watch.room.say(text)
                watch.closed = True
                watch.room.crash()
            case p.DeathCancel():
                return cancel(watch, self._death_changed)
            case p.Death():
                watch.room.start_death()
        return "done"

    def _kick(self, watch: Watch, order: p.Kick) -> str:
        for client in list(watch.room.people.players):
            wanted = order.seat is not None and watch.seat_of(client) == order.seat
            if wanted or client.name == order.nickname:
                self._throw_out(watch.room, client, order.text)
                return "done"
        return "no_player"

    # What the others ask

    async def _ask_seat(self, nickname: str, typed: str) -> p.SeatFound | None:
        return await self.link.ask_seat(nickname, typed) if self._policy.ask_seat else None

    def _refused(self, nickname: str, code: str | None, why: Why) -> None:
        at = self._now()
        self._keep(lambda seq: p.JoinRefused(seq=seq, at=at, nickname=nickname, code=code, why=why))

    def _runs(self, name: str) -> bool:
        found = (watch.room for watch in self._open() if watch.room.name == name)
        return any(room.stage is not Stage.BEGIN for room in found)

    # Records

    def _record(self, watch: Watch, make: Make) -> None:
        """Keep a fact of a room; rooms without a code tell their end and nothing else."""
        if watch.code is not None or (watch.room.deleted and self._policy.report == "all"):
            self._keep(make)

    def _keep(self, make: Make) -> None:
        self.spool.append(make)
        self.link.pump()

    def _open(self) -> list[Watch]:
        return [watch for watch in self._watches.values() if not watch.room.deleted]

    def rooms(self) -> tuple[p.Sight, ...]:
        """Return every open room with a code."""
        return tuple(watch.sight() for watch in self._open() if watch.code is not None)

    def _seat_of(self, client: Client, room: Room) -> Seat | None:
        table = self.book.at(room.name)
        return None if table is None else self.book.seat(table, client.name)

    def _now(self) -> Instant:
        return Instant(self._origin + round(self._clock.now() * 1_000))

    def hello(self) -> p.Hello:
        """Return what is said first."""
        facts = p.ServerFacts(
            client_version=4962,
            challonge=self._server.challonge is not None,
            tournament_mode=self._server.tournament_mode,
            quick_death_rule=self._server.quick_death_rule,
            reconnect_ms=round(self._server.reconnect_wait_s * 1_000),
            kick_reconnect=True,
            halfway_watch=self._server.halfway_watch,
            connect_limit=self._server.connect_limit,
            lists=(),
        )
        return p.Hello(
            versions=p.VERSIONS,
            server=self._config.server,
            plugin=VERSION,
            boot=self._boot,
            spool=self.spool.id,
            first=self.spool.first,
            next=self.spool.next,
            lost=0,
            facts=facts,
        )
