"""The composition root: the only place that wires the parts of the daemon together."""

import asyncio
import secrets
import signal
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import structlog
from aiohttp import ClientSession, web

from relayd.admin.buckets import Buckets
from relayd.admin.calls import METHODS
from relayd.admin.dispatcher import Dispatcher
from relayd.admin.parts import Parts
from relayd.admin.peers import LocalUsers, Tokens
from relayd.admin.unixsocket import AdminSocket
from relayd.admin.websocket import AdminWebSocket, serve
from relayd.alarm import Alarm, Helpers
from relayd.bridge.bridge import Bridge
from relayd.bridge.facade import Facade
from relayd.bridge.inside import Inside
from relayd.bridge.intake import Intake
from relayd.bridge.servers import DuelServer, Pace
from relayd.bridge.shouts import Shouts
from relayd.bridge.tables import RunningTables
from relayd.clock import BootClock
from relayd.desks import Desks
from relayd.directory import Directory
from relayd.environments import Environments
from relayd.listening import held_sockets, listen, printed
from relayd.live.hub import Hub
from relayd.observe.commands import Observed
from relayd.observe.health import Check, Health
from relayd.observe.logging import Level
from relayd.observe.metrics import Metrics
from relayd.outbound.cursor import Cursor
from relayd.outbound.rating import PresentDp, RatingEffects
from relayd.public import public_entry, public_gap, public_view
from relayd.publishing import Publishing
from relayd.settings import DuelServer as ServerSettings
from relayd.settings import Settings, SettingsError, Surroundings, secret
from relayd.starting import Starting
from relayd.storage.sqlite.cursors import SqliteCursors
from relayd.storage.sqlite.ledger import SqliteLedger
from relayd.storage.sqlite.log import SqliteLog
from relayd.submitting import Submitting
from relayd.sweeps import Overdue, SettledElsewhere, Sweep, Sweeps
from relayd.systemd import Notifier, heartbeat
from ruleset.ids import Instant, PlayerId, TournamentNo
from ruleset.tournament.commands import Tick
from srvpro_bridge.adminapi import Account

LOG_FILE: Final = "relayd.db"
LEDGER_FILE: Final = "ledger.db"
CURSORS_FILE: Final = "cursors.db"
CALLS_A_SECOND: Final = 50.0
CALLS_AT_ONCE: Final = 200.0
_log: Final = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """What everything else stands on: stores, clock, tournaments, directory."""

    log: SqliteLog
    ledger: SqliteLedger
    cursors: SqliteCursors
    clock: BootClock
    desks: Desks
    tournaments: Observed
    directory: Directory
    metrics: Metrics


