"""Whole matches on a duel server without a plugin: players join, play, drop and crash; the tables end right.

The duel server is the simulator; it and the daemon speak HTTP only. Both clocks move when the test says so.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from relayd.bridge.bridge import Bridge
from relayd.bridge.facade import Facade
from relayd.bridge.intake import Intake
from relayd.bridge.poller import Poller
from ruleset.ids import PlayerId, player_label
from ruleset.tournament import commands as c
from ruleset.tournament.decks import DeckList
from ruleset.tournament.results import Game, Result
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import Table
from srvpro_bridge.simulator.clock import ManualClock
from srvpro_bridge.simulator.config import Account, ChallongeLink, ServerConfig
from srvpro_bridge.simulator.decks import Deck
from srvpro_bridge.simulator.linking import score_body
from srvpro_bridge.simulator.play import Stage
from srvpro_bridge.simulator.room import Room
from srvpro_bridge.simulator.seats import Refused, Seat
from srvpro_bridge.simulator.server import DuelServer
from tests.bridging import ACCOUNT, HERE, KEY, World, duel_server, world
from tests.builders import NUMBER, SERVER, table_id

ROOM: Final = "M#X12R1T1"
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

    here: World
    server: DuelServer
    rooms_clock: ManualClock
    bridge: Bridge
    face: str

    @property
    def poller(self) -> Poller:
        """The daemon's eyes."""
        return self.bridge.pollers[SERVER]

    @property
    def table(self) -> Table:
        """Table 1 as the tournament has it."""
        return self.here.table()

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

    async def sit(self, player: PlayerId, name: str | None = None) -> Seat:
        """Let a player join and send his deck."""
        seat = await self.server.join(name or f"Nick{player}", "whatever")
        deck = cards_of(player)
        seat.send_deck(Deck(main=deck.main, side=deck.side))
        return seat

    async def start(self) -> tuple[Seat, Seat]:
        """Let both join and begin: the coin is tossed."""
        a, b = await self.sit(self.table.a), await self.sit(self.table.b)
        a.start()
        assert a.room.stage is Stage.FINGER
        return a, b

    def play(self, room: Room | None = None) -> None:
        """Begin the next game, A first."""
        room = room or self.room
        room.toss()
        room.go_first(self.nick("a"))
        assert room.stage is Stage.DUELING

    def won(self, seat: str, room: Room | None = None) -> None:
        """Let a player win the game that runs."""
        (room or self.room).win(self.nick(seat))

    def side(self, *seats: Seat) -> None:
        """Send the side decks: unchanged."""
        for seat in seats:
            first = seat.client.first_deck
            assert first is not None
            seat.send_deck(first)

    async def past(self, seconds: float) -> None:
        """Let time pass in the rooms and in the daemon; whatever is reported arrives."""
        self.rooms_clock.advance(seconds)
        self.here.clock.advance(seconds)
        await self.server.scores_sent()

    async def look(self) -> None:
        """Let the daemon look, a second later, and give orders; what follows from them arrives."""
        await self.past(1)
        await self.poller.look()
        await self.past(1)

    async def call_time(self) -> None:
        """Time's up."""
        await self.here.do(c.CallTime(now=self.here.clock.now()))

    async def tell(self, scores: tuple[int, int], winner: str | None) -> int:
        """Send a score as the duel server would."""
        url = f"{self.face}/v1/tournaments/T456/matches/X12R1T1.json"
        async with self.here.http.put(url, data=score_body(KEY, scores, winner)) as answer:
            return answer.status


@asynccontextmanager
async def opened(folder: Path, settings: Settings = HERE, count: int = 2, **more: Any) -> AsyncIterator[Hall]:
    """Open a hall with *count* players in round 1."""
    async with world(folder) as here:
        await here.begin(count, settings, deck=cards_of, **more)
        app, sketch = web.Application(), duel_server()
        app.add_routes(Facade([sketch], here.inside, Intake(here.inside)).routes())
        async with TestServer(app) as face:
            url = str(face.make_url("/challonge/main"))
            link = ChallongeLink(url=url, tournament="T456", api_key=KEY, cache_ttl_ms=0)
            accounts = (Account(user=ACCOUNT.user, password=ACCOUNT.password),)
            config = ServerConfig(accounts=accounts, challonge=link, tournament_mode=True)
            clock = ManualClock()
            async with DuelServer(config, clock) as server:
                bridge = Bridge([duel_server(server.url)], here.http, here.inside)
                yield Hall(here, server, clock, bridge, url)


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[Hall]:
    """Two players, Swiss."""
    async with opened(tmp_path) as hall:
        yield hall


