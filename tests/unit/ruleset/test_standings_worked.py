"""The worked numbers of rules.md 2.1 and 4.1-4.5."""

from dataclasses import replace
from fractions import Fraction

import pytest

from ruleset.ids import PlayerId, RoundNo
from ruleset.standings.boards import quantile
from ruleset.standings.presets import PRESETS
from ruleset.standings.record import Match, MatchOutcome, Record
from ruleset.standings.scoring import Scoring
from ruleset.standings.sentences import display
from ruleset.standings.table import Standings, rank
from tests.records import names, played, player

EXAMPLE = played("A-B 2:0, C-D 2:1, E bye", "A-C 2:1, E-B 1:1, D bye", "A-D 2:0, E-C 2:0", dropped="B")  # 4.1
GUANDAN = played("A-B 5:2, C-D 3:3", "A-C 3:8, B-D 15:0", "A-D 4:3, B-C 6:6")  # 2.1


def values(records: dict[PlayerId, Record], key: str, scoring: Scoring | None = None) -> list[object]:
    """Return everybody's value of a criterion, A first."""
    rows = rank(records, order=("points", key) if key != "points" else (key,), scoring=scoring or Scoring())
    return [row.values[key] for row in sorted(rows, key=lambda row: row.player)]


def test_the_example_of_the_xingyi_criteria() -> None:
    """4.1, R024-R027: points, OMW%, GW%, OGW% of five players with byes, a draw and a drop; A, E, C, D, B."""
    rows = {names([row.player]): row for row in rank(EXAMPLE)}
    third = Fraction(1, 3)
    floor = Fraction(33, 100)
    assert names([row.player for row in rank(EXAMPLE)]) == "AECDB"
    assert [rows[name].values["points"] for name in "AECDB"] == [9, 7, 3, 3, 1]
    assert rows["A"].values["omw"] == (floor + third + third) / 3
    assert rows["C"].values["omw"] == (third + 1 + Fraction(7, 9)) / 3
    assert rows["D"].values["omw"] == (third + 1) / 2
    assert [display(rows[name].values["omw"]) for name in "AECDB"] == [
        "0.3322",
        "0.3317",
        "0.7037",
        "0.6667",
        "0.8889",
    ]
    assert [rows[name].values["gw"] for name in "AECDB"] == [
        Fraction(6, 7),
        Fraction(5, 6),
        Fraction(3, 8),
        Fraction(3, 7),
        Fraction(1, 4),
    ]
    assert rows["A"].values["ogw"] == (floor + Fraction(3, 8) + Fraction(3, 7)) / 3
    assert [display(rows[name].values["ogw"]) for name in "AECDB"] == [
        "0.3779",
        "0.3525",
        "0.7063",
        "0.6161",
        "0.8452",
    ]


def test_the_floor_may_be_a_third() -> None:
    """4.1, G7: with a floor of 1/3 the OMW% of A is 1/3."""
    assert values(EXAMPLE, "omw", Scoring(floor=Fraction(1, 3)))[0] == Fraction(1, 3)


def test_a_bye_may_be_worth_two() -> None:
    """4.1, H204, H215, S147, G1: D has 2 points, his share 2/9 is floored, and A's OMW% is 0.33111."""
    scoring = Scoring(bye=2)
    assert values(EXAMPLE, "points", scoring)[3] == 2
    assert values(EXAMPLE, "omw", scoring)[0] == (2 * Fraction(33, 100) + Fraction(1, 3)) / 3


def test_floors_of_game_shares_are_switches() -> None:
    """R026, R027, G8, G19: own raw and opponents' floored by default, either can be turned."""
    raw = Scoring(floor_ogw=False)
    assert values(EXAMPLE, "ogw", raw)[0] == (Fraction(1, 4) + Fraction(3, 8) + Fraction(3, 7)) / 3
    assert values(EXAMPLE, "gw", Scoring(floor_own_gw=True))[1] == Fraction(33, 100)


