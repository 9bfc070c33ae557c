"""The Challonge face over HTTP: what srvpro asks and tells (duel-server.md 3, rules.md 5.6)."""

import asyncio
import json
from base64 import b64decode
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from deckcheck.wire import read_deckbuf
from relayd.bridge.facade import Facade
from relayd.bridge.intake import Intake
from relayd.ports import Answer
from relayd.storage.log import LogUnavailable
from ruleset.ids import PlayerId, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.settings import ServerUse
from tests.bridging import HERE, KEY, SERVER_B, World, counted, duel_server, world
from tests.builders import deck_of, minutes, result, table_id

Client = TestClient[web.Request, web.Application]
FACE = "/challonge/main/v1/tournaments/T456"


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[World]:
    """A tournament of four in round 1, R1T1 and R1T2."""
    async with world(tmp_path) as here:
        await here.begin(4)
        yield here


@pytest.fixture
async def client(here: World) -> AsyncIterator[Client]:
    """The duel server ``main``, and one more."""
    async with facing(here) as client:
        yield client


def facing(here: World, hold_s: float = 0.0) -> Client:
    """Return a client of the face."""
    servers = [
        duel_server(),
        duel_server(facts=replace(duel_server().facts, id=SERVER_B), challonge_key="other"),
    ]
    app = web.Application()
    app.add_routes(Facade(servers, here.inside, Intake(here.inside), hold_s=hold_s).routes())
    return TestClient(TestServer(app))


async def tournament(client: Client, server: str = "main", key: str = KEY) -> dict[str, Any]:
    """Ask as srvpro does at each join."""
    query = f"api_key={key}&include_participants=1&include_matches=1"
    async with client.get(f"/challonge/{server}/v1/tournaments/T456.json?{query}") as answer:
        assert (answer.status, answer.content_type) == (200, "application/json")
        found: dict[str, Any] = (await answer.json())["tournament"]
        return found


async def put(
    client: Client, scores: str, winner: str | None = None, match: str = "X12R1T1", **more: Any
) -> tuple[int, bytes]:
    """Tell a score as srvpro does."""
    told = {"scores_csv": scores} | ({} if winner is None else {"winner_id": winner})
    said = json.dumps({"api_key": more.pop("key", KEY), "match": told})
    headers = {"Content-Type": "application/json;charset=utf-8"}
    async with client.put(f"{FACE}/matches/{match}.json", data=said, headers=headers) as answer:
        return answer.status, await answer.read()


def seats(here: World, table: int = 1) -> tuple[str, str]:
    """Return the participant ids of a table's players."""
    found = here.table(table)
    return f"P{found.a:06d}", f"P{found.b:06d}"


async def test_open_tables_are_matches(here: World, client: Client) -> None:
    """Issue 2: ids are room codes, seat A is player 1, nobody has won."""
    matches = [entry["match"] for entry in (await tournament(client))["matches"]]
    assert [match["id"] for match in matches] == ["X12R1T1", "X12R1T2"]
    one, other = seats(here)
    plain = {"state": "open", "winner_id": None}
    assert matches[0] == {"id": "X12R1T1", "player1_id": one, "player2_id": other} | plain


async def test_participants_bring_their_names_and_frozen_decks(client: Client) -> None:
    """Issue 2, D34: ``P000001+Nick1``; the deck is the one that passed, main and extra, then side."""
    people = [entry["participant"] for entry in (await tournament(client))["participants"]]
    assert [(one["id"], one["name"]) for one in people] == [
        (f"P{n:06d}", f"P{n:06d}+Nick{n}") for n in range(1, 5)
    ]
    deck = read_deckbuf(b64decode(people[2]["deckbuf"])).deck
    assert (deck.main, deck.side) == (deck_of(3).main, ())