@pytest.fixture
async def cup(tmp_path: Path) -> AsyncIterator[Hall]:
    """Two players, the final of a bracket."""
    async with opened(tmp_path, CUP) as hall:
        yield hall


async def lead(hall: Hall) -> tuple[Seat, Seat]:
    """Play until A leads 1-0, in siding, and the daemon has seen it."""
    a, b = await hall.start()
    hall.play()
    hall.won("a")
    await hall.look()
    assert hall.room.stage is Stage.SIDING
    return a, b


async def even(hall: Hall) -> tuple[Seat, Seat]:
    """Play until it stands 1-1, in siding."""
    a, b = await lead(hall)
    hall.side(a, b)
    hall.room.go_first(hall.nick("b"))
    hall.won("b")
    await hall.look()
    assert hall.room.stage is Stage.SIDING
    return a, b


async def test_a_clean_match(hall: Hall) -> None:
    """Issue 2, R059: 2-1, with nobody typing anything."""
    a, b = await even(hall)
    hall.side(a, b)
    hall.room.go_first(hall.nick("a"))
    hall.won("a")
    await hall.past(1)
    assert (hall.result.outcome, hall.result.reason) == ("a", "played")
    assert (hall.result.wins("a"), hall.result.wins("b")) == (2, 1)
    with pytest.raises(Refused, match="Your current match was not found"):
        await hall.sit(hall.table.a)


async def test_the_players_see_their_table_live(hall: Hall) -> None:
    """T5, T7: present when they sit, playing when it starts, and their score after each game."""
    await hall.sit(hall.table.a)
    await hall.look()
    assert (hall.table.presence_a.in_room, hall.table.presence_b.in_room) == (True, False)
    (await hall.sit(hall.table.b)).room.start(hall.nick("a"))
    await hall.look()
    assert hall.table.status == "playing"
    hall.play()
    await hall.look()
    (live,) = hall.bridge.live(NUMBER).values()
    assert (live.stage, live.duel, live.turn, live.in_room) == ("dueling", 1, 1, (True, True))


async def test_another_deck_is_refused(hall: Hall) -> None:
    """R071, duel-server.md 3: only the frozen deck is let in; then the right one."""
    seat = await hall.server.join(hall.nick("a"), "")
    seat.send_deck(Deck(main=tuple(range(7_000, 7_040))))
    assert seat.errors == [(2, 0)]
    right = cards_of(hall.table.a)
    seat.send_deck(Deck(main=right.main, side=right.side))
    assert len(seat.errors) == 1


async def test_the_leader_drops(hall: Hall) -> None:
    """5.6-6, H207: -9 stands for his games: the one that he had won is kept, the match is the other's."""
    a, _ = await lead(hall)
    a.leave()
    await hall.past(91)
    assert (hall.result.outcome, hall.result.reason) == ("b", "disconnect")
    assert hall.result.games == (A,)


async def test_a_player_never_returns(hall: Hall) -> None:
    """5.7: 1--9: the other side's, with the finished games."""
    _, b = await lead(hall)
    b.leave()
    await hall.past(91)
    assert (hall.result.outcome, hall.result.reason, hall.result.games) == ("a", "disconnect", (A,))


async def test_a_player_returns_in_time(hall: Hall) -> None:
    """duel-server.md 6: within 90 s, with his deck: the match goes on."""
    a, b = await lead(hall)
    b.leave()
    await hall.past(60)
    back = await hall.sit(hall.table.b)
    hall.side(a, back)
    hall.room.go_first(hall.nick("b"))
    hall.won("a")
    await hall.past(1)
    assert (hall.result.outcome, hall.result.reason, hall.result.wins("a")) == ("a", "played", 2)


async def test_both_are_gone(hall: Hall) -> None:
    """T13: -9--9: the judge decides."""
    a, b = await lead(hall)
    for seat in (a, b):
        seat.leave()
    await hall.past(91)
    assert (hall.table.status, hall.table.dispute) == ("disputed", "both_left")


@pytest.mark.parametrize("games", [0, 1])
async def test_a_crashed_room_is_never_booked(hall: Hall, games: int) -> None:
    """5.6-6, F29: tie 0-0, or the leader with 1-0, without a mark: suspect."""
    if games:
        await lead(hall)
    else:
        await hall.start()
        hall.play()
    hall.room.crash()
    await hall.past(1)
    assert (hall.table.status, hall.table.dispute, hall.table.result) == ("disputed", "suspect", None)


