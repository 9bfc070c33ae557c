"""The simulated admin API, byte by byte against duel-server.md 1 and 8."""

import asyncio
import json
from collections.abc import AsyncIterator
from urllib.parse import quote

import aiohttp
import pytest

from srvpro_bridge.adminapi import Account as Login
from srvpro_bridge.adminapi import Stage, parse_rooms, rooms_path
from srvpro_bridge.duellog import log_path, parse_log
from srvpro_bridge.simulator.api import Failure
from srvpro_bridge.simulator.clock import ManualClock
from srvpro_bridge.simulator.config import Account, ServerConfig
from srvpro_bridge.simulator.decks import Deck
from srvpro_bridge.simulator.room import Room
from srvpro_bridge.simulator.server import DuelServer

DECK = Deck(main=tuple(range(1, 41)))
ACCOUNTS = (
    Account(user="daemon", password="p w"),
    Account(user="off", password="x", enabled=False),
    Account(user="viewer", password="x", permissions=("get_rooms",)),
)
WAITING = (
    '{"rooms":[{"roomid":"17956","roomname":"M#X1R1T1","roommode":1,"needpass":"false",'
    '"users":[{"id":"-1","name":"Alice","ip":null,"status":null,"pos":0}],"istart":"wait"}]}'
)
REFUSED = '{"rooms":[{"roomid":"0","roomname":"密码错误","needpass":"true"}]}'


class Caller:
    """Somebody who calls the API."""

    def __init__(self, server: DuelServer, session: aiohttp.ClientSession) -> None:
        self.server, self._session = server, session

    async def raw(self, path: str, method: str = "GET") -> tuple[int, str | None, str]:
        """Return status, content type and body."""
        async with self._session.request(method, f"{self.server.url}{path}") as answer:
            return answer.status, answer.headers.get("Content-Type"), await answer.text()

    async def __call__(self, call: str, account: str = "username=daemon&pass=p%20w") -> str:
        """Return the body of an answer that is 200."""
        mark = "&" if "?" in call else "?"
        status, kind, body = await self.raw(f"/api/{call}{mark}{account}")
        assert (status, kind) == (200, None)
        return body

    async def message(self, verb: str, what: str) -> str:
        """Give an order."""
        return await self(f"message?{verb}={quote(what, safe='')}")


async def serve(config: ServerConfig) -> AsyncIterator[Caller]:
    """Serve *config* with a clock that stands still."""
    async with DuelServer(config, ManualClock()) as server, aiohttp.ClientSession() as session:
        yield Caller(server, session)


@pytest.fixture
async def call() -> AsyncIterator[Caller]:
    """A server as it comes."""
    async for caller in serve(ServerConfig(accounts=ACCOUNTS)):
        yield caller


async def started(call: Caller, name: str = "M#X1R1T1") -> Room:
    """Return a room at the coin."""
    alice, bob = await call.server.join("Alice", name), await call.server.join("Bob", name)
    for seat in (alice, bob):
        seat.send_deck(DECK)
    alice.start()
    return call.server.rooms[name]


async def test_rooms_are_listed_to_the_byte(call: Caller) -> None:
    """duel-server.md 1: no rooms; the literal entry of a match room that waits; later with status."""
    assert await call("getrooms") == '{"rooms":[]}'
    alice = await call.server.join("Alice", "M#X1R1T1")
    assert await call("getrooms") == WAITING
    alice.leave()
    room = await started(call)
    await call.server.join("Late", "M#X1R1T1")
    room.toss()
    room.go_first("Alice")
    body = await call("getrooms")
    assert (
        '"name":"Bob","ip":null,"status":{"score":0,"lp":8000,"cards":5},"pos":1}],"istart":"Duel:1 Turn:1"'
        in body
    )
    assert "Late" not in body


@pytest.mark.parametrize("account", ["", "username=daemon", "username=daemon&pass=no", "username=off&pass=x"])
async def test_a_wrong_account_sees_a_look_alike(call: Caller, account: str) -> None:
    """duel-server.md 1: no, wrong or disabled account, all with status 200."""
    assert await call("getrooms", account) == REFUSED
    assert await call("message?death=all", account) == "['密码错误', 0]"


async def test_permissions_are_looked_at(call: Caller) -> None:
    """duel-server.md 1: an account may see rooms and not give orders."""
    assert await call("getrooms", "username=viewer&pass=x") == '{"rooms":[]}'
    assert await call("message?kick=all", "username=viewer&pass=x") == "['密码错误', 0]"


