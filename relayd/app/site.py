"""The HTTP port: the Challonge face, metrics and health, and the pages."""

import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

from relayd.app.administration import Administration
from relayd.app.core import Core
from relayd.app.parties import Parties
from relayd.app.reloading import Reloading
from relayd.app.uptake import take_up_networks
from relayd.bridge.answers import Refusing
from relayd.bridge.dashboard import Dashboard
from relayd.bridge.nowhere import elsewhere
from relayd.listening import BACKLOG
from relayd.observe.health import Health

IDLE_S: Final = 8.0
"""How long a connection may say nothing, or not finish what it says (F13)."""
AT_ONCE: Final = 16
"""Connections that are taken in one step of the loop, so that it is not held up when thousands come."""
LINGER_S: Final = 1.0
"""How long is waited for the rest of a body that nobody wants any more."""


@asynccontextmanager
async def http_site(
    reloading: Reloading,
    core: Core,
    parties: Parties,
    admin: Administration,
    pages: Iterable[web.RouteDef],
    own: socket.socket,
) -> AsyncIterator[None]:
    """Serve the HTTP port; what is half sent or idle is closed soon (F13)."""
    app = web.Application()
    health = Health(core.metrics.registry, core.checks, reloading.settings.metrics.allow)
    reloading.add(take_up_networks(health))
    app.add_routes(health.routes())
    dashboard = Dashboard(parties.inside, core.directory, admin.parts.submitting, admin.host_of)
    challonge = [*parties.facade.routes(), *dashboard.routes()]
    app.add_routes([*challonge, *elsewhere(challonge, Refusing(core.metrics))])
    app.add_routes(pages)
    runner = web.AppRunner(
        app, access_log=None, keepalive_timeout=IDLE_S, lingering_time=LINGER_S, shutdown_timeout=3.0
    )
    await runner.setup()
    try:
        await web.SockSite(runner, own, backlog=AT_ONCE).start()
        own.listen(BACKLOG)  # what the loop takes at once is one thing, who may wait for it another
        yield
    finally:
        await runner.cleanup()