@pytest.mark.parametrize("number", [TournamentNo(11), TournamentNo(13)])
async def test_who_has_left_one_tournament_for_another_is_there_once(
    here: World, number: TournamentNo
) -> None:
    """R057, R071: srvpro takes the first of equal names: it is the one whose table waits, with his deck."""
    await here.do(c.Drop(player=PlayerId(1), now=minutes(1)))
    await here.begin(2, number=number, nicknames={1: "Renamed"}, deck=lambda player: deck_of(player + 50))
    async with facing(here) as client:
        people = [entry["participant"] for entry in (await tournament(client))["participants"]]
    ones = [one for one in people if one["id"] == "P000001"]
    assert [one["name"] for one in ones] == ["P000001+Renamed"]
    assert read_deckbuf(b64decode(ones[0]["deckbuf"])).deck.main == deck_of(51).main


async def test_equal_nicknames_are_numbers_alone(here: World) -> None:
    """5.6-3: srvpro would take the first of two; also across tournaments on one server, in any case."""
    two = TournamentNo(13)
    await here.begin(2, number=two, first=11, nicknames={11: "ＮICK1", 12: "Solo"})
    async with facing(here) as client:
        people = [entry["participant"]["name"] for entry in (await tournament(client))["participants"]]
    assert people == ["P000001", "P000002+Nick2", "P000003+Nick3", "P000004+Nick4", "P000011", "P000012+Solo"]


async def test_each_duel_server_has_its_own_tables(here: World) -> None:
    """Decisions 1: a tournament elsewhere is not shown here, nor ours there."""
    other = replace(HERE, servers=(ServerUse(id=SERVER_B),))
    await here.begin(2, other, number=TournamentNo(13), first=11)
    async with facing(here) as client:
        ours, theirs = await tournament(client), await tournament(client, "second", "other")
    assert (len(ours["matches"]), len(theirs["matches"])) == (2, 1)
    assert theirs["matches"][0]["match"]["id"] == "X13R1T1"


async def test_a_decided_table_is_no_match_any_more(here: World, client: Client) -> None:
    """Issue 2: the next GET after a result shows what is left, with the decks of those who still play."""
    await put(client, "2-0", seats(here)[0])
    found = await tournament(client)
    assert [entry["match"]["id"] for entry in found["matches"]] == ["X12R1T2"]
    with_deck = {e["participant"]["id"] for e in found["participants"] if "deckbuf" in e["participant"]}
    assert with_deck == {*seats(here, 2)}


async def test_the_answer_is_made_anew_only_after_a_change(here: World, client: Client) -> None:
    """Issue 2: presence and scores do not change who may sit where."""
    roster = here.inside.tables.fields()
    one = await tournament(client)
    see = c.SeeRoom(
        table=table_id(1, 1), seated=("a", "b"), playing=True, wins=(1, 0), duel=1, now=minutes(1)
    )
    await here.do(see)
    assert here.inside.tables.fields() == roster
    assert await tournament(client) == one


async def test_a_clean_match(here: World, client: Client) -> None:
    """Issue 2: 1-0 in between, then 2-1 with the winner: confirmed at once."""
    one, _ = seats(here)
    assert (await put(client, "1-0"))[0] == 200
    assert (here.table().status, here.table().wins) == ("playing", (1, 0))
    assert (await put(client, "2-1", one))[0] == 200
    assert here.table().result == result("a", (2, 1))


async def test_the_same_report_five_times(here: World, client: Client) -> None:
    """F08: byte-equal answers, one entry; srvpro repeats what it believes lost."""
    one, _ = seats(here)
    answers = [await put(client, "2-1", one) for _ in range(2)]
    answers += await asyncio.gather(*(put(client, "2-1", one) for _ in range(3)))
    assert len(set(answers)) == 1
    assert counted(here.inside.metrics, "relayd_reports_total", source="challonge", outcome="filed") == 1
    assert counted(here.inside.metrics, "relayd_reports_total", source="challonge", outcome="again") == 4


async def test_a_late_interim_score_never_overwrites_the_end(here: World, client: Client) -> None:
    """duel-server.md 3: the final 2-0 may overtake the 1-0 (F09)."""
    one, _ = seats(here)
    await put(client, "2-0", one)
    before = here.table()
    assert (await put(client, "1-0"))[0] == 200
    assert here.table() == before


