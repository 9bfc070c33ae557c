"""The daemon as its bridge sees it."""

from dataclasses import dataclass

from relayd.bridge.tables import RunningTables
from relayd.observe.metrics import Metrics
from relayd.ports import Clock, Tournaments


@dataclass(frozen=True, slots=True, kw_only=True)
class Inside:
    """What every part of the bridge works with."""

    tournaments: Tournaments
    tables: RunningTables
    clock: Clock
    metrics: Metrics
