"""Single elimination: places, byes, holes, placings, drawing."""

import pytest

from ruleset import seeds
from ruleset.errors import RulesetError
from ruleset.ids import PlayerId
from ruleset.pairing.bracket import (
    Places,
    advanced,
    byes_for,
    final_ranking,
    pairs,
    placed,
    placings,
    seeded,
    seeding,
    size_for,
    truncated,
)
from ruleset.pairing.drawing import Node, drawing


def field(size: int) -> tuple[PlayerId, ...]:
    """Return players 1 to *size*, in order of sign-in or rank."""
    return tuple(PlayerId(n) for n in range(1, size + 1))


def out(*numbers: int) -> set[PlayerId]:
    """Return who went out."""
    return {PlayerId(n) for n in numbers}


@pytest.mark.parametrize(
    ("size", "order"), [(1, [1]), (2, [1, 2]), (4, [1, 4, 2, 3]), (8, [1, 8, 4, 5, 2, 7, 3, 6])]
)
def test_the_order_of_places(size: int, order: list[int]) -> None:
    """4.9: 1-8, 4-5, 2-7, 3-6 and so on."""
    assert seeding(size) == order


@pytest.mark.parametrize("size", [2, 4, 16, 64, 256])
def test_the_best_meet_last(size: int) -> None:
    """4.9: if the better one always wins, each round leaves the better half, without re-seeding."""
    places: Places = seeded(field(size))
    while len(places) > 1:
        places = advanced(places, {max(filter(None, pair)) for pair in pairs(places)})
        assert sorted(player or 0 for player in places) == [*field(len(places))]


@pytest.mark.parametrize(
    ("players", "size", "byes", "play", "truncate"),
    [(5, 8, 3, 2, 4), (12, 16, 4, 8, 8), (33, 64, 31, 2, 32), (8, 8, 0, 8, 8), (2, 2, 0, 2, 2)],
)
def test_byes_and_truncation(players: int, size: int, byes: int, play: int, truncate: int) -> None:
    """4.9, R020, R021: how many have byes, how many play, how many a truncated field has."""
    places = placed(field(players), b"key")
    met = [pair for pair in pairs(places) if None not in pair]
    assert (size_for(players), byes_for(players), 2 * len(met)) == (size, byes, play)
    assert truncated(field(players)) == field(truncate)


@pytest.mark.parametrize("count", [0, 1])
def test_fields_of_nobody_and_one(count: int) -> None:
    """A bracket needs two, but nothing breaks."""
    assert size_for(count) == count
    assert seeded(field(count)) == truncated(field(count)) == field(count)


@pytest.mark.parametrize("players", range(2, 70))
def test_byes_go_to_the_earliest_sign_ins(players: int) -> None:
    """R020: exactly they have one, in the order of sign-in, and nobody has two free places."""
    free = {a or b for a, b in pairs(placed(field(players), b"key")) if a is None or b is None}
    assert free == set(field(byes_for(players)))


@pytest.mark.parametrize("players", range(3, 70))
def test_bye_holders_meet_no_sooner_than_they_must(players: int) -> None:
    """R020: every part of the bracket has a fair share of them, to within one."""
    places, spared = placed(field(players), b"key"), set(field(byes_for(players)))
    part = len(places) // 2
    while part > 1:
        shares = [len(spared & set(places[n : n + part])) for n in range(0, len(places), part)]
        assert max(shares) - min(shares) <= 1
        part //= 2


def test_the_others_are_drawn() -> None:
    """R020, R030: by the key of round 1, the same for everybody who knows it."""
    signed_in = field(13)
    assert placed(signed_in, b"key") == placed(signed_in, b"key") != placed(signed_in, b"other")
    drawn = seeds.drawn(b"key", signed_in[3:])
    assert placed(signed_in, b"key") == seeded([*signed_in[:3], *drawn])


def test_a_cut_that_is_no_power_of_two() -> None:
    """R012, R023, G18: the best ranks have byes in the first round."""
    assert pairs(seeded(field(6))) == ((1, None), (4, 5), (2, None), (3, 6))