def test_games_of_a_bye() -> None:
    """4.1, G20: 2-0 in a best of three, 1-0 in a best of one, nothing if so set; a drawn game is a third."""
    records = played("A bye, B-C 1:1:1", "A-B 1:2, C bye")
    shares = [Fraction(6 + 3, 6 + 9), Fraction(4 + 6, 9 + 9), Fraction(4 + 6, 9 + 6)]
    assert values(records, "gw") == shares
    assert values(records, "gw", Scoring(best_of=1))[0] == Fraction(3 + 3, 3 + 9)
    assert values(records, "gw", Scoring(bye_games=False))[0] == Fraction(3, 9)


def test_who_met_nobody_has_nothing() -> None:
    """4.1: only byes give OMW% and OGW% 0, no games a GW% of 0; an opponent met twice counts twice."""
    (row,) = rank(played("A bye"), scoring=Scoring(bye_games=False))
    assert [row.values[key] for key in ("omw", "gw", "ogw")] == [0, 0, 0]
    twice = played("A-B 2:0, C-D 2:0", "A-B 2:0, C-D 0:2", "A-C 2:0, B-D 0:2")
    assert values(twice, "omw")[0] == (2 * Fraction(33, 100) + Fraction(1, 3)) / 3


def test_a_win_by_absence_is_a_match_without_games() -> None:
    """4.1, R029, G17: both are opponents, the round counts; by a switch a bye for OMW%, OGW%, byes."""
    records = played("A-B absent, C-D 2:0", "A-C 2:0, B-D 2:0")
    assert values(records, "omw")[0] == (Fraction(1, 2) + Fraction(1, 2)) / 2
    assert values(records, "gw") == [1, 1, Fraction(1, 2), 0]
    bye = Scoring(noshow_counts_as_bye=True)
    assert values(records, "omw", bye)[0] == values(records, "ogw", bye)[0] == Fraction(1, 2)
    assert values(records, "fewer_byes", bye) == [1, 0, 0, 0]
    assert values(records, "fewer_byes") == [0, 0, 0, 0]
    assert values(records, "gw", bye) == values(records, "gw")


def test_a_double_loss_that_never_started_is_a_round_for_both() -> None:
    """4.1: 0 points, one round each, no games, and both are opponents."""
    records = played("A-B none, C-D 2:0", "A-C 2:0, B-D 2:0")
    assert values(records, "points") == [3, 3, 3, 0]
    assert values(records, "omw")[0] == Fraction(1, 2)


@pytest.mark.parametrize(
    ("opponents", "median", "plain"),
    [
        ((9, 7, 6, 4, 3), 17, 29),
        ((6, 6, 6, 0), 12, 18),
        ((9, 1, 0), 1, 10),
        ((6, 3), 0, 9),
        ((4,), 0, 4),
        ((), 0, 0),
    ],
)
def test_median_buchholz(opponents: tuple[int, ...], median: int, plain: int) -> None:
    """4.3, H213: without exactly one highest and one lowest; with two opponents or less 0; a bye is none."""
    others = {
        PlayerId(n): _with_points(PlayerId(n), points, PlayerId(1)) for n, points in enumerate(opponents, 2)
    }
    own = Match(round_no=RoundNo(9), opponent=None, outcome="win", kind="bye")
    met = [Match(round_no=RoundNo(1), opponent=other, outcome="loss") for other in others]
    records = {PlayerId(1): Record(player=PlayerId(1), signin=1, matches=(*met, own)), **others}
    assert values(records, "median_buchholz")[0] == median
    assert values(records, "buchholz")[0] == values(records, "opp_points")[0] == plain


