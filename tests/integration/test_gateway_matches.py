"""Whole matches on a duel server with our plugin: players join, play, drop, crash; the tables end right.

The duel server and its plugin are the simulator; plugin and daemon speak over a real WebSocket only. Both
clocks move when the test says so.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest

from ruleset.ids import PlayerId, TournamentNo
from ruleset.ids import Seat as Seat_
from ruleset.tournament import commands as c
from ruleset.tournament.decks import DeckList
from ruleset.tournament.results import Game, Result
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import Table
from srvpro_bridge.simulator.clock import ManualClock
from srvpro_bridge.simulator.config import PluginLink, ServerConfig
from srvpro_bridge.simulator.decks import Deck
from srvpro_bridge.simulator.play import Stage
from srvpro_bridge.simulator.plugin.plugin import Plugin
from srvpro_bridge.simulator.room import Room
from srvpro_bridge.simulator.seats import Refused, Seat
from srvpro_bridge.simulator.server import DuelServer
from tests.bridging import HERE
from tests.builders import NUMBER, SERVER, table_id
from tests.gateways import TOKEN, Gate, gate

ROOM: Final = "X12R1T1"
CUP: Final = replace(HERE, format="elimination", rounds=0)
A: Final = Game(winner="a")
B: Final = Game(winner="b")


def cards_of(player: int) -> DeckList:
    """Return a deck that may be played, and that only *player* has."""
    main = tuple(range(1_000 * player, 1_000 * player + 40))
    return DeckList(main=main, side=(1_000 * player + 99,), sha256=f"{player:064x}")


@dataclass(slots=True)
class Hall:
    """A tournament, its duel server, and the two players of table 1."""

    gate: Gate
    server: DuelServer
    rooms_clock: ManualClock

    @property
    def plugin(self) -> Plugin:
        """The plugin of the duel server."""
        assert self.server.plugin is not None
        return self.server.plugin

    @property
    def table(self) -> Table:
        """Table 1 as the tournament has it."""
        return self.gate.here.table()

    @property
    def result(self) -> Result:
        """Its result."""
        assert self.table.result is not None
        return self.table.result

    @property
    def room(self) -> Room:
        """Its room."""
        return self.server.rooms[ROOM]

    def nick(self, seat: str) -> str:
        """Return the nickname of seat A or B."""
        return f"Nick{self.table.a if seat == 'a' else self.table.b}"

    async def sit(self, player: PlayerId, typed: str = "whatever", *, name: str | None = None) -> Seat:
        """Let a player join and send his deck."""
        seat = await self.server.join(name or f"Nick{player}", typed)
        deck = cards_of(player)
        seat.send_deck(Deck(main=deck.main, side=deck.side))
        return seat

    async def start(self) -> tuple[Seat, Seat]:
        """Let both join and begin: the coin is tossed."""
        a, b = await self.sit(self.table.a), await self.sit(self.table.b)
        a.start()
        assert a.room.stage is Stage.FINGER
        await self.past(0)
        return a, b

    def play(self, room: Room | None = None) -> None:
        """Begin the next game, A first."""
        room = room or self.room
        room.toss()
        room.go_first(self.nick("a"))
        assert room.stage is Stage.DUELING

    def side(self, *seats: Seat) -> None:
        """Send the side decks: unchanged."""
        for seat in seats:
            first = seat.client.first_deck
            assert first is not None
            seat.send_deck(first)

    async def past(self, seconds: float) -> None:
        """Let time pass in the rooms and in the daemon; both know all of each other then."""
        self.rooms_clock.advance(seconds)
        self.gate.here.clock.advance(seconds)
        await self.settled()

    async def settled(self) -> None:
        """Wait until the daemon has all records and the plugin all tables."""
        if self.plugin.link.welcomed.is_set():
            await until(lambda: self.plugin.spool.first == 0)
            await self.gate.seen()
            telling = self.gate.gateway._places[SERVER].telling  # noqa: SLF001  what must have been told by now
            running = self.gate.here.desks.running()
            await until(lambda: self.plugin.book.tables == dict(telling.tables(running)))
            self.rooms_clock.advance(0)

    async def call_time(self) -> None:
        """Time's up."""
        await self.gate.here.do(c.CallTime(now=self.gate.here.clock.now()))
        await self.past(0)

    async def connected(self) -> None:
        """Wait until plugin and daemon have found each other, and all rooms are told."""
        async with asyncio.timeout(20):
            await self.plugin.link.welcomed.wait()
        await until(lambda: self.gate.eye.connected)


