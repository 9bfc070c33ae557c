"""Which room belongs to which table, and what it shows of it. Pure: no clock, no network.

A name in a room proves only that somebody typed it (decisions 4, 17): strangers who are alone in a room of
ours neither start its match nor make anybody present.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from relayd.bridge.tables import TableKey, candidate
from relayd.ports import LiveTable
from ruleset import roomcode
from ruleset.ids import Instant, Seat, ServerId, TableId, TournamentNo
from ruleset.roomcode import RoomCode, room_of
from ruleset.tournament.commands import SeeRoom
from ruleset.tournament.state import Table, Tournament
from srvpro_bridge.adminapi import RoomSight, Stage
from srvpro_bridge.matching import Candidate, Index, Matched, match_room, seats

_SEATS: Final[tuple[Seat, Seat]] = ("a", "b")
_STAGES: Final[Mapping[Stage, Literal["waiting", "coin", "dueling", "siding"]]] = {
    Stage.BEGIN: "waiting",
    Stage.COIN: "coin",
    Stage.DUELING: "dueling",
    Stage.SIDING: "siding",
    Stage.STARTED: "dueling",
}
OddityKind: TypeAlias = Literal["unknown_table", "other_server", "strangers", "second_room"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Oddity:
    """Something at a duel server that the host should know of, and that changes nothing by itself."""

    kind: OddityKind
    tournament: TournamentNo
    table: TableId
    server: ServerId
    room_name: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSight:
    """A room, seen as that of a table."""

    key: TableKey
    extra: bool
    """It is named as the room of the extra game."""
    room: RoomSight
    seats: tuple[Seat | None, ...]
    """Where each of the room's players sits at the table, in the room's order; ``None``: a stranger."""

    @property
    def seated(self) -> tuple[Seat, ...]:
        """The seats whose players are in the room."""
        return tuple(seat for seat in _SEATS if seat in self.seats)

    @property
    def playing(self) -> bool:
        """Whether a match has begun there, with one of the table's own players at least (T7)."""
        return bool(self.seated) and not self.room.waiting

    @property
    def strangers(self) -> tuple[str, ...]:
        """The players who do not belong there."""
        return tuple(p.name for p, seat in zip(self.room.players, self.seats, strict=True) if seat is None)

    @property
    def wins(self) -> tuple[int | None, int | None]:
        """Games won by seats A and B; ``None`` where a mark stands instead, or nobody of the table sits."""
        a, b = (self._score(seat) for seat in _SEATS)
        return a, b

    @property
    def lp(self) -> tuple[int | None, int | None]:
        """Life points of seats A and B."""
        found = dict(zip(self.seats, (player.lp for player in self.room.players), strict=True))
        return found.get("a"), found.get("b")

    def _score(self, seat: Seat) -> int | None:
        found = dict(zip(self.seats, (player.score for player in self.room.players), strict=True))
        score = found.get(seat)
        return score if score is not None and 0 <= score <= 2 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What one look at a duel server showed."""

    rooms: tuple[TableSight, ...]
    """Every room that is a table's, also of tables that are decided."""
    present: Mapping[TableKey, tuple[TableSight, ...]]
    """Those of matches that go on, the one in which the table plays first."""
    oddities: frozenset[Oddity]
    foreign: int
    """Rooms that are none of ours."""


def read_rooms(
    index: Index, running: Mapping[TournamentNo, Tournament], server: ServerId, rooms: Iterable[RoomSight]
) -> Look:
    """Find the tables of *rooms*, by the codes in their names or by who is in them (5.6-1, 5.6-2)."""
    all_rooms = tuple(rooms)
    sights: list[TableSight] = []
    oddities: set[Oddity] = set()
    for room in all_rooms:
        found = _read(index, running, server, room)
        if isinstance(found, TableSight):
            sights.append(found)
        elif found is not None:
            oddities.add(found)
    present = _present(index, sights)
    oddities |= {odd for found in present.values() for odd in _oddities(found, server)}
    foreign = len(all_rooms) - len(sights)
    return Look(rooms=tuple(sights), present=present, oddities=frozenset(oddities), foreign=foreign)


