"""Death-three, sudden death, and the match that a lead decides, as tables want it (10.c-10.e)."""

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from srvpro_bridge.protocol import Table
from srvpro_bridge.simulator.passwords import MATCH
from srvpro_bridge.simulator.play import Stage
from srvpro_bridge.simulator.plugin.watch import Watch
from srvpro_bridge.simulator.rules import OFF, SUDDEN

Change: TypeAlias = Literal["off", "three", "sudden", "ended"]
Tell: TypeAlias = Callable[[Watch, Change], None]
_BETWEEN: Final = frozenset({Stage.FINGER, Stage.FIRSTGO, Stage.SIDING})


def settle(watch: Watch, table: Table, tell: Tell) -> str:
    """Make a room what its table wants; return what came of it: done, already, pending, ended."""
    room = watch.room
    if room.deleted or room.ended:
        return "already"
    if room.stage is Stage.BEGIN:
        return "pending" if table.death or table.sudden_death else "already"
    return _end(watch, table, tell) if _lead_decides(watch, table) else _set(watch, table, tell)


def cancel(watch: Watch, tell: Tell) -> str:
    """Call death off."""
    watch.death_by_us = False
    if not watch.room.cancel_death():
        return "already"
    tell(watch, "off")
    return "done"


def _lead_decides(watch: Watch, table: Table) -> bool:
    room = watch.room
    wanted = room.death != OFF or table.death
    between = room.options.mode == MATCH and room.stage in _BETWEEN
    return wanted and between and watch.ahead(table) is not None


def _set(watch: Watch, table: Table, tell: Tell) -> str:
    if _evened_out(watch, table):
        watch.room.death = OFF
        return "pending"
    if table.sudden_death:
        return _set_sudden(watch, tell)
    if table.death and watch.room.death == OFF:
        return _call(watch, tell)
    if not table.death and watch.room.death != OFF and watch.death_by_us:
        return cancel(watch, tell)
    return "already"


def _evened_out(watch: Watch, table: Table) -> bool:
    """Who leads in this room does not lead in the match: the server would end it for him (rules 5.5-8)."""
    between = watch.room.options.mode == MATCH and watch.room.stage in _BETWEEN
    return between and watch.room.leader is not None and watch.ahead(table) is None


def _end(watch: Watch, table: Table, tell: Tell) -> str:
    watch.room.death = OFF
    winner = watch.ahead(table)
    if winner is not None:
        watch.room.end_by_death(winner)
    tell(watch, "ended")
    return "ended"


def _set_sudden(watch: Watch, tell: Tell) -> str:
    if watch.room.death == SUDDEN:
        return "already"
    watch.room.death, watch.death_by_us = SUDDEN, True
    tell(watch, "sudden")
    return "done"


def _call(watch: Watch, tell: Tell) -> str:
    """Right after a game both are about to be asked for their sides: wait for that."""
    room = watch.room
    if room.stage is Stage.END:
        return "pending"
    room.start_death()
    watch.death_by_us = True
    tell(watch, "three" if room.death > OFF else "sudden")
    return "done"