async def until(true: Callable[[], bool]) -> None:
    """Wait for what two programs do in their own time."""
    async with asyncio.timeout(20):
        while not true():  # noqa: ASYNC110  there is no event for it
            await asyncio.sleep(0.005)


@asynccontextmanager
async def opened(folder: Path, settings: Settings = HERE, count: int = 2, **more: Any) -> AsyncIterator[Hall]:
    """Open a hall with *count* players in round 1."""
    async with gate(folder) as gate_:
        await gate_.here.begin(count, settings, deck=cards_of, **more)
        url = f"ws://127.0.0.1:{gate_.port}/plugin"
        link = PluginLink(url=url, server=SERVER, token=TOKEN, retry_ms=5)
        clock = ManualClock()
        async with DuelServer(ServerConfig(plugin=link), clock) as server:
            hall = Hall(gate_, server, clock)
            await hall.connected()
            yield hall


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[Hall]:
    """Two players, Swiss, best of three."""
    async with opened(tmp_path) as hall:
        yield hall


async def lead(hall: Hall) -> tuple[Seat, Seat]:
    """Play until A leads 1-0, in siding."""
    a, b = await hall.start()
    hall.play()
    hall.room.win(hall.nick("a"))
    await hall.past(1)
    assert hall.room.stage is Stage.SIDING
    return a, b


async def even(hall: Hall) -> tuple[Seat, Seat]:
    """Play until it stands 1-1, in siding."""
    a, b = await lead(hall)
    hall.side(a, b)
    hall.room.go_first(hall.nick("b"))
    hall.room.win(hall.nick("b"))
    await hall.past(1)
    return a, b


async def extra_turns(hall: Hall, room: Room | None = None) -> int:
    """Play on with A ahead by life points until the comparison ends the game; return its last turn."""
    room, last = room or hall.room, 0
    room.set_lp(hall.nick("b"), 4_000)
    while room.stage is Stage.DUELING:
        last = room.turn
        room.next_turn()
    await hall.past(0)
    return last


# Leading, options, decks


@pytest.mark.parametrize("typed", ["hello", "", "x12r1t1", "M#X12R1T1", "X99R1T1"])
async def test_players_are_led_whatever_they_type(hall: Hall, typed: str) -> None:
    """10.a, R059: into the one room of their table."""
    seats = [await hall.sit(hall.table.a, typed), await hall.sit(hall.table.b, typed, name=f"{hall.table.b}")]
    assert {seat.room.name for seat in seats} == {ROOM}
    await hall.past(0)
    assert (hall.table.presence_a.in_room, hall.table.presence_b.in_room) == (True, True)


async def test_a_form_of_a_name_that_only_the_daemon_knows(hall: Hall) -> None:
    """5.6: ``P000001+Nick1`` is asked for."""
    name = f"P{hall.table.a:06d}+{hall.nick('a')}"
    assert (await hall.server.join(name, "hello")).room.name == ROOM


async def test_strangers_may_watch_and_nothing_else(hall: Hall) -> None:
    """Decisions 4: not before the start; then as viewers. Who plays nowhere goes where he typed."""
    assert (await hall.server.join("Eve", "our own room")).room.name == "our own room"
    with pytest.raises(Refused, match="not begun"):
        await hall.server.join("Eve", ROOM)
    await hall.start()
    hall.play()
    assert (await hall.server.join("Eve", ROOM)).client.pos == 7


