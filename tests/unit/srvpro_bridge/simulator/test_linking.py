"""The simulated Challonge module, row by row of duel-server.md 3."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from srvpro_bridge.simulator.clock import ManualClock
from srvpro_bridge.simulator.config import ChallongeLink, ServerConfig
from srvpro_bridge.simulator.decks import Deck
from srvpro_bridge.simulator.linking import NoRoster, read_roster
from srvpro_bridge.simulator.play import Stage
from srvpro_bridge.simulator.room import Room
from srvpro_bridge.simulator.seats import Refused, Seat
from srvpro_bridge.simulator.server import DuelServer
from tests.unit.srvpro_bridge.simulator.face import ONE_MATCH, Face, serving

DECK = Deck(main=tuple(range(1, 41)))
LOADING = "Loading user info..."
ROOM = "M#X1R1T1"


class Linked:
    """A duel server and the other side of its link."""

    def __init__(self, server: DuelServer, face: Face, clock: ManualClock) -> None:
        self.server, self.face, self.clock = server, face, clock

    @property
    def room(self) -> Room:
        """Return the room of the one match."""
        return self.server.rooms[ROOM]

    async def start(self, first: str = "Alice", second: str = "Bob") -> Room:
        """Let both join and start: the coin of game 1."""
        seats = [await self.server.join(first), await self.server.join(second)]
        for seat in seats:
            seat.send_deck(DECK)
        seats[0].start()
        return self.room

    async def play(self, *winners: str | None) -> Room:
        """Play games; sides are sent before each but the first."""
        room = await self.start()
        for number, winner in enumerate(winners):
            if number:
                self.side()
            self.game()
            room.win(winner)
            await self.server.scores_sent()
        return room

    def game(self) -> None:
        """Begin the next game."""
        self.room.toss()
        self.room.go_first("Alice")

    def side(self) -> None:
        """Let both side."""
        for name in ("Alice", "Bob"):
            self.room.send_deck(name, DECK)

    async def end(self, seconds: float = 1) -> list[bytes]:
        """Let time pass and return every score that was sent."""
        self.clock.advance(seconds)
        await self.server.scores_sent()
        return self.face.scores

    async def refusal(self, name: str) -> tuple[str, ...]:
        """Return what somebody hears who is refused."""
        with pytest.raises(Refused) as refused:
            await self.server.join(name)
        return refused.value.lines


@asynccontextmanager
async def linked(
    *,
    cache_ttl_ms: int = 0,
    timeout_s: float = 5,
    no_match_mode: bool = False,
    detailed: bool = True,
    tournament_mode: bool = False,
) -> AsyncIterator[Linked]:
    """Serve both."""
    async with serving(Face()) as face:
        link = ChallongeLink(
            url=face.url,
            tournament="T456",
            api_key="KEY123",
            cache_ttl_ms=cache_ttl_ms,
            timeout_s=timeout_s,
            no_match_mode=no_match_mode,
            post_detailed_score=detailed,
        )
        clock = ManualClock()
        async with DuelServer(ServerConfig(challonge=link, tournament_mode=tournament_mode), clock) as server:
            yield Linked(server, face, clock)


@pytest.fixture
async def hall() -> AsyncIterator[Linked]:
    """A link that asks each time."""
    async with linked() as both:
        yield both


# Joining


async def test_any_password_leads_to_the_match_of_the_name(hall: Linked) -> None:
    """duel-server.md 3: the literal GET; both sit in "M#"+id whatever they type; the text."""
    alice = await hall.server.join("Alice", "blah")
    bob = await hall.server.join("Bob", "")
    assert set(hall.face.gets) == {
        "/v1/tournaments/T456.json?api_key=KEY123&include_participants=1&include_matches=1"
    }
    assert (alice.room, alice.room.name) == (bob.room, ROOM)
    assert alice.heard == [
        LOADING,
        "A room for match only is created. Your opponent will join in automatically.",
    ]


@pytest.mark.parametrize("name", ["Alice", "12345", "12345+Alice"])
async def test_each_half_of_a_name_is_enough(hall: Linked, name: str) -> None:
    """duel-server.md 3: seen with "12345+Alice"."""
    assert (await hall.server.join(name)).client.registered is not None


async def test_who_is_not_in_the_list_is_told_so(hall: Linked) -> None:
    """duel-server.md 3: case counts; no open match with an opponent."""
    unknown = (LOADING, "You are not a participant of the tournament.")
    assert [await hall.refusal(name) for name in ("alice", "Carol", "888")] == [unknown] * 3
    assert await hall.refusal("Dave") == (LOADING, "Your current match was not found.")


async def test_nobody_waits_twice(hall: Linked) -> None:
    """duel-server.md 3: also under the other half of his name."""
    await hall.server.join("Alice")
    already = (LOADING, "Please do not enter the room you are already in.")
    assert await hall.refusal("Alice") == await hall.refusal("12345") == already


@pytest.mark.parametrize(
    "body", ["nonsense", "[]", "{}", '{"tournament":{"participants":[{}],"matches":[]}}']
)
async def test_a_bad_answer_is_a_failure_to_load(hall: Linked, body: str) -> None:
    """duel-server.md 3: bad JSON."""
    hall.face.body = body
    assert await hall.refusal("Alice") == (LOADING, "Failed loading tournament info.")


async def test_a_status_a_silence_and_a_closed_port_are_failures_to_load() -> None:
    """duel-server.md 3: 500 at once, no answer after the time-out, down."""
    failed = (LOADING, "Failed loading tournament info.")
    async with linked(timeout_s=0.05) as hall:
        hall.face.get_status = 500
        assert await hall.refusal("Alice") == failed
        hall.face.get_status = 200
        hall.face.release.clear()
        assert await hall.refusal("Alice") == failed
        hall.face.release.set()
        assert await hall.server.join("Alice")
        dead = hall.face.url
    link = ChallongeLink(url=dead, tournament="T456", api_key="KEY123")
    async with DuelServer(ServerConfig(challonge=link)) as server:
        with pytest.raises(Refused, match="Failed loading"):
            await server.join("Alice")


async def test_the_answer_is_kept_for_a_while_and_asked_for_one_at_a_time() -> None:
    """duel-server.md 3: cache_ttl; dropped after each successful PUT."""
    async with linked(cache_ttl_ms=600_000) as hall:
        await asyncio.gather(hall.server.join("Alice"), hall.server.join("Bob"))
        await hall.refusal("Carol")
        assert len(hall.face.gets) == 1
        for seat in ("Alice", "Bob"):
            hall.room.send_deck(seat, DECK)
        hall.room.start("Alice")
        hall.game()
        hall.room.win("Alice")
        await hall.server.scores_sent()
        await hall.refusal("Carol")
        assert len(hall.face.gets) == 2


async def test_no_match_mode_takes_the_id_as_it_is() -> None:
    """duel-server.md 3: single duels; an id may bring marks, but then its PUT is cut at ``#``."""
    async with linked(no_match_mode=True) as hall:
        room = (await hall.server.join("Alice")).room
        assert (room.name, room.options.mode) == ("X1R1T1", 0)
    async with linked(no_match_mode=True) as hall:
        hall.face.body = ONE_MATCH.replace("X1R1T1", "M,TM5#X1R1T1")
        seats = [await hall.server.join(name) for name in ("Alice", "Bob")]
        assert (seats[0].room.options.mode, seats[0].room.options.time_limit_s) == (1, 300)
        for seat in seats:
            seat.send_deck(DECK)
        seats[0].start()
        seats[0].room.crash()
        await hall.end()
        assert [path for path, _, _ in hall.face.puts] == ["/v1/tournaments/T456/matches/M,TM5"]


