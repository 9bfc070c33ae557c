"""Starts: who is reserved, who is let go, what is held (R013-R021, R057, T3, T4)."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from relayd.directory import Directory
from relayd.ports import Answer
from relayd.starting import Starting, running_for
from relayd.storage.log import LogUnavailable
from ruleset.errors import CommandRejected
from ruleset.ids import MINUTE_MS, SEATS, PlayerId, RoundNo, TableId, TableNo, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import Tournament
from tests.bridging import HERE, World, world
from tests.builders import after, all_won, minutes, report, result, started, table_id, won
from tests.clocks import T0

ONE, TWO = TournamentNo(1), TournamentNo(2)
AT_NOON = replace(HERE, start_at=T0)
"""Starts by itself at the moment where the clock stands."""
CUP = replace(HERE, format="elimination", rounds=0)


class WatchedDirectory(Directory):
    """Says when it has let somebody go."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.moved = asyncio.Event()

    async def leave(
        self, tournament: TournamentNo, players: Sequence[PlayerId], *, by: str = "system"
    ) -> None:
        """Let players go, and say so."""
        await super().leave(tournament, players, by=by)
        self.moved.set()

    async def end(self, tournament: TournamentNo, *, by: str = "system") -> None:
        """Let all go, and say so."""
        await super().end(tournament, by=by)
        self.moved.set()


@dataclass(slots=True)
class Hall:
    """Two tournament numbers, twenty player numbers, and what starts tournaments."""

    world: World
    directory: WatchedDirectory
    starting: Starting

    def running(self, number: TournamentNo) -> Tournament:
        """Return a tournament as it is."""
        return self.world.state(number)

    def inside(self, number: TournamentNo) -> tuple[PlayerId, ...]:
        """Return whom the directory has in a tournament."""
        contest = self.directory.state.tournaments.get(number)
        assert contest is not None
        return contest.players

    async def by_hand(self, number: TournamentNo) -> Answer:
        """Start it as the host."""
        return await self.starting.start(number, confirmed=True, by="host")


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[Hall]:
    """Everybody has 1000 DP and his number more."""

    async def dp_of(players: Collection[PlayerId]) -> Mapping[PlayerId, int]:
        return {player: 1_000 + player for player in players}

    async with world(tmp_path) as here:
        directory = WatchedDirectory(here.log, here.clock.now)
        for _ in range(2):
            await directory.new_tournament(by="host")
        for number in range(1, 21):
            await directory.register(f"Nick{number}", by="host")
        yield Hall(here, directory, Starting(here.desks, directory, dp_of, dict, here.clock))


def entrants(state: Tournament) -> list[int]:
    """Return who entered, in order of sign-in."""
    return [*state.entrants]


async def test_a_start_reserves_its_players_and_their_dp(hall: Hall) -> None:
    """R013, R057, 4.6: who is signed in is in, with the DP of that moment."""
    await hall.world.enter(4, number=ONE)
    answer = await hall.by_hand(ONE)
    assert (entrants(answer.state), dict(answer.state.dp)) == (
        [1, 2, 3, 4],
        {n: 1_000 + n for n in range(1, 5)},
    )
    assert hall.inside(ONE) == (1, 2, 3, 4)


async def test_a_second_tournament_does_without_them(hall: Hall) -> None:
    """R057, 5.5-24: the earlier start enters, the later marks them, before N is frozen."""
    await hall.world.enter(4, number=ONE)
    await hall.world.enter(4, number=TWO, first=3)
    await hall.by_hand(ONE)
    state = (await hall.by_hand(TWO)).state
    assert entrants(state) == [5, 6]
    assert [p.number for p in state.players.values() if p.status == "not_entered"] == [3, 4]