async def test_a_room_is_made_as_its_tournament_wants(tmp_path: Path) -> None:
    """10.b: mode and list by the tournament; a plain room beside it is as ever."""
    goat = replace(HERE, environment="goat")
    async with opened(tmp_path, goat) as hall:
        await hall.sit(hall.table.a)
        assert (hall.room.options.mode, hall.room.options.lflist) == (1, -1)
        plain = await hall.server.join("Eve", "plain")
        assert (plain.room.options.mode, plain.room.options.lflist) == (0, 0)


async def test_only_the_frozen_deck_is_let_in(hall: Hall) -> None:
    """R071, D46, 10.g: refused in words and with the card; then the right one; siding moves cards."""
    seat = await hall.server.join(hall.nick("a"), "")
    right = cards_of(hall.table.a)
    seat.send_deck(Deck(main=(*right.main[1:], 7_777), side=right.side))
    assert (seat.errors, "7777 too many: 1" in seat.heard[-1]) == ([(2, 1 << 28 | 7_777)], True)
    seat.send_deck(Deck(main=right.main[1:], side=right.side))
    assert seat.errors[-1] == (2, 1 << 28)
    seat.send_deck(Deck(main=right.main, side=right.side))
    other = await hall.sit(hall.table.b)
    seat.start()
    hall.play()
    hall.room.win(hall.nick("a"))
    seat.send_deck(Deck(main=right.main, side=(1,)))
    assert seat.errors[-1] == (3, 0)
    seat.send_deck(Deck(main=(*right.main[1:], *right.side), side=right.main[:1]))
    hall.side(other)
    assert hall.room.stage is Stage.FIRSTGO


# Results


async def test_a_clean_match(hall: Hall) -> None:
    """Issue 3, R059: 2-1 with nobody typing anything; who comes again is told that it is over."""
    a, b = await even(hall)
    assert (hall.table.status, hall.table.wins) == ("playing", (1, 1))
    hall.side(a, b)
    hall.room.go_first(hall.nick("a"))
    hall.room.win(hall.nick("a"))
    await hall.past(1)
    assert hall.result == Result(outcome="a", reason="played", games=(A, B, A))
    with pytest.raises(Refused, match="over"):
        await hall.server.join(hall.nick("a"), ROOM)


async def test_a_best_of_one_beside_it(hall: Hall) -> None:
    """Issue 3: another tournament on the same server at the same time, with rooms of its own kind."""
    two = PlayerId(11)
    single = replace(HERE, best_of=1)
    await hall.gate.here.begin(2, single, number=TournamentNo(13), first=11, deck=cards_of)
    await hall.past(0)
    a, b = await hall.sit(two), await hall.sit(PlayerId(12))
    assert (a.room.name, a.room.options.mode) == ("X13R1T1", 0)
    a.start()
    a.room.toss()
    a.room.go_first("Nick11")
    a.room.win("Nick12")
    await hall.past(1)
    other = hall.gate.here.table(number=TournamentNo(13))
    assert other.result is not None
    assert (other.player(other.result.outcome), len(other.result.games)) == (12, 1)  # type: ignore[arg-type]
    assert b.closed


@pytest.mark.parametrize(("leaver", "winner"), [("a", "b"), ("b", "a")])
async def test_a_player_never_returns(hall: Hall, leaver: Seat_, winner: Seat_) -> None:
    """5.7, H207: the match is the other's; the finished games stay."""
    seats = dict(zip("ab", await lead(hall), strict=True))
    seats[leaver].leave()
    await hall.past(91)
    assert hall.result == Result(outcome=winner, reason="disconnect", games=(A,))


async def test_a_player_returns_in_time(hall: Hall) -> None:
    """duel-server.md 6: by his nickname, whatever he types; the match goes on."""
    a, b = await lead(hall)
    b.leave()
    await hall.past(60)
    back = await hall.sit(hall.table.b, "anything")
    hall.side(a, back)
    hall.room.go_first(hall.nick("b"))
    hall.room.win(hall.nick("a"))
    await hall.past(1)
    assert (hall.result.outcome, hall.result.reason) == ("a", "played")


async def test_both_are_gone(hall: Hall) -> None:
    """T13: the judge decides."""
    for seat in await lead(hall):
        seat.leave()
    await hall.past(91)
    assert (hall.table.status, hall.table.dispute) == ("disputed", "both_left")


