"""What a plugin is still to be told: orders and answers in order; tables and the ack as they are by then."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from srvpro_bridge.protocol import Ack, FromDaemon, Table, TableChanged, TableGone

LONGEST: Final = 1_000
"""Orders and answers that wait to be sent."""


class Overflow(Exception):
    """The plugin does not read what it is told."""


class Outbox:
    """Filled by many, emptied by one. Tables and acks take no room: only their last state is told."""

    def __init__(self, tables: Callable[[], Mapping[str, Table]], acked: int) -> None:
        self._tables, self._told = tables, tables()
        self._acked = self._ack_told = acked
        self._mail: deque[FromDaemon] = deque()
        self._news = asyncio.Event()

    @property
    def told(self) -> tuple[Table, ...]:
        """The tables that the plugin knows."""
        return tuple(self._told.values())

    def put(self, message: FromDaemon) -> None:
        """Add an order or an answer. Raises Overflow."""
        if len(self._mail) >= LONGEST:
            raise Overflow
        self._mail.append(message)
        self._news.set()

    def ack(self, seq: int) -> None:
        """Acknowledge every record up to that one."""
        self._acked = seq
        self._news.set()

    def changed(self) -> None:
        """Look whether the tables are other ones now."""
        self._news.set()

    async def take(self) -> tuple[FromDaemon, ...]:
        """Wait until there may be something to say, and return it."""
        await self._news.wait()
        self._news.clear()
        mail = tuple(self._mail)
        self._mail.clear()
        return (*self._ack(), *mail, *self._differences())

    def _ack(self) -> Iterator[FromDaemon]:
        if self._acked > self._ack_told:
            self._ack_told = self._acked
            yield Ack(seq=self._acked)

    def _differences(self) -> Iterator[FromDaemon]:
        before, self._told = self._told, self._tables()
        for code in before.keys() - self._told.keys():
            yield TableGone(code=code)
        for code, table in self._told.items():
            if before.get(code) != table:
                yield TableChanged(table=table)
