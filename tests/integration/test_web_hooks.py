"""The page of webhooks: adding, trying, ending, and the secret that is shown once (F26)."""

import re
from collections.abc import AsyncIterator
from http import HTTPStatus
from pathlib import Path

import pytest

from tests.website import Website, website

URL = "https://bot.example.org/in"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Website]:
    """The site, without limits on how often it is asked."""
    async with website(tmp_path) as site:
        yield site


async def test_a_host_keeps_his_webhooks_on_a_page(site: Website) -> None:
    """The secret is shown once; a try says what came of it; a dead one says why."""
    host = site.reader()
    number = await site.publish(organiser=await host.sign_up("Host"))
    page = f"/e/{number}/hooks"
    assert "whsec_" in await host.post(page, url=URL)
    assert "whsec_" not in await host.get(page)
    site.house.outside.troubles = ["status_503", "not_public"]
    assert "HTTP 503" in await host.post(f"{page}/1/test")
    assert "not an address of the public internet" in await host.post(f"{page}/1/test")
    assert "It was taken" in await host.post(f"{page}/1/test")
    assert URL not in await host.post(f"{page}/1/remove")
    await host.post(f"{page}/1/test", HTTPStatus.NOT_FOUND)
    await host.post(f"{page}/1/explode", HTTPStatus.NOT_FOUND)


async def test_what_cannot_be_a_webhook_is_told_beside_the_form(site: Website) -> None:
    """F26: a clear error that keeps what was typed."""
    host = site.reader()
    number = await site.publish(organiser=await host.sign_up("Host"))
    for url, words in (("http://127.0.0.1/", "public internet"), ("bot", "write it as https://")):
        page = await host.post(f"/e/{number}/hooks", HTTPStatus.UNPROCESSABLE_ENTITY, url=url)
        assert words in page
        assert f'value="{url}"' in page


async def test_only_who_runs_a_tournament_sees_its_webhooks(site: Website) -> None:
    """A co-host looks; nobody else does."""
    host, helper, other = site.reader(), site.reader(), site.reader()
    number = await site.publish(organiser=await host.sign_up("Host"))
    player = await helper.sign_up("Helper")
    await other.sign_up("Other")
    await host.post(f"/e/{number}/hooks", url=URL)
    await site.store.set_staff(number, player, "cohost")
    page = await helper.get(f"/e/{number}/hooks")
    assert URL in page
    assert not re.search(r'action="/e/\d+/hooks', page)
    await other.get(f"/e/{number}/hooks", HTTPStatus.FORBIDDEN)
    await helper.post(f"/e/{number}/hooks/1/remove", HTTPStatus.FORBIDDEN)
