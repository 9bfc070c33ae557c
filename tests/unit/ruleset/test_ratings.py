"""DP of tables and prizes as a tournament writes them."""

from dataclasses import replace

import pytest

from ruleset.ids import PlayerId, Seat
from ruleset.tournament import commands as c
from ruleset.tournament.ranking import standings
from ruleset.tournament.results import Result
from ruleset.tournament.settings import RatingRules, Settings
from ruleset.tournament.state import Table, Tournament
from tests.builders import (
    SWISS,
    after,
    all_won,
    entered,
    minutes,
    play_out,
    start,
    started,
    table_id,
    tables,
    won,
)

R1T1 = table_id(1, 1)


def rated(count: int = 10, **rules: object) -> Tournament:
    """Return a rated tournament in its first round."""
    return started(count, replace(SWISS, rating=RatingRules(**rules)))  # type: ignore[arg-type]


def table(state: Tournament) -> Table:
    """Return R1T1."""
    found = state.table(R1T1)
    assert found is not None
    return found


def deltas(state: Tournament) -> tuple[int, int]:
    """Return what the players of R1T1 have gained."""
    return state.dp[table(state).a] - 1_000, state.dp[table(state).b] - 1_000


@pytest.mark.parametrize(("count", "gain"), [(8, 0), (9, 8)])
def test_dp_is_written_only_when_more_than_eight_entered(count: int, gain: int) -> None:
    """R052, R054: eight are an exhibition."""
    state = rated(count)
    assert deltas(after(state, won(table(state), "a", minutes(5)))) == (gain, -gain)


def test_a_table_moves_dp_by_the_strength_when_the_round_was_paired() -> None:
    """R008, R034, 4.6: 100 ahead gains 6; the start brings everybody's DP (R006)."""
    state = entered(10)
    state = after(state, start(state, dp={PlayerId(n): 1_000 + 100 * (n % 2) for n in range(1, 11)}))
    mine = next(t for t in tables(state) if t.dp[0] != t.dp[1])
    strong: Seat = "a" if mine.dp[0] > mine.dp[1] else "b"
    rows = after(state, won(mine, strong, minutes(5))).rows
    assert sorted(row.delta for row in rows) == [-6, 6]
    assert {row.dp_before for row in rows} == {1_000, 1_100}


def test_unrated_tournaments_write_nothing() -> None:
    """S134, S142: ``rated`` off, or only a test."""
    state = rated(rated=False)
    assert after(state, won(table(state), "a", minutes(5))).rows == ()
    assert play_out(started(40, replace(SWISS, rating=RatingRules(rated=False)))).rows == ()
    assert play_out(started(40, replace(SWISS, test=True))).rows == ()


def test_absence_is_rated_unless_switched_off_and_nobody_there_never() -> None:
    """4.6, G9: literal reading; both absent, never started: none."""
    there = c.ReportPresent(table=R1T1, player=table(rated()).a, now=minutes(10))
    assert deltas(after(rated(), there, c.Tick(now=minutes(15)))) == (8, -8)
    assert deltas(after(rated(rate_unplayed=False), there, c.Tick(now=minutes(15)))) == (0, 0)
    assert deltas(after(rated(), c.Tick(now=minutes(15)))) == (0, 0)


@pytest.mark.parametrize(("rule", "both"), [("both_lose", -8), ("none", 0)])
def test_a_double_loss_costs_both_or_none(rule: str, both: int) -> None:
    """4.6, G10."""
    lost = c.Rule(table=R1T1, result=Result(outcome="double_loss", reason="cap"), now=minutes(70))
    assert deltas(after(rated(double_loss_dp=rule), lost)) == (both, both)


def test_a_correction_takes_the_rows_back_and_writes_new_ones() -> None:
    """T22, 4.6: with the stored snapshot; a result that stays the same writes nothing."""
    state = after(rated(), won(table(rated()), "a", minutes(5)))
    corrected = after(state, won(table(state), "b", minutes(6)))
    assert deltas(corrected) == (-8, 8)
    assert [(row.delta, row.reversal) for row in corrected.rows] == [
        (8, False),
        (-8, False),
        (-8, True),
        (8, True),
        (-8, False),
        (8, False),
    ]
    same = c.Rule(table=R1T1, result=Result(outcome="a", reason="ruling"), now=minutes(6))
    assert after(state, same).rows == state.rows
    assert deltas(after(state, c.Reopen(table=R1T1, now=minutes(6)))) == (0, 0)


