"""Room codes (R058): ``X12R3T4`` is tournament 12, round 3, table 4.

A tail ``S`` marks an extra game (``X12R3T4S``), a ``P`` in place of the ``R`` the cut play-off (``X12P1T1``).
The password field of a duel client holds 20 UTF-16 units of which the stock client uses 19.
"""

import re
from dataclasses import dataclass
from typing import Final

from ruleset.errors import RulesetError
from ruleset.ids import PLAYOFF, RoundNo, TableId, TableNo, TournamentNo

LONGEST_PASSWORD: Final = 19
"""UTF-16 units that the stock client can send as a room password (duel-server.md 6)."""

_CODE: Final = re.compile(r"X([1-9][0-9]*)([RP])([1-9][0-9]*)T([1-9][0-9]*)(S?)", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomCode:
    """Names one room of one table."""

    tournament: TournamentNo
    round_no: RoundNo
    table: TableNo
    playoff: bool = False
    extra: bool = False

    @property
    def table_id(self) -> TableId:
        """Which table of the tournament plays there."""
        return TableId(PLAYOFF if self.playoff else self.round_no, self.table)

    def __str__(self) -> str:
        letter, tail = "P" if self.playoff else "R", "S" if self.extra else ""
        return f"X{self.tournament}{letter}{self.round_no}T{self.table}{tail}"


def room_of(tournament: TournamentNo, table: TableId, *, extra: bool = False) -> RoomCode:
    """Return the code of a table's room, or of that for its extra game (R033, R058)."""
    playoff = table.round_no == PLAYOFF
    return RoomCode(
        tournament=tournament,
        round_no=RoundNo(1) if playoff else table.round_no,
        table=table.table,
        playoff=playoff,
        extra=extra,
    )


def parse(text: str) -> RoomCode:
    """Read exactly a code, in any case. Raises RulesetError ``bad_room_code``."""
    found = _CODE.fullmatch(text) if len(text) <= LONGEST_PASSWORD else None
    if found is None:
        raise RulesetError("bad_room_code", text=text)
    number, letter, round_no, table, tail = found.groups()
    return RoomCode(
        tournament=TournamentNo(int(number)),
        round_no=RoundNo(int(round_no)),
        table=TableNo(int(table)),
        playoff=letter in "Pp",
        extra=tail != "",
    )


def find(room_name: str) -> RoomCode | None:
    """Return the code in a room's name, with or without mode prefixes and ``$password``, any case (5.6-1)."""
    before, mark, after = room_name.partition("$")[0].partition("#")
    try:
        return parse((after if mark else before).strip())
    except RulesetError:
        return None


def fits(tournament: TournamentNo, prefix: str = "M#") -> bool:
    """Say whether the longest usual code of *tournament* (``R99T9999S``) fits behind *prefix* (R058)."""
    longest = RoomCode(tournament=tournament, round_no=RoundNo(99), table=TableNo(9999), extra=True)
    return len(prefix) + len(str(longest)) <= LONGEST_PASSWORD
