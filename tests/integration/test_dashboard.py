"""srvpro's deck dashboard pushes players with their decks (decisions 13)."""

import json
from base64 import b64encode
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from deckcheck.deck import Deck
from deckcheck.wire import write_deckbuf, write_deckbuf_text
from deckcheck.ydk import read_ydk
from relayd.bridge.dashboard import Dashboard
from relayd.bridge.inside import Inside
from relayd.bridge.tables import RunningTables
from ruleset.ids import PlayerId, TournamentNo
from ruleset.tournament.commands import Cancel
from ruleset.tournament.state import Tournament
from tests.house import PLAN, House, deck, opened

Client = TestClient[web.Request, web.Application]
KEY = "host-of-1"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A daemon; tournament 1 is published, and Alice has number 1."""
    async with opened(tmp_path) as house:
        await house.parts.publishing.publish(PLAN, by="host")
        await house.directory.register("Alice", by="host")
        yield house


@pytest.fixture
async def client(house: House) -> AsyncIterator[Client]:
    """The dashboard's side."""
    parts = house.parts
    inside = Inside(
        tournaments=house.desks, tables=RunningTables(house.desks), clock=house.clock, metrics=house.metrics
    )

    def host_of(key: str, number: TournamentNo) -> str | None:
        return "token:host" if (key, number) == (KEY, 1) else None

    app = web.Application()
    app.add_routes(Dashboard(inside, parts.players, parts.submitting, host_of).routes())
    async with TestClient(TestServer(app)) as client:
        yield client


def state(house: House) -> Tournament:
    """Return tournament 1."""
    return house.desks.running()[TournamentNo(1)]


def legal(first: int = 0) -> str:
    """Return the deckbuf of a legal deck."""
    return write_deckbuf_text(read_ydk(deck(first).encode()).deck)


def people(*entries: tuple[str, str | None]) -> list[dict[str, str]]:
    """Return participants as the dashboard sends them."""
    return [{"name": name} | ({} if deckbuf is None else {"deckbuf": deckbuf}) for name, deckbuf in entries]


async def add(
    client: Client, participants: list[dict[str, str]], *, name: str = "1", key: str = KEY
) -> tuple[int, Any]:
    """Push a roster."""
    said = {"api_key": key, "participants": participants}
    path = f"/challonge/main/v1/tournaments/{name}/participants/bulk_add.json"
    async with client.post(path, json=said) as answer:
        return answer.status, await answer.json()


async def clear(client: Client, *, name: str = "1", key: str = KEY) -> int:
    """Clear the list."""
    path = f"/challonge/main/v1/tournaments/{name}/participants/clear.json?api_key={key}"
    async with client.delete(path) as answer:
        return answer.status


async def test_players_come_with_their_decks(house: House, client: Client) -> None:
    """Decisions 13: known by number, or new with the next one; decks are judged and taken."""
    roster = people(("P000001+Alice", legal()), ("Bob.ydk", legal(14)), ("P000099+Carol", None))
    status, answer = await add(client, roster)
    assert (status, [entry["participant"]["id"] for entry in answer]) == (
        200,
        ["P000001", "P000002", "P000003"],
    )
    players = state(house).players
    assert [players[PlayerId(n)].nickname for n in (1, 2, 3)] == ["Alice", "Bob", "Carol"]
    assert [players[PlayerId(n)].deck_status for n in (1, 2, 3)] == ["approved", "approved", "none"]


async def test_the_same_push_again_changes_nothing(house: House, client: Client) -> None:
    """F08: it clears and adds: the same people have the same numbers."""
    roster = people(("Alice", legal()), ("Bob", legal(14)))
    first = await add(client, roster)
    assert await clear(client) == 200
    assert dict(state(house).players) == {}
    assert await add(client, roster) == first
    assert len(house.directory.state.players) == 3


async def test_one_illegal_deck_stops_all(house: House, client: Client) -> None:
    """D40: every fault is named with its player, and nobody is registered."""
    short = write_deckbuf_text(Deck(main=(1, 2, 3)))
    garbage = b64encode(write_deckbuf(Deck(main=(1, 2, 3)))[:-1]).decode()
    roster = people(("Alice", legal()), ("Bob", short), ("Carol", garbage))
    status, answer = await add(client, roster)
    assert (status, answer["code"]) == (422, "illegal_roster")
    assert {why.partition(":")[0] for why in answer["errors"]} == {"Bob", "Carol"}
    assert dict(state(house).players) == {}


@pytest.mark.parametrize(("name", "key"), [("1", "wrong"), ("2", KEY), ("T456", KEY), ("01", KEY), ("1", "")])
async def test_other_keys_and_names_are_refused(house: House, client: Client, name: str, key: str) -> None:
    """Decisions 13, F11: 409, counted, and nothing changes."""
    assert await clear(client, name=name, key=key) == 409
    status, answer = await add(client, people(("Bob", None)), name=name, key=key)
    assert (status, answer["code"]) == (409, "roster_closed")
    assert dict(state(house).players) == {}


async def test_a_tournament_that_has_ended_takes_nobody(house: House, client: Client) -> None:
    """Decisions 13: only before the start."""
    await house.desks.handle(TournamentNo(1), Cancel(now=house.clock.now()), by="host")
    assert await clear(client) == 409


async def test_bad_rosters_are_refused(house: House, client: Client) -> None:
    """F18: no JSON, another shape, a nickname that nobody may have."""
    path = "/challonge/main/v1/tournaments/1/participants/bulk_add.json"
    for body, expected in ((b"{", 400), (json.dumps({"api_key": KEY}).encode(), 422)):
        async with client.post(path, data=body) as answer:
            assert answer.status == expected
    status, answer = await add(client, people(("Bob", None), ("x" * 17, None)))
    assert (status, answer["code"]) == (422, "illegal_roster")
    assert dict(state(house).players) == {}