async def test_a_result_that_the_server_lost_in_a_burst(hall: Hall) -> None:
    """duel-server.md 10.0-1: the score before the last game is reported: 1-1 as a tie. Suspect."""
    a, b = await even(hall)
    hall.side(a, b)
    hall.room.go_first(hall.nick("a"))
    hall.room.exit_race = True
    hall.won("a")
    await hall.past(1)
    assert (hall.table.status, hall.table.dispute) == ("disputed", "suspect")


async def test_a_real_tie(hall: Hall) -> None:
    """5.7: 1-1 and a third game that somebody saw: a draw."""
    a, b = await even(hall)
    hall.side(a, b)
    hall.room.go_first(hall.nick("a"))
    await hall.look()
    hall.room.win(None)
    await hall.past(1)
    assert hall.result.outcome == "draw"
    assert hall.result.drawn == 1


async def extra_turns(hall: Hall, last: int) -> None:
    """Play turns up to *last*, A ahead by life points; the comparison ends the game for him."""
    hall.room.set_lp(hall.nick("b"), 4_000)
    while hall.room.stage is Stage.DUELING:
        assert hall.room.turn <= last
        hall.room.next_turn()
    assert hall.room.turn == 0


async def test_time_up_before_the_start(hall: Hall) -> None:
    """5.4, T9: death waits until the room starts; the lead ends the match when somebody sides."""
    a, _ = await hall.sit(hall.table.a), await hall.sit(hall.table.b)
    await hall.call_time()
    await hall.look()
    assert hall.room.death == 0
    a.start()
    await hall.look()
    hall.play()
    assert hall.room.death == 5
    await hall.look()
    await extra_turns(hall, 4)
    hall.side(a)
    await hall.past(1)
    assert (hall.result.outcome, hall.result.reason) == ("a", "time")
    assert hall.result.games == (Game(winner="a", reason="time"),)


async def test_time_up_at_the_coin(hall: Hall) -> None:
    """5.4: 0-0: the game that begins has 4 turns."""
    await hall.start()
    await hall.call_time()
    await hall.look()
    assert hall.room.death == 5


async def test_time_up_at_the_coin_with_a_lead(hall: Hall) -> None:
    """5.4: the next game is not played: the leader wins at once."""
    a, b = await lead(hall)
    hall.side(a, b)
    assert hall.room.stage is Stage.FIRSTGO
    await hall.call_time()
    await hall.look()
    assert (hall.result.outcome, hall.result.reason, hall.result.wins("a")) == ("a", "time", 1)


async def test_time_up_in_a_game(hall: Hall) -> None:
    """5.4, R065: this turn and 3 more; equal then: sudden death, until life points differ."""
    await hall.start()
    hall.play()
    hall.room.next_turn()
    await hall.call_time()
    await hall.look()
    assert hall.room.death == 2 + 4
    for _ in range(4):
        hall.room.next_turn()
    assert hall.room.death == -1
    await hall.look()
    await extra_turns(hall, 20)
    assert hall.room.stage is Stage.SIDING


async def test_a_lead_from_death_where_nobody_sides(hall: Hall) -> None:
    """Decisions 14: the room would hang; after a minute the match is ended for the leader."""
    await hall.start()
    hall.play()
    await hall.call_time()
    await hall.look()
    await extra_turns(hall, 4)
    await hall.look()
    for _ in range(20):
        await hall.look()
    assert hall.table.result is None
    for _ in range(15):
        await hall.look()
    assert (hall.result.outcome, hall.result.reason) == ("a", "time")
    assert ROOM not in hall.server.rooms


async def test_time_up_in_siding_with_a_lead(hall: Hall) -> None:
    """5.4: the leader wins: 1--1."""
    await lead(hall)
    await hall.call_time()
    await hall.look()
    assert (hall.result.outcome, hall.result.reason, hall.result.wins("a")) == ("a", "time", 1)


async def test_time_up_in_siding_when_even(hall: Hall) -> None:
    """5.4: the third game has 4 turns and decides: 2-1."""
    a, b = await even(hall)
    await hall.call_time()
    await hall.look()
    hall.side(a, b)
    hall.room.go_first(hall.nick("a"))
    assert hall.room.death == 5
    await extra_turns(hall, 4)
    await hall.past(1)
    assert (hall.result.outcome, hall.result.wins("a"), hall.result.wins("b")) == ("a", 2, 1)


async def test_the_hard_cap(hall: Hall) -> None:
    """R066, T10: unfinished 30 minutes after the call: double loss, finished games stay, the room goes."""
    await even(hall)
    await hall.call_time()
    await hall.past(30 * 60)
    await hall.bridge.last_look(NUMBER)
    await hall.here.do(c.Tick(now=hall.here.clock.now()))
    assert (hall.result.outcome, hall.result.reason) == ("double_loss", "cap")
    assert hall.result.games == (A, B)
    await hall.look()
    assert ROOM not in hall.server.rooms
    assert (hall.result.outcome, len(hall.table.reports)) == ("double_loss", 0)


