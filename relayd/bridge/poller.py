"""Looks at one duel server again and again: once a second while a round runs there, gently else."""

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress

import structlog

from relayd.bridge.api import AdminApi, NoAnswer
from relayd.bridge.inside import Inside
from relayd.bridge.orderer import Orderer
from relayd.bridge.outlook import Outlook
from relayd.bridge.servers import DuelServer
from relayd.storage.log import LogBroken, LogDamaged

_log = structlog.get_logger()


class Poller:
    """One of the eyes and, through its orderer, the hand of the daemon at one duel server.

    Rooms that a plugin shows are the plugin's to order.
    """

    def __init__(
        self,
        server: DuelServer,
        api: AdminApi,
        outlook: Outlook,
        inside: Inside,
        *,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._server, self._api, self._jitter = server, api, jitter
        self._tables, self._clock, self._metrics = inside.tables, inside.clock, inside.metrics
        self._outlook, self._orderer = outlook, Orderer(server.id, api, inside)
        self._turn = asyncio.Lock()
        self._nudged = asyncio.Event()

    async def run(self) -> None:
        """Look until cancelled. Raises what ends the daemon: LogBroken, LogDamaged."""
        while True:
            self._nudged.clear()
            try:
                await self.look()
            except (LogBroken, LogDamaged):
                raise
            except Exception:  # noqa: BLE001  root of a task: one bug must not end all looks
                self._metrics.polls.labels("broken").inc()
                _log.exception("look_broken", server=self._server.id)
            await self._rest()

    def nudge(self) -> None:
        """Look at once instead of at the next turn."""
        self._nudged.set()

    async def look(self, *, orders: bool = True) -> None:
        """Look once: hand in what is new, and give the orders that it calls for."""
        async with self._turn:
            asked = self._clock.now()
            try:
                with self._metrics.poll_seconds.time():
                    rooms = await self._api.rooms()
            except NoAnswer as failure:
                self._metrics.polls.labels(failure.outcome).inc()
                await self._outlook.fail("api", asked, failure)
            else:
                self._metrics.polls.labels("ok").inc()
                await self._outlook.see("api", rooms)
                if orders:
                    await self._orderer.give(self._outlook.seen_by("api"))

    async def _rest(self) -> None:
        with suppress(TimeoutError):
            running, failures = (
                any(self._tables.present(self._server.id)),
                self._outlook.contact("api").failures,
            )
            pause = self._server.pace.pause_ms(failures, self._jitter(), running=running)
            async with asyncio.timeout(pause / 1_000):
                await self._nudged.wait()
