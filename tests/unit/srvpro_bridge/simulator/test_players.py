"""Virtual players do what their scripts say; results never depend on time or order (decisions 18)."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import msgspec
import pytest

from srvpro_bridge.simulator.clock import ManualClock
from srvpro_bridge.simulator.config import ChallongeLink, ServerConfig
from srvpro_bridge.simulator.play import Stage
from srvpro_bridge.simulator.players import Player
from srvpro_bridge.simulator.results import plan, round_of
from srvpro_bridge.simulator.room import Room
from srvpro_bridge.simulator.scripts import Drop, Script
from srvpro_bridge.simulator.server import DuelServer
from srvpro_bridge.simulator.troupe import Troupe
from tests.unit.srvpro_bridge.simulator.face import ONE_MATCH, Face, serving

MAIN = tuple(range(1, 41))
ROOM = "M#X1R1T1"
OVER = '{"tournament":{"id":1,"participants":[],"matches":[]}}'


def script(name: str, **rest: object) -> Script:
    """Return a player's script."""
    return msgspec.convert({"name": name, "main": MAIN, **rest}, Script)


class Stage1:
    """A server without Challonge, its players, and a clock that moves when told."""

    def __init__(self, server: DuelServer, clock: ManualClock, scripts: list[Script], seed: str) -> None:
        self.server, self.clock = server, clock
        self.troupe = Troupe(server, scripts, seed)
        self.rooms: list[Room] = []

    def __getitem__(self, name: str) -> Player:
        return self.troupe.players[name]

    def tell(self, password: str = ROOM) -> None:
        """Send everybody to a room."""
        for player in self.troupe.players.values():
            player.tell(password)

    async def until(self, done: Callable[[], bool], limit_s: int = 20_000) -> None:
        """Let time pass, second by second."""
        for _ in range(limit_s):
            await asyncio.sleep(0)
            self.rooms += [room for room in self.server.rooms.values() if room not in self.rooms]
            if done():
                return
            self.clock.advance(1)
        raise AssertionError("it never happened")

    async def until_over(self) -> Room:
        """Let the match be played; return its room."""
        await self.until(lambda: any(room.deleted for room in self.rooms))
        return self.rooms[0]


@asynccontextmanager
async def performing(*scripts: Script, seed: str = "s") -> AsyncIterator[Stage1]:
    """Set everything up; nobody moves yet."""
    clock = ManualClock()
    async with DuelServer(ServerConfig(), clock) as server:
        stage = Stage1(server, clock, list(scripts), seed)
        stage.troupe.start()
        yield stage
        await stage.troupe.stop()


def test_a_plan_follows_from_seed_round_table_and_game() -> None:
    """Decisions 18: not from the order of the names, the tournament's number or how the room was typed."""
    one = plan("s", "M#X1R2T3", 1, ["Alice", "Bob"])
    assert plan("s", "m,nf#x77r2t3", 1, ["Bob", "Alice"]) == one
    others = [
        plan(seed, room, game, ["Alice", "Bob"])
        for seed in "abcdefgh"
        for room in ("M#X1R2T3", "M#X1R3T2", "M#X1R2T3S", "hello")
        for game in (1, 2)
    ]
    assert len({(other.winner, other.first, other.turns) for other in others}) > 12
    assert (round_of("M#X1R2T3"), round_of("hello")) == (2, None)


async def played(seed: str, *scripts: Script) -> tuple[list[str], dict[str, int]]:
    """Return wins and scores of a match."""
    async with performing(*scripts, seed=seed) as stage:
        stage.tell()
        room = await stage.until_over()
        return room.score.wins, room.score.points


@pytest.mark.parametrize("seed", ["a", "b", "c"])
async def test_a_match_is_played_to_its_end_the_same_way_each_time(seed: str) -> None:
    """Decisions 18: whoever comes first, however fast they play."""
    usual = await played(seed, script("Alice"), script("Bob"))
    swift = await played(seed, script("Bob", turn_s=1, side_s=1, deck_s=50), script("Alice", turn_s=90))
    assert usual == swift
    assert max(usual[1].values()) == 2
    assert usual[0] == [
        plan(seed, ROOM, game, ["Alice", "Bob"]).winner for game in range(1, len(usual[0]) + 1)
    ]


