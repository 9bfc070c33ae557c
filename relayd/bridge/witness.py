"""Tells the tournaments what a duel server shows, only what they do not know yet (R067, T5, T7, 5.5-8)."""

import asyncio
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

import structlog

from relayd.bridge.inside import Inside
from relayd.bridge.sighting import Look, says_more, see_room
from relayd.bridge.tables import TableKey
from relayd.errors import InvariantBroken
from relayd.storage.log import LogUnavailable
from ruleset.errors import CommandRejected
from ruleset.ids import Instant, ServerId, TableId, TournamentNo
from ruleset.tournament.commands import Command, LoseServer, RegainServer, SeeRoom
from ruleset.tournament.state import Table, Tournament

_NO_TIME: Final = Instant(0)
_log = structlog.get_logger()


class Witness:
    """Speaks for one duel server. Level-triggered: what did not get through is said at the next look."""

    def __init__(self, server: ServerId, inside: Inside) -> None:
        self._server = server
        self._tournaments, self._tables, self._clock = inside.tournaments, inside.tables, inside.clock
        self._said: dict[TableKey, tuple[SeeRoom, Table]] = {}
        """What was said last of each table, and the table after that."""
        self._refused: dict[TournamentNo, str] = {}
        """Why the last thing was not taken."""

    async def see(self, look: Look) -> None:
        """Hand in what is new in the rooms of all present tables here."""
        present = {
            TableKey(state.number, table.id): table for state, table in self._tables.present(self._server)
        }
        self._said = {key: said for key, said in self._said.items() if key in present}
        news = [(key, self._news(key, table, look)) for key, table in present.items()]
        await asyncio.gather(*(self._say(key, seen) for key, seen in news if seen is not None))

    async def lose(self, since: Instant) -> None:
        """Pause the tables here: the server has not answered since then."""
        for number in self._here():
            if self._server not in self._running(number).lost_servers:
                await self._tell(number, LoseServer(server=self._server, since=since, now=self._clock.now()))

    async def regain(self, going_on: Iterable[TableKey]) -> None:
        """Let tables go on; *going_on*: those whose rooms are still there."""
        there = tuple(going_on)
        lost = [n for n, state in self._tournaments.running().items() if self._server in state.lost_servers]
        for number in lost:
            rooms: tuple[TableId, ...] = tuple(sorted(key.table for key in there if key.tournament == number))
            await self._tell(number, RegainServer(server=self._server, rooms=rooms, now=self._clock.now()))

    async def miss(self, gone: AbstractSet[TableKey]) -> None:
        """Have the hosts asked about tables whose room has gone without a report (5.5-8, F31).

        To the rules that is a duel server which was away for no time and came back without these rooms.
        """
        for number in sorted({key.tournament for key in gone}):
            here = [t for state, t in self._tables.present(self._server) if state.number == number]
            rooms = tuple(t.id for t in here if TableKey(number, t.id) not in gone)
            now = self._clock.now()
            await self._tell(number, LoseServer(server=self._server, since=now, now=now))
            await self._tell(number, RegainServer(server=self._server, rooms=rooms, now=now))

    def _here(self) -> list[TournamentNo]:
        return sorted({state.number for state, _ in self._tables.present(self._server)})

    def _running(self, number: TournamentNo) -> Tournament:
        return self._tournaments.running()[number]

    def _news(self, key: TableKey, table: Table, look: Look) -> SeeRoom | None:
        seen = see_room(look.present.get(key, ()), table, self._clock.now())
        if not says_more(seen, table):
            return None
        return None if self._said.get(key) == (replace(seen, now=_NO_TIME), table) else seen

    async def _say(self, key: TableKey, seen: SeeRoom) -> None:
        state = await self._tell(key.tournament, seen)
        table = None if state is None else state.table(key.table)
        if table is not None:
            self._said[key] = (replace(seen, now=_NO_TIME), table)

    async def _tell(self, number: TournamentNo, command: Command) -> Tournament | None:
        try:
            answer = await self._tournaments.handle(number, command, by=f"server:{self._server}")
        except (CommandRejected, LogUnavailable, InvariantBroken) as error:
            self._not_taken(number, repr(error))
            return None
        self._refused.pop(number, None)
        return answer.state

    def _not_taken(self, number: TournamentNo, why: str) -> None:
        """Write a line, but not the same one at each look."""
        if self._refused.get(number) != why:
            self._refused[number] = why
            _log.warning("sight_not_taken", server=self._server, tournament=number, why=why)
