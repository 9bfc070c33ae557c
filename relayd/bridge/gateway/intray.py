"""The records of one connection, from being read to being acknowledged: in order, bounded, durable first."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import structlog

from relayd.bridge.gateway.eye import PluginEye
from relayd.bridge.gateway.records import Records, Said, Spool, kind_of
from srvpro_bridge.protocol import Fact, Hello, ProtocolError, RoomClosed

WAITING: Final = 512
"""Records that were read and not yet taken: the plugin has half as many on the way at most."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A record whose meaning nobody knows; it is set aside, or it would come for ever."""

    seq: int


@dataclass(frozen=True, slots=True)
class Drained:
    """What was kept back is told; from here on records come as they happen."""


Item: TypeAlias = Fact | Unreadable | Drained


@dataclass(slots=True)
class Tally:
    """What became of the records."""

    taken: int = 0
    again: int = 0
    unreadable: int = 0


class Intray:
    """Filled as records are read, emptied as fast as the log takes them."""

    def __init__(self, hello: Hello, spool: Spool, acked: int, records: Records, eye: PluginEye) -> None:
        """Records up to *acked* were taken in earlier connections."""
        self._hello, self._spool, self._acked = hello, spool, acked
        self._records, self._eye = records, eye
        self._items: asyncio.Queue[Item] = asyncio.Queue(WAITING)
        self._live = False
        self.tally = Tally()

    async def put(self, item: Item) -> None:
        """Add what was read; waits where the log is slower than the plugin."""
        await self._items.put(item)

    async def run(self, acknowledge: Callable[[int], None]) -> None:
        """Take records until cancelled. Raises ProtocolError, or what ends the daemon."""
        while True:
            facts: list[Fact | Unreadable] = []
            for item in await self._batch():
                if isinstance(item, Drained):
                    await self._settle(facts, acknowledge)
                    facts, self._live = [], True
                    self._eye.drained()
                else:
                    facts.append(item)
            await self._settle(facts, acknowledge)

    async def _batch(self) -> list[Item]:
        batch = [await self._items.get()]
        while not self._items.empty():
            batch.append(self._items.get_nowait())
        return batch

    async def _settle(self, facts: list[Fact | Unreadable], acknowledge: Callable[[int], None]) -> None:
        """Make records durable, then acknowledge them; those that were taken before are, again."""
        if not facts:
            return
        new = [said for fact in facts if (said := self._new(fact)) is not None]
        await self._records.take(self._spool, new, self._hello.facts)
        await self._records.keep(self._spool, self._acked)
        acknowledge(self._acked)
        for said in new:
            if isinstance(said.fact, RoomClosed):
                self._eye.forget(said.fact.room)

    def _new(self, fact: Fact | Unreadable) -> Said | None:
        if fact.seq <= self._acked:
            self.tally.again += 1
            self._records.count(_kind(fact), "again")
            return None
        self._refuse_gap(fact.seq)
        self._acked = fact.seq
        if isinstance(fact, Unreadable):
            self.tally.unreadable += 1
            self._records.count(_kind(fact), "unreadable")
            return None
        self.tally.taken += 1
        return Said(fact, self._live)

    def _refuse_gap(self, seq: int) -> None:
        """Only lines of a damaged spool may be missing; a number from nowhere would make later ones old."""
        expected = self._acked + 1
        if seq == expected:
            return
        if seq >= self._hello.next:
            raise ProtocolError("gap", f"record {seq} comes where {expected} was due")
        _log.warning("records_missing", server=self._spool.server, first=expected, next=seq)


def _kind(fact: Fact | Unreadable) -> str:
    return "unknown" if isinstance(fact, Unreadable) else kind_of(fact)
