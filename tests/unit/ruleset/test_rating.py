"""DP of a table and of a rank (4.6, 4.7)."""

from decimal import ROUND_HALF_UP, Decimal, localcontext

import pytest

from ruleset.ids import PlayerId
from ruleset.rating import Delta, drawn, multiplier, prizes, rated, table_delta, won
from ruleset.tournament.results import Outcome, Reason

A, B, C, D, E = (PlayerId(n) for n in range(1, 6))


@pytest.mark.parametrize(
    ("lead", "stronger_wins", "upset", "draw"),
    [
        (0, 8, 8, 0),
        (50, 7, 9, 1),
        (100, 6, 10, 2),
        (200, 4, 12, 4),
        (300, 2, 14, 6),
        (400, 1, 15, 7),
        (500, 1, 15, 7),
        (596, 1, 15, 7),
        (597, 0, 16, 8),
        (100_000, 0, 16, 8),
    ],
)
def test_the_table_of_changes(lead: int, stronger_wins: int, upset: int, draw: int) -> None:
    """4.6, R008, R034: by the lead of the stronger one; 16 from 597 on, as 400 log10 31 = 596.5."""
    dp = (1_000 + lead, 1_000)
    assert table_delta(dp, "a", "played") == (stronger_wins, -stronger_wins)
    assert table_delta(dp, "b", "time") == (-upset, upset)
    assert table_delta(dp, "draw", "played") == (-draw, draw)
    assert table_delta(dp[::-1], "draw", "ruling") == (draw, -draw)


def test_all_pairs_are_zero_sum_and_at_most_16() -> None:
    """4.6, R008: every pair of DP from 600 to 1699, which is every lead up to 1099."""
    outcomes: tuple[Outcome, ...] = ("a", "b", "draw")
    for lead in range(-1_099, 1_100):
        for outcome in outcomes:
            delta = table_delta((1_000 + lead, 1_000), outcome, "played")
            assert delta is not None
            assert sum(delta) == 0
            assert max(map(abs, delta)) <= 16


@pytest.mark.parametrize("k", [1, 5, 15, 16, 24, 32])
def test_rounding_is_exact(k: int) -> None:
    """4.6, G21: half away from zero, as with sixty digits; an odd K splits even tables at a half."""
    with localcontext(prec=60):
        for lead in range(-700, 701, 1 if k == 16 else 20):
            share = k / (1 + Decimal(10) ** (Decimal(lead) / 400))
            assert won(lead, k) == int(share.quantize(Decimal(1), ROUND_HALF_UP))
            if lead >= 0:
                assert drawn(lead, k) == int((Decimal(k) / 2 - share).quantize(Decimal(1), ROUND_HALF_UP))


@pytest.mark.parametrize(
    ("reason", "outcome", "delta"),
    [
        ("bye", "a", None),
        ("walkover", "a", None),
        ("late", "a", (8, -8)),
        ("no_show", "b", (-8, 8)),
        ("late", "double_loss", None),
        ("cap", "double_loss", (-8, -8)),
        ("drop", "a", (8, -8)),
    ],
)
def test_what_is_rated(reason: Reason, outcome: Outcome, delta: Delta | None) -> None:
    """R035, 4.6, G9, G10: no bye, no walkover, nothing where nobody came; an absence is rated."""
    assert table_delta((1_000, 1_000), outcome, reason) == delta


def test_there_is_no_floor() -> None:
    """4.6, G11: who has nothing can still lose."""
    assert table_delta((3, -5), "b", "played") == (-8, 8)


def test_unplayed_tables_and_double_losses_are_switches() -> None:
    """4.6: ``rate_unplayed`` and ``double_loss_dp``."""
    assert table_delta((1_000, 1_000), "a", "late", rate_unplayed=False) is None
    assert table_delta((1_000, 1_000), "a", "played", rate_unplayed=False) == (8, -8)
    assert table_delta((1_000, 1_000), "double_loss", "cap", double_loss_dp="none") is None


def test_a_double_loss_costs_each_what_a_loss_costs() -> None:
    """4.6: S = 0 for both, so the stronger one loses more."""
    assert table_delta((1_200, 1_000), "double_loss", "cap") == (-12, -4)


@pytest.mark.parametrize(("entrants", "is_rated"), [(2, False), (8, False), (9, True), (33, True)])
def test_small_events_are_exhibitions(entrants: int, *, is_rated: bool) -> None:
    """R052, R054: DP is written from 9 entrants on."""
    assert rated(entrants) is is_rated


@pytest.mark.parametrize(
    ("entrants", "factor"),
    [
        *((n, 0) for n in (8, 9, 32)),
        *((n, 1) for n in (33, 40, 64)),
        *((n, 2) for n in (65, 80, 128)),
        *((n, 4) for n in (129, 256)),
        *((n, 8) for n in (257, 512)),
        *((n, 16) for n in (513, 1_024)),
        (1_025, 32),
    ],
)
def test_the_multiplier(entrants: int, factor: int) -> None:
    """R036, R037, 4.7: nothing up to 32, then doubled with every power of two above 64."""
    assert multiplier(entrants) == factor


def test_prizes_of_a_champion_who_was_first_in_swiss() -> None:
    """R038-R044: 40 players 128 + 64, 80 players twice as much; both semi-final losers have 32."""
    places = [(A, 1), (B, 2), (C, 3), (D, 3), (E, 5)]
    swiss = [(A, 1), (E, 2), (D, 3), (C, 4), (B, 5)]
    assert prizes(40, elimination=places, swiss=swiss) == {A: 192, B: 64, C: 48, D: 48, E: 32}
    assert prizes(80, elimination=places, swiss=swiss)[A] == 384
    assert prizes(32, elimination=places, swiss=swiss) == {}


@pytest.mark.parametrize(
    ("ranks", "paid"),
    [
        ((1, 1, 3, 3), (64, 64, 16, 16)),
        ((1, 2, 2, 2, 5), (64, 32, 32, 32, 0)),
        ((1, 1, 1, 4, 4), (64, 64, 64, 16, 16)),
        ((1, 2, 3, 3, 3), (64, 32, 16, 16, 16)),
    ],
)
def test_shared_ranks_share_no_prize(ranks: tuple[int, ...], paid: tuple[int, ...]) -> None:
    """R031, R032, 4.7: equals get the same prize in full, and the ranks after them are skipped."""
    players = [PlayerId(n) for n in range(1, len(ranks) + 1)]
    found = prizes(40, swiss=zip(players, ranks, strict=True))
    assert tuple(found.get(player, 0) for player in players) == paid


def test_a_final_that_both_lost_pays_rank_two_twice() -> None:
    """5.5-13: no champion, both rank 2; both semi-finals lost: four times rank 3."""
    assert prizes(40, elimination=[(A, 2), (B, 2)]) == {A: 64, B: 64}
    assert prizes(40, elimination=[(A, 3), (B, 3), (C, 3), (D, 3)]) == dict.fromkeys((A, B, C, D), 32)
