"""Ranks, positions, head-to-head, the cut and its play-off."""

from dataclasses import replace

import pytest

from ruleset import seeds
from ruleset.errors import RulesetError
from ruleset.ids import PlayerId, RoundNo
from ruleset.standings.criteria import CRITERIA, chosen
from ruleset.standings.cut import cut, play_off
from ruleset.standings.presets import PRESETS
from ruleset.standings.record import Record
from ruleset.standings.scoring import Scoring
from ruleset.standings.table import Row, Standings, rank
from tests.records import names, played, player

LEVEL = played("A-B 1:1, C-D 1:1, E bye")
"""A, B, C, D are equal by every criterion; E has a bye."""


def ranked(records: dict[PlayerId, Record], *order: str) -> list[tuple[str, int]]:
    """Return names with the ranks that are shown, in order of position."""
    return [(names([row.player]), row.rank) for row in rank(records, order=order or PRESETS["xingyi"].order)]


def line(*ranks: int) -> list[Row]:
    """Return rows A, B, C and so on with these ranks."""
    return [Row(player=PlayerId(n), rank=rank, position=n, values={}) for n, rank in enumerate(ranks, 1)]


@pytest.mark.parametrize(
    ("wins", "ranks"), [((3, 3, 2), [1, 1, 3]), ((3, 2, 2, 2, 1), [1, 2, 2, 2, 5]), ((1, 1, 1), [1, 1, 1])]
)
def test_competition_ranking(wins: tuple[int, ...], ranks: list[int]) -> None:
    """4.8, R031, R032: equals share a rank, and the next one comes after all of them."""
    tables = [
        ", ".join(f"{chr(65 + n)} bye" for n, count in enumerate(wins) if count > number)
        for number in range(3)
    ]
    records = played(*(text for text in tables if text))
    assert [rank for _, rank in ranked(records, "points")] == ranks


def test_ranks_are_shared_and_seats_are_split_by_signin() -> None:
    """R003, R030, R031: shown ranks are equal, positions follow the earlier sign-in."""
    late = {**LEVEL, player("A"): replace(LEVEL[player("A")], signin=9)}
    rows = rank(late)
    assert [row.rank for row in rows] == [1, 2, 2, 2, 2]
    assert names([row.player for row in rows]) == "EBCDA"
    assert [row.position for row in rows] == [1, 2, 3, 4, 5]


def test_seats_may_be_split_by_lot() -> None:
    """R030: HMAC-SHA-256(seed, "lot:" + decimal player number), the smallest first, whatever the ranks."""
    rows = rank(LEVEL, seats_by="lot", seed=b"seed")
    drawn = sorted((1, 2, 3, 4), key=lambda n: seeds.lot(b"seed", PlayerId(n)))
    assert [row.player for row in rows[1:]] == drawn
    assert {row.rank for row in rows[1:]} == {2}
    assert rows[1].values["lot"] == seeds.lot(b"seed", rows[1].player)


def test_the_order_may_name_what_splits_seats() -> None:
    """S106: ``signin`` or ``lot`` at the end of an order replaces the setting."""
    assert Standings(LEVEL, order=("points", "lot"), seats_by="signin").seats is CRITERIA["lot"]


def test_equal_sign_ins_are_split_by_player_number() -> None:
    """R017: the order is total in any case."""
    same = {who: replace(record, signin=1) for who, record in LEVEL.items()}
    assert names([row.player for row in rank(same)]) == "EABCD"


def test_fewer_byes_go_first() -> None:
    """R029: the last criterion that separates ranks."""
    records = played("A bye, B-C 2:0", "A-D 2:0, B-E 2:0")
    assert ranked(records, "points", "fewer_byes")[:2] == [("B", 1), ("A", 2)]