async def test_starts_of_one_instant_never_share_a_player(hall: Hall) -> None:
    """R057: whatever comes between, each player is in one of both."""
    await hall.world.enter(6, AT_NOON, number=ONE)
    await hall.world.enter(6, AT_NOON, number=TWO, first=3)
    await asyncio.gather(hall.starting.start_due(ONE), hall.starting.start_due(TWO))
    assert entrants(hall.running(ONE)) == [1, 2, 3, 4, 5, 6]
    assert entrants(hall.running(TWO)) == [7, 8]


async def test_too_few_are_held_and_reserve_nobody(hall: Hall) -> None:
    """T4: fewer than two: held, and the one who is there may run elsewhere."""
    await hall.world.enter(1, AT_NOON, number=ONE)
    await hall.starting.start_due(ONE)
    assert hall.running(ONE).phase == "held"
    assert hall.inside(ONE) == ()


async def test_a_held_tournament_starts_with_the_second_player(hall: Hall) -> None:
    """T4, R063: as soon as the host has signed in one more; before that nothing is due."""
    await hall.world.enter(1, AT_NOON, number=ONE)
    await hall.starting.start_due(ONE)
    before = await hall.world.log.streams()
    await hall.starting.start_due(ONE)
    assert await hall.world.log.streams() == before
    await sign_in(hall, ONE, 2)
    await hall.starting.start_due(ONE)
    assert entrants(hall.running(ONE)) == [1, 2]


async def test_players_who_run_elsewhere_do_not_fill_a_start(hall: Hall) -> None:
    """T4, R057: two are signed in but one plays in the other tournament: held after the removals."""
    await hall.world.enter(2, number=TWO)
    await hall.by_hand(TWO)
    await hall.world.enter(2, AT_NOON, number=ONE, first=2)
    await hall.starting.start_due(ONE)
    assert hall.running(ONE).phase == "held"
    with pytest.raises(CommandRejected, match="too_few_players"):
        await hall.by_hand(ONE)
    assert hall.inside(ONE) == ()


async def sign_in(hall: Hall, number: TournamentNo, player: int) -> None:
    """Let the host sign somebody in."""
    who = PlayerId(player)
    deck = next(iter(hall.running(number).players.values())).deck
    assert deck is not None
    await hall.world.do(
        c.Register(player=who, nickname=f"Nick{player}", now=minutes(-1)),
        c.SubmitDeck(player=who, deck=deck, verdict="legal"),
        c.SignIn(player=who, by_host=True, now=minutes(0)),
        number=number,
    )


async def test_a_refused_start_lets_its_players_go(hall: Hall) -> None:
    """R057, T3': nobody is kept by a tournament that does not start."""
    await hall.world.enter(4, AT_NOON, number=ONE)
    late = PlayerId(9)
    deck = hall.running(ONE).players[PlayerId(1)].deck
    assert deck is not None
    await hall.world.do(
        c.Register(player=late, nickname="Nick9", now=minutes(-100)),
        c.SubmitDeck(player=late, deck=deck, verdict="legal"),
        number=ONE,
    )
    hall.world.clock.advance(-40 * 60)
    with pytest.raises(CommandRejected, match="confirm_unsigned"):
        await hall.starting.start(ONE, confirmed=False, by="host")
    assert hall.inside(ONE) == ()
    assert (await hall.by_hand(ONE)).state.phase == "running"


async def test_a_start_is_carried_out_once(hall: Hall) -> None:
    """F08: the same command again gives the same entry; another one is refused and frees nobody."""
    await hall.world.enter(4, number=ONE)
    first, again = [
        await hall.starting.start(ONE, confirmed=True, by="host", command_id="s1") for _ in range(2)
    ]
    assert first.entry == again.entry
    with pytest.raises(CommandRejected, match="already_started"):
        await hall.by_hand(ONE)
    assert hall.inside(ONE) == (1, 2, 3, 4)
    with pytest.raises(CommandRejected, match="unknown_tournament"):
        await hall.by_hand(TWO)