async def test_orders_answer_to_the_byte(call: Caller) -> None:
    """duel-server.md 1: each call of the list."""
    room = await started(call)
    rid = str(room.rid)
    seen = [
        await call.message(verb, what)
        for verb, what in [("death", "NOPE"), ("death", rid), ("death", "M#X1R1T1")]
    ]
    assert seen == ["['room not found', 'NOPE']", f"['death ok', '{rid}']", "['death ok', 'M#X1R1T1']"]
    seen = [await call.message("deathcancel", rid), await call.message("deathcancel", rid)]
    assert seen == [f"['death cancel ok', '{rid}']", f"['room not found', '{rid}']"]
    assert await call.message("shout", "hello ' world 你好") == "['shout ok', 'hello ' world 你好']"
    assert await call.message("kick", "Alice") == "['room not found', 'Alice']"
    assert await call.message("kick", "all") == "['kick ok', 'all']"
    assert await call("getrooms") == '{"rooms":[]}'
    for verb, what, answer in [
        ("welcome", "x", "['welcome ok', 'x']"),
        ("getwelcome", "1", "['get ok', 'x']"),
        ("loadtips", "1", "['tip fail', 'false']"),
        ("ban", "Bob", "['ban fail', 'Bob']"),
        ("stop", "text", "['stop ok', 'text']"),
        ("stop", "false", "['stop ok', 'false']"),
    ]:
        assert await call.message(verb, what) == answer


async def test_death_says_ok_whatever_happens(call: Caller) -> None:
    """duel-server.md 0-1, 0-2: a waiting room: ok, and nothing happened; ``istart`` tells the truth."""
    await call.server.join("Alice", "M#X1R1T1")
    assert await call.message("death", "M#X1R1T1") == "['death ok', 'M#X1R1T1']"
    assert '"istart":"wait"' in await call("getrooms")
    call.server.rooms["M#X1R1T1"].drop("Alice")
    await started(call)
    assert '"istart":"Duel:0 Turn:0"' in await call("getrooms")
    await call.message("death", "M#X1R1T1")
    assert '"istart":"Duel:0 Turn:0/4"' in await call("getrooms")


async def test_a_shout_reaches_every_room(call: Caller) -> None:
    """duel-server.md 1: with ``[Server]: `` in front."""
    seats = [await call.server.join(name, f"M#{name}") for name in ("A", "B")]
    await call.message("shout", "hello")
    assert [seat.heard for seat in seats] == [["[Server]: hello"]] * 2


async def test_other_paths_are_a_bare_400(call: Caller) -> None:
    """duel-server.md 1 and 8: unknown path, no known key, no database."""
    login = "username=daemon&pass=p%20w"
    for path in (
        "/",
        "/api/nope",
        f"/api/message?{login}",
        f"/api/message?{login}&foo=1",
        f"/api/duellog?{login}",
    ):
        status, _, body = await call.raw(path)
        assert (status, body) == (400, "")


async def test_the_method_is_not_looked_at_and_callbacks_wrap(call: Caller) -> None:
    """duel-server.md 1: POST works with the same query; ``cb( BODY );``."""
    status, _, body = await call.raw("/api/getrooms?username=daemon&pass=p+w&callback=cb", "POST")
    assert (status, body) == (200, 'cb( {"rooms":[]} );')


async def test_any_page_may_read_the_answers(call: Caller) -> None:
    """duel-server.md 1: Access-Control-Allow-Origin."""
    async with aiohttp.request("GET", f"{call.server.url}/api/getrooms") as answer:
        assert answer.headers["Access-Control-Allow-Origin"] == "*"


async def test_rooms_with_passwords_and_half_characters(call: Caller) -> None:
    """duel-server.md 1 and 6: needpass, mode, a name cut inside a character; our reader takes it all."""
    await call.server.join("123456789012345678x\U0001f600", "T#x$pw")
    body = await call("getrooms")
    assert '"roomname":"T#x$pw","roommode":2,"needpass":"true"' in body
    assert '"name":"123456789012345678x\\ud83d"' in body
    assert parse_rooms(body.encode())[0].people[0].name == "123456789012345678x\ufffd"


async def test_a_public_list_hides_what_is_private() -> None:
    """duel-server.md 1: http.public_roomlist: name cut at ``$``, ip null; show_ip with an account."""
    async for call in serve(ServerConfig(accounts=ACCOUNTS, public_roomlist=True, show_ip=True)):
        await call.server.join("Alice", "M#X$pw", ip="10.0.0.9")
        assert '"roomname":"M#X","roommode":1,"needpass":"true"' in await call("getrooms", "")
        assert '"ip":null' in await call("getrooms", "")
        assert '"ip":"10.0.0.9"' in await call("getrooms")


async def test_info_may_be_hidden() -> None:
    """duel-server.md 1: http.show_info false: wait or start, no status."""
    async for call in serve(ServerConfig(accounts=ACCOUNTS, show_info=False)):
        await started(call)
        body = await call("getrooms")
        assert '"status":null' in body
        assert '"istart":"start"' in body
        assert parse_rooms(body.encode())[0].stage is Stage.STARTED


