"""The feed of programs: every entry of a tournament over a WebSocket (F14-F17, F25)."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from relayd.live import hub
from relayd.web import audiences
from relayd.web.viewers import Admission
from ruleset.ids import TournamentNo
from ruleset.tournament.commands import Announce, Pause, Resume
from tests.website import Website, website


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Website]:
    """The site, without limits on how often it is asked."""
    async with website(tmp_path) as site:
        yield site


def dial(site: Website, number: int, query: str = "", **more: Any) -> connect:
    """Return a line to the feed, still to be opened."""
    return connect(f"{site.base.replace('http:', 'ws:')}/e/{number}/feed{query}", compression=None, **more)


async def told(line: ClientConnection) -> dict[str, Any]:
    """Return the next message."""
    async with asyncio.timeout(20):
        message: dict[str, Any] = json.loads(await line.recv())
    return message


async def change(site: Website, number: TournamentNo) -> int:
    """Pause and resume the clock; return the version then."""
    now = site.house.clock.now()
    await site.house.desks.handle(number, Pause(now=now), by="test")
    await site.house.desks.handle(number, Resume(now=now), by="test")
    return site.house.desks.version(number)


def kinds(message: dict[str, Any]) -> list[str]:
    """Return the kinds of the events in a message."""
    return [event["kind"] for entry in message["entries"] for event in entry["events"]]


async def test_a_program_hears_where_it_stands_and_then_every_entry(site: Website) -> None:
    """Changes of one moment go together, in order, without a gap."""
    number = await site.publish()
    async with dial(site, number) as line:
        first = await told(line)
        assert (first["tournament"], first["entries"]) == (number, [])
        assert first["version"] == site.house.desks.version(number)
        last = await change(site, number)
        entries: list[dict[str, Any]] = []
        while not entries or entries[-1]["version"] < last:
            entries += (await told(line))["entries"]
        assert [entry["version"] for entry in entries] == list(range(first["version"] + 1, last + 1))


async def test_a_burst_is_one_message(site: Website, monkeypatch: pytest.MonkeyPatch) -> None:
    """Done 3: what happens in one moment is told once."""
    monkeypatch.setattr(audiences, "COALESCE_S", 1.0)
    number = await site.publish()
    async with dial(site, number) as line:
        await told(line)
        await change(site, number)
        assert kinds(await told(line)) == ["clock_paused.1", "clock_resumed.1"]


async def test_whoever_comes_back_gets_what_was_missed(site: Website) -> None:
    """``after``: from the next version on, also while others are being told."""
    number = await site.publish()
    async with dial(site, number) as other:
        before = (await told(other))["version"]
        after = await change(site, number)
        while (await told(other))["version"] < after:
            pass
        async with dial(site, number, f"?after={before}") as line:
            first = await told(line)
            assert first["version"] == after
            assert kinds(first) == ["clock_paused.1", "clock_resumed.1"]


async def test_whoever_missed_too_much_is_told_to_ask_for_the_whole(
    site: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only so many entries are at hand."""
    monkeypatch.setattr(hub, "KEPT", 1)
    number = await site.publish()
    await change(site, number)
    async with dial(site, number, "?after=0") as line:
        first = await told(line)
    assert first == {"tournament": number, "version": site.house.desks.version(number), "reset": True}


async def test_pages_of_elsewhere_get_no_line(site: Website) -> None:
    """F25: a WebSocket across origins is 403; ours and a program's own are opened."""
    number = await site.publish()
    with pytest.raises(InvalidStatus) as caught:
        async with dial(site, number, origin="https://evil.example"):
            pass
    assert caught.value.response.status_code == 403
    async with dial(site, number, origin=site.base) as line:
        assert (await told(line))["tournament"] == number


async def test_what_is_no_opening_handshake_is_answered_as_http(site: Website) -> None:
    """A browser that looks at the address is told that this is a WebSocket; an unknown tournament is 404."""
    number = await site.publish()
    async with site.reader().session.get(f"{site.base}/e/{number}/feed") as answer:
        assert answer.status == 426
        assert answer.headers["Upgrade"] == "websocket"
    with pytest.raises(InvalidStatus) as caught:
        async with dial(site, 99):
            pass
    assert caught.value.response.status_code == 404


