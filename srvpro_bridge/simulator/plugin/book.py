"""The tables that the daemon has told, and who belongs where."""

from collections.abc import Iterable
from typing import NamedTuple

from ruleset import roomcode
from ruleset.ids import Seat
from srvpro_bridge.names import fold, number_in
from srvpro_bridge.protocol import Table, TableSeat

SEATS: tuple[Seat, Seat] = ("a", "b")


class Place(NamedTuple):
    """A seat at a table."""

    table: Table
    seat: Seat


class Book:
    """All tables by code; whoever is led is looked up here."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}

    def replace(self, tables: Iterable[Table]) -> None:
        """Know these tables and no other."""
        self.tables = {table.code: table for table in tables}

    def at(self, name: str) -> Table | None:
        """Return the table that a room's name, or what somebody typed, means."""
        code = roomcode.find(name)
        return None if code is None else self.tables.get(str(code))

    def places(self, name: str) -> list[Place]:
        """Return every seat of somebody: by his nickname, else by his number."""
        return [
            Place(table, seat)
            for table in self.tables.values()
            for seat in SEATS
            if _is(getattr(table, seat), name)
        ]

    def seat(self, table: Table, name: str) -> Seat | None:
        """Return his seat at one table; ``None``: he has none, or both carry his name."""
        here = [seat for seat in SEATS if _is(getattr(table, seat), name)]
        return here[0] if len(here) == 1 else None


def _is(seat: TableSeat, name: str) -> bool:
    folded = fold(name)
    return fold(seat.nickname) == folded or number_in(folded) == seat.player