def _with_points(who: PlayerId, points: int, against: PlayerId) -> Record:
    outcomes: list[MatchOutcome] = [*["win"] * (points // 3), *["draw"] * (points % 3)]  # type: ignore[list-item]
    numbered = enumerate(outcomes, 1)
    matches = [Match(round_no=RoundNo(n), opponent=against, outcome=outcome) for n, outcome in numbered]
    return Record(player=who, signin=who, matches=tuple(matches))


@pytest.mark.parametrize(
    ("result", "own", "other"),
    [
        ("2:0", (3, 2, 2), (0, 0, -2)),
        ("2:1", (3, 2, 1), (0, 1, -1)),
        ("1:0", (3, 1, 1), (0, 0, -1)),
        ("0:0 win", (3, 0, 0), (0, 0, 0)),
        ("absent", (3, 0, 0), (0, 0, 0)),
        ("1:1", (1, 1, 0), (1, 1, 0)),
        ("0:0", (1, 0, 0), (1, 0, 0)),
        ("0:1 win", (3, 0, -1), (0, 1, 1)),
        ("none", (0, 0, 0), (0, 0, 0)),
        ("1:0 double", (0, 1, 1), (0, 0, -1)),
    ],
)
def test_the_gradient_of_hanno(result: str, own: tuple[int, ...], other: tuple[int, ...]) -> None:
    """4.5, H204-H218: 总分, 分数 and 输赢差 of every way a match can end; a bye is 2, 0, 0."""
    hanno = PRESETS["hanno"]
    rows = {
        names([row.player]): row
        for row in rank(played(f"A-B {result}, C bye"), order=hanno.order, scoring=hanno.scoring)
    }
    got = {
        name: tuple(row.values[key] for key in ("points", "games_won", "game_diff"))
        for name, row in rows.items()
    }
    assert got == {"A": own, "B": other, "C": (2, 0, 0)}


def test_the_value_order_of_hanno() -> None:
    """H218: 2-0 before 2-1 before an absent opponent before a bye."""
    hanno = PRESETS["hanno"]
    records = played("A bye, B-C absent, D-E 2:1, F-G 2:0")
    assert (
        names([row.player for row in rank(records, order=hanno.order, scoring=hanno.scoring)])[:4] == "FDBA"
    )


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("points", [4, 3, 4, 1]),
        ("match_wins", [2, 1, 1, 0]),
        ("level26", [38, 49, 44, 25]),
        ("levels", [12, 23, 17, 6]),
        ("opp_level26", [118, 107, 112, 131]),
        ("opp_points", [8, 9, 8, 11]),
    ],
)
def test_the_criteria_of_lingti(key: str, expected: list[int]) -> None:
    """S160-S165: four teams, three rounds."""
    assert values(GUANDAN, key, PRESETS["guandan"].scoring) == expected


def test_the_level_points_of_a_match_add_up_to_26() -> None:
    """S162: 13:13, then one for each level, at most 26:0."""
    assert sum(map(int, map(str, values(GUANDAN, "level26")))) == 156
    assert values(played("A-B 30:2, C bye"), "level26") == [26, 0, 0]


def test_the_best_rounds() -> None:
    """S166: level points from the highest down, the first difference decides, a missing round loses: BCAD."""
    guandan = PRESETS["guandan"]
    rows = rank(GUANDAN, order=("level26", "round_high"), scoring=guandan.scoring)
    assert {names([row.player]): row.values["round_high"] for row in rows} == {
        "A": (16, 14, 8),
        "B": (26, 13, 10),
        "C": (18, 13, 13),
        "D": (13, 12, 0),
    }
    assert names([row.player for row in rank(GUANDAN, order=("round_high",))]) == "BCAD"
    shorter = played("A-B 5:2, C-D 5:2", "A bye, C-D 3:3")
    assert names([row.player for row in rank(shorter, order=("round_high",))])[:2] == "CA"


