"""What plugins report becomes results; what is forged, replayed or doubtful does not (5.6, F11, F29, F31)."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed

from relayd.errors import InvariantBroken
from relayd.ports import Answer
from relayd.storage.log import LogBroken, LogUnavailable
from ruleset.ids import Instant, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.results import Game, Result
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import Table
from srvpro_bridge import protocol as p
from tests.bridging import HERE, SERVER_B, counted
from tests.builders import NUMBER, SERVER, result, table_id
from tests.gateways import BOOT, HELLO, Gate, Speaker, closed, game_over, gate, nick, opened, player

CUP = changed(HERE, format="elimination", rounds=0)
OUTCOMES = ("filed", "again", "parked", "unmatched", "refused", "not_ours")


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Gate]:
    """A tournament of four in round 1, R1T1 and R1T2, on the duel server ``main``."""
    async with gate(tmp_path) as here:
        await here.here.begin(4)
        yield here


@pytest.fixture
async def plugin(here: Gate) -> AsyncIterator[Speaker]:
    """Its plugin, connected; nothing was kept back."""
    async with here.plugin() as plugin:
        await plugin.begin()
        yield plugin


def table(here: Gate, number: int = 1) -> Table:
    """Return a table of the present round."""
    return here.here.table(number)


def reports(here: Gate, *outcomes: str) -> float:
    """Return how many reports came to one of *outcomes*, or to any."""
    metrics = here.here.inside.metrics
    return sum(
        counted(metrics, "relayd_reports_total", source="plugin", outcome=outcome)
        for outcome in outcomes or OUTCOMES
    )


async def tell(plugin: Speaker, *records: Any) -> None:
    """Send records, and wait until they are durable."""
    await plugin.say(*records)
    await plugin.acked(records[-1].seq)


# Results


async def test_a_clean_match(here: Gate, plugin: Speaker) -> None:
    """Issue 3, T7, 10.j: each game as it ends, the result with the last; the end of the room adds nothing."""
    await tell(plugin, game_over(1, table(here), "a"))
    assert (table(here).status, table(here).wins) == ("playing", (1, 0))
    await tell(plugin, game_over(2, table(here), "ab"), game_over(3, table(here), "aba"))
    assert table(here).result == Result(
        outcome="a", reason="played", games=(Game(winner="a"), Game(winner="b"), Game(winner="a"))
    )
    reports_before = table(here).reports
    await tell(plugin, closed(4, table(here), "aba"))
    assert table(here).reports == reports_before


async def test_the_end_of_the_room_is_enough(here: Gate, plugin: Speaker) -> None:
    """F31: the games before were lost, or nobody was there to hear them."""
    await tell(plugin, closed(1, table(here), "bab"))
    assert table(here).result == Result(
        outcome="b", reason="played", games=(Game(winner="b"), Game(winner="a"), Game(winner="b"))
    )


async def test_who_came_first_may_have_seat_b(here: Gate, plugin: Speaker) -> None:
    """5.6: positions are those of the room; the names say who has which seat."""
    players = (player(table(here), "b", 0), player(table(here), "a", 1))
    await tell(plugin, game_over(1, table(here), "aa", players=players))
    assert table(here).result == result("b", (0, 2))


async def test_a_best_of_one_beside_a_best_of_three(here: Gate, plugin: Speaker) -> None:
    """Issue 3: on one server at one time, each by its own rules."""
    single: Settings = changed(HERE, best_of=1)
    await here.here.begin(2, single, number=TournamentNo(13), first=11)
    other = here.here.table(number=TournamentNo(13))
    await tell(
        plugin,
        game_over(1, table(here), "a"),
        game_over(2, other, "a", code="X13R1T1", name="X13R1T1", room=f"{BOOT}-x", best_of=1),
    )
    assert table(here).result is None
    assert here.here.table(number=TournamentNo(13)).result == result("a", (1, 0))


async def test_a_lead_in_death_is_the_end(here: Gate, plugin: Speaker) -> None:
    """5.4: the deciding game counts, by time; the end of the room says the same with its mark."""
    await tell(plugin, game_over(1, table(here), "a", death="three"))
    assert table(here).result == Result(outcome="a", reason="time", games=(Game(winner="a", reason="time"),))
    await tell(plugin, closed(2, table(here), "a", (1, -1), finished_by_death=True))
    assert (table(here).status, reports(here, "again")) == ("confirmed", 1)


async def test_a_server_that_plays_on_after_a_lead_is_waited_for(here: Gate) -> None:
    """duel-server.md 2: under rules 0 and 1 a lead in death ends nothing."""
    facts = replace(HELLO.facts, quick_death_rule=1)
    async with here.plugin() as plugin:
        await plugin.begin(hello=replace(HELLO, facts=facts))
        await tell(plugin, game_over(1, table(here), "a", death="three"))
        assert (table(here).result, table(here).wins) == (None, (1, 0))


async def test_a_lead_in_a_new_room_is_not_the_end(here: Gate, plugin: Speaker) -> None:
    """5.5-8: with a game of the lost room it is 1-1: the match goes on."""
    one = table(here)
    seen = c.SeeRoom(
        table=one.id, seated=("a", "b"), playing=True, wins=(1, 0), duel=1, now=here.here.clock.now()
    )
    lost = c.LoseServer(server=SERVER, since=here.here.clock.now(), now=here.here.clock.now())
    back = c.RegainServer(server=SERVER, rooms=(), now=here.here.clock.now())
    await here.here.do(seen, lost, back, c.ResumeTable(table=one.id, now=here.here.clock.now()))
    await tell(plugin, game_over(1, table(here), "b", death="three"))
    assert (table(here).result, table(here).wins_so_far) == (None, (1, 1))


async def test_who_left_has_lost(here: Gate, plugin: Speaker) -> None:
    """5.7, H207: the finished games of the leaver are kept."""
    await tell(plugin, closed(1, table(here), "a", (-9, 0), begun=2, away=(0,)))
    assert table(here).result == Result(outcome="b", reason="disconnect", games=(Game(winner="a"),))


async def test_both_left(here: Gate, plugin: Speaker) -> None:
    """T13, 10.l: srvpro marks only the first; the plugin knows that nobody was there."""
    await tell(plugin, closed(1, table(here), "a", (-9, 0), begun=2, away=(0, 1)))
    assert (table(here).status, table(here).dispute) == ("disputed", "both_left")


@pytest.mark.parametrize("winners", ["", "a", "ab"])
async def test_a_crash_is_never_booked(here: Gate, plugin: Speaker, winners: str) -> None:
    """F29, 5.6-6: whatever the score, the judge sees it; what was won is known."""
    await tell(plugin, closed(1, table(here), winners, ending="crashed", begun=len(winners) + 1))
    assert (table(here).status, table(here).dispute, table(here).result) == ("disputed", "suspect", None)


async def test_a_certain_draw_is_a_draw(here: Gate, plugin: Speaker) -> None:
    """5.6-6: a plugin knows a real tie from a crash: also a best of one in which both fell to 0."""
    await tell(plugin, closed(1, table(here), "abd"))
    assert table(here).result is not None
    assert (table(here).status, table(here).result.outcome) == ("confirmed", "draw")  # type: ignore[union-attr]


async def test_a_room_of_another_length_is_doubted(here: Gate, plugin: Speaker) -> None:
    """5.6, BO3: a single duel under a code of a best of three has not decided the match."""
    await tell(plugin, game_over(1, table(here), "a", best_of=1))
    assert (table(here).status, table(here).dispute) == ("disputed", "suspect")


async def test_a_tie_in_a_bracket_orders_extra_games(tmp_path: Path) -> None:
    """5.5-12: the table becomes ``…S`` in sudden death; both to 0 at once: another one under that code."""
    async with gate(tmp_path) as here:
        await here.here.begin(2, CUP)
        async with here.plugin() as plugin:
            await plugin.begin()
            await tell(plugin, closed(1, table(here), "abd"))
            assert (await plugin.told("X12R1T1S", sudden_death=True)).options.best_of == 1
            extra: dict[str, Any] = {"code": "X12R1T1S", "name": "X12R1T1S", "best_of": 1}
            await tell(plugin, closed(2, table(here), "d", room=f"{BOOT}-s1", **extra))
            assert (table(here).status, table(here).extra_games) == ("playing", 2)
            await tell(plugin, game_over(3, table(here), "b", room=f"{BOOT}-s2", **extra))
        ended = await here.here.desks.load(NUMBER)
        (final,) = ended.all_tables()
        assert (final.result, ended.places[0][0]) == (
            Result(
                outcome="b",
                reason="sudden_death",
                games=(*final.tied_games, Game(winner="b", reason="sudden_death")),
            ),
            final.b,
        )
        assert NUMBER not in here.here.desks.running()


async def test_a_room_that_was_closed_is_no_end(here: Gate, plugin: Speaker) -> None:
    """T10: after the hard cap, or a kick by hand, the score of the room is not a result."""
    await tell(plugin, closed(1, table(here), "a", (0, 0), ending="kicked"))
    assert (table(here).status, table(here).wins) == ("playing", (1, 0))
    await here.here.do(c.Rule(table=table_id(1, 1), result=result("b", (0, 2)), now=here.here.clock.now()))
    await tell(plugin, closed(2, table(here), "a", ending="closed", room=f"{BOOT}-2"))
    assert table(here).result == result("b", (0, 2))


async def test_rooms_without_a_code_are_matched_by_names(here: Gate, plugin: Speaker) -> None:
    """5.6-2: the plugin tells the end of every room; nobody's is nobody's."""
    plain: dict[str, Any] = {"code": None, "name": "our room"}
    await tell(plugin, closed(1, table(here), "aa", **plain))
    assert table(here).result == result("a", (2, 0))
    strangers = tuple(
        p.Scored(pos=pos, nickname=name, seat=None, score=score)  # type: ignore[arg-type]
        for pos, name, score in ((0, "Eve", 2), (1, "Mallory", 0))
    )
    await tell(plugin, closed(2, table(here), "aa", players=strangers, room=f"{BOOT}-2", **plain))
    assert reports(here, "not_ours") == 1


# Forged, replayed, too early


async def test_forged_reports_change_nothing(here: Gate, plugin: Speaker) -> None:
    """F11: wrong table, outsiders, one of them, a code of nobody: refused or parked; counter == attempts."""
    one, two = table(here, 1), table(here, 2)
    forged = [
        closed(1, one, "aa", code="X12R1T2", name="X12R1T2", room="f1"),
        closed(2, two, "aa", code="X12R1T1", name="X12R1T1", room="f2"),
        closed(3, one, "aa", players=_named("Eve", "Mallory"), room="f3"),
        closed(4, one, "aa", players=_named(nick(one, "a"), "Mallory"), room="f4"),
        closed(5, one, "aa", players=_named(nick(one, "a"), nick(one, "a")), room="f5"),
        closed(6, one, "aa", players=(), room="f6"),
        closed(7, one, "aa", code="X12R9T1", name="X12R9T1", room="f7"),
        closed(8, one, "aa", code="X99R1T1", name="X99R1T1", room="f8"),
        closed(9, one, "aa", code="X12P1T1", name="X12P1T1", room="f9"),
        closed(10, one, "aa", code="X12R1T1S", name="X12R1T1S", room="f10"),
    ]
    await tell(plugin, *forged)
    assert [table(here, n).result for n in (1, 2)] == [None, None]
    assert reports(here) == len(forged)
    assert reports(here, "filed", "again") == 0
    assert reports(here, "parked") == len(here.here.state().parked) == 6


def _named(one: str, other: str) -> tuple[p.Scored, p.Scored]:
    a = p.Scored(pos=0, nickname=one, seat="a", score=2)
    return a, p.Scored(pos=1, nickname=other, seat="b", score=0)


async def test_another_servers_plugin_cannot_report_our_table(here: Gate) -> None:
    """F11: the right token of the wrong server: parked for the host, and no result."""
    async with here.plugin("other-token") as other:
        await other.begin(hello=replace(HELLO, server=SERVER_B))
        await tell(other, closed(1, table(here), "aa"))
    assert (table(here).result, reports(here, "parked")) == (None, 1)


async def test_sights_are_not_parked(here: Gate, plugin: Speaker) -> None:
    """5.6-1: what strangers play in a coded room is worth a question to the host once, at its end."""
    players = (player(table(here), "a", 0), p.Player(pos=1, nickname="Mallory", seat=None))
    await tell(plugin, game_over(1, table(here), "a", players=players))
    assert here.here.state().parked == {}
    assert reports(here, "unmatched") == 1


async def test_a_replayed_report_does_not_decide_a_reopened_table(here: Gate) -> None:
    """F11, T22: a room is unlike every other: its word counts once for ever, in whatever spool it comes."""
    async with here.plugin() as plugin:
        await plugin.begin()
        await tell(plugin, game_over(1, table(here), "aa"), closed(2, table(here), "aa"))
        old = table(here)
        await here.here.do(c.Reopen(table=table_id(1, 1), now=here.here.clock.now()))
    async with here.plugin() as plugin:
        await plugin.begin(hello=replace(HELLO, spool="forged"))
        await tell(plugin, game_over(1, old, "aa"), game_over(2, old, "bb"))
        assert (table(here).result, table(here).status) == (None, "playing")
        await tell(plugin, closed(3, old, "bb", room=f"{BOOT}-new"))
        assert table(here).result == result("b", (0, 2))


async def test_two_rooms_that_disagree_are_disputed(here: Gate, plugin: Speaker) -> None:
    """F10, 5.6-5: another room of the same table says something else: the judge decides."""
    await tell(plugin, closed(1, table(here), "aa"), closed(2, table(here), "bb", room=f"{BOOT}-2"))
    assert (table(here).status, table(here).dispute) == ("disputed", "reports_differ")


async def next_round(here: Gate) -> Table:
    """Pair round 2, a minute later, and return its first table."""
    for number in (1, 2):
        rule = c.Rule(table=table_id(1, number), result=result("a", (2, 0)), now=here.here.clock.now())
        await here.here.do(rule)
    here.here.clock.advance(60)
    await here.here.do(c.NextRound(now=here.here.clock.now()))
    return table(here)


def started(seq: int, code: str, at: int = 1_000_000) -> p.MatchStarted:
    """Return the record of a match that begins."""
    players = (p.Player(pos=0, nickname="x", seat=None), p.Player(pos=1, nickname="y", seat=None))
    names = {"room": f"{BOOT}-R2T1", "name": code, "code": code}
    return p.MatchStarted(seq=seq, at=Instant(at), players=players, **names)


async def test_a_match_that_began_before_its_round_counts_for_nothing(here: Gate, plugin: Speaker) -> None:
    """5.6-4: whoever guesses the next code and plays early; by our own clock, as it was heard."""
    await tell(plugin, started(1, "X12R2T1"))
    now = await next_round(here)
    await tell(plugin, closed(2, now, "aa", at=1_000_001, started_at=1_000_000))
    assert (table(here).result, reports(here, "again")) == (None, 1)


async def test_how_long_ago_it_began_is_known_without_having_heard_it(here: Gate) -> None:
    """5.6-4: from the backlog only lengths of time are taken: the clock of the duel server may be any."""
    now = await next_round(here)
    here.here.clock.advance(600)
    async with here.plugin() as plugin:
        await plugin.greet(replace(HELLO, next=9))
        early, late = 20 * 60_000, 5 * 60_000
        await tell(plugin, closed(1, now, "aa", at=early, started_at=0))
        assert table(here).result is None
        await tell(
            plugin,
            started(2, "X12R2T1", at=0),
            game_over(3, now, "aa", at=early),
            closed(4, now, "bb", at=late, started_at=0, room=f"{BOOT}-2"),
        )
        assert table(here).result == result("b", (0, 2))


# Durable first


async def test_a_log_that_is_away_is_waited_for(here: Gate, plugin: Speaker) -> None:
    """F03, docs/protocol.md: not acknowledged before it is durable; then once, though it was tried often."""
    handle, tries = here.here.desks.handle, 0

    async def away(*said: Any, **more: Any) -> Answer:
        nonlocal tries
        tries += 1
        if tries <= 2:
            raise LogUnavailable
        return await handle(*said, **more)

    here.here.desks.handle = away  # type: ignore[method-assign]
    await tell(plugin, closed(1, table(here), "aa"))
    assert (table(here).result, tries > 2, reports(here, "filed")) == (result("a", (2, 0)), True, 1)


async def test_a_cursor_that_is_away_is_waited_for(here: Gate, plugin: Speaker) -> None:
    """F03: how far a spool is taken is kept before it is acknowledged, too."""
    flaky(here, "move", LogUnavailable())
    flaky(here, "of", LogUnavailable())
    await tell(plugin, opened(1, table(here)))
    async with here.plugin() as again:
        assert (await again.greet()).ack == 1


def flaky(here: Gate, name: str, error: Exception) -> None:
    """Let the first call of the cursors' *name* fail."""
    call: Callable[..., Awaitable[Any]] = getattr(here.cursors, name)
    errors = [error]

    async def failing(*said: Any) -> Any:
        if errors:
            raise errors.pop()
        return await call(*said)

    setattr(here.cursors, name, failing)


