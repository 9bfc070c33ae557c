"""Joining the simulated duel server, row by row of duel-server.md 6 and 0."""

from collections.abc import AsyncIterator

import pytest

from srvpro_bridge.simulator.clock import ManualClock
from srvpro_bridge.simulator.config import ServerConfig
from srvpro_bridge.simulator.decks import Deck
from srvpro_bridge.simulator.nicks import deck_name_match, read_nick
from srvpro_bridge.simulator.passwords import MATCH, NO_LIST, SINGLE, TAG, Options, read_password
from srvpro_bridge.simulator.play import Stage
from srvpro_bridge.simulator.room import Room
from srvpro_bridge.simulator.seats import Refused, Seat
from srvpro_bridge.simulator.server import DuelServer

DECK = Deck(main=tuple(range(1, 41)))
OTHER_DECK = Deck(main=tuple(range(2, 42)))


async def serve(config: ServerConfig) -> AsyncIterator[DuelServer]:
    """Serve *config* with a clock that stands still."""
    async with DuelServer(config, ManualClock()) as server:
        yield server


@pytest.fixture
async def server() -> AsyncIterator[DuelServer]:
    """A server as it comes."""
    async for one in serve(ServerConfig()):
        yield one


async def refusal(server: DuelServer, name: str, password: str, ip: str = "127.0.0.1") -> str:
    """Return what somebody hears who is refused."""
    with pytest.raises(Refused) as refused:
        await server.join(name, password, ip=ip)
    return refused.value.lines[-1]


async def started(server: DuelServer, name: str = "M#X", ip: str = "127.0.0.1") -> tuple[Room, Seat, Seat]:
    """Return a room at the coin with its two players."""
    alice, bob = await server.join("Alice", name, ip=ip), await server.join("Bob", name, ip=ip)
    for seat in (alice, bob):
        seat.send_deck(DECK)
    alice.start()
    assert alice.room.stage is Stage.FINGER
    return alice.room, alice, bob


# Passwords


@pytest.mark.parametrize(
    ("password", "options"),
    [
        ("X1R1T1", Options(mode=SINGLE)),
        ("M#X1R1T1", Options(mode=MATCH)),
        ("m#X", Options(mode=MATCH)),
        ("MATCH#X", Options(mode=MATCH)),
        ("M,NF#X", Options(mode=MATCH, lflist=NO_LIST)),
        ("NF#X", Options(lflist=NO_LIST)),
        ("M,LF2#X", Options(mode=MATCH, lflist=1)),
        ("M,TM5#X", Options(mode=MATCH, time_limit_s=300)),
        ("M,TM61#X", Options(mode=MATCH, time_limit_s=61)),
        ("M,TM0#X", Options(mode=MATCH, time_limit_s=0)),
        ("M,DH1#X", Options(mode=MATCH, auto_death_min=1)),
        ("M,DH#X", Options(mode=MATCH, auto_death_min=40)),
        ("M,NW,NC,LP4000#X", Options(mode=MATCH, no_watch=True, no_check_deck=True, start_lp=4000)),
        ("T#X", Options(mode=TAG, start_lp=16000)),
        ("M,ST,TM999,LF0,ZZ#X", Options(mode=MATCH)),
    ],
)
def test_marks_before_the_hash_make_the_room(password: str, options: Options) -> None:
    """duel-server.md 6: the list of prefixes; unknown ones change nothing."""
    assert read_password(password) == options


async def test_rooms_are_told_apart_by_the_whole_text(server: DuelServer) -> None:
    """duel-server.md 6: exactly, case counts, outer blanks trimmed; every prefix is a room of its own."""
    typed = ["X1R1T1", "M#X1R1T1", "m#X1R1T1", "M,NF#X1R1T1", " M#X1R1T1 "]
    seats = [await server.join(f"P{n}", password) for n, password in enumerate(typed)]
    assert [*server.rooms] == ["X1R1T1", "M#X1R1T1", "m#X1R1T1", "M,NF#X1R1T1"]
    assert seats[4].room is seats[1].room