async def test_pings_are_answered_and_farewells_too(site: Website) -> None:
    """A program may ask whether the line is open, and ends it as the protocol says."""
    number = await site.publish()
    async with dial(site, number) as line:
        await told(line)
        async with asyncio.timeout(20):
            await (await line.ping())
    assert line.close_code == 1000


@pytest.mark.parametrize(("message", "code"), [("hello", 1008), ("x" * 5_000, 1009)])
async def test_a_program_that_talks_is_hung_up_on(site: Website, message: str, code: int) -> None:
    """F17: the right close code, and the next one is served."""
    number = await site.publish()
    async with dial(site, number) as line:
        await told(line)
        await line.send(message)
        with pytest.raises(ConnectionClosed) as caught:
            async with asyncio.timeout(20):
                await line.recv()
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == code
    async with dial(site, number) as line:
        await told(line)


async def test_bytes_that_are_no_frame_end_the_line(site: Website) -> None:
    """F17: 1002, and nothing is said in the log."""
    number = await site.publish()
    async with dial(site, number) as line:
        await told(line)
        line.transport.write(b"\xff" * 100)
        with pytest.raises(ConnectionClosed) as caught:
            async with asyncio.timeout(20):
                await line.recv()
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 1002


async def test_silent_lines_are_kept_open(site: Website, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ping now and then, whose answer costs nothing: the line lives on."""
    monkeypatch.setattr(audiences, "BEAT_S", 0.02)
    number = await site.publish()
    pinged = asyncio.Event()

    class Line(ClientConnection):
        def process_event(self, event: Any) -> None:
            pinged.set()
            super().process_event(event)

    async with dial(site, number, create_connection=Line) as line:
        await told(line)
        pinged.clear()
        async with asyncio.timeout(20):
            await pinged.wait()
        await change(site, number)
        assert (await told(line))["entries"]


async def test_only_so_many_look_on_at_once(tmp_path: Path) -> None:
    """F14: one address too many is 429, one line too many 503, each with a time to wait; pages go on."""
    async with website(tmp_path, admission=Admission(most=3, from_one=2)) as site:
        number = await site.publish()
        lines = [await dial(site, number) for _ in range(2)]
        async with site.reader().session.get(f"{site.base}/e/{number}/stream") as answer:
            assert answer.status == 429
            assert answer.headers["Retry-After"] == "60"
        await site.reader().get(f"/e/{number}")
        for line in lines:
            await line.close()
    async with website(tmp_path / "..", admission=Admission(most=0)) as site:
        number = await site.publish()
        async with site.reader().session.get(f"{site.base}/e/{number}/stream") as answer:
            assert answer.status == 503


async def test_the_end_of_the_daemon_is_the_end_of_the_line(tmp_path: Path) -> None:
    """Nobody is left waiting: programs see the line end and come again."""
    async with website(tmp_path) as site:
        line = await dial(site, await site.publish())
        await told(line)
    async with asyncio.timeout(20):
        await line.wait_closed()


async def test_a_bug_cuts_viewers_off_instead_of_leaving_them_without_news(
    site: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is not told any more must not believe that nothing happens."""
    number = await site.publish()
    monkeypatch.setattr(
        "relayd.web.feed._message", lambda *_: 1 / 0 if site.house.desks.version(number) > 1 else b"{}"
    )
    async with dial(site, number) as line:
        await told(line)
        await change(site, number)
        async with asyncio.timeout(20):
            await line.wait_closed()
    assert site.house.metrics.registry.get_sample_value("relayd_viewers_failed_total") == 1
    assert site.house.metrics.registry.get_sample_value("relayd_viewers", {"kind": "programs"}) == 0


async def test_whoever_falls_behind_gets_everything_in_order(site: Website) -> None:
    """F15: what the kernel does not take waits, and what comes later waits behind it."""
    number = await site.publish()
    async with dial(site, number, max_size=None) as line:
        first = (await told(line))["version"]
        line.transport.pause_reading()
        for n in range(40):
            text = f"{n:02}" * 10_000
            await site.house.desks.handle(number, Announce(text=text, now=site.house.clock.now()), by="test")
            await asyncio.sleep(audiences.COALESCE_S / 20)
        line.transport.resume_reading()
        entries: list[dict[str, Any]] = []
        while len(entries) < 40:
            entries += (await told(line))["entries"]
    assert [entry["version"] for entry in entries] == list(range(first + 1, first + 41))
    assert [entry["events"][0]["text"][:2] for entry in entries] == [f"{n:02}" for n in range(40)]
