"""Swiss pairing, rule by rule (4.10)."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

import pytest

from ruleset import seeds
from ruleset.errors import RulesetError
from ruleset.ids import PlayerId, RoundNo
from ruleset.pairing import swiss
from ruleset.pairing.contender import Contender, Wishes, contenders
from ruleset.pairing.swiss import pair
from ruleset.standings.scoring import Scoring
from tests.pairing_oracle import Play, best, cost_of
from tests.records import names, played, player

KEY = seeds.round_key(b"seed", RoundNo(1))


def field(points: str, *met: str, **more: Mapping[str, object]) -> list[Contender]:
    """Return contenders A, B, C and so on with these points; *met* are pairs, oldest first."""
    found = {}
    for name, own in zip("ABCDEFGHIJKLMNOP", points.split(), strict=False):
        others = {
            player(pair_.replace(name, "")): RoundNo(n) for n, pair_ in enumerate(met, 1) if name in pair_
        }
        extra = {key: value[name] for key, value in more.items() if name in value}
        found[name] = Contender(player=player(name), points=int(own), met=others, **extra)  # type: ignore[arg-type]
    return list(found.values())


def tables(contenders: list[Contender], wishes: Wishes = swiss.ANY, key: bytes = KEY) -> set[str]:
    """Return the tables as pairs of names, lower name first, and the bye as a name alone."""
    found = pair(contenders, key, wishes)
    paired = {"".join(sorted(names(list(table)))) for table in found.tables}
    return paired if found.bye is None else paired | {names([found.bye])}


def test_equals_meet() -> None:
    """4.10-1: inside a score group, whatever the draw is."""
    assert tables(field("6 6 3 3 0 0")) == {"AB", "CD", "EF"}


def test_chance_inside_a_group_is_the_rounds_key() -> None:
    """R009, R030, 4.10-1: the draw is the order of hashes, neighbours in it meet, another key pairs anew."""
    players = field(" ".join("0" * 16))
    found = pair(players, KEY)
    drawn = seeds.drawn(KEY, [contender.player for contender in players])
    assert [p for table in found.tables for p in table] == drawn
    assert pair(players, seeds.round_key(b"seed", RoundNo(2))) != found


def test_anybody_can_draw_again() -> None:
    """R030: SHA-256 of the key and the decimal number, the smallest first, with any tool."""
    there = [PlayerId(n) for n in (1, 9, 10, 123, 70_000)]
    by_hand = [sha256(KEY + str(n).encode()).digest() for n in there]
    assert [*seeds.draws(KEY, there)] == [seeds.draw(KEY, n) for n in there] == by_hand
    assert [by_hand[there.index(n)] for n in seeds.drawn(KEY, there)] == sorted(by_hand)


def test_the_order_of_the_players_does_not_matter() -> None:
    """The same round on every machine, whatever order the players come in."""
    players = Play(5, 33).players
    assert pair(players, KEY) == pair(players[::-1], KEY)


def test_most_points_sit_first() -> None:
    """Tables by points, the player with more has seat A."""
    players = field("0 3 9 6 3 9")
    found = pair(players, KEY)
    points = {contender.player: contender.points for contender in players}
    assert [[points[p] for p in table] for table in found.tables] == [[9, 9], [6, 3], [3, 0]]


def test_no_rematch() -> None:
    """4.10-2: they float instead, as little as possible."""
    assert tables(field("6 6 3 3 0 0", "AB")) in ({"AC", "BD", "EF"}, {"AD", "BC", "EF"})


def test_the_squared_difference_counts() -> None:
    """4.10-2: two floats of 3 are better than one of 6."""
    assert tables(field("6 3 3 0")) in ({"AB", "CD"}, {"AC", "BD"})


def test_the_bye_goes_to_the_lowest_group() -> None:
    """R019, 4.10-4: to nobody who had one, inside the group by the draw."""
    assert tables(field("3 3 0", byes={"C": 1})) in ({"AC", "B"}, {"BC", "A"})
    players = field("3 3 0 0 0")
    last = [p for p in seeds.drawn(KEY, [c.player for c in players]) if p in {3, 4, 5}][-1]
    assert pair(players, KEY).bye == last


def test_the_bye_by_standing() -> None:
    """4.10-4: ``bye_within=standing`` spares the last in the standings of the lowest group."""
    players = field("3 0 0 0 3", position={"A": 1, "B": 5, "C": 4, "D": 3, "E": 2})
    assert pair(players, KEY, Wishes(bye_within="standing")).bye == player("B")


def test_a_win_by_absence_keeps_from_the_bye() -> None:
    """4.10-4: unless ``absence_counts_as_bye`` is off; a real bye keeps even more."""
    players = field("6 3 3", absence_wins={"B": 1}, byes={"C": 1})
    assert pair(players, KEY).bye == player("A")
    assert pair(players, KEY, Wishes(absence_counts_as_bye=False)).bye == player("B")
    all_had = field("6 3 3", byes={"A": 1, "C": 1}, absence_wins={"B": 2})
    assert pair(all_had, KEY).bye == player("B")


def test_a_second_bye_only_after_everybody_had_one() -> None:
    """4.10-4."""
    assert pair(field("6 3 0", byes={"A": 1, "B": 1, "C": 1}), KEY).bye == player("C")
    assert pair(field("6 3 0", byes={"A": 1, "B": 2, "C": 2}), KEY).bye == player("A")


def test_the_bye_moves_up_rather_than_a_rematch() -> None:
    """4.10-3: a legal round goes before the lowest group."""
    assert tables(field("6 3 0", "AB")) == {"AC", "B"}


def test_no_legal_round() -> None:
    """4.10-3: the fewest rematches, the oldest first, the host is told which."""
    found = pair(field("3 3", "AB"), KEY)
    assert [names(sorted(table)) for table in found.rematches] == ["AB"]
    four = field("0 0 0 0", "AB", "CD", "AC", "BD", "AD", "BC")
    assert {names(sorted(table)) for table in pair(four, KEY).rematches} == {"AB", "CD"}


def test_rather_a_rematch_than_a_second_bye() -> None:
    """4.10-3: nobody has a second bye while somebody has none."""
    found = pair(field("6 3 0", "AC", byes={"A": 1, "C": 1}), KEY)
    assert found.bye == player("B")
    assert len(found.rematches) == 1


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two(count: int) -> None:
    """5.5-25: there is nothing to pair."""
    with pytest.raises(RulesetError) as refusal:
        pair(field("0")[:count], KEY)
    assert refusal.value.code == "too_few_players"


def test_exactly_two() -> None:
    """5.5-14: one round, then rematches."""
    players = field("3 0", "AB")
    assert pair(players, KEY).tables == ((1, 2),)


def test_three_left() -> None:
    """5.5-25: one table and a bye."""
    found = pair(field("3 3 0"), KEY)
    assert len(found.tables) == 1
    assert found.bye is not None


def test_forbidden_pairs() -> None:
    """What the host rules out is not paired, and rather a rematch than that."""
    ruled_out = Wishes(forbidden=frozenset({frozenset({player("A"), player("B")})}))
    assert "AB" not in tables(field("6 6 3 3"), ruled_out)
    four = field("0 0 0 0", "AC", "BD", "AD", "BC")
    assert len(pair(four, KEY, ruled_out).rematches) == 2
    assert pair(field("0 0"), KEY, ruled_out).tables


def test_players_of_one_team() -> None:
    """S107: ``prefer`` after score differences, ``must`` before them, ``off`` not at all."""
    one = field("6 6 3 3 3 3", team={"A": 1, "B": 1, "C": 2, "D": 2})
    assert "AB" in tables(one, Wishes(same_team="prefer"))
    assert "CD" not in tables(one, Wishes(same_team="prefer"))
    assert not {"AB", "CD"} & tables(one, Wishes(same_team="must"))
    keys = (b"%d" % n for n in range(40))
    assert any("CD" in tables(one, key=key) for key in keys)


def test_nobody_floats_twice_if_it_can_be_helped() -> None:
    """4.10-2: after scores and teams; down after down and up after up, but not down after up."""
    players = field("3 3 3 0 0 0", floated={"A": "down", "B": "down", "D": "up", "E": "up"})
    assert "CF" in tables(players)
    mixed = field(
        "3 3 3 0 0 0", floated={"A": "up", "B": "down", "C": "down", "D": "down", "E": "up", "F": "up"}
    )
    assert "AD" in tables(mixed)
    forced = field("3 3 3 0", floated={"A": "down", "B": "down", "C": "down"})
    assert pair(forced, KEY).proof == "all"


def test_pairing_by_standing() -> None:
    """4.10-1: ``pair_within=rank`` pairs neighbours of the standings, in exact matchings, too."""
    standing = {name: n for n, name in enumerate("BDACFE", 1)}
    rank = Wishes(within="rank")
    assert tables(field("3 3 3 3 3 3", position=standing), rank) == {"BD", "AC", "EF"}
    twelve = field("9 3 3 3 3 0", "AB", "AC", "AD", "AE", position=standing)
    assert len(tables(twelve, rank)) == 3


def test_contenders_of_records() -> None:
    """R007, R029, 4.10: points, whom each met and when, byes, absence wins, and who floated last."""
    records = played("A-B 2:0, C-D absent, E bye", "A-C 2:1, B-D 1:1, E-F 2:0", "A-D 2:0, C-B 0:2, F bye")
    scoring = Scoring(bye=2)
    active = [player(name) for name in "ABCDF"]
    found = contenders(records, active, scoring, teams={player("A"): 7}, positions={player("B"): 2})
    by = {names([contender.player]): contender for contender in found}
    assert "".join(by) == "ABCDF"
    assert [by[name].points for name in "ABCDF"] == [9, 4, 3, 1, 2]
    assert by["A"].met == {player("B"): 1, player("C"): 2, player("D"): 3}
    assert ([*by["C"].met], len(by["F"].met)) == ([player("D"), player("A"), player("B")], 1)
    assert player("F") not in by["A"].met
    assert [(by[name].byes, by[name].absence_wins) for name in "CF"] == [(0, 1), (1, 0)]
    assert [by[name].floated for name in "ABCDF"] == ["down", "up", "down", "up", None]
    assert (by["A"].team, by["B"].team, by["B"].position) == (7, None, 2)
    assert contenders({}, [], scoring) == []


def test_who_missed_a_round_floated_nowhere() -> None:
    """5.2 T23: a player who comes back is paired as if he had not floated."""
    records = played("A-B 2:0, C-D 2:0", "A-C 2:0")
    (found,) = contenders(records, [player("D")], Scoring())
    assert found.floated is None
    level = played("A-B 1:1", "A-B 1:1")
    (again,) = contenders(level, [player("A")], Scoring())
    assert (again.floated, again.met[player("B")]) == (None, 2)


@pytest.mark.parametrize(
    ("size", "wishes", "teams", "drops"),
    [
        (7, Wishes(), 0, 0.0),
        (8, Wishes(), 0, 0.0),
        (9, Wishes(), 0, 0.05),
        (8, Wishes(same_team="prefer"), 3, 0.0),
        (9, Wishes(same_team="must"), 3, 0.0),
        (9, Wishes(bye_within="standing", within="rank", absence_counts_as_bye=False), 0, 0.0),
        (12, Wishes(), 0, 0.0),
    ],
)
def test_no_pairing_is_better(size: int, wishes: Wishes, teams: int, drops: float) -> None:
    """4.10: every round up to N-1 of random tournaments costs what the best of all pairings costs."""
    for seed in range(2 if size > 10 else 8):
        play = Play(seed, size, teams=teams, drops=drops)
        for number in range(1, size):
            players = play.players
            found = pair(players, seeds.round_key(b"%d" % seed, RoundNo(number)), wishes)
            assert cost_of(found, players, wishes) == best(players, wishes)
            assert found.proof == "all"
            play.play(found, number)


def test_the_first_round_avoids_teams() -> None:
    """S107: with nothing else to go by, and a whole team of half the field."""
    players = [replace(c, team=c.player % 2) for c in Play(1, 200).players]
    found = pair(players, KEY, Wishes(same_team="prefer"))
    assert all((a - b) % 2 for a, b in found.tables)
    assert found.proof == "all"
    assert PlayerId(1) in {p for table in found.tables for p in table}