async def test_our_reader_understands_every_stage(call: Caller) -> None:
    """duel-server.md 1: what the daemon reads is what the room is."""
    room = await started(call)

    async def seen() -> tuple[Stage, int, int, str, int | None]:
        [sight] = parse_rooms((await call("getrooms")).encode())
        return sight.stage, sight.duel, sight.turn, sight.death, sight.last_turn

    stages = [await seen()]
    room.toss()
    room.go_first("Bob")
    stages.append(await seen())
    room.start_death()
    stages.append(await seen())
    for _ in range(4):
        room.next_turn()
    stages.append(await seen())
    room.win(None)
    stages.append(await seen())
    assert stages == [
        (Stage.COIN, 0, 0, "off", None),
        (Stage.DUELING, 1, 1, "off", None),
        (Stage.DUELING, 1, 1, "on", 4),
        (Stage.DUELING, 1, 5, "sudden", None),
        (Stage.SIDING, 1, 0, "off", None),
    ]


async def test_reboot_and_the_killer_header_lose_all_rooms(call: Caller) -> None:
    """duel-server.md 0-6 and 1: everything is gone, the next start is empty."""
    alice = await call.server.join("Alice", "M#X1R1T1")
    assert await call.message("reboot", "1") == "['reboot ok', '1']"
    assert (alice.closed, dict(call.server.rooms)) == (True, {})
    await call.server.join("Alice", "M#X1R1T1")
    with pytest.raises(aiohttp.ClientError):
        async with aiohttp.request("GET", call.server.url, headers={"Host": "["}):
            pass
    assert not call.server.rooms


@pytest.mark.parametrize(
    ("kind", "status", "text"), [("html", 200, "<html>"), ("error", 500, ""), ("", 200, '{"rooms"')]
)
async def test_the_api_can_answer_badly(call: Caller, kind: Failure, status: int, text: str) -> None:
    """F29: HTML of a proxy, 500; and be well again."""
    call.server.trouble.kind = kind
    seen, _, body = await call.raw("/api/getrooms")
    assert (seen, body[: len(text)]) == (status, text)


async def test_the_api_can_hang_be_slow_be_cut_and_be_away(call: Caller) -> None:
    """F29: each of them, while the rooms live on."""
    await call.server.join("Alice", "M#X1R1T1")
    call.server.trouble.kind = "hang"
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(call("getrooms"), 0.1)
    call.server.trouble.kind, call.server.trouble.slow_s = "slow", 0.01
    assert await call("getrooms") == WAITING
    call.server.trouble.kind = "cut"
    with pytest.raises(aiohttp.ClientError):
        await call("getrooms")
    call.server.trouble.kind = ""
    await call.server.close_api()
    with pytest.raises(aiohttp.ClientConnectorError):
        await call("getrooms")
    await call.server.open_api()
    assert await call("getrooms") == WAITING


async def test_a_crash_loses_the_rooms_and_keeps_the_port(call: Caller) -> None:
    """F29: dies, comes back empty at the same address."""
    seat, url = await call.server.join("Alice", "M#X1R1T1"), call.server.url
    await call.server.crash()
    with pytest.raises(aiohttp.ClientConnectorError):
        await call("getrooms")
    await call.server.open_api()
    assert (await call("getrooms"), call.server.url, seat.closed) == ('{"rooms":[]}', url, True)


async def test_the_duel_log_has_a_row_per_game() -> None:
    """duel-server.md 8: newest first, the score after that game; none where position 0 was away."""
    async for call in serve(ServerConfig(accounts=ACCOUNTS, duel_log=True)):
        room = await started(call)
        for winner in ("Alice", "Bob"):
            room.toss()
            room.go_first("Alice")
            room.win(winner)
            for name in ("Alice", "Bob"):
                room.send_deck(name, DECK)
        room.go_first("Bob")
        room.drop("Alice")
        room.win("Bob")
        path = log_path(Login(user="daemon", password="p w"), "M#X1R1T1")
        _, _, body = await call.raw(path)
        rows = json.loads(body)
        assert [row["name"] for row in rows] == ["M#X1R1T1 (Duel:2)", "M#X1R1T1 (Duel:1)"]
        assert rows[0]["players"] == [
            {
                "pos": 0,
                "is_first": True,
                "name": "Alice (IP: 127.0.0.1) (Score:1 LP:8000 Cards:5)",
                "winner": False,
            },
            {
                "pos": 1,
                "is_first": False,
                "name": "Bob (IP: 127.0.0.1) (Score:1 LP:8000 Cards:5)",
                "winner": True,
            },
        ]
        [logged] = parse_log(body.encode())
        assert (logged.name, logged.names, [game.winner for game in logged.games]) == (
            "M#X1R1T1",
            ("Alice", "Bob"),
            [0, 1],
        )
        assert await call("duellog?roomname=other") == "[]"
        assert await call("duellog", "username=viewer&pass=x") == "[{name:'密码错误'}]"


async def test_the_reader_and_the_simulator_agree_on_the_request(call: Caller) -> None:
    """duel-server.md 1: what the daemon asks is understood."""
    status, _, body = await call.raw(rooms_path(Login(user="daemon", password="p w")))
    assert (status, body) == (200, '{"rooms":[]}')