async def test_reports_in_any_order(tmp_path: Path) -> None:
    """F09: every order of two interim scores and the end leads to the same result."""
    async with world(tmp_path) as here:
        state = await here.begin(12)
        assert state.round is not None
        tables = [*state.round.tables.values()]
        async with facing(here) as client:
            for table, order in zip(tables, permutations(range(3)), strict=True):
                told = [("1-0", None), ("1-1", None), ("2-1", f"P{table.a:06d}")]
                for which in order:
                    assert (await put(client, *told[which], match=f"X12{table.id}"))[0] == 200
        for number in range(1, 7):
            found = here.table(number).result
            assert found is not None
            assert (found.outcome, found.wins("a"), found.wins("b")) == ("a", 2, 1)


async def test_two_different_ends_are_disputed(here: World, client: Client) -> None:
    """F10, 5.6-5: the judge decides."""
    one, other = seats(here)
    await put(client, "2-0", one)
    assert (await put(client, "0-2", other))[0] == 200
    assert (here.table().status, here.table().dispute) == ("disputed", "reports_differ")


async def test_the_report_of_the_last_table_may_come_again(here: World, client: Client) -> None:
    """F08: the tournament has ended with it; the answer is the same."""
    final = replace(HERE, format="elimination", rounds=0)
    number = TournamentNo(13)
    state = await here.begin(2, final, number=number, first=11)
    assert state.round is not None
    (table,) = state.round.tables.values()
    answers = [await put(client, "2-0", f"P{table.a:06d}", "X13R1T1") for _ in range(3)]
    assert number not in here.desks.running()
    assert len(set(answers)) == 1


async def test_the_extra_game_has_its_own_match(here: World, client: Client) -> None:
    """5.5-12: once ordered the table's match is ``…S``; the tied one is not offered any more."""
    final = replace(HERE, format="elimination", rounds=0)
    await here.begin(2, final, number=TournamentNo(13), first=11)
    see = c.SeeRoom(
        table=table_id(1, 1), seated=("a", "b"), playing=True, wins=(1, 1), duel=3, now=minutes(9)
    )
    await here.do(see, number=TournamentNo(13))
    assert (await put(client, "1-0", "P000011", "X13R1T1S"))[0] == 404
    assert (await put(client, "1-1", "tie", "X13R1T1"))[0] == 200
    matches = [entry["match"]["id"] for entry in (await tournament(client))["matches"]]
    assert matches == ["X12R1T1", "X12R1T2", "X13R1T1S"]
    table = here.table(number=TournamentNo(13))
    assert (await put(client, "1-0", f"P{table.b:06d}", "X13R1T1S"))[0] == 200
    assert (await put(client, "1-0", f"P{table.a:06d}", "X13R1T1S"))[0] == 200
    assert (await put(client, "1-1", "tie", "X13R1T1"))[0] == 200


@pytest.mark.parametrize(
    "match", ["X12R1T3", "X12R2T1", "X99R1T1", "X12P1T1", "12345", "M%23X12R1T1", "%F0%9F%83%8F"]
)
async def test_unknown_matches_are_not_found(here: World, client: Client, match: str) -> None:
    """F11: no table has that code."""
    assert (await put(client, "2-0", "P000001", match))[0] == 404
    assert (
        counted(here.inside.metrics, "relayd_peer_errors_total", part="challonge", kind="unknown_match") == 1
    )


async def test_another_server_cannot_report_our_table(here: World, client: Client) -> None:
    """F11: the right key of the wrong server."""
    said = {"api_key": "other", "match": {"scores_csv": "2-0", "winner_id": seats(here)[0]}}
    path = FACE.replace("main", "second")
    async with client.put(f"{path}/matches/X12R1T1.json", json=said) as answer:
        assert answer.status == 404
    assert here.table().result is None


@pytest.mark.parametrize("key", ["", "KEY12", "KEY1234", "key123", "ключ"])
async def test_a_wrong_key_is_refused(here: World, client: Client, key: str) -> None:
    """F11, F22: 401 as Challonge would, whatever the characters; counted."""
    assert (await put(client, "2-0", seats(here)[0], key=key))[0] == 401
    async with client.get(f"{FACE}.json", params={"api_key": key}) as answer:
        assert answer.status == 401
    async with client.get(f"{FACE}.json") as answer:
        assert answer.status == 401
    assert here.table().result is None
    assert counted(here.inside.metrics, "relayd_peer_errors_total", part="challonge", kind="wrong_key") == 3


