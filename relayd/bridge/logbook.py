"""What a duel server's own log says of a match whose room has gone without a report (F31, duel-server.md 8).

srvpro keeps it only with a database, and it proves a result only where every game of the match is in it. A
table that was reopened has had a room of the same name before, and nothing says which of both a row is from.
What the log does not prove the host is asked about, as without it.
"""

from collections.abc import Set as AbstractSet
from dataclasses import replace

import structlog

from relayd.bridge.api import AdminApi, NoAnswer
from relayd.bridge.inside import Inside
from relayd.bridge.intake import Intake
from relayd.bridge.servers import DuelServer
from relayd.bridge.tables import TableKey, code_of
from relayd.errors import InvariantBroken
from relayd.storage.log import LogUnavailable
from ruleset.tournament.state import Table, Tournament
from srvpro_bridge.duellog import MATCH, NAME_COLUMN, LoggedRoom, report
from srvpro_bridge.joinstring import join_string
from srvpro_bridge.matching import Matched, match_room

_log = structlog.get_logger()


class Logbook:
    """The log of one duel server."""

    def __init__(self, server: DuelServer, api: AdminApi, inside: Inside) -> None:
        self._server, self._api, self._tables = server, api, inside.tables
        self._intake = Intake(inside)

    async def look_up(self, gone: AbstractSet[TableKey]) -> None:
        """Take the ends of *gone* that the log proves to their tables; what fails is left as it is."""
        for state, table in [*self._tables.present(self._server.id)]:
            if TableKey(state.number, table.id) in gone and not table.reopened:
                try:
                    await self._look_up(state, table)
                except NoAnswer as error:
                    _log.info("no_duel_log", server=self._server.id, why=error.why)
                    return  # nor will it say anything of the others
                except (LogUnavailable, InvariantBroken) as error:
                    _log.warning("duel_log_not_taken", server=self._server.id, why=repr(error))

    async def _look_up(self, state: Tournament, table: Table) -> None:
        room_name = join_string(code_of(state.number, table), state.settings, self._server.facts)
        logged = await self._api.logged(room_name)
        rooms = [room for room in logged if room.name == room_name[:NAME_COLUMN]]
        best_of = state.best_of(table.id)
        if rooms and rooms[-1].complete and (rooms[-1].mode == MATCH) == (best_of == 3):
            await self._take(table, room_name, rooms[-1])

    async def _take(self, table: Table, room_name: str, room: LoggedRoom) -> None:
        """Take in the last room of that name, if its players are those of the table and it misses no game."""
        found = match_room(self._tables.index(), self._server.id, room_name, room.names)
        if not isinstance(found, Matched) or found.candidate.code.table_id != table.id:
            return
        told = report(room, self._server.id, flipped=found.flipped)
        wins, seen = (told.a.wins or 0, told.b.wins or 0), table.wins_so_far
        if wins[0] >= seen[0] and wins[1] >= seen[1]:
            await self._intake.file(replace(found, flipped=False), told)
