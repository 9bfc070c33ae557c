"""Webhooks at work: what is told, in which order, how often, and what their hosts see of it (F26)."""

import asyncio
import json
import time
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from hashlib import sha256
from hmac import digest
from ipaddress import ip_network
from pathlib import Path
from typing import Any, cast

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from relayd.settings.tree import RoleName
from relayd.storage.webhooks import Hook
from relayd.web.parts import Caller, CallFailed
from relayd.webhooks.courier import PAUSES_MS
from relayd.webhooks.delivery import HttpDelivery
from relayd.webhooks.guarded import guarded_session
from relayd.webhooks.signing import headers, new_secret, shown
from ruleset.errors import CommandRejected
from ruleset.ids import Instant, PlayerId, TournamentNo
from ruleset.tournament.commands import AddTeam
from tests.house import PLAN, House, opened
from tests.website import calls_of

URL = "https://bot.example.org/relayd"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A daemon without duel servers."""
    async with opened(tmp_path) as house:
        yield house


@asynccontextmanager
async def telling(house: House) -> AsyncIterator[None]:
    """Let the courier run."""
    task = asyncio.create_task(house.courier.run())
    await asyncio.sleep(0)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def published(house: House) -> TournamentNo:
    """Publish a tournament."""
    player = await house.directory.register("Host", by="test")
    made = await house.parts.publishing.publish(dict(PLAN), by="test", organiser=player)
    return made.number


async def changed(house: House, number: TournamentNo, times: int = 1) -> None:
    """Let something happen."""
    for _ in range(times):
        await house.desks.handle(number, AddTeam(name=f"Team {house.desks.version(number)}"), by="test")


async def told(house: House, count: int) -> list[str]:
    """Wait until so many messages were tried, and return their names."""
    async with asyncio.timeout(10):
        while len(house.outside.told) < count:  # noqa: ASYNC110  the world outside tells nobody
            await asyncio.sleep(0.01)
    return [message for _, message, _ in house.outside.told]


async def state_of(house: House, hook: int, **expected: object) -> Hook:
    """Wait until a hook is in a state, and return it."""
    async with asyncio.timeout(10):
        while True:
            found = await house.hooks.store.hook(hook)
            if found is not None and all(getattr(found, k) == v for k, v in expected.items()):
                return found
            await asyncio.sleep(0.01)


async def test_a_hook_is_told_everything_from_then_on(house: House) -> None:
    """Each entry once, in order, as everybody may know it."""
    number = await published(house)
    await changed(house, number)
    async with telling(house):
        hook, _ = await house.hooks.add(number, URL, by="test")
        await changed(house, number, 3)
        first = house.desks.version(number) - 2
        assert await told(house, 3) == [f"t{number}/{version}" for version in range(first, first + 3)]
        await state_of(house, hook.id, position=first + 2)
    body = json.loads(house.outside.told[0][2])
    assert (body["tournament"], body["version"]) == (number, first)
    assert body["events"][0]["kind"].startswith("team_added.")
    assert b"seed" not in house.outside.told[0][2]


async def test_a_failure_is_tried_again_after_longer_and_longer(house: House) -> None:
    """At least once: the same message comes again with the same name; those behind it wait for it."""
    number = await published(house)
    house.outside.troubles = ["status_500", "no_connection", "timeout"]
    async with telling(house):
        hook, _ = await house.hooks.add(number, URL, by="test")
        await changed(house, number, 2)
        names = await told(house, 5)
        await state_of(house, hook.id, failures=0, trouble="", next_at=None)
    version = house.desks.version(number)
    assert names == [f"t{number}/{version - 1}"] * 4 + [f"t{number}/{version}"]
    assert house.outside.pauses == [pause / 1_000 for pause in PAUSES_MS[:3]]


async def test_a_receiver_that_nobody_foresaw_counts_as_a_failure(house: House) -> None:
    """A bug of ours at one hook is counted there and tried again; it ends nothing else."""
    number = await published(house)
    house.outside.troubles = ["bug", "status_500"]
    async with telling(house):
        hook, _ = await house.hooks.add(number, URL, by="test")
        await changed(house, number)
        await told(house, 3)
        await state_of(house, hook.id, position=house.desks.version(number), failures=0)
    labels = {"sink": "webhook", "outcome": "broken"}
    assert house.metrics.registry.get_sample_value("relayd_effects_total", labels) == 1


async def test_a_hook_that_never_answers_is_switched_off_and_shown(house: House) -> None:
    """Bounded: after the last pause nothing is tried any more, until its host switches it on again."""
    number = await published(house)
    house.outside.troubles = ["status_500"] * (len(PAUSES_MS) + 1)
    async with telling(house):
        hook, _ = await house.hooks.add(number, URL, by="test")
        await changed(house, number)
        off = await state_of(house, hook.id, failures=len(PAUSES_MS) + 1)
        assert (off.off_at, off.trouble) == (house.clock.now(), "status_500")
        await changed(house, number)
        await told(house, len(PAUSES_MS) + 1)
        await house.hooks.resume(number, hook.id)
        await told(house, len(PAUSES_MS) + 3)
        on = await state_of(house, hook.id, position=house.desks.version(number))
        assert (on.off_at, on.failures) == (None, 0)


async def test_a_receiver_that_is_gone_is_left_alone_at_once(house: House) -> None:
    """410 says that nobody wants it any more."""
    number = await published(house)
    house.outside.troubles = ["status_410"]
    async with telling(house):
        hook, _ = await house.hooks.add(number, URL, by="test")
        await changed(house, number)
        assert (await state_of(house, hook.id, failures=1)).off_at is not None


async def test_what_was_not_told_before_a_restart_is_told_after_it(tmp_path: Path) -> None:
    """Retries survive a restart: position, failures and pause are in the store."""
    async with opened(tmp_path) as house:
        number = await published(house)
        hook, _ = await house.hooks.add(number, URL, by="test")
        await changed(house, number, 2)  # nobody runs: the daemon ended before it could tell
        version = house.desks.version(number)
    async with opened(tmp_path) as house, telling(house):
        assert await told(house, 2) == [f"t{number}/{version - 1}", f"t{number}/{version}"]
        await state_of(house, hook.id, position=version)


async def test_nobody_waits_for_a_hook(house: House) -> None:
    """A receiver that hangs delays neither the desk nor other hooks."""
    number = await published(house)
    async with telling(house):
        slow, _ = await house.hooks.add(number, URL, by="test")
        quick, _ = await house.hooks.add(number, f"{URL}/quick", by="test")
        house.outside.hang(slow.id)
        await changed(house, number, 3)
        await state_of(house, quick.id, position=house.desks.version(number))
        assert {hook for hook, _, _ in house.outside.told} == {quick.id}
        house.outside.hang(0)
        await state_of(house, slow.id, position=house.desks.version(number))


async def test_a_removed_hook_hears_no_more(house: House) -> None:
    """Also where it is being tried."""
    number = await published(house)
    async with telling(house):
        hook, _ = await house.hooks.add(number, URL, by="test")
        await house.hooks.remove(number, hook.id)
        other, _ = await house.hooks.add(number, f"{URL}/other", by="test")
        await changed(house, number)
        await state_of(house, other.id, position=house.desks.version(number))
    assert {hook for hook, _, _ in house.outside.told} == {other.id}
    with pytest.raises(CommandRejected, match="unknown_webhook"):
        await house.hooks.remove(number, hook.id)


@pytest.mark.parametrize(
    "url",
    [
        *("", "bot.example.org", "ftp://bot.example.org", "https://", "https://u:p@bot.example.org/"),
        *("http://127.0.0.1/", "http://[::1]:80/", "http://169.254.169.254/meta", "https://x:99999/"),
        *("https://bot.example.org/\r\nX: y", "https://bot .example.org", "http://[", "https://ü.example/"),
        "https://bot.example.org/" + "x" * 500,
    ],
)
async def test_a_url_that_makes_no_sense_is_refused_at_once(house: House, url: str) -> None:
    """F26: a clear error before anything is kept."""
    number = await published(house)
    with pytest.raises(CommandRejected, match="bad_webhook"):
        await house.hooks.add(number, url, by="test")
    assert await house.hooks.of(number) == []


async def test_a_tournament_has_so_many_hooks_and_each_once(house: House) -> None:
    """Bounded: five, unless the operator says otherwise."""
    number = await published(house)
    for n in range(5):
        await house.hooks.add(number, f"{URL}/{n}", by="test")
    with pytest.raises(CommandRejected, match="too_many_webhooks"):
        await house.hooks.add(number, f"{URL}/6", by="test")
    await house.hooks.remove(number, 1)
    with pytest.raises(CommandRejected, match="webhook_known"):
        await house.hooks.add(number, f"{URL}/3", by="test")


@asynccontextmanager
async def receiver(status: int) -> AsyncIterator[tuple[str, list[tuple[Mapping[str, str], bytes]]]]:
    """A program that takes messages; its address and what came."""
    came: list[tuple[Mapping[str, str], bytes]] = []

    async def take(request: web.Request) -> web.Response:
        came.append((dict(request.headers), await request.read()))
        return web.Response(status=status)

    app = web.Application()
    app.router.add_post("/in", take)
    async with TestServer(app) as server:
        yield str(server.make_url("/in")), came


def fits(secret: str, told: Mapping[str, str], body: bytes) -> bool:
    """Check a message by the letter of the standard."""
    key = b64decode(secret.removeprefix("whsec_"))
    signed = f"{told['webhook-id']}.{told['webhook-timestamp']}.".encode() + body
    return told["webhook-signature"] == "v1," + b64encode(digest(key, signed, sha256)).decode()


@pytest.mark.parametrize(
    ("status", "trouble"), [(200, ""), (204, ""), (302, "status_302"), (500, "status_500")]
)
async def test_a_message_proves_whose_it_is(house: House, status: int, trouble: str) -> None:
    """F26, signed: id, time and body, so that nothing of them can be changed or sent again later."""
    number = await published(house)
    allowed = (ip_network("127.0.0.0/8"),)
    async with receiver(status) as (url, came), guarded_session(lambda: allowed) as session:
        hook, secret = await house.hooks.add(number, URL, by="test")
        found = await house.hooks.store.hook(hook.id)
        assert found is not None
        bring = HttpDelivery(session, house.clock)
        local = Hook(**{name: getattr(found, name) for name in Hook.__slots__} | {"url": url})
        assert await bring(local, f"t{number}/7", b'{"x":1}') == trouble
    ((told, body),) = came
    assert told["webhook-id"] == f"t{number}/7"
    assert told["Content-Type"] == "application/json"
    assert fits(secret, told, body)
    assert not fits(secret, told, body + b" ")
    assert not fits(secret, {**told, "webhook-timestamp": "1"}, body)


def test_the_check_in_the_guide_is_right() -> None:
    """docs/webhooks.md: what a reader copies takes our messages, and no others."""
    guide = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text("utf-8")
    names: dict[str, Any] = {}
    exec(guide.partition("```python\n")[2].partition("```")[0], names)  # noqa: S102  ours
    from_relayd, body = names["from_relayd"], b'{"version": 7}'
    secret, now = new_secret(), Instant(int(time.time() * 1_000))
    told = dict(headers(secret, "t1/7", now, body))
    assert from_relayd(shown(secret), told, body)
    assert not from_relayd(shown(secret), told, body + b" ")
    assert not from_relayd(shown(new_secret()), told, body)
    assert not from_relayd(shown(secret), told | {"webhook-id": "t1/8"}, body)
    old = dict(headers(secret, "t1/7", Instant(now - 400_000), body))
    assert not from_relayd(shown(secret), old, body)


async def test_who_hosts_nothing_adds_no_hook(house: House) -> None:
    """Roles of 5.2: webhooks are the host's; a co-host sees them, without their secrets."""
    number, calls = await published(house), calls_of(house)
    await house.hooks.add(number, URL, by="test")
    roles: tuple[RoleName, ...] = ("viewer", "player", "judge", "cohost")
    for role in roles:
        caller = Caller(name=role, role=role, player=PlayerId(1))
        with pytest.raises(CallFailed, match="needs the role host"):
            await calls(caller, "webhook.add", {"tournament": number, "url": f"{URL}/{role}"})
    (shown,) = cast("list[dict[str, object]]", await calls(caller, "webhook.list", {"tournament": number}))
    assert (shown["url"], shown["hook"]) == (URL, 1)
    assert "secret" not in shown


async def test_a_host_adds_tries_and_ends_a_hook(house: House) -> None:
    """Over every way into administration: the secret is in one answer; a try says what came of it."""
    number, calls = await published(house), calls_of(house)
    caller = Caller(name="host", role="host")

    async def call(method: str, **more: object) -> dict[str, object]:
        told = await calls(caller, f"webhook.{method}", {"tournament": number, **more})
        return cast("dict[str, object]", told)

    assert str((await call("add", url=URL))["secret"]).startswith("whsec_")
    house.outside.troubles = ["status_404"]
    assert await call("test", hook=1) == {"hook": 1, "taken": False, "trouble": "status_404"}
    assert await call("test", hook=1) == {"hook": 1, "taken": True, "trouble": ""}
    assert json.loads(house.outside.told[0][2])["events"] == []
    assert (await call("resume", hook=1))["off_at"] is None
    await call("remove", hook=1)
    with pytest.raises(CallFailed, match="There is no webhook 1"):
        await call("test", hook=1)
