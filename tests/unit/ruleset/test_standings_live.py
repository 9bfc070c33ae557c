"""Standings kept result by result."""

from dataclasses import replace

import pytest

from ruleset.ids import RoundNo
from ruleset.standings.criteria import CRITERIA
from ruleset.standings.explain import calculation
from ruleset.standings.live import LiveStandings
from ruleset.standings.record import Match
from ruleset.standings.scoring import Scoring
from ruleset.standings.table import Standings, rank
from tests.records import played, player

ROUNDS = ("A-B 2:0, C-D 2:1, E bye", "A-C 2:1, E-B 1:1:1, D bye", "A-D 2:0, E-C 2:0, B bye")


def test_a_result_moves_only_whom_it_concerns() -> None:
    """performance.md 2: after each round, put player by player, all equals the full computation."""
    live = LiveStandings(Standings(played(ROUNDS[0]), rounds=3))
    for number in (2, 3):
        records = played(*ROUNDS[:number])
        live.put(*records.values())
        rows = rank(records)
        assert live.now().rows == rows
        assert live.now() is live.now()
        assert [live.place(row.player) for row in rows] == [(row.rank, row.position) for row in rows]


def test_units_that_do_not_fit_are_made_anew() -> None:
    """4: a number of games or rounds that was not expected costs time and nothing else."""
    live = LiveStandings(Standings(played(ROUNDS[0])))
    records = played(ROUNDS[0], "A-C 7:4, E-B 5:6, D bye", *ROUNDS[2:])
    live.put(*records.values())
    assert live.now().rows == rank(records)


def test_a_correction_is_put_like_a_result() -> None:
    """T22: a past match is changed, or goes to another opponent, and both old and new opponents follow."""
    live = LiveStandings(Standings(played(*ROUNDS), rounds=3))
    changed = played(ROUNDS[0], "A-E 2:1, C-B 1:1:1, D bye", ROUNDS[2])
    live.put(*(changed[player(name)] for name in "ABCE"))
    assert live.now().rows == rank(changed)


def test_values_that_reach_far_are_forgotten_too() -> None:
    """A criterion that was only asked about is as fresh as those that rank (OMW% of opponents' opponents)."""
    live = LiveStandings(Standings(played(*ROUNDS[:2]), rounds=3))
    for name in "ABCDE":
        calculation(live.now(), player(name), "oomw")
    records = played(*ROUNDS)
    live.put(*records.values())
    full = Standings(records)
    for name in "ABCDE":
        assert calculation(live.now(), player(name), "oomw") == calculation(full, player(name), "oomw")


@pytest.mark.parametrize("key", [*CRITERIA])
def test_every_criterion_can_be_kept(key: str) -> None:
    """performance.md 2: each criterion as the first one, and head-to-head after it."""
    order = (key,) if CRITERIA[key].seats_only or key == "h2h" else (key, "h2h")
    if key in {"signin", "lot"}:
        order = ("points", key)
    live = LiveStandings(Standings(played(ROUNDS[0]), order=order, scoring=Scoring(bye=2), rounds=3))
    records = played(*ROUNDS)
    live.put(*(records[player(name)] for name in "BDACE"))
    assert live.now().rows == rank(records, order=order, scoring=Scoring(bye=2))


def test_boards_change_everybody() -> None:
    """S169: one score moves the mean of all."""
    records = played("A-B 1:1, C-D 1:1")
    boards = {
        who: replace(record, matches=(replace(record.matches[0], boards=(who,)),))
        for who, record in records.items()
    }
    live = LiveStandings(Standings(boards, order=("sci_dev",)))
    changed = {**boards, player("A"): replace(boards[player("A")], matches=_one_match(99))}
    live.put(changed[player("A")])
    assert live.now().rows == rank(changed, order=("sci_dev",))


def _one_match(score: int) -> tuple[Match, ...]:
    return (Match(round_no=RoundNo(1), opponent=player("B"), outcome="draw", boards=(score,)),)


def test_who_is_not_there_has_no_place() -> None:
    """An unknown player is an error of the caller."""
    with pytest.raises(KeyError):
        LiveStandings(Standings(played("A-B 2:0"))).place(player("Z"))