async def test_unknown_servers_are_not_found(here: World) -> None:
    """Decisions 1: nor is one that has no Challonge link."""
    app = web.Application()
    app.add_routes(Facade([duel_server(challonge_key=None)], here.inside, Intake(here.inside)).routes())
    async with TestClient(TestServer(app)) as client:
        for server in ("main", "nobody"):
            async with client.get(f"/challonge/{server}/v1/tournaments/T456.json?api_key={KEY}") as answer:
                assert answer.status == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"\xff\xfe", 400),
        (b"[" * 100_000, 400),
        (b"[" * 4_000, 422),
        (b'{"api_key":"KEY123","match":{"scores_csv":' + b"9" * 5_000 + b"}}", 400),
        (b'{"api_key":"KEY123","match":{"scores_csv":"\\ud800"}}', 400),
        (b'{"api_key":"KEY123","match":{"scores_csv":NaN}}', 400),
        (b'{"api_key":"KEY123"}', 422),
        (b'{"api_key":"KEY123","match":{"scores_csv":"2:0"}}', 422),
        (b'{"api_key":"KEY123","match":{"scores_csv":"2-0","winner_id":"P999999"}}', 422),
        (b'{"api_key":"KEY123","match":{"scores_csv":"2-0","winner_id":7}}', 422),
    ],
)
async def test_bad_bodies_change_nothing(here: World, client: Client, body: bytes, status: int) -> None:
    """F18, issue 2: a clear answer, counted, and no entry."""
    before = await here.log.streams()
    async with client.put(f"{FACE}/matches/X12R1T1.json", data=body) as answer:
        assert answer.status == status
        assert (await answer.json())["errors"]
    assert await here.log.streams() == before


async def test_a_code_that_nobody_knows_goes_to_the_judge(here: World, client: Client) -> None:
    """T13: 7 is neither wins nor a mark."""
    assert (await put(client, "7-0", seats(here)[0]))[0] == 200
    assert here.table().status == "disputed"


class Shy:
    """Tournaments whose log is away for some calls."""

    def __init__(self, here: World, times: int) -> None:
        self._desks, self.left = here.desks, times
        self.ids: list[str | None] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._desks, name)

    async def handle(
        self, number: TournamentNo, command: c.Command, *, by: str, command_id: str | None = None
    ) -> Answer:
        """Carry it out, and lose the answer."""
        self.ids.append(command_id)
        answer = await self._desks.handle(number, command, by=by, command_id=command_id)
        if self.left > 0:
            self.left -= 1
            raise LogUnavailable
        return answer


async def test_a_report_waits_for_the_log(here: World) -> None:
    """Issue 2: srvpro gives up after a quarter second, so the request is held and asked again as it was."""
    shy = Shy(here, 1)
    away = replace(here, inside=replace(here.inside, tournaments=shy))  # type: ignore[arg-type]
    async with facing(away, hold_s=30) as client:
        assert (await put(client, "2-0", seats(here)[0]))[0] == 200
    assert len(shy.ids) == 2
    assert len(set(shy.ids)) == 1
    assert here.table().status == "confirmed"


async def test_a_log_that_stays_away_is_said(here: World) -> None:
    """F03: 503 with Retry-After, and no acknowledgement."""
    away = replace(here, inside=replace(here.inside, tournaments=Shy(here, 10**6)))  # type: ignore[arg-type]
    async with facing(away) as client:
        said = {"api_key": KEY, "match": {"scores_csv": "2-0", "winner_id": seats(here)[0]}}
        async with client.put(f"{FACE}/matches/X12R1T1.json", json=said) as answer:
            assert (answer.status, answer.headers["Retry-After"]) == (503, "5")


async def test_a_report_behind_a_ruling_stays_history(here: World, client: Client) -> None:
    """5.6-5: 200 for srvpro, the ruling stands."""
    one, _ = seats(here)
    await here.do(c.Rule(table=table_id(1, 1), result=result("double_loss"), now=minutes(20)))
    assert (await put(client, "2-0", one))[0] == 200
    assert here.table().result == result("double_loss")
    assert len(here.table().reports) == 1