def test_head_to_head_of_two() -> None:
    """R028, 4.4: the winner of their match first; equals on all before only."""
    records = played("A-B 0:2, C-D 0:2", "A-C 2:0, B-D 0:2")
    assert ranked(records, "points", "h2h") == [("D", 1), ("B", 2), ("A", 3), ("C", 4)]


def test_head_to_head_needs_that_all_have_met() -> None:
    """R028, 4.4: A, B, D where D met nobody stay tied."""
    records = played("A-B 2:0, D-E 2:0", "A-F 0:2, B-G 2:0")
    assert ranked(records, "points", "h2h")[:4] == [("A", 1), ("B", 1), ("D", 1), ("F", 1)]


def test_head_to_head_in_a_circle_does_nothing() -> None:
    """4.4: A > B > C > A."""
    records = played("A-B 2:0", "B-C 2:0", "C-A 2:0")
    assert {rank for _, rank in ranked(records, "points", "h2h")} == {1}


def test_head_to_head_starts_again_in_each_smaller_group() -> None:
    """4.4: A and B are equal in the table of four, and their own match splits them."""
    records = played("A-B 2:0, C-D 1:1", "A-D 2:0, B-C 2:0", "C-A 2:0, B-D 2:0")
    rows = rank(records, order=("h2h",))
    assert [row.values["h2h"] for row in rows] == [(6, 3), (6, 0), (4,), (1,)]
    assert names([row.player for row in rows]) == "ABCD"


def test_head_to_head_counts_rematches_and_absence_wins() -> None:
    """4.4: the sum of both matches, a real match result being one that nobody played, too."""
    assert ranked(played("A-B 2:0", "A-B 0:2", "A-B 1:1"), "h2h") == [("A", 1), ("B", 1)]
    assert ranked(played("B-A absent"), "h2h") == [("B", 1), ("A", 2)]


def test_head_to_head_uses_the_points_of_the_event() -> None:
    """4.4, R007: win 3, draw 1, loss 0 by default."""
    rows = rank(played("A-B 1:1", "A-B 2:0"), order=("h2h",), scoring=Scoring(win=2))
    assert [row.values["h2h"] for row in rows] == [(3,), (1,)]


@pytest.mark.parametrize(
    "order",
    [(), ("points", "skill"), ("points", "points"), ("signin", "points"), ("sci_dev",)],
)
def test_an_order_that_cannot_be_used(order: tuple[str, ...]) -> None:
    """S106, S156, R031: nothing, unknown, twice, seats before ranks, boards in an event without boards."""
    with pytest.raises(RulesetError) as refusal:
        chosen(order)
    assert refusal.value.code == "bad_criteria"
    assert refusal.value.data["order"] == order


def test_an_order_for_boards() -> None:
    """S156: the criteria of duplicate events can be chosen there."""
    assert [criterion.key for criterion in chosen(("sci_dev", "lot"), "boards")] == ["sci_dev", "lot"]


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_presets_can_be_used(preset: object) -> None:
    """G4: each one is a valid order of criteria for an event of matches."""
    assert chosen(PRESETS[preset.key].order)  # type: ignore[attr-defined]


def test_the_registry_has_every_key_of_the_specification() -> None:
    """2.1, S106: the list at the end of section 2.1."""
    keys = (
        "points, match_wins, omw, gw, ogw, h2h, fewer_byes, signin, lot, tb_tied, games_won, "
        "median_buchholz, buchholz, game_diff, level26, levels, opp_level26, opp_points, round_high, "
        "board_sum, sci_dev, sci_points, med_dev, med_points, med5, oomw, losses_sq"
    )
    assert sorted(CRITERIA) == sorted(keys.split(", "))
    assert all(key == criterion.key for key, criterion in CRITERIA.items())