async def test_who_types_the_name_of_a_running_room_watches(hall: Linked) -> None:
    """duel-server.md 3: an outsider; before the start he is no participant."""
    await hall.refusal("Eve")
    await hall.start()
    eve = await hall.server.join("Eve", ROOM)
    assert (eve.room, eve.client.pos) == (hall.room, 7)


async def test_the_other_half_of_a_name_does_not_return(hall: Linked) -> None:
    """duel-server.md 3: "777" for the dropped "Bob" becomes a spectator; the same nick reconnects."""
    await hall.start()
    hall.room.drop("Bob")
    other = await hall.server.join("777")
    assert (other.returning, other.client.pos) == (False, 7)
    back = await hall.server.join("Bob", "whatever")
    assert back.returning
    back.send_deck(DECK)
    assert (back.returning, hall.room.frozen) == (False, False)


# Reports


async def test_a_match_is_reported_at_each_side_change_and_at_its_end(hall: Linked) -> None:
    """duel-server.md 3: path, content type and bodies, to the byte."""
    await hall.play("Alice", "Bob", "Alice")
    assert await hall.end() == [
        b'{"api_key":"KEY123","match":{"scores_csv":"1-0"}}',
        b'{"api_key":"KEY123","match":{"scores_csv":"1-1"}}',
        b'{"api_key":"KEY123","match":{"winner_id":"P1","scores_csv":"2-1"}}',
    ]
    assert {put[:2] for put in hall.face.puts} == {
        ("/v1/tournaments/T456/matches/X1R1T1.json", "application/json;charset=utf-8")
    }