def test_the_best_rounds_follow_the_first_criterion_by_rounds() -> None:
    """S166: without level points, the event's first criterion that gives a score for each round."""
    rows = rank(GUANDAN, order=("omw", "game_diff", "round_high"))
    assert {names([row.player]): row.values["round_high"] for row in rows} == {
        "A": (3, 1, -5),
        "B": (15, 0, -3),
        "C": (5, 0, 0),
        "D": (0, -1, -15),
    }
    assert rank(GUANDAN, order=("omw", "round_high"))[0].values["round_high"] == (13, 12, 0)


def test_the_preset_of_guandan() -> None:
    """2.1: points, rounds won, level points, opponents' points, opponents' level points, best rounds."""
    guandan = PRESETS["guandan"]
    assert (
        names([row.player for row in rank(GUANDAN, order=guandan.order, scoring=guandan.scoring)]) == "ACBD"
    )


def test_a_bye_may_be_a_round_won() -> None:
    """S161: not unless ``bye_is_win``."""
    records = played("A bye, B-C 2:0")
    assert values(records, "match_wins") == [0, 1, 0]
    assert values(records, "match_wins", Scoring(bye_is_win=True)) == [1, 1, 0]


def duplicate(*scores: tuple[int, ...], seats: str = "") -> dict[PlayerId, Record]:
    """Return one round of a duplicate event: everybody's boards, and his direction."""
    return {
        PlayerId(n): Record(
            player=PlayerId(n),
            signin=n,
            matches=(
                Match(
                    round_no=RoundNo(1),
                    opponent=PlayerId(n % len(scores) + 1),
                    outcome="draw",
                    boards=boards,
                    seat="b" if seats[n - 1 : n] == "b" else "a",
                ),
            ),
        )
        for n, boards in enumerate(scores, 1)
    }


FIVE = duplicate((10,), (3,), (2,), (1,), (-1,))


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("sci_dev", [7, 0, -1, -2, -4]),
        ("sci_points", [2, 1, 0, 0, 0]),
        ("med_dev", [8, 1, 0, -1, -3]),
        ("med_points", [2, 2, 1, 0, 0]),
        ("med5", [2, Fraction(3, 2), 1, Fraction(1, 2), 0]),
        ("board_sum", [10, 3, 2, 1, -1]),
    ],
)
def test_the_criteria_by_boards(key: str, expected: list[Fraction]) -> None:
    """S167-S173: scores 10, 3, 2, 1, -1 have the mean 3, the median 2 and the quartiles 1, 2, 3."""
    assert values(FIVE, key) == expected


def test_board_scores_add_up() -> None:
    """S167, S168: boards 3, -1, 2, 1 make 5; who has no boards has nothing by any of these criteria."""
    records = duplicate((3, -1, 2, 1), (0, 0, 0, 0), ())
    assert values(records, "board_sum") == [5, 0, 0]
    assert [
        values(records, key)[2] for key in ("sci_dev", "sci_points", "med_dev", "med_points", "med5")
    ] == [0] * 5


def test_the_median_of_an_even_number() -> None:
    """S171: 6, 3, 1, 0 have the median 2."""
    assert quantile((6, 3, 1, 0), Fraction(1, 2)) == 2


def test_means_are_taken_in_one_direction() -> None:
    """S169, S171: the mean is of the same direction, the median of all unless so set."""
    records = duplicate((4,), (2,), (10,), (0,), seats="aabb")
    assert values(records, "sci_dev") == [1, -1, 5, -5]
    assert values(records, "med_dev") == [1, -1, 7, -3]
    assert values(records, "med_dev", Scoring(median_over="direction")) == [1, -1, 5, -5]


def test_signs_by_round_or_by_board() -> None:
    """S170, S172, S173: one sign for the round, or one for each board."""
    records = duplicate((5, 0), (0, 1))
    by_board = Scoring(boards_per="board")
    assert values(records, "sci_points") == [2, 0]
    assert values(records, "sci_points", by_board) == values(records, "med_points", by_board) == [2, 2]
    assert values(records, "med5", by_board) == [2, 2]