async def test_a_crash_between_reservation_and_start(hall: Hall) -> None:
    """R057: after it the same players are granted again; or, if it is called off, they are free."""
    await hall.world.enter(4, AT_NOON, number=ONE)
    await hall.directory.enter(ONE, [PlayerId(n) for n in (1, 2, 3, 4)])
    await hall.starting.start_due(ONE)
    assert entrants(hall.running(ONE)) == [1, 2, 3, 4]
    await hall.world.enter(4, number=TWO, first=11)
    await hall.directory.enter(TWO, [PlayerId(11)])
    assert await hall.starting.tidy() == 1
    assert hall.inside(TWO) == ()


async def test_who_signs_in_meanwhile_is_not_forgotten(hall: Hall) -> None:
    """R017, R057: a sign-in that overtakes the reservation is in the field."""
    await hall.world.enter(2, number=ONE)
    asked: list[int] = []

    async def slow_dp(players: Collection[PlayerId]) -> Mapping[PlayerId, int]:
        if not asked:
            await sign_in(hall, ONE, 3)
        asked.append(len(players))
        return dict.fromkeys(players, 1_000)

    starting = Starting(hall.world.desks, hall.directory, slow_dp, dict, hall.world.clock)
    state = (await starting.start(ONE, confirmed=True, by="host")).state
    assert (entrants(state), asked) == ([1, 2, 3], [2, 3])


async def test_a_truncated_field_lets_the_others_go_at_once(hall: Hall) -> None:
    """R021: who does not take part may run elsewhere."""
    await hall.world.enter(5, replace(CUP, odd_field="truncate"), number=ONE)
    await hall.by_hand(ONE)
    assert hall.inside(ONE) == (1, 2, 3, 4)


async def test_running_for_a_player_ends(hall: Hall) -> None:
    """R057: when he drops, is eliminated, or the event ends; pushed, without a sweep."""
    await hall.world.enter(4, CUP, number=ONE)
    await hall.by_hand(ONE)
    tidying = asyncio.create_task(hall.starting.run())
    await asyncio.sleep(0)
    await hall.world.do(c.Drop(player=PlayerId(4), now=minutes(1)), number=ONE)
    await until(hall, lambda: 4 not in hall.inside(ONE))
    state = hall.running(ONE)
    (table,) = [t for t in (state.round.tables.values() if state.round else ()) if t.open]
    await hall.world.do(replace(report(0, 2, "b"), table=table.id), number=ONE)
    await until(hall, lambda: hall.inside(ONE) == tuple(p for p in (1, 2, 3) if p != table.a))
    await hall.world.do(c.Cancel(now=minutes(2)), number=ONE)
    await until(hall, lambda: hall.inside(ONE) == ())
    contest = hall.directory.state.tournaments.get(ONE)
    assert contest is not None
    assert contest.ended
    tidying.cancel()


async def until(hall: Hall, true: Callable[[], bool]) -> None:
    """Wait until the directory has changed so that *true* holds."""
    async with asyncio.timeout(10):
        while not true():
            hall.directory.moved.clear()
            await hall.directory.moved.wait()


async def test_a_correction_brings_a_player_back(hall: Hall) -> None:
    """R057, T22: whom a ruling puts back into the bracket runs here again, if he is free."""
    await hall.world.enter(4, CUP, number=ONE)
    await hall.by_hand(ONE)
    state = hall.running(ONE)
    assert state.round is not None
    table = state.round.tables[TableNo(1)]
    await hall.world.do(replace(report(2, 0, "a"), table=table.id), number=ONE)
    assert await hall.starting.tidy() == 1
    assert table.b not in hall.inside(ONE)
    ruling = c.Rule(table=table.id, result=result("b", (0, 2)), now=minutes(3))
    await hall.world.do(ruling, number=ONE)
    assert await hall.starting.tidy() == 2
    assert table.b in hall.inside(ONE)
    assert table.a not in hall.inside(ONE)


