"""The composition root: the only place that wires the parts of the daemon together."""

import socket
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final

import structlog

from relayd.admin.peers import LocalUsers
from relayd.admin.unixsocket import AdminSocket
from relayd.admin.websocket import AdminWebSocket, Handler, serve
from relayd.app.administration import Administration, administration
from relayd.app.core import LOG_FILE, Core, open_core
from relayd.app.pages import site_pages
from relayd.app.parties import Parties, build_parties
from relayd.app.reloading import Reloading
from relayd.app.running import Signals, settle, tasks_of, work_until
from relayd.app.site import http_site
from relayd.app.telling import build_telling
from relayd.app.uptake import take_up_level, take_up_roles, take_up_servers, take_up_tokens
from relayd.listening import held_sockets, listen, printed
from relayd.observe.logging import Level
from relayd.settings import Settings, Surroundings
from relayd.systemd import Notifier, heartbeat

__all__ = ["LOG_FILE", "run"]
_log: Final = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sockets:
    """Where the daemon listens."""

    http: socket.socket
    gateway: socket.socket
    admin: socket.socket | None
    """Held by the service manager; ``None``: the daemon makes its own at the path of the settings."""


async def run(
    settings: Settings,
    around: Surroundings,
    level: Level,
    *,
    reread: Callable[[], Settings] | None = None,
    ready: Callable[[Mapping[str, str]], None] = lambda _addresses: None,
) -> None:
    """Run the daemon until SIGTERM or SIGINT. *ready* hears the addresses once everything answers.

    *reread* reads the settings anew at SIGHUP; without it they stay as they are.

    Raises what the operator must mend: SettingsError, AddressTaken, SocketTaken, LogRefused, LogDamaged,
    HistoryBroken, LogUnavailable at the start; and LogBroken or LogDamaged, after which only a new process
    may go on (F03).
    """
    notifier = Notifier(around.notify_socket)
    signals = Signals(notifier)
    async with AsyncExitStack() as stack:
        sockets = _sockets(settings, around, stack)
        core = await open_core(settings, stack)
        reloading = Reloading(settings, reread or (lambda: settings), core.metrics)
        parties = await build_parties(settings, core, stack)
        telling = await build_telling(reloading, core, stack)
        desk = administration(reloading, core, parties, telling.hooks, level)
        await _listen(reloading, sockets, core, parties, desk, stack)
        pages = site_pages(reloading, core, desk, stack)
        await stack.enter_async_context(http_site(reloading, core, parties, desk, pages, sockets.http))
        reloading.add(take_up_servers(parties))
        reloading.add(take_up_level(level, settings.log.level))
        addresses = _addresses(settings, sockets)
        settle()
        notifier.ready()
        core.metrics.started_at.set_to_current_time()
        _log.info("started", **addresses)
        ready(addresses)
        work = {
            **tasks_of(core, parties),
            "webhooks": telling.courier.run(),
            "heartbeat": heartbeat(notifier, core.metrics, around.watchdog_usec),
            "reload": signals.reload_with(reloading),
        }
        await work_until(signals.stop, work)
        _log.info("stopping")


async def _listen(
    reloading: Reloading,
    sockets: Sockets,
    core: Core,
    parties: Parties,
    desk: Administration,
    stack: AsyncExitStack,
) -> None:
    """Open both ways into administration, and the gateway of plugins; rights change with the settings."""
    settings, users = reloading.settings, LocalUsers(reloading.settings.admin_socket.role)
    admin = AdminSocket(settings.admin_socket_path, users, desk.dispatcher, core.metrics)
    await admin.start(sockets.admin)
    stack.push_async_callback(admin.close)
    websocket = AdminWebSocket(desk.tokens, desk.dispatcher, core.metrics)
    handlers: Mapping[str, Handler] = {"/admin": websocket, "/plugin": parties.gateway}
    gates = {"/plugin": parties.gateway.gate}
    await stack.enter_async_context(serve(sockets.gateway, handlers, gates=gates))
    reloading.add(take_up_roles(users, admin))
    reloading.add(take_up_tokens(desk.tokens, websocket))


def _sockets(settings: Settings, around: Surroundings, stack: AsyncExitStack) -> Sockets:
    held = held_sockets(around)
    http = listen("http", settings.http, held.get("http"))
    stack.callback(http.close)
    gateway = listen("gateway", settings.gateway, held.get("gateway"))
    stack.callback(gateway.close)
    return Sockets(http=http, gateway=gateway, admin=held.get("admin"))


def _addresses(settings: Settings, sockets: Sockets) -> Mapping[str, str]:
    return {
        "http": f"http://{printed(sockets.http)}",
        "websocket": f"ws://{printed(sockets.gateway)}/admin",
        "admin_socket": str(sockets.admin.getsockname() if sockets.admin else settings.admin_socket_path),
        "data_dir": str(settings.data_dir),
    }
