"""All tournaments at work: a desk for each, opened when it is needed."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias
from uuid import uuid4

from relayd.desk import Desk
from relayd.errors import InvariantBroken
from relayd.ports import Answer, Listener
from relayd.reducers import TOURNAMENT, number_of, stream_of
from relayd.storage.log import Entry, EventLog
from ruleset.errors import CommandRejected
from ruleset.ids import Instant, TournamentNo
from ruleset.tournament.commands import Adopt, Command, Publish
from ruleset.tournament.events import Event
from ruleset.tournament.state import Tournament

TournamentDesk: TypeAlias = Desk[Tournament, Command, Event]

_ENDED: Final = frozenset({"finished", "cancelled"})


class Desks:
    """The tournaments of this node (ports.Tournaments): running ones in memory, ended ones when asked for."""

    def __init__(self, log: EventLog, clock: Callable[[], Instant], *, ended_in_memory: int = 50) -> None:
        """Call ``open`` before anything else."""
        self._log, self._clock, self._ended_in_memory = log, clock, ended_in_memory
        self._numbers: set[TournamentNo] = set()
        self._desks: dict[TournamentNo, TournamentDesk] = {}
        self._running: dict[TournamentNo, Tournament] = {}
        self._resting: OrderedDict[TournamentNo, TournamentDesk] = OrderedDict()
        self._listeners: list[Listener] = []

    async def open(self, ended: Container[TournamentNo]) -> None:
        """Read every tournament but those known to have ended: too few of these cost time, nothing else.

        A tournament that cannot be replayed is stopped, and the others go on. Raises HistoryBroken.
        """
        found = (number_of(stream) for stream in await self._log.streams())
        self._numbers = {number for number in found if number is not None}
        for number in self.numbers():
            if number not in ended:
                with suppress(InvariantBroken):
                    await self.load(number)

    async def handle(
        self,
        number: TournamentNo,
        command: Command,
        *,
        by: str,
        command_id: str | None = None,
        expected_version: int | None = None,
    ) -> Answer:
        """Carry out *command* once. ``command_id`` ``None``: a fresh one.

        Raises CommandRejected (also ``unknown_tournament``, ``outdated``), CommandIdReused, LogUnavailable,
        InvariantBroken, or what ends the daemon: LogBroken, LogDamaged.
        """
        if not isinstance(command, Publish | Adopt):
            self._refuse_unknown(number)
        desk = self._desk(number)
        reply = await desk.handle(
            command, command_id=command_id or uuid4().hex, by=by, expected_version=expected_version
        )
        self._place(number, desk)
        return Answer(entry=reply.entry, state=reply.state)

    async def load(self, number: TournamentNo) -> Tournament:
        """Return what is durable of a tournament. Raises CommandRejected ``unknown_tournament``."""
        self._refuse_unknown(number)
        desk = self._desk(number)
        state = await desk.state()
        self._place(number, desk)
        return state

    def version(self, number: TournamentNo) -> int:
        """Return the version of the state that ``load`` returned last, and ``running`` has."""
        return self._desk(number).version

    def running(self) -> Mapping[TournamentNo, Tournament]:
        """Return every tournament that has not ended, as it is right now."""
        return dict(self._running)

    def numbers(self) -> Sequence[TournamentNo]:
        """Return the numbers of all tournaments, ended ones too, in order."""
        return sorted(self._numbers)

    def stopped(self) -> Mapping[TournamentNo, InvariantBroken]:
        """Return the tournaments that take no commands after a bug, with what happened."""
        failures = ((number, desk.failure) for number, desk in self._desks.items())
        return {number: failure for number, failure in failures if failure is not None}

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call *listener* after each entry from now on; the returned function ends that."""
        self._listeners.append(listener)
        return partial(self._listeners.remove, listener)

    def _desk(self, number: TournamentNo) -> TournamentDesk:
        if (desk := self._desks.get(number)) is None:
            publish = partial(self._publish, number)
            desk = self._desks[number] = Desk(stream_of(number), self._log, TOURNAMENT, self._clock, publish)
        return desk

    def _refuse_unknown(self, number: TournamentNo) -> None:
        if number not in self._numbers:
            raise CommandRejected("unknown_tournament", tournament=number)

    def _publish(self, number: TournamentNo, entry: Entry, state: Tournament) -> None:
        self._numbers.add(number)
        self._place(number, self._desks[number])
        for listener in tuple(self._listeners):
            try:
                listener(number, entry, state)
            except Exception as error:  # noqa: BLE001  one listener's bug is not the next one's
                context = {"message": f"a listener failed on version {entry.version}", "exception": error}
                asyncio.get_running_loop().call_exception_handler(context)

    def _place(self, number: TournamentNo, desk: TournamentDesk) -> None:
        """Keep a running tournament at hand, and the ended ones that were asked for last."""
        phase = desk.durable.phase
        if phase in _ENDED:
            self._running.pop(number, None)
            self._rest(number, desk)
        elif phase != "draft":
            self._running[number] = desk.durable

    def _rest(self, number: TournamentNo, desk: TournamentDesk) -> None:
        self._resting[number] = desk
        self._resting.move_to_end(number)
        while len(self._resting) > self._ended_in_memory:
            self._resting.popitem(last=False)[1].forget()
