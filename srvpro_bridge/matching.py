"""Which table a duel server speaks of (rules.md 5.6-1 to 5.6-4): a pure function over an index of tables."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from ruleset import roomcode
from ruleset.errors import RulesetError
from ruleset.ids import PlayerId, Seat, ServerId
from ruleset.roomcode import RoomCode
from srvpro_bridge.names import Entrant, fold, number_in

Names: TypeAlias = tuple[str, str]
"""The two players of a room as the server shows them, ``$key`` and all, in the server's order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A table of a running round, as far as matching needs it."""

    code: RoomCode
    """``extra``: the extra game is being played, so a room of its code is this table's, too."""
    server: ServerId
    a: Entrant
    b: Entrant
    open: bool = True
    """Whether the match goes on: only such a table is found by names."""
    by_name: bool = True
    """The tournament's ``match_by_name``."""

    def seat_of(self, player: PlayerId) -> Seat | None:
        """Return where *player* sits; ``None``: not at this table."""
        return "a" if player == self.a.number else "b" if player == self.b.number else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """It is this table's."""

    candidate: Candidate
    extra: bool
    """It is the room of the extra game."""
    flipped: bool
    """The first name sits at seat B."""
    evidence: Literal["room", "names"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmatched:
    """The room names a table, but not both players are its own, or it is the wrong server, or no table."""

    code: RoomCode
    candidate: Candidate | None
    """``None``: the running round has no such table."""
    strangers: bool
    """Neither player belongs to the table: the host is told (5.6-1)."""
    names: Names


@dataclass(frozen=True, slots=True, kw_only=True)
class Parked:
    """The names fit these tables, but two entrants carry a nickname: somebody must claim it (5.6-3)."""

    candidates: tuple[Candidate, ...]
    names: Names


@dataclass(frozen=True, slots=True, kw_only=True)
class NotOurs:
    """No table of a running tournament."""


Match: TypeAlias = Matched | Unmatched | Parked | NotOurs


class Index:
    """The tables of all running rounds and everybody entered; built at each change, asked at each report."""

    def __init__(self, tables: Iterable[Candidate], entrants: Iterable[Entrant]) -> None:
        """*entrants*: of all running tournaments, also those who have no table now."""
        self._tables = {replace(table.code, extra=False): table for table in tables}
        self._tournaments = {code.tournament for code in self._tables}
        self._at: defaultdict[tuple[ServerId, PlayerId], list[Candidate]] = defaultdict(list)
        for table in self._tables.values():
            for player in (table.a, table.b) if table.open and table.by_name else ():
                self._at[table.server, player.number].append(table)
        self._carriers: defaultdict[str, set[PlayerId]] = defaultdict(set)
        self._names: dict[PlayerId, str] = {}
        seated = [player for table in self._tables.values() for player in (table.a, table.b)]
        for entrant in (*entrants, *seated):
            self._names[entrant.number] = fold(entrant.nickname)
            self._carriers[fold(entrant.nickname)].add(entrant.number)

    def who(self, name: str) -> frozenset[PlayerId]:
        """Return who may be meant: one entrant, several who carry one nickname, nobody (5.6)."""
        folded = fold(name)
        carriers = frozenset(self._carriers.get(folded, ()))
        if carriers and folded.isdecimal():
            return carriers
        number = number_in(folded)
        if number in self._names:
            return frozenset({number})
        return carriers or self._by_both(folded)

    def named(self, code: RoomCode) -> Candidate | None:
        """Return the table that *code* names; that of an extra game only while one is played."""
        table = self._tables.get(replace(code, extra=False))
        return None if table is None or (code.extra and not table.code.extra) else table

    def runs(self, code: RoomCode) -> bool:
        """Say whether the tournament of *code* has any table here."""
        return code.tournament in self._tournaments

    def sitting(self, server: ServerId, one: PlayerId, other: PlayerId) -> Iterable[Candidate]:
        """Return the tables on *server* that are found by names and where these two play each other."""
        tables = self._at.get((server, one), ())
        return (table for table in tables if one != other and table.seat_of(other) is not None)

    def _by_both(self, folded: str) -> frozenset[PlayerId]:
        """Understand ``P000123+Nick``, which srvpro lets a player type, too (duel-server.md 3)."""
        left, plus, right = folded.partition("+")
        number = number_in(left) if plus else None
        fits = number is not None and self._names.get(number) == right.strip()
        return frozenset({number}) if number is not None and fits else frozenset()


def match_room(index: Index, server: ServerId, room_name: str, names: Names) -> Match:
    """Find the table of a room: by the code in its name, else by its two players (5.6-1, 5.6-2, 5.6-3)."""
    code = roomcode.find(room_name)
    if code is None:
        return _by_names(index, server, names)
    table = index.named(code)
    if table is None:
        return (
            Unmatched(code=code, candidate=None, strangers=False, names=names)
            if index.runs(code)
            else NotOurs()
        )
    flipped = orientation(index, table, names)
    if flipped is None or table.server != server:
        strangers = not any(_sitting(index, table, name) for name in names)
        return Unmatched(code=code, candidate=table, strangers=strangers, names=names)
    return Matched(candidate=table, extra=code.extra, flipped=flipped, evidence="room")


def match_id(index: Index, server: ServerId, match: str) -> Matched | NotOurs:
    """Find the table of a Challonge match id: it is a code and counts as both names (5.6-4)."""
    try:
        code = roomcode.parse(match)
    except RulesetError:
        return NotOurs()
    table = index.named(code)
    if table is None or table.server != server:
        return NotOurs()
    return Matched(candidate=table, extra=code.extra, flipped=False, evidence="room")


def seats(index: Index, table: Candidate, names: Iterable[str]) -> tuple[Seat | None, ...]:
    """Return where each of *names* sits; ``None``: a stranger, or both seats carry that nickname."""
    return tuple(_seat(index, table, name) for name in names)


def orientation(index: Index, table: Candidate, names: Names) -> bool | None:
    """Say whether the first name sits at seat B; ``None`` unless both names resolve to the two seats."""
    match seats(index, table, names):
        case ("a", "b"):
            return False
        case ("b", "a"):
            return True
        case _:
            return None


def _seat(index: Index, table: Candidate, name: str) -> Seat | None:
    sitting = _sitting(index, table, name)
    return table.seat_of(*sitting) if len(sitting) == 1 else None


def _sitting(index: Index, table: Candidate, name: str) -> frozenset[PlayerId]:
    """Return which of the table's two players *name* may mean."""
    return index.who(name) & {table.a.number, table.b.number}


def _by_names(index: Index, server: ServerId, names: Names) -> Match:
    ones, others = index.who(names[0]), index.who(names[1])
    found = {
        table.code: table for one in ones for other in others for table in index.sitting(server, one, other)
    }
    tables = tuple(found[code] for code in sorted(found, key=str))
    if not tables:
        return NotOurs()
    if len(ones) > 1 or len(others) > 1 or len(tables) > 1:
        return Parked(candidates=tables, names=names)
    flipped = tables[0].seat_of(*ones) == "b"
    return Matched(candidate=tables[0], extra=tables[0].code.extra, flipped=flipped, evidence="names")