async def test_player_1_comes_first_whoever_is_host(hall: Linked) -> None:
    """duel-server.md 3: player 2 as host."""
    room = await hall.start("Bob", "Alice")
    hall.game()
    room.win("Alice")
    assert await hall.end() == [b'{"api_key":"KEY123","match":{"scores_csv":"1-0"}}']


async def leave(hall: Linked, *names: str) -> None:
    """Let them drop and never return."""
    for name in names:
        hall.room.drop(name)


async def bob_never_returns(hall: Linked) -> None:
    """In game 2, at 1-0."""
    await hall.play("Alice")
    hall.side()
    hall.game()
    await leave(hall, "Bob")


async def bob_quits_at_0_0(hall: Linked) -> None:
    """In game 1."""
    await hall.start()
    hall.game()
    await leave(hall, "Bob")


async def the_leader_quits_in_siding(hall: Linked) -> None:
    """At 1-0."""
    await hall.play("Alice")
    await leave(hall, "Alice")


async def both_drop(hall: Linked) -> None:
    """At 1-0, together."""
    await hall.play("Alice")
    await leave(hall, "Alice", "Bob")


async def death_at_1_0(hall: Linked) -> None:
    """While siding."""
    (await hall.play("Alice")).start_death()


async def death_at_0_1(hall: Linked) -> None:
    """While siding."""
    (await hall.play("Bob")).start_death()


async def crash_at_0_0(hall: Linked) -> None:
    """In game 1."""
    (await hall.start()).crash()


async def crash_at_1_0(hall: Linked) -> None:
    """While siding."""
    (await hall.play("Alice")).crash()


async def a_winning_card(hall: Linked) -> None:
    """In game 1."""
    room = await hall.start()
    hall.game()
    room.win("Bob", by_card=True)


async def a_lost_last_win(hall: Linked) -> None:
    """The exit race in a burst of ends."""
    room = await hall.start()
    hall.game()
    room.exit_race = True
    room.win("Alice")


@pytest.mark.parametrize(
    ("happens", "winner", "scores"),
    [
        (bob_never_returns, "P1", "1--9"),
        (bob_quits_at_0_0, "P1", "0--9"),
        (the_leader_quits_in_siding, "P2", "-9-0"),
        (both_drop, "tie", "-9--9"),
        (death_at_1_0, "P1", "1--1"),
        (death_at_0_1, "P2", "-1-1"),
        (crash_at_0_0, "tie", "0-0"),
        (crash_at_1_0, "P1", "1-0"),
        (a_winning_card, "P2", "0-99"),
        (a_lost_last_win, "tie", "0-0"),
    ],
)
async def test_every_kind_of_end_has_its_score(
    hall: Linked, happens: Callable[[Linked], "asyncio.Future[None]"], winner: str, scores: str
) -> None:
    """duel-server.md 0-5, 2, 3, 10.0-1: forfeits 90 s after the drop; a crash looks like a finished match."""
    await happens(hall)
    sent = await hall.end(95)
    assert (
        sent[-1].decode()
        == f'{{"api_key":"KEY123","match":{{"winner_id":"{winner}","scores_csv":"{scores}"}}}}'
    )