async def test_a_private_room_needs_its_password(server: DuelServer) -> None:
    """duel-server.md 6: a wrong one is refused; none at all is yet another room."""
    await server.join("Alice", "M#X$pw")
    assert await refusal(server, "Bob", "M#X$bad") == "Password incorrect"
    assert (await server.join("Bob", "M#X")).room.name == "M#X"
    assert (await server.join("Carol", "M#X$pw")).client.pos == 1


async def test_refusals_at_the_door(server: DuelServer) -> None:
    """duel-server.md 6: blank password, empty nick."""
    assert await refusal(server, "Alice", "  ") == "Blank room name is unallowed, please fill in something."
    assert await refusal(server, "$key", "M#X") == "Please enter the correct ID"


async def test_more_than_five_of_one_address_are_too_many() -> None:
    """duel-server.md 0-8: not for this machine, and not with the limit off."""
    async for server in serve(ServerConfig()):
        for n in range(5):
            await server.join(f"P{n}", f"M#{n}", ip="10.0.0.1")
        assert await refusal(server, "P5", "M#5", ip="10.0.0.1") == "Too many clients running at the moment!"
        await server.join("P5", "M#5", ip="10.0.0.2")
        for n in range(7):
            await server.join(f"L{n}", f"M#L{n}")
    async for server in serve(ServerConfig(connect_limit=False)):
        for n in range(7):
            await server.join(f"P{n}", f"M#{n}", ip="10.0.0.1")


# Spectators


async def test_spectators_may_be_unwelcome(server: DuelServer) -> None:
    """duel-server.md 6: NW: the third one, and after the start."""
    await server.join("Alice", "M,NW#X")
    await server.join("Bob", "M,NW#X")
    assert await refusal(server, "Carol", "M,NW#X") == "Spectating is unallowed in this room"
    for name in ("Alice", "Bob"):
        server.rooms["M,NW#X"].send_deck(name, DECK)
    server.rooms["M,NW#X"].start("Alice")
    assert await refusal(server, "Carol", "M,NW#X") == "Duel has begun, spectating is unallowed"


async def test_watching_a_running_game_may_be_off() -> None:
    """duel-server.md 6: cloud_replay.enable_halfway_watch."""
    async for server in serve(ServerConfig(halfway_watch=False)):
        await started(server)
        assert await refusal(server, "Carol", "M#X") == "Duel has begun, spectating is unallowed"


# Coming back


async def test_a_dropped_nick_returns_whatever_it_types(server: DuelServer) -> None:
    """duel-server.md 0-7: before the password, also while new joins are stopped; first deck needed."""
    room, _, bob = await started(server)
    bob.leave()
    assert room.frozen
    server.stop("closed")
    back = await server.join("Bob", "")
    assert back.heard == ["You will be reconnected to your previous game. Please pick your previous deck."]
    back.send_deck(OTHER_DECK)
    assert (back.returning, back.heard[-1], back.errors) == (
        True,
        "Please pick your previous deck.",
        [(2, 0)],
    )
    back.send_deck(DECK)
    assert (back.returning, room.frozen, back.client is bob.client) == (False, False, True)
    assert await refusal(server, "Carol", "M#X") == "closed"


async def test_who_gives_up_waiting_to_return_changes_nothing(server: DuelServer) -> None:
    """duel-server.md 10.m: the waiting client leaves; the seat is still kept."""
    room, _, bob = await started(server)
    bob.leave()
    back = await server.join("Bob", "M#X")
    back.leave()
    back.leave()
    assert room.frozen
    assert (await server.join("Bob", "M#X")).returning


async def test_another_address_cannot_return_unless_it_may(server: DuelServer) -> None:
    """duel-server.md 6: he becomes a spectator; tournament mode or a ``$key`` lets him in."""
    _, _, bob = await started(server, ip="10.0.0.1")
    bob.leave()
    other = await server.join("Bob", "M#X", ip="10.0.0.2")
    assert (other.returning, other.client.pos) == (False, 7)
    assert (await server.join("Bob", "M#X", ip="127.0.0.1")).returning
    async for strict in serve(ServerConfig(tournament_mode=True)):
        _, _, bob = await started(strict, ip="10.0.0.1")
        bob.leave()
        assert (await strict.join("Bob", "x", ip="10.0.0.2")).returning