@pytest.mark.parametrize("games", [0, 1, 2])
async def test_a_crashed_room_is_never_booked(hall: Hall, games: int) -> None:
    """F29, 5.6-6: not as a draw, not for the leader."""
    await (hall.start, lambda: lead(hall), lambda: even(hall))[games]()
    hall.room.crash()
    await hall.past(1)
    assert (hall.table.status, hall.table.dispute, hall.table.result) == ("disputed", "suspect", None)


# Death


async def test_time_up_before_the_start(hall: Hall) -> None:
    """5.4, 10.d: pending; game 1 has 4 turns, and its lead ends the match at siding by itself (10.e)."""
    a, _ = await hall.sit(hall.table.a), await hall.sit(hall.table.b)
    await hall.call_time()
    assert hall.room.death == 0
    a.start()
    await hall.past(0)
    hall.play()
    assert await extra_turns(hall) == 4
    await hall.past(1)
    assert hall.result == Result(outcome="a", reason="time", games=(Game(winner="a", reason="time"),))
    assert ROOM not in hall.server.rooms


async def test_time_up_in_a_game(hall: Hall) -> None:
    """5.4, R065: this turn and 3 more; equal then: sudden death."""
    await hall.start()
    hall.play()
    hall.room.next_turn()
    await hall.call_time()
    assert hall.room.death == 2 + 4
    for _ in range(4):
        hall.room.next_turn()
    assert hall.room.death == -1
    await extra_turns(hall)
    await hall.past(1)
    assert (hall.result.outcome, hall.result.reason) == ("a", "time")


@pytest.mark.parametrize("stage", [Stage.SIDING, Stage.FIRSTGO])
async def test_time_up_between_games_with_a_lead(hall: Hall, stage: Stage) -> None:
    """5.4: the leader wins at once."""
    a, b = await lead(hall)
    if stage is Stage.FIRSTGO:
        hall.side(a, b)
    await hall.call_time()
    await hall.past(1)
    assert (hall.result.outcome, hall.result.reason, hall.result.wins("a")) == ("a", "time", 1)


async def test_time_up_in_siding_when_even(hall: Hall) -> None:
    """5.4: the third game has 4 turns and decides: 2-1."""
    a, b = await even(hall)
    await hall.call_time()
    hall.side(a, b)
    await hall.past(0)
    hall.room.go_first(hall.nick("a"))
    assert hall.room.death == 5
    await extra_turns(hall)
    await hall.past(1)
    assert (hall.result.outcome, hall.result.wins("a"), hall.result.wins("b")) == ("a", 2, 1)


async def test_the_hard_cap(hall: Hall) -> None:
    """R066, T10: double loss, finished games stay, the room is closed and its end says nothing."""
    await even(hall)
    await hall.call_time()
    await hall.past(30 * 60)
    await hall.gate.bridge.last_look(NUMBER)
    await hall.gate.here.do(c.Tick(now=hall.gate.here.clock.now()))
    await until(lambda: ROOM not in hall.server.rooms)
    await hall.past(1)
    assert hall.result == Result(outcome="double_loss", reason="cap", games=(A, B))
    assert hall.table.reports == ()


async def test_an_extra_game_is_sudden_death(tmp_path: Path) -> None:
    """5.5-12, 10.c: one duel under ``…S``; the first difference at the begin of a turn decides."""
    async with opened(tmp_path, CUP) as hall:
        a, b = await even(hall)
        hall.side(a, b)
        hall.room.go_first(hall.nick("a"))
        hall.room.win(None)
        await hall.past(1)
        one, _ = await hall.sit(hall.table.a), await hall.sit(hall.table.b)
        assert (one.room.name, one.room.options.mode) == (f"{ROOM}S", 0)
        one.start()
        await hall.past(0)
        hall.play(one.room)
        assert one.room.death == -1
        nick, seat_a = hall.nick("b"), hall.table.a
        one.room.next_turn()
        one.room.set_lp(nick, 7_000)
        one.room.next_turn()
        await hall.past(1)
        ended = await hall.gate.here.desks.load(NUMBER)
        assert ended.places[0] == (seat_a, 1)
        final = ended.table(table_id(1, 1))
        assert final is not None
        assert final.result is not None
        assert final.result.reason == "sudden_death"