@pytest.mark.parametrize("away_s", [1, 89])
async def test_a_drop_and_a_return_change_no_result(away_s: int) -> None:
    """Decisions 18, duel-server.md 6: in a turn of his own or of the other, shorter than the wait."""
    drops = (Drop(round_no=1, game=1, turn=2, away_s=away_s), Drop(round_no=1, game=2, turn=3, away_s=away_s))
    steady = await played("a", script("Alice"), script("Bob"))
    assert await played("a", script("Alice", drops=drops), script("Bob")) == steady


async def test_who_never_comes_back_loses_with_minus_nine() -> None:
    """duel-server.md 2: -9; he is at home afterwards and may come to another match."""
    drop = Drop(round_no=1, game=1, turn=2, away_s=None)
    async with performing(script("Alice", drops=(drop,)), script("Bob")) as stage:
        stage.tell()
        room = await stage.until_over()
        assert room.score.points == {"Alice": -9, "Bob": 0}
        stage.tell("M#X1R2T1")
        await stage.until(lambda: stage.rooms[-1].duel_count == 2)


async def test_who_comes_back_too_late_finds_no_seat() -> None:
    """duel-server.md 6: after 90 s the match is lost; he opens a room of the same name and waits."""
    drop = Drop(round_no=1, game=1, turn=2, away_s=95)
    async with performing(script("Alice", drops=(drop,)), script("Bob")) as stage:
        stage.tell()
        room = await stage.until_over()
        assert room.score.points == {"Alice": -9, "Bob": 0}
        await stage.until(lambda: [*stage.server.rooms] == [ROOM])


async def test_a_wrong_deck_is_followed_by_the_right_one() -> None:
    """duel-server.md 6: refused, not ready, sent again."""
    async with performing(script("Alice", wrong_main=MAIN[:39]), script("Bob")) as stage:
        stage.tell()
        await stage.until(lambda: bool(stage.rooms) and stage.rooms[0].stage is not Stage.BEGIN)
        seat = stage["Alice"].seat
        assert seat is not None
        assert seat.errors == [(2, 0x60000027)]


async def test_dawdlers_play_until_time_is_called() -> None:
    """R065: no game of theirs ends before death; the planned winner leads when life points are compared."""
    async with performing(script("Alice", dawdles_in=(1,)), script("Bob")) as stage:
        stage.tell()
        with pytest.raises(AssertionError, match="never happened"):
            await stage.until(lambda: any(room.duel_count > 1 for room in stage.rooms), 5_000)
        room = stage.rooms[0]
        assert room.stage is Stage.DUELING
        room.start_death()
        await stage.until_over()
        winner = plan("s", ROOM, 1, ["Alice", "Bob"]).winner
        assert room.score.points == {winner: 1, "Bob" if winner == "Alice" else "Alice": -1}


async def test_a_new_password_takes_a_waiting_player_along() -> None:
    """On a server that seats nobody by name: he leaves where he waits alone."""
    async with performing(script("Alice"), script("Zed", comes=False)) as stage:
        await stage.until(lambda: True)
        stage["Alice"].tell("M#X1R1T1")
        await stage.until(lambda: [*stage.server.rooms] == ["M#X1R1T1"])
        stage["Alice"].tell("M#X1R2T1")
        await stage.until(lambda: [*stage.server.rooms] == ["M#X1R2T1"])
        stage["Alice"].tell("")
        await stage.until(lambda: not stage.server.rooms)


async def test_who_only_gets_a_spectators_place_leaves_it() -> None:
    """duel-server.md 6: position 7 is no seat; he tries again."""
    async with performing(
        script("Alice"), script("Bob"), script("Carol", password=ROOM, first_try_s=1)
    ) as stage:
        stage["Alice"].tell(ROOM)
        stage["Bob"].tell(ROOM)
        await stage.until_over()
        [room] = stage.rooms[:1]
        assert {player.name for player in room.people.players} == {"Alice", "Bob"}
        await stage.until(lambda: stage["Carol"].seat is not None and stage["Carol"].seat.client.pos == 0)