@dataclass(frozen=True, slots=True, kw_only=True)
class Sockets:
    """Where the daemon listens."""

    http: socket.socket
    gateway: socket.socket
    admin: socket.socket | None
    """Held by the service manager; ``None``: the daemon makes its own at the path of the settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parties:
    """What faces the world: duel servers, effects, time."""

    bridge: Bridge
    facade: Facade
    starting: Starting
    rating: Cursor
    shouts: Cursor
    alarm: Alarm
    sweeps: Sweeps


async def run(
    settings: Settings,
    around: Surroundings,
    level: Level,
    *,
    ready: Callable[[Mapping[str, str]], None] = lambda _addresses: None,
) -> None:
    """Run the daemon until SIGTERM or SIGINT. *ready* hears the addresses once everything answers.

    Raises what the operator must mend: SettingsError, AddressTaken, SocketTaken, LogRefused, LogDamaged,
    HistoryBroken, LogUnavailable at the start; and LogBroken or LogDamaged, after which only a new process
    may go on (F03).
    """
    stop = _stop_signal()
    async with AsyncExitStack() as stack:
        sockets = _sockets(settings, around, stack)
        core = await _core(settings, stack)
        parties = await _parties(settings, core, stack)
        dispatcher = _dispatcher(settings, core, parties, level)
        admin = AdminSocket(
            settings.admin_socket_path, LocalUsers(settings.admin_socket.role), dispatcher, core.metrics
        )
        await admin.start(sockets.admin)
        stack.push_async_callback(admin.close)
        websocket = AdminWebSocket(Tokens.of(settings.admin_token), dispatcher, core.metrics)
        await stack.enter_async_context(serve(sockets.gateway, {"/admin": websocket}))
        await stack.enter_async_context(_http(settings, core, parties, sockets.http))
        addresses = _addresses(settings, sockets)
        notifier = Notifier(around.notify_socket)
        notifier.ready()
        _log.info("started", **addresses)
        ready(addresses)
        await _until(stop, _tasks(core, parties, heartbeat(notifier, core.metrics, around.watchdog_usec)))
        notifier.stopping()
        _log.info("stopping")


def _stop_signal() -> asyncio.Event:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


def _sockets(settings: Settings, around: Surroundings, stack: AsyncExitStack) -> Sockets:
    held = held_sockets(around)
    http = listen("http", settings.http, held.get("http"))
    stack.callback(http.close)
    gateway = listen("gateway", settings.gateway, held.get("gateway"))
    stack.callback(gateway.close)
    return Sockets(http=http, gateway=gateway, admin=held.get("admin"))


async def _core(settings: Settings, stack: AsyncExitStack) -> Core:
    """Open the stores and read what runs."""
    metrics = Metrics()
    _make_data_dir(settings)
    log = SqliteLog(settings.data_dir / LOG_FILE)
    stack.push_async_callback(log.close)
    ledger = SqliteLedger(settings.data_dir / LEDGER_FILE)
    stack.push_async_callback(ledger.close)
    cursors = SqliteCursors(settings.data_dir / CURSORS_FILE)
    stack.push_async_callback(cursors.close)
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
        clock=clock,
        desks=desks,
        tournaments=Observed(desks, metrics),
        directory=directory,
        metrics=metrics,
    )


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


async def _parties(settings: Settings, core: Core, stack: AsyncExitStack) -> Parties:
    servers = [_duel_server(server) for server in settings.duel_server]
    tables = RunningTables(core.tournaments)
    inside = Inside(tournaments=core.tournaments, tables=tables, clock=core.clock, metrics=core.metrics)
    http = await stack.enter_async_context(ClientSession())
    bridge = Bridge(servers, http, inside)
    rating = Cursor(
        RatingEffects(core.ledger, core.log, core.metrics), core.log, core.tournaments, core.metrics
    )
    shouts = Cursor(Shouts(bridge.apis, core.cursors, inside), core.log, core.tournaments, core.metrics)
    starting = Starting(
        core.tournaments, core.directory, PresentDp(core.ledger, rating), bridge.free, core.clock
    )
    alarm = Alarm(
        core.tournaments,
        core.clock,
        Helpers(
            start=starting.start_due,
            last_look=bridge.last_look,
            free=bridge.free,
            late=core.metrics.deadline_lateness.observe,
        ),
    )
    return Parties(
        bridge=bridge,
        facade=Facade(servers, inside, Intake(inside)),
        starting=starting,
        rating=rating,
        shouts=shouts,
        alarm=alarm,
        sweeps=_sweeps(core, alarm, starting, rating, bridge),
    )


def _duel_server(server: ServerSettings) -> DuelServer:
    """Return a duel server as the bridge wants it, with its secrets. Raises SettingsError."""
    user, password, key = server.api_user, server.api_password_file, server.challonge_key_file
    account = None if user is None or password is None else Account(user=user, password=secret(password))
    poll = server.poll
    return DuelServer(
        facts=server.facts,
        api_url=server.api_url,
        account=account,
        challonge_key=None if key is None else secret(key),
        capacity=server.capacity,
        pace=Pace(running_ms=poll.running_ms, idle_ms=poll.idle_ms, timeout_ms=poll.timeout_ms),
    )


def _sweeps(core: Core, alarm: Alarm, starting: Starting, rating: Cursor, bridge: Bridge) -> Sweeps:
    async def wake(number: TournamentNo) -> None:
        await starting.start_due(number)
        tick = Tick(held=alarm.held, free=bridge.free(), now=core.clock.now())
        await core.tournaments.handle(number, tick, by="system")

    sweeps = (
        Sweep(name="overdue", repair=Overdue(core.tournaments, core.clock, wake)),
        Sweep(name="directory", repair=starting.tidy),
        Sweep(name="rating", repair=rating.catch_up),
        Sweep(name="parked", repair=SettledElsewhere(core.tournaments)),
    )
    return Sweeps(sweeps, core.metrics)


def _dispatcher(settings: Settings, core: Core, parties: Parties, level: Level) -> Dispatcher:
    environments = Environments(settings.environment)
    hub = Hub(public_entry, public_view(core.clock), public_gap, core.metrics)
    core.desks.subscribe(hub.hear)
    parts = Parts(
        tournaments=core.tournaments,
        players=core.directory,
        roster=lambda: ((PlayerId(n), p.nickname) for n, p in enumerate(core.directory.state.players, 1)),
        starter=parties.starting,
        sights=parties.bridge,
        clock=core.clock,
        publishing=Publishing(
            daemon=settings,
            environments=environments,
            tournaments=core.tournaments,
            players=core.directory,
            clock=core.clock,
            draw_seed=lambda: settings.fixed_seed or secrets.token_hex(32),
        ),
        submitting=Submitting(environments=environments, tournaments=core.tournaments),
        feed=hub,
        level=level,
    )
    return Dispatcher(METHODS, parts, core.metrics, Buckets(CALLS_A_SECOND, CALLS_AT_ONCE))


@asynccontextmanager
async def _http(settings: Settings, core: Core, parties: Parties, own: socket.socket) -> AsyncIterator[None]:
    """Serve the HTTP port; what is half sent or idle is closed soon (F13)."""
    checks: Mapping[str, Check] = {
        "desks": lambda: ", ".join(f"t{number} stopped" for number in core.desks.stopped()),
    }
    app = web.Application()
    app.add_routes(Health(core.metrics.registry, checks, settings.metrics.allow).routes())
    app.add_routes(parties.facade.routes())
    runner = web.AppRunner(app, access_log=None, keepalive_timeout=10.0)
    await runner.setup()
    try:
        await web.SockSite(runner, own).start()
        yield
    finally:
        await runner.cleanup()


def _addresses(settings: Settings, sockets: Sockets) -> Mapping[str, str]:
    return {
        "http": f"http://{printed(sockets.http)}",
        "websocket": f"ws://{printed(sockets.gateway)}/admin",
        "admin_socket": str(settings.admin_socket_path),
        "data_dir": str(settings.data_dir),
    }


def _tasks(
    core: Core, parties: Parties, beat: Coroutine[Any, Any, None]
) -> Mapping[str, Coroutine[Any, Any, object]]:
    return {
        "heartbeat": beat,
        "log": _ends_with(core.log),
        "bridge": parties.bridge.run(),
        "alarm": parties.alarm.run(),
        "hold": _release(parties),
        "starting": parties.starting.run(),
        "rating": parties.rating.run(),
        "shouts": parties.shouts.run(),
        "sweeps": parties.sweeps.run(),
    }


async def _release(parties: Parties) -> None:
    """End the hold after a restart once every duel server has been looked at (5.5-7)."""
    await parties.bridge.first_look()
    parties.alarm.release()


async def _until(stop: asyncio.Event, work: Mapping[str, Coroutine[Any, Any, object]]) -> None:
    """Work until *stop*, or until something has gone wrong that only a new process can mend."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(job, name=name) for name, job in work.items()]
            await stop.wait()
            for task in tasks:
                task.cancel()
    except BaseExceptionGroup as group_error:
        raise _first_of(group_error) from group_error


def _first_of(group: BaseExceptionGroup[BaseException]) -> BaseException:
    first = group.exceptions[0]
    return _first_of(first) if isinstance(first, BaseExceptionGroup) else first


async def _ends_with(log: SqliteLog) -> None:
    """End the daemon when the log takes nothing more (F03)."""
    raise await log.broken()