def test_the_preset_of_konami() -> None:
    """2.1: points, OMW%, the opponents' OMW%, then the squares of the rounds lost, later losses first."""
    konami = PRESETS["konami"]
    rows = rank(EXAMPLE, order=konami.order, scoring=konami.scoring)
    by = {names([row.player]): row.values for row in rows}
    assert by["A"]["oomw"] == (Fraction(8, 9) + Fraction(19, 27) + Fraction(2, 3)) / 3
    assert [by[name]["losses_sq"] for name in "ABCD"] == [0, 1, 4 + 9, 1 + 9]


def test_orders_of_the_two_variants_of_hanno() -> None:
    """4.3, H209, H222: by default Q, R, P; variant 1 counts no games won: R, Q, P.

    Three with 9 points, none met: Q (games 7, Median-Buchholz 20), R (6, 22, +6), P (6, 17, +5).
    """
    records: dict[PlayerId, Record] = {}
    for who, results, opponents in (
        ("Q", ("2:0", "2:0", "2:0", "1:2"), (30, 10, 10, 0)),
        ("R", ("2:0", "2:0", "2:0"), (25, 22, 0)),
        ("P", ("2:0", "2:0", "2:1"), (25, 17, 0)),
    ):
        records |= _against(player(who), results, opponents, first=100 * len(records) + 1_000)
    assert _first_three(records, "hanno") == "QRP"
    assert _first_three(records, "hanno_comp") == "RQP"


def _first_three(records: dict[PlayerId, Record], preset: str) -> str:
    chosen = PRESETS[preset]
    rows = rank(records, order=chosen.order, scoring=chosen.scoring)
    return names([row.player for row in rows if row.player < 100])


def _against(
    who: PlayerId, results: tuple[str, ...], points: tuple[int, ...], first: int
) -> dict[PlayerId, Record]:
    opponents = [PlayerId(first + n) for n in range(len(points))]
    matches = []
    for n, (opponent, result) in enumerate(zip(opponents, results, strict=True), 1):
        won, lost = map(int, result.split(":"))
        outcome: MatchOutcome = "win" if won > lost else "loss"
        matches.append(Match(round_no=RoundNo(n), opponent=opponent, outcome=outcome, won=won, lost=lost))
    others = {o: _with_points(o, n, who) for o, n in zip(opponents, points, strict=True)}
    return {who: Record(player=who, signin=who, matches=tuple(matches)), **others}


def test_variant_two_of_hanno_changes_the_cut_alone() -> None:
    """H223: Buchholz directly after 小分 where seats are filled, then the default order goes on."""
    preset = PRESETS["hanno_cut"]
    assert preset.order == PRESETS["hanno"].order
    assert preset.cut_order == ("points", "tb_tied", "median_buchholz", "games_won", "game_diff")
    assert PRESETS["xingyi"].cut_order == PRESETS["xingyi"].order


def test_wins_against_the_tied_depend_on_what_stands_before() -> None:
    """4.2, H211: players equal on all criteria before count, whatever these are."""
    records = played("A-B 2:0, C-D 2:0", "A-C 0:2, B-D 2:0", "A-D 2:0, B-C 2:0")
    assert values(records, "points") == [6, 6, 6, 0]
    assert values(records, "tb_tied") == [1, 1, 1, 0]
    rows = rank(replace_drop(records), order=("points", "games_won", "tb_tied"))
    assert [row.values["tb_tied"] for row in rows] == [1, 1, 1, 0]


def replace_drop(records: dict[PlayerId, Record]) -> dict[PlayerId, Record]:
    """Return *records* with everybody dropped, which changes nothing in any criterion (4.1, H225)."""
    return {who: replace(record, dropped=True) for who, record in records.items()}


def test_standings_of_nobody() -> None:
    """No players, no rows."""
    assert Standings({}).rows == ()
    assert player("A") == 1