def see_room(sights: Iterable[TableSight], table: Table, now: Instant) -> SeeRoom:
    """Return what the rooms of *table* show together: who is there, and how the match stands.

    Where nothing is shown of a seat's games, or by strangers, they are told as they are known.
    """
    shown = tuple(sights)
    played = next((sight for sight in shown if sight.playing), None)
    wins = (
        table.wins
        if played is None
        else tuple(_or(w, k) for w, k in zip(played.wins, table.wins, strict=True))
    )
    return SeeRoom(
        table=table.id,
        extra=table.extra_games > 0,
        seated=tuple(seat for seat in _SEATS if any(seat in sight.seated for sight in shown)),
        playing=played is not None,
        wins=(wins[0], wins[1]),
        duel=table.duel if played is None else played.room.duel,
        now=now,
    )


def says_more(seen: SeeRoom, table: Table) -> bool:
    """Whether *seen* differs from what the tournament knows of *table* (T5, T7)."""
    if not table.unfinished:
        return False
    if table.status == "waiting":
        there = tuple(seat for seat in _SEATS if table.presence(seat).in_room)
        return seen.playing or seen.seated != there
    more = seen.wins[0] > table.wins[0] or seen.wins[1] > table.wins[1] or seen.duel > table.duel
    return seen.playing and not seen.extra and more


def live_table(sight: TableSight, server: ServerId, now: Instant) -> LiveTable:
    """Return *sight* as people see it."""
    room = sight.room
    return LiveTable(
        table=sight.key.table,
        server=server,
        room_name=room.name,
        stage=_STAGES[room.stage],
        duel=room.duel,
        turn=room.turn,
        death=room.death,
        last_turn=room.last_turn,
        wins=sight.wins,
        lp=sight.lp,
        in_room=("a" in sight.seated, "b" in sight.seated),
        strangers=sight.strangers,
        seen_at=now,
    )


def _read(
    index: Index, running: Mapping[TournamentNo, Tournament], server: ServerId, room: RoomSight
) -> TableSight | Oddity | None:
    code = roomcode.find(room.name)
    if code is None:
        return _by_names(index, server, room)
    state = running.get(code.tournament)
    if state is None:
        return None
    table = _named(state, code)
    if table is None:
        return _oddity("unknown_table", code, server, room)
    found = index.named(code) or candidate(state, table)
    if found.server != server:
        return _oddity("other_server", code, server, room)
    return _sight(index, found, room, extra=code.extra)


def _named(state: Tournament, code: RoomCode) -> Table | None:
    """Return the table of *code*, of any round; a room for an extra game that nobody ordered has none."""
    table = state.table(code.table_id)
    return None if table is None or (code.extra and table.extra_games == 0) else table


def _by_names(index: Index, server: ServerId, room: RoomSight) -> TableSight | None:
    names = [player.name for player in room.players]
    if len(names) != 2:
        return None
    match match_room(index, server, room.name, (names[0], names[1])):
        case Matched(candidate=found, extra=extra):
            return _sight(index, found, room, extra=extra)
        case _:
            return None


def _sight(index: Index, found: Candidate, room: RoomSight, *, extra: bool) -> TableSight:
    key = TableKey(found.code.tournament, found.code.table_id)
    names = [player.name for player in room.players]
    return TableSight(key=key, extra=extra, room=room, seats=seats(index, found, names))


def _present(index: Index, sights: Iterable[TableSight]) -> Mapping[TableKey, tuple[TableSight, ...]]:
    """Gather the rooms of each table: first one that plays, then the fuller one, then the older one."""
    rooms: defaultdict[TableKey, list[TableSight]] = defaultdict(list)
    for sight in sights:
        table = index.named(_code(sight.key))
        if table is not None and table.open and table.code.extra == sight.extra:
            rooms[sight.key].append(sight)
    return {key: tuple(sorted(found, key=_rank)) for key, found in rooms.items()}


def _rank(sight: TableSight) -> tuple[bool, int]:
    return not sight.playing, -len(sight.seated)


def _oddities(rooms: tuple[TableSight, ...], server: ServerId) -> Iterator[Oddity]:
    for sight in rooms:
        if sight.strangers:
            yield _oddity("strangers", _code(sight.key), server, sight.room)
        if sight is not rooms[0]:
            yield _oddity("second_room", _code(sight.key), server, sight.room)


def _code(key: TableKey) -> RoomCode:
    return room_of(key.tournament, key.table)


def _oddity(kind: OddityKind, code: RoomCode, server: ServerId, room: RoomSight) -> Oddity:
    return Oddity(
        kind=kind,
        tournament=code.tournament,
        table=code.table_id,
        server=server,
        room_name=room.name,
        names=tuple(player.name for player in room.players),
    )


def _or(wins: int | None, known: int) -> int:
    return known if wins is None else wins
