"""The composition root: the only place that wires the parts of the daemon together."""

import socket
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final

import structlog

from relayd.admin.peers import LocalUsers
from relayd.admin.unixsocket import AdminSocket
from relayd.admin.websocket import AdminWebSocket, serve
from relayd.app.administration import administration
from relayd.app.core import LOG_FILE, open_core
from relayd.app.parties import build_parties
from relayd.app.running import stop_signal, tasks_of, work_until
from relayd.app.site import http_site
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
    ready: Callable[[Mapping[str, str]], None] = lambda _addresses: None,
) -> None:
    """Run the daemon until SIGTERM or SIGINT. *ready* hears the addresses once everything answers.

    Raises what the operator must mend: SettingsError, AddressTaken, SocketTaken, LogRefused, LogDamaged,
    HistoryBroken, LogUnavailable at the start; and LogBroken or LogDamaged, after which only a new process
    may go on (F03).
    """
    stop = stop_signal()
    async with AsyncExitStack() as stack:
        sockets = _sockets(settings, around, stack)
        core = await open_core(settings, stack)
        parties = await build_parties(settings, core, stack)
        desk = administration(settings, core, parties, level)
        admin = AdminSocket(
            settings.admin_socket_path, LocalUsers(settings.admin_socket.role), desk.dispatcher, core.metrics
        )
        await admin.start(sockets.admin)
        stack.push_async_callback(admin.close)
        websocket = AdminWebSocket(desk.tokens, desk.dispatcher, core.metrics)
        await stack.enter_async_context(serve(sockets.gateway, {"/admin": websocket}))
        await stack.enter_async_context(http_site(settings, core, parties, desk, sockets.http))
        addresses = _addresses(settings, sockets)
        notifier = Notifier(around.notify_socket)
        notifier.ready()
        _log.info("started", **addresses)
        ready(addresses)
        await work_until(
            stop, tasks_of(core, parties, heartbeat(notifier, core.metrics, around.watchdog_usec))
        )
        notifier.stopping()
        _log.info("stopping")


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
        "admin_socket": str(settings.admin_socket_path),
        "data_dir": str(settings.data_dir),
    }