# With Challonge


class Tour:
    """A server that asks a Challonge, and two players who come by themselves."""

    def __init__(self, server: DuelServer, face: Face, troupe: Troupe, clock: ManualClock) -> None:
        self.server, self.face, self.troupe, self._clock = server, face, troupe, clock

    async def until(self, done: Callable[[], bool]) -> None:
        """Let time pass in the rooms, and as little as possible here."""
        async with asyncio.timeout(30):
            while not done():
                await asyncio.sleep(0.001)
                self._clock.advance(2)


@asynccontextmanager
async def touring(*scripts: Script) -> AsyncIterator[Tour]:
    """Set it up and let them come."""
    clock = ManualClock()
    async with serving(Face()) as face:
        link = ChallongeLink(url=face.url, tournament="T", api_key="K", cache_ttl_ms=0)
        async with DuelServer(ServerConfig(challonge=link), clock) as server:
            troupe = Troupe(server, scripts, "s")
            troupe.start()
            yield Tour(server, face, troupe, clock)
            await troupe.stop()


async def test_players_find_their_rounds_by_themselves() -> None:
    """duel-server.md 3: they try until the list has a match, play it, and find the next one."""
    async with touring(script("Alice"), script("Bob", last_round=2)) as tour:
        tour.face.body = OVER
        await tour.until(lambda: all(player.refused for player in tour.troupe.players.values()))
        tour.face.body = ONE_MATCH
        await tour.until(lambda: b"winner_id" in b"".join(tour.face.scores))
        first = len(tour.face.scores)
        tour.face.body = ONE_MATCH.replace("X1R1T1", "X1R2T1")
        await tour.until(lambda: b"winner_id" in b"".join(tour.face.scores[first:]))
        tour.face.body = ONE_MATCH.replace("X1R1T1", "X1R3T1")
        await tour.until(lambda: "M#X1R3T1" in tour.server.rooms)
        [alone] = tour.server.rooms["M#X1R3T1"].people.players
        assert alone.name == "Alice"


async def test_nobody_plays_a_match_twice_because_the_list_is_old() -> None:
    """duel-server.md 10.0-5: the room that opens anew is left at once."""
    async with touring(script("Alice"), script("Bob")) as tour:
        await tour.until(lambda: b"winner_id" in b"".join(tour.face.scores))
        gets, sent = len(tour.face.gets), len(tour.face.scores)
        await tour.until(lambda: len(tour.face.gets) > gets + 4)
        assert (len(tour.face.scores), dict(tour.server.rooms)) == (sent, {})


async def test_who_waits_alone_goes_where_the_next_match_is() -> None:
    """duel-server.md 3: he stays while the list has his match, and leaves when it has another, or none."""
    async with touring(script("Alice")) as tour:
        await tour.until(lambda: ROOM in tour.server.rooms)
        room, gets = tour.server.rooms[ROOM], len(tour.face.gets)
        await tour.until(lambda: len(tour.face.gets) > gets + 3)
        assert not room.deleted
        tour.face.body = ONE_MATCH.replace("X1R1T1", "X1R2T1")
        await tour.until(lambda: "M#X1R2T1" in tour.server.rooms)
        assert room.deleted
        tour.face.body = OVER
        await tour.until(lambda: not tour.server.rooms)


async def test_a_match_that_crashed_is_played_again() -> None:
    """F29: the same code opens anew, and they come back to it."""
    async with touring(script("Alice"), script("Bob")) as tour:

        def plays() -> bool:
            return ROOM in tour.server.rooms and tour.server.rooms[ROOM].duel_count == 1

        await tour.until(plays)
        tour.server.rooms[ROOM].crash()
        await tour.until(plays)
        tour.server.lose_rooms()
        await tour.until(lambda: b'"2-' in b"".join(tour.face.scores) or b'-2"' in b"".join(tour.face.scores))