async def test_what_is_never_reported(hall: Linked) -> None:
    """duel-server.md 0-4, 3: a room left in BEGIN or crashed there, a kick, a join, a start."""
    alice = await hall.server.join("Alice")
    alice.leave()
    await hall.server.join("Alice")
    hall.room.crash()
    room = await hall.start()
    hall.game()
    room.kick()
    assert await hall.end(1_000) == []


async def test_scores_may_hide_the_games() -> None:
    """duel-server.md 3: post_detailed_score off."""
    async with linked(detailed=False) as hall:
        await hall.play("Alice", "Bob", "Bob")
        codes = [body.partition(b'"scores_csv":"')[2] for body in await hall.end()]
        assert codes == [b'1-0"}}', b'0-0"}}', b'0-1"}}']


async def test_six_tries_then_silence(hall: Linked) -> None:
    """duel-server.md 3: without pause, given up for good, players notice nothing; the next one is another."""
    hall.face.put_status = 500
    await hall.play("Alice")
    assert len(hall.face.scores) == 6
    hall.clock.advance(10_000)
    await hall.server.scores_sent()
    assert len(hall.face.scores) == 6
    assert hall.room.stage is Stage.SIDING
    hall.face.put_status = 201
    hall.room.crash()
    assert len(await hall.end()) == 7


async def test_a_slow_put_holds_nothing_up(hall: Linked) -> None:
    """duel-server.md 3: no time-out; the final score is sent while the first is still open."""
    room = await hall.start()
    hall.face.release.clear()
    for _ in range(2):
        hall.game()
        room.win("Alice")
        hall.side()
    hall.clock.advance(1)
    await hall.face.has_heard(2)
    hall.face.release.set()
    assert len(await hall.end()) == 2


async def test_a_score_that_meets_a_closed_port_is_lost() -> None:
    """duel-server.md 3: nothing is retried later; the room ends as ever."""
    async with linked() as hall:
        room = await hall.start()
        await hall.face.close()
        room.crash()
        assert await hall.end() == []
        assert not hall.server.rooms


async def test_a_server_that_dies_reports_nothing(hall: Linked) -> None:
    """duel-server.md 3: a crash of the whole server loses the result, and what is on its way."""
    room = await hall.start()
    hall.game()
    hall.face.release.clear()
    room.win("Alice")
    await hall.face.has_heard(1)
    await hall.server.crash()
    assert await hall.end() == [b'{"api_key":"KEY123","match":{"scores_csv":"1-0"}}']


async def test_after_the_match_its_name_makes_a_new_room(hall: Linked) -> None:
    """duel-server.md 10.0-5: who joins again while the list still shows the match waits alone."""
    room = await hall.play("Alice", "Alice")
    await hall.end()
    again = await hall.server.join("Alice")
    assert (again.room is room, again.room.name, again.room.stage) == (False, ROOM, Stage.BEGIN)


async def test_registered_decks_are_enforced() -> None:
    """duel-server.md 3 and decks.md D36: ``deckbuf`` in tournament mode; an unreadable one checks nothing."""
    async with linked(tournament_mode=True) as hall:
        deckbuf = '"12345+Alice","deckbuf":"BQAAAAAAAACjqVcFo6lXBaOpVwWu9MwCSzzJAw=="'
        hall.face.body = ONE_MATCH.replace('"12345+Alice"', deckbuf).replace(
            '"777 Bob"', '"777 Bob","deckbuf":"????"'
        )
        alice, bob = await hall.server.join("Alice"), await hall.server.join("Bob")
        seats: list[Seat] = [alice, bob]
        for seat in seats:
            seat.send_deck(DECK)
        assert (alice.client.ready, alice.errors, bob.client.ready) == (False, [(2, 0)], True)
        registered = alice.client.registered
        assert registered is not None
        assert registered.deck == Deck(main=(89631139, 89631139, 89631139, 46986414, 63519819))


def test_a_roster_without_matches_is_a_roster() -> None:
    """duel-server.md 3: between two rounds; a broken one is none."""
    assert read_roster(b'{"tournament":{"id":1,"participants":[],"matches":[]}}').matches == ()
    with pytest.raises(NoRoster):
        read_roster(b'{"tournament":{"participants":[],"matches":[{"match":{}}]}}')
