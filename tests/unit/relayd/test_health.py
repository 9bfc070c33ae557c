"""What monitors ask of the HTTP port."""

from ipaddress import IPv4Network

from aiohttp import web
from pytest_aiohttp.plugin import AiohttpClient

from relayd.observe.health import Health
from relayd.observe.metrics import Metrics

LOOPBACK = [IPv4Network("127.0.0.0/8")]


def served(health: Health) -> web.Application:
    """Return an application with nothing else."""
    app = web.Application()
    app.add_routes(health.routes())
    return app


async def test_metrics_are_printed(aiohttp_client: AiohttpClient) -> None:
    """Issue 2: ``/metrics`` in Prometheus' text form."""
    metrics = Metrics()
    metrics.polls.labels("ok").inc()
    client = await aiohttp_client(served(Health(metrics.registry, {}, LOOPBACK)))
    answer = await client.get("/metrics")
    assert 'relayd_polls_total{outcome="ok"} 1.0' in await answer.text()
    assert answer.headers["Content-Type"].startswith("text/plain")


async def test_ready_says_every_reason_why_not(aiohttp_client: AiohttpClient) -> None:
    """Issue 2: ``/readyz`` is 503 until log and desks are there; ``/healthz`` is 200 at once."""
    why = {"log": "it is being opened", "desks": "", "duel servers": "main has not answered yet"}
    checks = {name: lambda name=name: why[name] for name in why}
    client = await aiohttp_client(served(Health(Metrics().registry, checks, LOOPBACK)))
    assert (await client.get("/healthz")).status == 200
    answer = await client.get("/readyz")
    assert answer.status == 503
    assert (await answer.json())["reasons"] == {name: text for name, text in why.items() if text}
    why.update(dict.fromkeys(why, ""))
    answer = await client.get("/readyz")
    assert (answer.status, await answer.json()) == (200, {"status": "ready", "reasons": {}})


async def test_strangers_get_none_of_it(aiohttp_client: AiohttpClient) -> None:
    """Decisions 7: restricted by setting."""
    client = await aiohttp_client(served(Health(Metrics().registry, {}, [IPv4Network("10.0.0.0/8")])))
    assert [(await client.get(path)).status for path in ("/metrics", "/healthz", "/readyz")] == [403] * 3
