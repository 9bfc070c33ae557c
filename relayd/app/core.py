"""The core of the daemon: stores, clock, tournaments, directory, environments of decks."""

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final

import structlog

from relayd.clock import BootClock
from relayd.desks import Desks
from relayd.directory import Directory
from relayd.environments import Environments
from relayd.observe.commands import Observed
from relayd.observe.health import Check
from relayd.observe.logwatch import LogWatch
from relayd.observe.metrics import Metrics
from relayd.settings import Settings, SettingsError
from relayd.storage.sqlite.accounts import SqliteAccounts
from relayd.storage.sqlite.cursors import SqliteCursors
from relayd.storage.sqlite.ledger import SqliteLedger
from relayd.storage.sqlite.log import SqliteLog
from relayd.storage.sqlite.webhooks import SqliteHooks
from ruleset.ids import Instant, TournamentNo

LOG_FILE: Final = "relayd.db"
LEDGER_FILE: Final = "ledger.db"
CURSORS_FILE: Final = "cursors.db"
ACCOUNTS_FILE: Final = "accounts.db"
HOOKS_FILE: Final = "webhooks.db"
_log: Final = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """What everything else stands on: stores, clock, tournaments, directory, environments of decks."""

    log: SqliteLog
    ledger: SqliteLedger
    cursors: SqliteCursors
    hooks: SqliteHooks
    accounts: SqliteAccounts
    clock: BootClock
    desks: Desks
    tournaments: Observed
    directory: Directory
    environments: Environments
    metrics: Metrics
    checks: Mapping[str, Check]
    """Why it would take no commands, by part."""


async def open_core(settings: Settings, stack: AsyncExitStack) -> Core:
    """Open the stores and read what runs; *stack* closes them. Raises SettingsError and LogErrors."""
    metrics = Metrics()
    _make_data_dir(settings)
    watch = LogWatch(metrics)
    log = SqliteLog(settings.data_dir / LOG_FILE, watch=watch)
    stack.push_async_callback(log.close)
    ledger = SqliteLedger(settings.data_dir / LEDGER_FILE)
    stack.push_async_callback(ledger.close)
    cursors = SqliteCursors(settings.data_dir / CURSORS_FILE)
    stack.push_async_callback(cursors.close)
    hooks = SqliteHooks(settings.data_dir / HOOKS_FILE)
    stack.push_async_callback(hooks.close)
    accounts = SqliteAccounts(settings.data_dir / ACCOUNTS_FILE)
    stack.push_async_callback(accounts.close)
    clock = _clock(settings, metrics)
    directory = Directory(log, clock.now)
    await directory.open()
    desks = Desks(log, clock.now)
    contests = enumerate(directory.state.tournaments, 1)
    await desks.open(frozenset(TournamentNo(number) for number, contest in contests if contest.ended))
    _measure(desks, metrics)
    return Core(
        log=log,
        ledger=ledger,
        cursors=cursors,
        hooks=hooks,
        accounts=accounts,
        clock=clock,
        desks=desks,
        tournaments=Observed(desks, metrics),
        directory=directory,
        environments=Environments(settings.environment),
        metrics=metrics,
        checks={"log": watch.why_not, "desks": lambda: _stopped(desks)},
    )


def _stopped(desks: Desks) -> str:
    return ", ".join(f"t{number} stopped" for number in desks.stopped())


def _make_data_dir(settings: Settings) -> None:
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError([f"data_dir: {settings.data_dir}: cannot be made: {error.strerror}"]) from error


def _clock(settings: Settings, metrics: Metrics) -> BootClock:
    def stepped(milliseconds: int) -> None:
        metrics.clock_steps.inc()
        _log.warning("clock_stepped", ms=milliseconds)

    origin = settings.clock.origin
    start = None if origin is None else Instant(origin)
    return BootClock(scale=settings.clock.scale, origin=start, stepped=stepped)


def _measure(desks: Desks, metrics: Metrics) -> None:
    metrics.desks_stopped.set_function(lambda: len(desks.stopped()))
    metrics.open_tables.set_function(
        lambda: sum(len(s.round.open_tables) for s in desks.running().values() if s.round is not None)
    )
    for phase in ("published", "signin_open", "signin_closed", "held", "running"):
        metrics.tournaments.labels(phase).set_function(_phase_counter(desks, phase))


def _phase_counter(desks: Desks, phase: str) -> Callable[[], float]:
    return lambda: sum(state.phase == phase for state in desks.running().values())