async def resumed(hall: Hall) -> tuple[Seat, Seat]:
    """Lose the room in which A leads 1-0, and play on from there in a new one; time is called."""
    await lead(hall)
    await hall.server.crash()
    await hall.server.open_api()
    await hall.connected()
    await hall.past(0)
    await hall.gate.here.do(c.ResumeTable(table=table_id(1, 1), now=hall.gate.here.clock.now()))
    await hall.call_time()
    return await hall.start()


async def test_a_lead_that_a_lost_room_evens_out(hall: Hall) -> None:
    """5.5-8, 5.4: 1-0 before, 0-1 now: nobody leads; the next game is in death again and decides 2-1."""
    a, b = await resumed(hall)
    assert hall.room.death == 5
    hall.play()
    hall.room.win(hall.nick("b"))
    await hall.past(1)
    assert (hall.room.stage, hall.room.death, hall.table.result) == (Stage.SIDING, 0, None)
    hall.side(a, b)
    await hall.past(0)
    hall.room.go_first(hall.nick("a"))
    await hall.past(0)
    assert hall.room.death == 1 + 4
    await extra_turns(hall)
    await hall.past(1)
    assert (hall.result.outcome, hall.result.wins("a"), hall.result.wins("b")) == ("a", 2, 1)


async def test_a_drawn_game_leaves_the_lead_of_a_lost_room(hall: Hall) -> None:
    """5.5-8, 5.4: the match is over in death, though nobody leads in this room."""
    await resumed(hall)
    hall.play()
    hall.room.win(None)
    await hall.past(1)
    assert (hall.result.outcome, hall.result.reason, hall.result.wins("a")) == ("a", "time", 1)


# When one of both is away


async def test_the_duel_server_plays_on_without_the_daemon(hall: Hall) -> None:
    """F31: led, judged and ended while nobody listens; every result is there afterwards, none twice."""
    hall.gate.gateway.use([])
    await until(lambda: not hall.plugin.link.welcomed.is_set())
    a, b = await hall.sit(hall.table.a), await hall.sit(hall.table.b)
    a.start()
    for winner in ("a", "b", "a"):
        if hall.room.stage is Stage.SIDING:
            hall.side(a, b)
        hall.room.toss()
        hall.room.go_first(hall.nick("a"))
        hall.room.win(hall.nick(winner))
    hall.rooms_clock.advance(600)
    assert hall.table.result is None
    hall.gate.gateway.use(hall.gate.servers)
    await hall.connected()
    await hall.past(0)
    assert hall.result == Result(outcome="a", reason="played", games=(A, B, A))


async def test_a_killed_duel_server(hall: Hall) -> None:
    """5.5-8, F29: the host is asked; resumed, the match goes on from its last finished game."""
    await lead(hall)
    await hall.server.crash()
    await until(lambda: not hall.gate.eye.connected)
    await hall.server.open_api()
    await hall.connected()
    await hall.past(0)
    assert hall.table.asked_until is not None
    await hall.gate.here.do(c.ResumeTable(table=table_id(1, 1), now=hall.gate.here.clock.now()))
    await hall.start()
    hall.play()
    hall.room.win(hall.nick("a"))
    await hall.past(1)
    assert (hall.result.outcome, hall.result.wins("a")) == ("a", 2)


async def test_a_duel_server_that_is_killed_behind_the_last_win(hall: Hall) -> None:
    """10.j: the interim line is enough: nobody is asked."""
    a, b = await lead(hall)
    hall.side(a, b)
    hall.room.go_first(hall.nick("b"))
    hall.room.win(hall.nick("a"))
    await hall.server.crash()
    await hall.server.open_api()
    await hall.connected()
    await hall.past(0)
    assert (hall.result, hall.table.asked_until) == (
        Result(outcome="a", reason="played", games=(A, A)),
        None,
    )