async def test_a_dropped_player_plays_on_only_where_he_is_free(hall: Hall) -> None:
    """R057: a drop is undone only as long as no other tournament has the player by now."""
    await hall.world.enter(4, number=ONE)
    await hall.by_hand(ONE)
    gone = PlayerId(3)
    await hall.world.do(c.Drop(player=gone, now=minutes(1)), number=ONE)
    await hall.starting.tidy()
    await hall.world.enter(4, number=TWO, first=3)
    assert gone in (await hall.by_hand(TWO)).state.active()
    with pytest.raises(CommandRejected, match="runs_elsewhere") as refused:
        await hall.starting.undo_drop(ONE, gone, by="host")
    assert refused.value.data == {"player": gone, "tournament": TWO}
    assert gone not in hall.running(ONE).active()
    await hall.world.do(c.Drop(player=gone, now=minutes(2)), number=TWO)
    await hall.starting.tidy()
    answers = [await hall.starting.undo_drop(ONE, gone, by="host", command_id="u1") for _ in range(2)]
    assert answers[0].entry == answers[1].entry is not None
    assert gone in hall.running(ONE).active()
    assert gone in hall.inside(ONE)


async def test_undoing_a_drop_reserves_nobody_in_vain(hall: Hall) -> None:
    """R057: neither one who has not dropped, nor one who is out of the bracket, nor where nothing runs."""
    await hall.world.enter(4, CUP, number=ONE)
    with pytest.raises(CommandRejected, match="not_started"):
        await hall.starting.undo_drop(ONE, PlayerId(1), by="host")
    assert hall.inside(ONE) == ()
    await hall.by_hand(ONE)
    assert (await hall.starting.undo_drop(ONE, PlayerId(1), by="host")).entry is None
    await hall.world.do(c.Drop(player=PlayerId(4), now=minutes(1)), number=ONE)
    assert (await hall.starting.undo_drop(ONE, PlayerId(4), by="host")).entry is not None
    assert 4 not in hall.inside(ONE)


async def test_a_drop_is_taken_back_with_its_reservation(hall: Hall) -> None:
    """T22, R057: undo, too, brings nobody back who plays elsewhere by now."""
    gone = await with_a_drop(hall)
    await hall.world.enter(2, number=TWO, first=gone)
    await hall.by_hand(TWO)
    with pytest.raises(CommandRejected, match="runs_elsewhere") as refused:
        await hall.starting.undo(ONE, 1, by="host")
    assert refused.value.data == {"player": gone, "tournament": TWO}
    await hall.world.do(c.Drop(player=gone, now=minutes(2)), number=TWO)
    await hall.starting.tidy()
    answers = [await hall.starting.undo(ONE, 1, by="host", command_id="u1") for _ in range(2)]
    assert answers[0].entry == answers[1].entry is not None
    assert gone in hall.inside(ONE)
    with pytest.raises(CommandRejected, match="nothing_to_undo"):
        await hall.starting.undo(ONE, 1, by="host")
    await hall.world.do(c.SetAuto(on=False), number=ONE)
    assert not (await hall.starting.undo(ONE, 2, by="host")).state.last_action


async def test_what_has_ended_by_itself_lets_everybody_go_until_it_goes_on(hall: Hall) -> None:
    """S137, R057: it runs for nobody; unset, it has them again, or does not go on."""
    week = 7 * 24 * 60
    await hall.world.enter(4, replace(HERE, ends_after_ms=week * MINUTE_MS), number=ONE)
    await hall.by_hand(ONE)
    await hall.world.do(c.SetAuto(on=False), c.Tick(now=minutes(week, T0)), number=ONE)
    assert hall.running(ONE).lapsed_at is not None
    await hall.starting.tidy()
    assert hall.inside(ONE) == ()
    await hall.world.enter(2, number=TWO, first=4)
    await hall.by_hand(TWO)
    with pytest.raises(CommandRejected, match="runs_elsewhere") as refused:
        await hall.starting.unset_ended(ONE, by="host")
    assert refused.value.data == {"player": 4, "tournament": TWO}
    assert hall.inside(ONE) == ()
    await hall.world.do(c.Cancel(now=minutes(2)), number=TWO)
    await hall.starting.tidy()
    assert (await hall.starting.unset_ended(ONE, by="host")).state.lapsed_at is None
    assert set(hall.inside(ONE)) == {1, 2, 3, 4}
    assert (await hall.starting.unset_ended(ONE, by="host")).entry is None