async def test_a_killed_daemon_takes_nothing_twice(here: Gate) -> None:
    """F01, F31: durable, but not yet acknowledged: it comes again and is the same entry."""
    flaky(here, "move", LogBroken())
    async with here.plugin() as plugin:
        await plugin.begin()
        await plugin.say(closed(1, table(here), "aa"))
        async with asyncio.timeout(20):
            with pytest.raises(ConnectionClosed) as caught:
                await plugin.hear(p.Goodbye)
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 1011
    entries = await here.here.log.streams()
    async with here.plugin() as plugin:
        assert (await plugin.begin()).ack == 0
        await tell(plugin, closed(1, here.here.table(), "aa"))
    assert await here.here.log.streams() == entries


async def test_a_stopped_desk_does_not_stop_the_others(here: Gate, plugin: Speaker) -> None:
    """House 4: what its tournament cannot take is written down, and the spool goes on."""
    handle = here.here.desks.handle

    async def broken(*said: Any, **more: Any) -> Answer:
        if str(said[1].table) == "R1T1":
            raise InvariantBroken
        return await handle(*said, **more)

    here.here.desks.handle = broken  # type: ignore[method-assign]
    await tell(plugin, closed(1, table(here, 1), "aa"), closed(2, table(here, 2), "aa"))
    assert [table(here, n).result for n in (1, 2)] == [None, result("a", (2, 0))]
    labels = {"kind": "room_closed", "outcome": "broken"}
    assert counted(here.here.inside.metrics, "relayd_plugin_records_total", **labels) == 1


async def test_a_long_absence_is_made_up_for(here: Gate) -> None:
    """F31: everything that was played while the daemon was away arrives in order, none twice."""
    one, two = table(here, 1), table(here, 2)
    async with here.plugin() as plugin:
        await plugin.greet(replace(HELLO, first=1, next=601))
        await plugin.say(*(game_over(n, one, "aba"[:n]) for n in (1, 2, 3)))
        await plugin.say(closed(4, one, "aba"), game_over(5, two, "b"))
        await plugin.say(*(opened(n, two) for n in range(6, 600)))
        await plugin.say(closed(600, two, "bb"), p.Rooms(after=600, rooms=()))
        await plugin.acked(600)
    assert [table(here, n).result is not None for n in (1, 2)] == [True, True]
    assert table(here, 2).result == result("b", (0, 2))
