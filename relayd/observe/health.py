"""``/metrics``, ``/healthz`` and ``/readyz``, for those whom the settings allow (decisions 7)."""

from collections.abc import Callable, Mapping, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Final, TypeAlias

from aiohttp import web
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

Check: TypeAlias = Callable[[], str]
"""Returns why something is not ready, in words; empty: it is."""
Networks: TypeAlias = Sequence[IPv4Network | IPv6Network]


class Health:
    """Answers what monitors ask; holds nothing but what it was given."""

    def __init__(self, registry: CollectorRegistry, checks: Mapping[str, Check], allow: Networks) -> None:
        self._registry: Final = registry
        self._checks: Final = checks
        self._allow = allow

    def admit(self, networks: Networks) -> None:
        """Let these networks ask from now on, and no others."""
        self._allow = networks

    def routes(self) -> list[web.RouteDef]:
        """Return the three addresses, for the application of the HTTP port."""
        return [
            web.get("/metrics", self.metrics),
            web.get("/healthz", self.alive),
            web.get("/readyz", self.ready),
        ]

    async def metrics(self, request: web.Request) -> web.Response:
        """Print all metrics in the format that the scraper asks for."""
        self._admit(request)
        encode, content_type = choose_encoder(request.headers.get("Accept", ""))
        return web.Response(body=encode(self._registry), headers={"Content-Type": content_type})

    async def alive(self, request: web.Request) -> web.Response:
        """Say that the event loop turns: that it answers is the answer."""
        self._admit(request)
        return web.json_response({"status": "ok"})

    async def ready(self, request: web.Request) -> web.Response:
        """Say whether commands would be taken; 503 with every reason why not."""
        self._admit(request)
        reasons = {name: why for name, check in self._checks.items() if (why := check())}
        answer = {"status": "not ready" if reasons else "ready", "reasons": reasons}
        return web.json_response(answer, status=503 if reasons else 200)

    def _admit(self, request: web.Request) -> None:
        address = ip_address(request.remote) if request.remote else None
        if address is None or not any(address in network for network in self._allow):
            raise web.HTTPForbidden(text="not from this address; see metrics.allow in the settings\n")
