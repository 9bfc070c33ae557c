"""Standings kept result by result: only those whom a result concerns change their places.

An index beside the state, never a part of it; what it shows equals the full computation (performance.md 2).
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator
from itertools import groupby, takewhile
from operator import itemgetter
from typing import TypeAlias, cast

from ruleset.ids import PlayerId
from ruleset.standings.criteria import CRITERIA
from ruleset.standings.field import Number
from ruleset.standings.order import arranged, sort_key
from ruleset.standings.record import Record
from ruleset.standings.table import Standings

Entry: TypeAlias = tuple[tuple[Number, ...], PlayerId]
"""What sorts a player, the best first, and who he is."""


class LiveStandings:
    """Standings to which records are put one by one.

    The leading criteria that compare no groups keep everybody sorted; the others are asked when the order is
    read, and only about those who are equal on the leading ones.
    """

    def __init__(self, standings: Standings) -> None:
        self._standings, self._fresh = standings, False
        plain = takewhile(lambda c: c.group is None and c.fold != "sorted", standings.criteria)
        self._leading = tuple(plain)
        self._reach = max((c.reach or 0 for c in self._leading), default=0)
        self._rest = standings.criteria[len(self._leading) :]
        self._entries: dict[PlayerId, Entry] = {}
        self._sorted: list[Entry] = []
        self._sort_all()

    def put(self, *records: Record) -> None:
        """Replace the records of some players, as of the two at a table; order does not matter."""
        field = self._standings.field
        own = {record.player for record in records}
        near = own.union(*(field.met.get(player, ()) for player in own))
        local = [field.put(record) for record in records]
        near.update(*(field.met[player] for player in own))
        self._fresh = False
        if all(local):
            self._forget(own, near)
        else:
            self._sort_all()

    def now(self) -> Standings:
        """Return the standings as they are, to be read before the next result."""
        if not self._fresh:
            for compared in self._standings.compared.values():
                compared.clear()
            self._standings.groups = tuple(self._groups(self._sorted))
            self._fresh = True
        return self._standings

    def place(self, player: PlayerId) -> tuple[int, int]:
        """Return a player's rank and position without reading anybody's but his equals'."""
        key, _ = self._entries[player]
        start = bisect_left(self._sorted, key, key=itemgetter(0))
        end = bisect_right(self._sorted, key, lo=start, key=itemgetter(0))
        groups = [*self._groups(self._sorted[start:end])]
        own = next(n for n, group in enumerate(groups) if player in group)
        better = start + sum(map(len, groups[:own]))
        return better + 1, better + 1 + groups[own].index(player)

    def _groups(self, entries: Iterable[Entry]) -> Iterator[tuple[PlayerId, ...]]:
        """Yield equals by all criteria, from *entries* in order."""
        standings = self._standings
        for _, run in groupby(entries, itemgetter(0)):
            equals = [player for _, player in run]
            if len(equals) == 1:
                yield tuple(equals)
                continue
            for group in arranged(standings.field, equals, self._rest, standings.compared):
                yield standings.by_seats(group)

    def _forget(self, own: set[PlayerId], near: set[PlayerId]) -> None:
        """Forget the values that the records of *own* may have changed, and sort again whom they sort."""
        field = self._standings.field
        known = [(CRITERIA[key].reach or 0, values) for key, values in field.known.items()]
        far = any(reach == 2 for reach, _ in known)
        reached = own, near, near.union(*(field.met[player] for player in near)) if far else near
        for reach, values in known:
            for player in reached[reach]:
                values.pop(player, None)
        for player in reached[max(criterion.reach or 0 for criterion in self._standings.in_order)]:
            self._standings.lines.pop(player, None)
        for player in reached[self._reach]:
            self._sort_again(player)

    def _sort_again(self, player: PlayerId) -> None:
        old, new = self._entries[player], self._entry(player)
        if old != new:
            del self._sorted[bisect_left(self._sorted, old)]
            insort(self._sorted, new)
            self._entries[player] = new

    def _sort_all(self) -> None:
        self._standings.lines.clear()
        self._entries = {player: self._entry(player) for player in self._standings.field.records}
        self._sorted = sorted(self._entries.values())

    def _entry(self, player: PlayerId) -> Entry:
        values = cast("tuple[Number, ...]", sort_key(self._standings.field, player, self._leading))
        return tuple(-value for value in values), player