async def test_a_correction_brings_nobody_back_who_plays_elsewhere(hall: Hall) -> None:
    """T22, R057: ruled or reopened, who comes back into the bracket must be free."""
    await hall.world.enter(4, CUP, number=ONE)
    await hall.by_hand(ONE)
    table = hall.running(ONE).rounds[0].open_tables[0]
    for seat in SEATS:
        await hall.starting.correct(ONE, won(table, seat, minutes(1)), by="judge")
        await hall.starting.tidy()
    assert table.b in hall.inside(ONE)
    assert table.a not in hall.inside(ONE)
    await hall.world.enter(10, number=TWO, first=table.a)
    await hall.by_hand(TWO)
    back = won(table, "a", minutes(2))
    for wish in (back, c.Reopen(table=table.id, now=minutes(2))):
        with pytest.raises(CommandRejected, match="runs_elsewhere") as refused:
            await hall.starting.correct(ONE, wish, by="judge")
        assert refused.value.data == {"player": table.a, "tournament": TWO}
    await hall.world.do(c.Cancel(now=minutes(3)), number=TWO)
    await hall.starting.tidy()
    answers = [await hall.starting.correct(ONE, back, by="judge", command_id="r1") for _ in range(2)]
    assert answers[0].entry == answers[1].entry is not None
    assert table.a in hall.inside(ONE)
    assert table.b not in hall.inside(ONE)


async def with_a_drop(hall: Hall) -> PlayerId:
    """Return who has dropped from the first tournament, and is let go."""
    await hall.world.enter(4, number=ONE)
    await hall.by_hand(ONE)
    gone = PlayerId(4)
    await hall.world.do(c.Drop(player=gone, now=minutes(1)), number=ONE)
    await hall.starting.tidy()
    return gone


async def test_a_log_that_is_away_keeps_the_reservation(hall: Hall) -> None:
    """F03: the outcome is unknown: nobody is let go before the log says what became of the start."""
    await hall.world.enter(4, number=ONE)
    handle, fails = hall.world.desks.handle, [True]

    async def away(*said: Any, **more: Any) -> Answer:
        answer = await handle(*said, **more)
        if fails.pop():
            raise LogUnavailable
        return answer

    hall.world.desks.handle = away  # type: ignore[method-assign]
    with pytest.raises(LogUnavailable):
        await hall.by_hand(ONE)
    assert hall.inside(ONE) == (1, 2, 3, 4)
    assert hall.running(ONE).phase == "running"


@pytest.mark.parametrize("settings", [HERE, CUP])
def test_nobody_runs_for_a_tournament_that_is_not_on(settings: Settings) -> None:
    """R057: before the start nobody, in Swiss all who have not dropped, in a bracket who may still win."""
    state = started(5, settings)
    everybody = frozenset(state.entrants)
    assert running_for(replace(state, phase="held")) == frozenset()
    assert running_for(state) == everybody
    over = all_won(state, "a", minutes(5))
    losers = {table.b for table in over.rounds[0].tables.values()}
    assert running_for(over) == (everybody if settings is HERE else everybody - losers)


def test_a_double_loss_ends_it_for_both() -> None:
    """5.5-13: both are out of the bracket."""
    state = started(4, CUP)
    table = TableId(RoundNo(1), TableNo(1))
    over = after(state, c.Rule(table=table, result=result("double_loss"), now=minutes(5)))
    assert len(running_for(over)) == 2
    assert table == table_id(1, 1)
