"""The tables of running rounds, as matching asks for them; made anew only where something changed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from relayd.ports import Tournaments
from ruleset.ids import PlayerId, ServerId, TableId, TournamentNo
from ruleset.roomcode import RoomCode, room_of
from ruleset.tournament.state import Player, Table, Tournament
from srvpro_bridge.matching import Candidate, Index
from srvpro_bridge.names import Entrant


class TableKey(NamedTuple):
    """Names a table among all tournaments."""

    tournament: TournamentNo
    table: TableId


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Field:
    """What one running tournament brings: its present tables, and everybody who entered it.

    Two are equal only if they are the same one.
    """

    state: Tournament
    """As it was when the rest last changed."""
    candidates: tuple[Candidate, ...]
    entrants: tuple[Entrant, ...]


class RunningTables:
    """All running tournaments, as the duel servers have to do with them."""

    def __init__(self, tournaments: Tournaments) -> None:
        self._tournaments = tournaments
        self._seen: dict[TournamentNo, Tournament] = {}
        self._fields: dict[TournamentNo, Field] = {}
        self._indexed: tuple[Field, ...] = ()
        self._index = Index((), ())

    def fields(self) -> tuple[Field, ...]:
        """Return one for each tournament whose rounds run; the same objects while nothing of them changed."""
        states = {n: state for n, state in self._tournaments.running().items() if state.phase == "running"}
        for number, state in states.items():
            if self._seen.get(number) is not state:
                self._fields[number] = _field(state, self._fields.get(number))
        for ended in self._fields.keys() - states.keys():
            del self._fields[ended]
        self._seen = states
        return tuple(self._fields[number] for number in sorted(states))

    def index(self) -> Index:
        """Return the index of all present tables for matching (rules.md 5.6)."""
        fields = self.fields()
        if fields != self._indexed:
            candidates = (table for field in fields for table in field.candidates)
            self._index = Index(candidates, (entrant for field in fields for entrant in field.entrants))
            self._indexed = fields
        return self._index

    def present(self, server: ServerId) -> Iterator[tuple[Tournament, Table]]:
        """Yield the present tables on *server* that their rounds wait for."""
        for state in self._tournaments.running().values():
            for table in () if state.round is None else state.round.open_tables:
                if table.server == server:
                    yield state, table


def candidate(state: Tournament, table: Table) -> Candidate:
    """Return *table* in the form that matching asks for."""
    return Candidate(
        code=code_of(state.number, table),
        server=table.server or ServerId(""),
        a=entrant(state, table.a),
        b=entrant(state, table.b),
        open=table.unfinished,
        by_name=state.settings.match_by_name,
    )


def code_of(number: TournamentNo, table: Table) -> RoomCode:
    """Return the code of the room in which *table* plays now (R058)."""
    extra = table.extra_games > 0
    return room_of(number, table.id, extra=extra)


def entrant(state: Tournament, player: PlayerId) -> Entrant:
    """Return *player* under the nickname that he entered with."""
    return _entrant(state.players[player])


def _entrant(player: Player) -> Entrant:
    return Entrant(number=player.number, nickname=player.nickname)


def _field(state: Tournament, before: Field | None) -> Field:
    """Return the field of *state*: the one from before if nothing of it has changed."""
    tables = () if state.round is None else state.round.tables.values()
    candidates = tuple(candidate(state, table) for table in tables)
    if before is not None and before.state.players is state.players and before.candidates == candidates:
        return before
    entrants = tuple(entrant(state, player) for player in state.entrants)
    return Field(state=state, candidates=candidates, entrants=entrants)