async def test_two_equal_reports(hall: Hall) -> None:
    """F08, 5.6-5: the second changes nothing."""
    await lead(hall)
    winner = player_label(hall.table.a)
    assert [await hall.tell((2, 0), winner) for _ in range(2)] == [200, 200]
    assert (hall.table.status, len(hall.table.reports)) == ("confirmed", 1)


async def test_two_different_reports(hall: Hall) -> None:
    """F10, 5.6-5: disputed, and the gap that had begun is off."""
    await lead(hall)
    assert await hall.tell((2, 0), player_label(hall.table.a)) == 200
    assert await hall.tell((0, 2), player_label(hall.table.b)) == 200
    assert (hall.table.status, hall.table.dispute) == ("disputed", "reports_differ")
    played = hall.here.state().round
    assert played is not None
    assert played.done_at is None


async def test_a_shared_nickname(tmp_path: Path) -> None:
    """5.6-3: who shares a nickname with another entrant sits down by his number only."""
    names = {1: "Twin", 2: "Nick2", 3: "Ｔwin", 4: "Nick4"}
    async with opened(tmp_path, HERE, 4, nicknames=names) as hall:
        table = next(t for t in (hall.here.table(1), hall.here.table(2)) if 1 in {t.a, t.b})
        other = table.b if table.a == 1 else table.a
        with pytest.raises(Refused, match="not a participant"):
            await hall.server.join("Twin", "")
        mine = await hall.sit(PlayerId(1), "P000001")
        his = await hall.sit(other, f"P{other:06d}")
        assert mine.room is his.room
        mine.start()
        room = mine.room
        room.toss()
        room.go_first("P000001")
        room.win("P000001")
        hall.side(mine, his)
        room.go_first("P000001")
        room.win("P000001")
        await hall.past(1)
        state = hall.here.state()
        found = state.table(table.id)
        assert found is not None
        assert found.result is not None
        assert found.result.outcome == found.seat_of(PlayerId(1))


async def test_a_tie_in_a_bracket_plays_one_more_game(cup: Hall) -> None:
    """R070, 5.5-12: the extra game has its own room, is in death as soon as it starts, and decides."""
    a, b = await even(cup)
    cup.side(a, b)
    cup.room.go_first(cup.nick("a"))
    await cup.look()
    cup.room.win(None)
    await cup.past(1)
    assert (cup.table.extra_games, cup.table.result) == (1, None)
    one, _ = await cup.sit(cup.table.a), await cup.sit(cup.table.b)
    assert one.room.name == f"{ROOM}S"
    one.start()
    cup.play(one.room)
    await cup.look()
    assert one.room.death == 5
    cup.won("b", one.room)
    await cup.look()
    assert NUMBER not in cup.here.desks.running()
    state = await cup.here.desks.load(NUMBER)
    table = state.table(table_id(1, 1))
    assert table is not None
    assert table.result is not None
    assert (table.result.outcome, table.result.reason) == ("b", "sudden_death")
    assert table.result.games[-1] == Game(winner="b", reason="sudden_death")


async def test_the_server_dies_in_a_game(hall: Hall) -> None:
    """5.5-8, F29: its tables pause; back empty, the host is asked; he lets them play on from 1-0."""
    await lead(hall)
    await hall.server.crash()
    for _ in range(8):
        await hall.look()
    assert SERVER in hall.here.state().lost_servers
    await hall.server.open_api()
    await hall.look()
    assert hall.table.asked_until is not None
    await hall.here.do(c.ResumeTable(table=hall.table.id, now=hall.here.clock.now()))
    assert hall.table.carried == (1, 0)
    await hall.start()
    hall.play()
    hall.won("a")
    for _ in range(8):
        await hall.look()
    assert (hall.result.outcome, hall.result.games) == ("a", (A, A))
    assert ROOM not in hall.server.rooms


async def test_the_api_hangs_while_the_match_goes_on(hall: Hall) -> None:
    """5.5-8: the tables pause and resume by themselves; the result arrives by Challonge meanwhile."""
    await lead(hall)
    hall.server.trouble.kind = "error"
    for _ in range(8):
        await hall.look()
    assert hall.table.lost_at is not None
    hall.server.trouble.kind = ""
    await hall.look()
    after = hall.here.table()
    assert (after.lost_at, after.asked_until) == (None, None)
    assert after.lost_ms > 10_000