def test_placings_of_eight() -> None:
    """4.8, R040: 1, 2, 3, 3, 5, 5, 5, 5."""
    outs = [out(8, 5, 7, 6), out(4, 3), out(2)]
    assert placings(seeded(field(8)), outs) == {1: 1, 2: 2, 3: 3, 4: 3, 5: 5, 6: 5, 7: 5, 8: 5}
    assert placings(seeded(field(8)), outs[:2]) == {3: 3, 4: 3, 5: 5, 6: 5, 7: 5, 8: 5}


def test_a_cut_of_two_has_no_third_place() -> None:
    """4.9."""
    assert placings(seeded(field(2)), [out(2)]) == {1: 1, 2: 2}


def test_a_double_loss_leaves_a_hole() -> None:
    """5.5-13: both are out, and the next opponent advances by walkover."""
    places = advanced(seeded(field(8)), out(8, 4, 5, 7, 6))
    assert places == (1, None, 2, 3)
    assert advanced(places, out(2)) == (1, 3)


def test_a_final_that_both_lose_has_no_champion() -> None:
    """5.5-13: both are second."""
    assert placings(seeded(field(4)), [out(3, 4), out(1, 2)]) == {3: 3, 4: 3, 1: 2, 2: 2}


def test_two_semi_finals_that_all_lose() -> None:
    """5.5-13: no final, all four are third."""
    assert placings(seeded(field(4)), [out(1, 2, 3, 4)]) == dict.fromkeys(field(4), 3)
    assert placings(seeded(field(4)), [out(1, 2, 3, 4), out()]) == dict.fromkeys(field(4), 3)


def test_one_semi_final_that_both_lose() -> None:
    """5.5-13, 4.8: the other finalist is champion by walkover, nobody is second, the losers are third."""
    assert placings(seeded(field(4)), [out(1, 4, 3), out()]) == {2: 1, 1: 3, 4: 3, 3: 3}


def test_an_open_table_is_no_way_on() -> None:
    """Somebody of every pair must be out."""
    with pytest.raises(RulesetError) as refusal:
        advanced(seeded(field(4)), out(1))
    assert refusal.value.code == "table_open"


def test_the_final_ranking() -> None:
    """4.9: bracket places, then the Swiss list with its shared ranks; equals in the order of that list."""
    swiss = [(PlayerId(n), rank) for n, rank in ((5, 1), (4, 2), (3, 3), (2, 4), (1, 5), (6, 5), (7, 7))]
    places = {PlayerId(n): place for n, place in ((3, 1), (2, 2), (4, 3), (5, 3))}
    assert final_ranking(places, swiss) == ((3, 1), (2, 2), (5, 3), (4, 3), (1, 5), (6, 5), (7, 7))
    assert final_ranking({PlayerId(2): 1, PlayerId(1): 2}) == ((2, 1), (1, 2))


def test_a_bracket_as_data() -> None:
    """4.9, 5.5-13: every meeting of every round at any moment: bye, table, hole, walkover, open."""
    first = seeded(field(7))
    start = drawing(first, [])
    assert [len(nodes) for nodes in start] == [4, 2, 1]
    assert start[0][0] == Node(a=PlayerId(1), b=None, kind="bye", winner=PlayerId(1))
    assert start[0][1] == Node(a=PlayerId(4), b=PlayerId(5), kind="table", winner="open")
    assert start[1][0] == Node(a=PlayerId(1), b="open", kind="open", winner="open")
    later = drawing(first, [out(4, 5, 7, 3), out(6)])
    assert later[0][1].winner is None
    assert later[1][0] == Node(a=PlayerId(1), b=None, kind="walkover", winner=PlayerId(1))
    assert later[1][1].winner == 2
    assert later[2][0] == Node(a=PlayerId(1), b=PlayerId(2), kind="table", winner="open")
    nobody = drawing(first, [out(1, 4, 5, 7, 2, 3, 6)])
    assert {node.kind for node in nobody[1]} == {"empty"}
    assert nobody[2][0].winner is None