async def test_a_key_is_part_of_the_name_that_returns(server: DuelServer) -> None:
    """duel-server.md 6, 10.h: nick$vpass, from any address; the nick alone is somebody else."""
    seats = [await server.join(name, "M#X", ip="10.0.0.1") for name in ("Alice$1234", "Bob")]
    for seat in seats:
        seat.send_deck(DECK)
    seats[0].start()
    assert seats[0].room.score.points == {"Alice$1234": 0, "Bob": 0}
    seats[0].leave()
    assert not (await server.join("Alice", "M#X", ip="10.0.0.1")).returning
    assert (await server.join("Alice$1234", "hello", ip="10.0.0.9")).returning


async def test_another_device_takes_the_seat(server: DuelServer) -> None:
    """duel-server.md 6: same nick, room password, address and first deck; the old client is kicked out."""
    room, alice, _ = await started(server)
    wrong = await server.join("Alice", "M#other")
    assert (wrong.returning, wrong.room.name) == (False, "M#other")
    phone = await server.join("Alice", "M#X")
    assert (phone.returning, alice.closed) == (True, False)
    phone.send_deck(DECK)
    assert (alice.closed, alice.heard[-1]) == (
        True,
        "You are kicked out because you're logged in on other devices.",
    )
    assert (phone.client is alice.client, room.frozen) == (True, False)
    alice.leave()
    assert not room.frozen


async def test_leaving_after_the_start_is_a_drop(server: DuelServer) -> None:
    """duel-server.md 6: CTOS_LEAVE_GAME has no effect of its own; before it the seat is free."""
    alone = await server.join("Zed", "M#Z")
    alone.leave()
    assert "M#Z" not in server.rooms
    room, alice, bob = await started(server)
    bob.leave()
    assert (room.people.named("Bob").away, alice.heard[-1]) == (True, "Bob disconnected from the game")


# Names


@pytest.mark.parametrize(
    ("typed", "name", "key"),
    [
        ("Alice", "Alice", "Alice"),
        ("Alice$1234", "Alice", "Alice$1234"),
        ("Alice$", "Alice", "Alice$"),
        ("Alice$1$9", "Alice", "Alice$1"),
        ("Alice $1", "Alice ", "Alice $1"),
        ("Lv.5 Bob", "Bob", "Bob"),
        ("VIP.3 Zed", "Zed", "Zed"),
        ("a\\b", "ab", "ab"),
        ("123456789012345$12345678", "123456789012345", "123456789012345$1234"),
    ],
)
def test_a_typed_name_is_read(typed: str, name: str, key: str) -> None:
    """duel-server.md 6 and 10.h: keys, titles, backslashes, 20 units."""
    nick = read_nick(typed)
    assert (nick.name, nick.key) == (name, key)


@pytest.mark.parametrize(
    ("registered", "fits", "fits_not"),
    [
        ("12345+Alice", ["Alice", "12345", "12345+Alice"], ["alice", "1234", "+Alice", ""]),
        ("999 Dave", ["999", "Dave"], ["dave"]),
        ("é＋Zoé", ["é", "Zoé"], []),
        ("Bob.ydk", ["Bob", "Bob.ydk"], ["bob"]),
        ("77 Carol.ydk.ydk", ["77", "Carol"], []),
        ("P000001+Big Joe + 1", ["P000001", "Big Joe + 1"], ["Big", "Joe", "1", "P000001+Big"]),
    ],
)
def test_registered_names_fit_by_half(registered: str, fits: list[str], fits_not: list[str]) -> None:
    """duel-server.md 3 and 8: equal, ``.ydk``, or either half at the first separator; case counts."""
    assert [nick for nick in fits if not deck_name_match(registered, nick)] == []
    assert [nick for nick in fits_not if deck_name_match(registered, nick)] == []
