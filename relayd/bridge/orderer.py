"""Gives the orders of one duel server, at each look anew until the rooms show what they should."""

import asyncio
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

import structlog

from relayd.bridge.api import AdminApi, NoAnswer
from relayd.bridge.inside import Inside
from relayd.bridge.orders import Act, Memory, wanted, watch
from relayd.bridge.sighting import Look, TableSight
from ruleset.ids import ServerId
from srvpro_bridge.adminapi import Verb

AT_ONCE: Final = 8
"""Orders under way together, each to a room of its own."""
_VERBS: Final[dict[Act, tuple[Verb, ...]]] = {
    "death": ("death",),
    "renew": ("deathcancel", "death"),
    "cancel": ("deathcancel",),
    "kick": ("kick",),
}
_log = structlog.get_logger()


class Room(NamedTuple):
    """One instance of a room."""

    roomid: str
    name: str


class Orderer:
    """Compares what each room should be in with what it shows. Remembers only what it sent and saw."""

    def __init__(self, server: ServerId, api: AdminApi, inside: Inside, *, at_once: int = AT_ONCE) -> None:
        self._server, self._api, self._at_once = server, api, at_once
        self._tournaments, self._clock = inside.tournaments, inside.clock
        self._metrics = inside.metrics
        self._memories: dict[Room, Memory] = {}
        self._away = False

    async def give(self, look: Look) -> None:
        """Order what *look* calls for, at most one thing of each room; failures are tried again later.

        Not to be called again before it returns.
        """
        sights = {Room(sight.room.roomid, sight.room.name): sight for sight in look.rooms}
        self._forget(sights.keys())
        gate, self._away = asyncio.Semaphore(self._at_once), False
        async with asyncio.TaskGroup() as orders:
            for room, sight in sights.items():
                act = self._decide(room, sight)
                if act is not None:
                    orders.create_task(self._send(room, sight, act, gate))

    def _forget(self, rooms: AbstractSet[Room]) -> None:
        """Drop the rooms that are gone; that is what a kick, and death at a lead, were for."""
        for room in self._memories.keys() - rooms:
            act = self._memories.pop(room).act
            if act in {"kick", "renew"}:
                self._count(act, "confirmed")

    def _decide(self, room: Room, sight: TableSight) -> Act | None:
        state = self._tournaments.running().get(sight.key.tournament)
        table = None if state is None else state.table(sight.key.table)
        if state is None or table is None:
            return None
        before, now = self._memories.get(room, Memory()), self._clock.now()
        memory = watch(table, sight, before, now)
        if memory.act == "death" and sight.room.death != "off":
            self._count("death", "confirmed")
            memory = memory.settled()
        self._memories[room] = memory
        return wanted(table, sight, memory, state.best_of(table.id), now)

    async def _send(self, room: Room, sight: TableSight, act: Act, gate: asyncio.Semaphore) -> None:
        memory = self._memories[room]
        if memory.act != act:
            self._count(act, "wanted")
        async with gate:
            if self._away:
                return
            try:
                for verb in _VERBS[act]:
                    await self._api.order(verb, sight.room.address)
            except NoAnswer as failure:
                self._away = failure.outcome in {"timeout", "unreachable"}
                self._memories[room] = memory.tried(act, self._clock.now())
                self._told(act, sight, "failed", failure.outcome)
            else:
                self._memories[room] = memory.given(act, self._clock.now())
                self._told(act, sight, "sent", "")

    def _told(self, act: Act, sight: TableSight, stage: str, code: str) -> None:
        self._count(act, stage)
        number, table = sight.key
        room, server = sight.room.name, self._server
        _log.info(
            "order",
            kind=act,
            outcome=stage,
            code=code,
            server=server,
            tournament=number,
            table=str(table),
            room=room,
        )

    def _count(self, act: Act, stage: str) -> None:
        self._metrics.orders.labels(act, stage).inc()
