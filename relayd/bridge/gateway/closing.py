"""Closes rooms that have outlived their tables, at each look anew until they are gone (T10)."""

import asyncio
from typing import Final, Protocol
from uuid import uuid4

import structlog

from relayd.bridge.api import NoAnswer
from relayd.bridge.inside import Inside
from relayd.bridge.orders import Memory, wanted, watch
from relayd.bridge.sighting import Look, TableSight
from ruleset import roomcode
from ruleset.ids import ServerId
from ruleset.roomcode import RoomCode
from srvpro_bridge.protocol import Close, RoomOrder

TEXT: Final = "This match is over. 本桌对局已经结束。"
_log = structlog.get_logger()


class Hand(Protocol):
    """What gives orders to the plugin."""

    async def order(self, order: RoomOrder) -> str:
        """Return what came of it. Raises NoAnswer."""
        ...


class Closing:
    """Remembers only what it saw and sent. All other orders stand in the tables that the plugin is told."""

    def __init__(self, server: ServerId, inside: Inside) -> None:
        self._server, self._tournaments = server, inside.tournaments
        self._clock, self._metrics = inside.clock, inside.metrics
        self._memories: dict[str, Memory] = {}

    async def give(self, look: Look, hand: Hand) -> None:
        """Close what has to go; a room that stays is tried again later."""
        sights = {sight.room.roomid: sight for sight in look.rooms}
        for gone in self._memories.keys() - sights.keys():
            if self._memories.pop(gone).act is not None:
                self._count("confirmed")
        due = [(sight, code) for sight in sights.values() if (code := self._due(sight)) is not None]
        await asyncio.gather(*(self._close(sight, str(code), hand) for sight, code in due))

    def _due(self, sight: TableSight) -> RoomCode | None:
        """Return by what to order a room closed; ``None``: it stays."""
        state = self._tournaments.running().get(sight.key.tournament)
        table = None if state is None else state.table(sight.key.table)
        if state is None or table is None:
            return None
        now = self._clock.now()
        memory = watch(table, sight, self._memories.get(sight.room.roomid, Memory()), now)
        self._memories[sight.room.roomid] = memory
        act = wanted(table, sight, memory, state.best_of(table.id), now)
        return roomcode.find(sight.room.name) if act == "kick" else None

    async def _close(self, sight: TableSight, code: str, hand: Hand) -> None:
        room = sight.room
        memory = self._memories[room.roomid]
        self._memories[room.roomid] = memory.tried("kick", self._clock.now())
        if memory.act is None:
            self._count("wanted")
        try:
            outcome = await hand.order(Close(id=uuid4().hex, code=code, text=TEXT, a=None, b=None))
        except NoAnswer as failure:
            self._told(sight, "failed", failure.outcome)
        else:
            self._told(sight, "sent", outcome)

    def _told(self, sight: TableSight, stage: str, code: str) -> None:
        self._count(stage)
        number, table = sight.key
        at = {"server": self._server, "tournament": number, "table": str(table), "room": sight.room.name}
        _log.info("order", kind="close", outcome=stage, code=code, **at)

    def _count(self, stage: str) -> None:
        self._metrics.orders.labels("close", stage).inc()