def test_what_a_host_announces() -> None:
    """H202, H224: casual or competitive in the presets of hanno, nothing in the usual one with a bye of 3."""
    kinds = {key: PRESETS[key].kind for key in ("xingyi", "hanno", "hanno_comp", "hanno_cut")}
    assert kinds == {
        "xingyi": None,
        "hanno": "casual",
        "hanno_comp": "competitive",
        "hanno_cut": "competitive",
    }
    usual = PRESETS["xingyi"].scoring
    assert (usual.win, usual.bye, usual.draw, usual.loss) == (3, 3, 1, 0)


def test_hanno_is_named() -> None:
    """H201, H204: the help of the preset names its authors, and a bye is 2."""
    for key in ("hanno", "hanno_comp", "hanno_cut"):
        assert all(
            name in PRESETS[key].help
            for name in ("神之吹息", "ID7（绛云碧沚灰）", "王座", "老乞大猫", "CC BY")
        )
        assert PRESETS[key].scoring.bye == 2
        assert PRESETS[key].late_mode == "claim"


@pytest.mark.parametrize("bad", [{"win": 0}, {"draw": -1}, {"bye": -2}, {"floor": 2}])
def test_numbers_that_no_formula_can_use(bad: dict[str, int]) -> None:
    """R007: a win is worth something, nothing is negative, a floor is a share."""
    with pytest.raises(RulesetError) as refusal:
        Scoring(**bad)  # type: ignore[arg-type]
    assert refusal.value.code == "bad_scoring"


def test_the_cut_has_exactly_its_size() -> None:
    """R002, R022, R023: no more and no fewer, by position; the dropped take no seat and the next move up."""
    rows = line(1, 2, 2, 2, 5)
    assert names(list(cut(rows, 3))) == "ABC"
    assert names(list(cut(rows, 3, {player("B"), player("E")}))) == "ACD"


def test_fewer_players_than_seats_all_go_on() -> None:
    """R023: all active players advance."""
    assert names(list(cut(line(1, 2, 3), 8, {player("A")}))) == "BC"


@pytest.mark.parametrize(
    ("ranks", "seats", "dropped", "pair"),
    [
        ((1, 2, 2, 4), 2, "", "BC"),
        ((1, 2, 2, 2), 2, "", None),
        ((1, 1, 3, 4), 2, "", None),
        ((1, 2, 2, 4), 3, "", None),
        ((1, 2, 3, 4), 2, "", None),
        ((1, 2, 2, 2), 2, "C", "BD"),
        ((1, 1), 2, "", None),
        ((1, 1), 0, "", None),
        ((1, 1, 1, 4), 2, "", None),
    ],
)
def test_who_plays_for_the_last_seat(
    ranks: tuple[int, ...], seats: int, dropped: str, pair: str | None
) -> None:
    """R033: exactly two, equal by every criterion, for the last seat; three or more: sign-in or lot."""
    found = play_off(line(*ranks), seats, {player(name) for name in dropped})
    assert (None if found is None else names(found)) == pair


def test_the_winner_of_the_play_off_has_the_seat() -> None:
    """R033: he goes before the other; nobody else moves."""
    rows = line(1, 2, 2, 4)
    assert names(list(cut(rows, 2, play_off_winner=player("C")))) == "AC"
    assert names(list(cut(rows, 2, play_off_winner=player("B")))) == "AB"
    assert names(list(cut(rows, 3, play_off_winner=player("C")))) == "ABC"


def test_seeds_are_committed_and_shown() -> None:
    """R030: SHA-256 at publishing; each round's key is an HMAC of the seed, its order a hash of the key."""
    assert seeds.commitment(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    first, second = (seeds.round_key(b"seed", RoundNo(n)) for n in (1, 2))
    assert first != second
    assert len(first) == 32
    players = [PlayerId(n) for n in range(1, 40)]
    drawn = seeds.drawn(first, players)
    assert sorted(drawn) == players
    assert drawn == seeds.drawn(first, reversed(players))
    assert drawn != seeds.drawn(second, players)
    assert [p for p in drawn if p % 2] == seeds.drawn(first, [p for p in players if p % 2])
