"""Which instance of a room each table plays in: so that a new room of the same name is not taken for it."""

from collections.abc import Set as AbstractSet

from relayd.bridge.sighting import Look, TableSight
from relayd.bridge.tables import TableKey
from ruleset.ids import Instant


class Instances:
    """What one duel server showed of matches that go on, up to the last look."""

    def __init__(self) -> None:
        self._rooms: dict[TableKey, str] = {}
        self._without: dict[TableKey, Instant] = {}
        self._first = True

    def going_on(self, look: Look, here: AbstractSet[TableKey]) -> frozenset[TableKey]:
        """Return the tables of *here* that have lost nothing: still in the room where they were, or in none.

        At the first look nobody knows where they were: only what is shown goes on.
        """
        rooms = _playing(look)
        there = {key for key, room in rooms.items() if self._rooms.get(key, room) == room}
        roomless = frozenset() if self._first else here - self._rooms.keys()
        return frozenset(there | roomless)

    def all_gone(self, look: Look, here: AbstractSet[TableKey]) -> bool:
        """Whether every room is another one than before: the duel server has been started anew.

        *here*: the tables that are still to be played there; what became of the other rooms says nothing.
        """
        before = {room for key, room in self._rooms.items() if key in here}
        return bool(before) and before.isdisjoint(sight.room.roomid for sight in look.rooms)

    def keep(self, look: Look, playing: AbstractSet[TableKey], now: Instant) -> None:
        """Remember *look*; *playing*: the tables whose match goes on, as far as their tournaments know."""
        rooms = _playing(look)
        expected = playing if self._first else playing & self._rooms.keys()
        self._first = False
        self._rooms = {key: room for key, room in (self._rooms | rooms).items() if key in playing}
        self._without = {key: self._without.get(key, now) for key in expected if key not in rooms} | {
            key: since for key, since in self._without.items() if key in playing and key not in rooms
        }

    def without_room(self, before: Instant) -> frozenset[TableKey]:
        """Return the tables that had a room, or should at the first look, and have none since *before*."""
        return frozenset(key for key, since in self._without.items() if since <= before)

    def forget(self, asked: AbstractSet[TableKey]) -> None:
        """Drop tables that start from nothing: they are missed again only once they have had a room."""
        for key in asked:
            self._rooms.pop(key, None)
            self._without.pop(key, None)


def _playing(look: Look) -> dict[TableKey, str]:
    first: dict[TableKey, TableSight] = {key: rooms[0] for key, rooms in look.present.items()}
    return {key: sight.room.roomid for key, sight in first.items() if sight.playing}
