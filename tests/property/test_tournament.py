"""The laws of a tournament, for every order of commands that Hypothesis can think of."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import reduce

from hypothesis import given, settings
from hypothesis import strategies as st

from ruleset.errors import CommandRejected
from ruleset.ids import Instant, PlayerId, Seat, TableId
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament.decide import decide
from ruleset.tournament.evolve import evolve, replay
from ruleset.tournament.ranking import live, standings
from ruleset.tournament.reports import Report, SeatScore
from ruleset.tournament.results import Result
from ruleset.tournament.settings import ClockRules, ScoreRules, ServerUse, Settings
from ruleset.tournament.state import FIRST_STAGES, Tournament
from tests.builders import SERVER, START, SWISS, counted_anew, minutes, started, table_id, tables

settings.register_profile("laws", deadline=None, max_examples=150)
settings.load_profile("laws")

FIELDS: list[Settings] = [
    replace(SWISS, servers=(ServerUse(id=SERVER),)),
    Settings(title="Cup", format="elimination", clock=ClockRules(late_mode="claim")),
    Settings(title="Both", format="swiss_elimination", rounds=2, cut=4, best_of=1),
    replace(
        SWISS,
        format="swiss_elimination",
        rounds=1,
        cut=3,
        cut_playoff=True,
        scores=ScoreRules(order=("points",)),
        rounds_locked=False,
    ),
    Settings(title="Robin", format="round_robin_elimination", rounds=2, cut=2, confirm="single"),
    replace(SWISS, live_on="draft", rounds_locked=False),
]
PLAYERS = [PlayerId(n) for n in range(1, 11)]

seats: st.SearchStrategy[Seat] = st.sampled_from(["a", "b"])
players = st.sampled_from(PLAYERS)
moments = st.integers(0, 200).map(minutes)
table_ids = st.builds(table_id, st.integers(0, 4), st.integers(1, 5))
"""Those of the play-off, too (R033)."""
scores = st.one_of(
    st.integers(0, 2).map(lambda n: SeatScore(wins=n)),
    st.sampled_from(["left", "death", "match_card"]).map(lambda m: SeatScore(ending=m)),  # type: ignore[arg-type]
)
reports = st.builds(
    Report,
    source=st.sampled_from(["challonge", "poller", "plugin"]),
    server=st.just(SERVER),
    a=scores,
    b=scores,
    winner=st.sampled_from([None, "a", "b", "draw"]),
    crashed=st.sampled_from([None, True, False]),
)
results = st.builds(
    Result,
    outcome=st.sampled_from(["a", "b", "draw", "double_loss"]),
    reason=st.sampled_from(["ruling", "foul", "late"]),
)
wins = st.tuples(st.integers(0, 2), st.integers(0, 2))
commands = st.one_of(
    st.builds(c.Tick, now=moments, held=st.booleans()),
    st.builds(c.Tick, now=moments),
    st.builds(c.NextRound, now=moments),
    st.builds(c.Pause, now=moments),
    st.builds(c.Resume, now=moments),
    st.builds(c.SetAuto, on=st.booleans()),
    st.builds(c.CallTime, now=moments),
    st.builds(c.Postpone),
    st.builds(c.CallTableTime, table=table_ids, now=moments),
    st.builds(c.ExtendTable, table=table_ids, by_ms=st.just(60_000)),
    st.builds(c.PairAgain, now=moments),
    st.builds(c.SwapPlayers, one=players, other=players, confirmed=st.booleans(), now=moments),
    st.builds(c.ForbidPair, one=players, other=players),
    st.builds(c.AllowPair, one=players, other=players),
    st.builds(c.SetRounds, rounds=st.integers(1, 4), now=moments),
    st.builds(c.Undo, action=st.integers(1, 5), granted=st.just(tuple(PLAYERS)), now=moments),
    st.builds(c.AnswerOffer, table=table_ids, player=players, take=st.booleans(), now=moments),
    st.builds(c.ReportPresent, table=table_ids, player=players, now=moments),
    st.builds(
        c.SeeRoom,
        table=table_ids,
        seated=st.lists(seats, unique=True).map(tuple),
        playing=st.booleans(),
        wins=wins,
        duel=st.integers(0, 3),
        now=moments,
    ),
    st.builds(c.FileReport, table=table_ids, extra=st.booleans(), report=reports, now=moments),
    st.builds(
        c.ReportByPlayer,
        table=table_ids,
        player=players,
        outcome=st.sampled_from(["a", "b", "draw"]),
        wins=wins,
        now=moments,
    ),
    st.builds(c.Rule, table=table_ids, result=results, now=moments),
    st.builds(c.Reopen, table=table_ids, now=moments),
    st.builds(c.Concede, table=table_ids, player=players, now=moments),
    st.builds(c.ClaimAbsence, table=table_ids, player=players, now=moments),
    st.builds(c.Drop, player=players, now=moments),
    st.builds(c.UndoDrop, player=players),
    st.builds(c.LoseServer, server=st.just(SERVER), since=moments, now=moments),
    st.builds(
        c.RegainServer, server=st.just(SERVER), rooms=st.lists(table_ids, max_size=3).map(tuple), now=moments
    ),
    st.builds(c.ResumeTable, table=table_ids, now=moments),
)
starts = st.builds(started, st.integers(2, 10), st.sampled_from(FIELDS))
courses = st.tuples(starts, st.lists(commands, max_size=60))


def play(state: Tournament, sent: Iterable[c.Command]) -> tuple[tuple[e.Event, ...], Tournament]:
    """Return what happens when *sent* come in one by one, and the state that is reached alive."""
    happened: tuple[e.Event, ...] = ()
    for command in sent:
        with suppress(CommandRejected):
            events = decide(state, command)
            state = reduce(evolve, events, state)
            happened += events
    return happened, state


def rule_open(state: Tournament, outcome: str, now: Instant) -> Tournament:
    """Return the state after every open table of the round was ruled."""
    for table in tables(state):
        if table.open:
            ruling = c.Rule(table=table.id, result=Result(outcome=outcome, reason="ruling"), now=now)  # type: ignore[arg-type]
            state = replay(decide(state, ruling), state)
    return state


@given(courses)
def test_the_log_alone_leads_to_the_live_state(course: tuple[Tournament, list[c.Command]]) -> None:
    """5.3-1: replay == state, and no command makes the rules stumble."""
    start, sent = course
    events, live = play(start, sent)
    assert replay(events, start) == live


@given(courses)
def test_deadlines_fire_once(course: tuple[Tournament, list[c.Command]]) -> None:
    """5.3-2: each table's time is called at most once, whatever the clock and the host do.

    A round that is paired anew begins anew.
    """
    events, _ = play(*course)
    called = set[TableId]()
    for event in events:
        fresh = set(times_called(event))
        assert not called & fresh
        called |= fresh
        if isinstance(event, e.RoundUnpaired):
            called = {table for table in called if table.round_no != event.round_no}


def times_called(event: e.Event) -> list[TableId]:
    """Return the tables whose time an event calls."""
    if isinstance(event, e.TableTimeCalled):
        return [event.table]
    return [TableId(event.round_no, n) for n in event.tables] if isinstance(event, e.TimeCalled) else []


@given(courses)
def test_dp_is_conserved_and_bounded(course: tuple[Tournament, list[c.Command]]) -> None:
    """4.6: zero-sum but for double losses; a table never moves anybody by more than 16."""
    _, state = play(*course)
    for table in state.all_tables():
        assert all(abs(row.delta) <= 16 for row in table.rated)
        if table.result is not None and table.result.outcome != "double_loss":
            assert sum(row.delta for row in table.rated) == 0
    assert all(state.dp[p] == state.players[p].dp_at_entry + _sum(state, p) for p in state.entrants)


def _sum(state: Tournament, player: PlayerId) -> int:
    return sum(row.delta for row in state.rows if row.player == player)


@given(courses)
def test_a_list_is_the_same_however_it_was_reached(course: tuple[Tournament, list[c.Command]]) -> None:
    """performance.md 2, S139: kept from state to state, it equals the one counted from the beginning."""
    state, sent = course
    for command in sent:
        _, state = play(state, [command])
        if any(played.stage in FIRST_STAGES for played in state.rounds):
            assert standings(state) == counted_anew(state)
            assert live(state) == counted_anew(state, draft=state.settings.live_on == "draft")


@given(courses)
def test_everybody_sits_once_in_a_round(course: tuple[Tournament, list[c.Command]]) -> None:
    """4.10: at most one bye in a Swiss round, nobody twice, nobody who has dropped."""
    _, state = play(*course)
    for played in state.rounds:
        sitting = [p for t in played.tables.values() for p in (t.a, t.b)] + [*played.byes, *played.walkovers]
        assert len(sitting) == len(set(sitting))
        assert played.stage == "elimination" or len(played.byes) <= 1


@given(courses)
def test_every_tournament_can_be_brought_to_its_end(course: tuple[Tournament, list[c.Command]]) -> None:
    """5.2 T17: whatever happened before, rulings and the clock lead to a final ranking of all entrants."""
    _, state = play(*course)
    _, state = play(state, [c.SetAuto(on=True), c.Resume(now=minutes(300))])
    for step in range(12):
        state = rule_open(state, "a", minutes(300 + 40 * step))
        _, state = play(state, [c.Tick(now=minutes(320 + 40 * step))])
    assert state.phase == "finished"
    assert {player for player, _ in state.places} == set(state.entrants)


@given(courses)
def test_everything_twice_is_as_good_as_once(course: tuple[Tournament, list[c.Command]]) -> None:
    """F08: a repeated report, sight, tick or ruling changes nothing."""
    start, sent = course
    again = (c.Tick, c.FileReport, c.SeeRoom, c.ReportPresent, c.ReportByPlayer, c.Pause, c.Resume, c.Drop)
    twice = [command for command in sent for _ in range(2 if isinstance(command, again) else 1)]
    assert play(start, twice) == play(start, sent)


@given(courses)
def test_a_round_knows_what_it_waits_for(course: tuple[Tournament, list[c.Command]]) -> None:
    """T14: as many tables as are open, in every round and in the play-off."""
    _, state = play(*course)
    for played in state.all_rounds():
        assert played.waiting_for == len(played.open_tables)
        assert (played.done_at is None) == (played.waiting_for > 0) or played is not state.round


@given(courses)
def test_the_cut_has_its_size(course: tuple[Tournament, list[c.Command]]) -> None:
    """R002, R023: exactly that many, or all that are left, and nobody who had dropped before."""
    events, state = play(*course)
    for event in events:
        if isinstance(event, e.CutMade):
            assert len(event.seats) == len(set(event.seats)) <= state.settings.cut
            assert len(event.seats) in {state.settings.cut, *range(2, len(state.entrants) + 1)}


@given(courses, st.lists(commands, min_size=1, max_size=8))
def test_undo_brings_back_what_was(
    course: tuple[Tournament, list[c.Command]], wishes: list[c.Command]
) -> None:
    """T22: results, list, DP and field are as before the action; what cannot come back is refused.

    A pairing that is undone leads back to the gap, also where it had taken the place of another.
    """
    _, before = play(*course)
    for wish in wishes:
        _, after = play(before, [wish])
        action = after.last_action
        if action is None or after.actions != before.actions + 1 or isinstance(wish, c.PairAgain):
            continue
        events, back = play(after, [c.Undo(action=action.number, granted=tuple(PLAYERS), now=minutes(201))])
        if events:
            assert _facts(back) == _facts(before)


def _facts(state: Tournament) -> list[object]:
    """Return what counts of a tournament: not its clock, not its history."""
    known = [(t.id, t.a, t.b, t.result, t.dispute, t.open, t.words) for t in state.all_tables()]
    dropped = [(n, player.dropped_in) for n, player in state.players.items()]
    return [known, dropped, standings(state), state.dp, state.seats, state.forbidden, state.settings]


@given(st.data())
def test_the_order_of_independent_reports_does_not_matter(data: st.DataObject) -> None:
    """F09: one final report from each table of the round leads to one list, whoever comes first."""
    start = started(8)
    sent = [
        c.FileReport(
            table=table.id,
            report=data.draw(reports.filter(lambda report: report.final)),
            now=START,
        )
        for table in tables(start)
    ]
    mixed = data.draw(st.permutations(sent))
    assert standings(play(start, mixed)[1]) == standings(play(start, sent)[1])
