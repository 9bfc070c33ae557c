"""What a duel server is told about one room: pure, from what should be, what is seen and what was done.

Death-three is ordered until ``istart`` shows it (T8, T9): "death ok" proves nothing, a waiting room ignores
it and forgets, and a room in siding does not show it (duel-server.md 0, 2). A lead that arose during death
ends the match only when somebody sides: after a minute of nobody siding it is called anew (decisions 14).
"""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from relayd.bridge.sighting import TableSight
from ruleset.ids import SECOND_MS, Instant
from ruleset.tournament.state import Table
from srvpro_bridge.adminapi import RoomSight, Stage

Act: TypeAlias = Literal["death", "renew", "cancel", "kick"]
"""Call death; call it off and again; call it off; close the room."""

NOBODY_SIDES_MS: Final = 60 * SECOND_MS
"""How long a room may stay in siding where the match is decided by its lead (decisions 14)."""
GRACE_MS: Final = 10 * SECOND_MS
"""How long a room may outlive its table: srvpro reports and closes it by itself, a kick would stop that."""
FIRST_WAIT_MS: Final = 2 * SECOND_MS
LONGEST_WAIT_MS: Final = 60 * SECOND_MS
_SHOWS_DEATH: Final = frozenset({Stage.COIN, Stage.DUELING})


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What was seen of one instance of a room before, and what was done about it."""

    act: Act | None = None
    """The last one that was given."""
    tries: int = 0
    """How often in a row."""
    at: Instant = Instant(0)
    death_on: bool = False
    """As last shown; in siding, as last ordered."""
    siding: tuple[int, Instant] | None = None
    """The game before this siding, and since when it is seen."""
    closed_since: Instant | None = None
    """Since when the room is seen to outlive its table."""

    def given(self, act: Act, now: Instant) -> "Memory":
        """Return what is remembered once *act* was sent and answered."""
        tried = self.tried(act, now)
        siding = (self.siding[0], now) if self.siding is not None and act == "renew" else self.siding
        return replace(tried, death_on=act != "cancel", siding=siding)

    def tried(self, act: Act, now: Instant) -> "Memory":
        """Return what is remembered once *act* was sent and nothing came back."""
        return replace(self, act=act, tries=self.tries + 1 if act == self.act else 1, at=now)

    def settled(self) -> "Memory":
        """Return what is remembered once the room shows what was ordered."""
        return replace(self, act=None, tries=0)


def watch(table: Table, sight: TableSight, memory: Memory, now: Instant) -> Memory:
    """Return *memory* with what *sight* shows now."""
    room = sight.room
    same = memory.siding is not None and memory.siding[0] == room.duel
    siding = None if room.stage is not Stage.SIDING else memory.siding if same else (room.duel, now)
    closed = None if not over(table, sight) else memory.closed_since or now
    death_on = room.death != "off" if room.stage in _SHOWS_DEATH else memory.death_on
    return replace(memory, siding=siding, closed_since=closed, death_on=death_on and not room.waiting)


def wanted(table: Table, sight: TableSight, memory: Memory, best_of: int, now: Instant) -> Act | None:
    """Return what to do about a room, with *memory* as of ``watch``; ``None``: nothing, or not yet."""
    full = max(wins or 0 for wins in sight.wins) > best_of // 2
    if over(table, sight):
        act = _close(table, memory, now, full=full)
    else:
        act = None if full else _death(table, sight, memory, now)
    return None if act is None or _too_soon(act, memory, now) else act


def over(table: Table, sight: TableSight) -> bool:
    """Whether nothing is played for in that room any more."""
    return not table.open or sight.extra != (table.extra_games > 0)


def _close(table: Table, memory: Memory, now: Instant, *, full: bool) -> Act | None:
    """Kick the room; at once only where the hard cap cut a match short (T10)."""
    grace = 0 if table.capped and not full else GRACE_MS
    since = now if memory.closed_since is None else memory.closed_since
    return "kick" if now - since >= grace else None


def _death(table: Table, sight: TableSight, memory: Memory, now: Instant) -> Act | None:
    """Bring the room into death-three; that of an extra game as soon as it has started (5.5-12)."""
    called = table.time_called_at is not None or sight.extra
    if not called or not table.unfinished or not sight.playing:
        return None
    room, leads = sight.room, _leads(sight.room)
    if leads and table.carried != (0, 0) and room.stage is not Stage.DUELING:
        return "cancel" if memory.death_on else None  # with the games of a lost room nobody leads (5.5-8)
    if not memory.death_on:
        return "death"
    patience = 0 if sight.extra else NOBODY_SIDES_MS
    waits = memory.siding is not None and now - memory.siding[1] >= patience
    return "renew" if leads and waits else None


def _leads(room: RoomSight) -> bool:
    return len({player.score for player in room.players}) > 1


def _too_soon(act: Act, memory: Memory, now: Instant) -> bool:
    if act != memory.act:
        return False
    return now < memory.at + min(FIRST_WAIT_MS << (memory.tries - 1), LONGEST_WAIT_MS)