def test_byes_change_no_dp() -> None:
    """R035."""
    state = play_out(rated(9))
    byes = {(played.number, player) for played in state.rounds for player in played.byes}
    assert not byes & {(row.table.round_no, row.player) for row in state.rows if row.table}


@pytest.mark.parametrize(("count", "factor"), [(32, 0), (33, 1), (40, 1), (65, 2)])
def test_swiss_prizes_by_the_size_of_the_field(count: int, factor: int) -> None:
    """R036, R037, R041, R042, R043, 4.7: 64, 32, 16, 16 for more than 32."""
    state = play_out(started(count))
    prizes = [row.delta for row in state.rows if row.reason == "swiss_prize"]
    first = sum(rank == 1 for _, rank in state.swiss_ranks)
    assert prizes[:1] == ([64 * factor] if factor else [])
    assert prizes.count(64 * factor) == (first if factor else 0)


def test_champion_and_swiss_first_get_both_prizes() -> None:
    """R012, R038, R039, R040, R041, R044: 40 players: 128 + 64 for one who is both."""
    both = Settings(title="Both", format="swiss_elimination", rounds=6, cut=4)
    state = play_out(started(40, both))
    won_prizes: dict[PlayerId, int] = {}
    for row in state.rows:
        if row.table is None:
            won_prizes[row.player] = won_prizes.get(row.player, 0) + row.delta
    swiss = {1: 64, 2: 32, 3: 16, 4: 16}
    bracket = {1: 128, 2: 64, 3: 32}
    ranks, places = dict(state.swiss_ranks), dict(state.places)
    expected = {
        player: swiss.get(ranks[player], 0) + bracket.get(places[player], 0)
        for player in state.entrants
        if swiss.get(ranks[player], 0) + bracket.get(places[player], 0)
    }
    assert won_prizes == expected


def test_points_and_dp_are_two_tables() -> None:
    """R005, R006, R009: whoever brings more DP is neither paired nor ranked by it; points begin at 0."""
    field = entered(9)
    poor, rich = (after(field, start(field, dp={PlayerId(3): dp})) for dp in (1_000, 2_000))
    assert [(t.a, t.b) for t in tables(rich)] == [(t.a, t.b) for t in tables(poor)]
    assert standings(play_out(rich)) == standings(play_out(poor))
    assert {row.values["points"] for row in standings(rich)} <= {0, 3}
    assert rich.dp[PlayerId(3)] == 2_000


def test_a_cancelled_tournament_gives_everything_back() -> None:
    """T24, 4.6: also the Swiss prizes that were paid at the cut."""
    both = Settings(title="Both", format="swiss_elimination", rounds=1, cut=4)
    state = after(all_won(started(40, both), "a", minutes(5)), c.Tick(now=minutes(8)))
    assert any(row.reason == "swiss_prize" for row in state.rows)
    cancelled = after(state, c.Cancel(now=minutes(9)))
    assert set(cancelled.dp.values()) == {1_000}
    assert after(started(4), c.Cancel(now=minutes(9))).rows == ()


def test_a_correction_after_the_end_moves_ranks_and_prizes() -> None:
    """Decisions 16: places, prizes and rows follow; what does not change stays."""
    end = play_out(started(40, replace(SWISS, rounds=1)))
    table_ = next(iter(end.rounds[0].tables.values()))
    corrected = after(end, won(table_, "b", minutes(30)))
    assert dict(corrected.places)[table_.b] == 1
    assert dict(corrected.places)[table_.a] > 1
    prize = sum(row.delta for row in corrected.rows if row.player == table_.a and row.table is None)
    assert prize == 0
    assert sum(row.delta for row in corrected.rows if row.player == table_.b and row.table is None) == 64


def test_a_swiss_correction_in_the_bracket_revises_the_list_only() -> None:
    """T22, R023: seats and pairings stay, ranks and Swiss prizes follow."""
    both = Settings(title="Both", format="swiss_elimination", rounds=1, cut=4)
    state = after(all_won(started(40, both), "a", minutes(5)), c.Tick(now=minutes(8)))
    table_ = table(state)
    corrected = after(state, won(table_, "b", minutes(9)))
    assert corrected.seats == state.seats
    assert dict(corrected.swiss_ranks)[table_.b] < dict(corrected.swiss_ranks)[table_.a]
