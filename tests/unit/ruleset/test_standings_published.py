"""Standings that were published elsewhere, computed again (shared/data/events)."""

import json
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ruleset.ids import PlayerId, RoundNo
from ruleset.standings.record import Match, MatchOutcome, Record
from ruleset.standings.scoring import Scoring
from ruleset.standings.table import Row, rank
from tests.records import MIRRORED

EVENTS = Path(__file__).parents[3].parent / "shared" / "data" / "events"

pytestmark = pytest.mark.skipif(not EVENTS.is_dir(), reason="the published standings are not here")

Event = dict[str, Any]


def event(name: str) -> Event:
    """Return a published event."""
    found: Event = json.loads((EVENTS / f"{name}.json").read_text())
    return found


def number(name: str) -> PlayerId:
    """Return the number in P001 or S01, the published rank or the seed."""
    return PlayerId(int(name[1:]))


def records(of: Event) -> dict[PlayerId, Record]:
    """Return everybody's record."""
    found = defaultdict[str, list[Match]](list)
    for played in of["rounds"]:
        for a, b, result in played["matches"]:
            for who, match in _match(played["round"], a, b, result):
                found[who].append(match)
    return {
        number(row["player"]): Record(
            player=number(row["player"]), signin=number(row["player"]), matches=tuple(found[row["player"]])
        )
        for row in of["standings"]
    }


def _match(round_no: RoundNo, a: str, b: str | None, result: list[int] | None) -> list[tuple[str, Match]]:
    if b is None or result is None:
        return [(a, Match(round_no=round_no, opponent=None, outcome="win", kind="bye"))]
    won, lost, drawn = [*result, 0][:3]
    outcome: MatchOutcome = "win" if won > lost else "loss" if won < lost else "draw"
    other = MIRRORED[outcome]
    return [
        (a, Match(round_no=round_no, opponent=number(b), outcome=outcome, won=won, lost=lost, drawn=drawn)),
        (b, Match(round_no=round_no, opponent=number(a), outcome=other, won=lost, lost=won, drawn=drawn)),
    ]


def rows_of(of: Event, scoring: Scoring, *order: str) -> tuple[tuple[Row, ...], Mapping[PlayerId, Row]]:
    """Return our rows, in order and by player."""
    rows = rank(records(of), order=order, scoring=scoring)
    return rows, {row.player: row for row in rows}


@pytest.mark.parametrize(
    ("name", "scoring", "shares", "precision"),
    [
        ("melee_366644", Scoring(floor=Fraction(1, 3), floor_own_gw=True), ("omw", "gw", "ogw"), 5e-8),
        ("topdeck_savannah", Scoring(best_of=1), ("omw",), 1e-12),
        ("manatraders_2024_02", Scoring(), ("omw", "gw", "ogw"), 5.000001e-4),
    ],
)
def test_points_and_shares(name: str, scoring: Scoring, shares: tuple[str, ...], precision: float) -> None:
    """4.1, R024-R027: every published value, within its published precision."""
    published = event(name)
    _, by = rows_of(published, scoring, "points", "omw", "gw", "ogw")
    for row in published["standings"]:
        ours = by[number(row["player"])].values
        assert ours["points"] == row["points"]
        assert [float(ours[key]) for key in shares] == [  # type: ignore[arg-type]
            pytest.approx(row[key], abs=precision) for key in shares
        ]


def test_the_order_of_melee() -> None:
    """R024-R027: points, OMW%, GW%, OGW%."""
    published = event("melee_366644")
    rows, _ = rows_of(
        published, Scoring(floor=Fraction(1, 3), floor_own_gw=True), "points", "omw", "gw", "ogw"
    )
    assert [row.player for row in rows] == [number(row["player"]) for row in published["standings"]]


def test_the_order_of_manatraders() -> None:
    """R024, R025: points, there then the rounds played, OMW%."""
    published = event("manatraders_2024_02")
    _, by = rows_of(published, Scoring(), "points", "omw")
    played = {who: len(record.matches) for who, record in records(published).items()}
    ordered = [by[number(row["player"])] for row in published["standings"]]
    keys = [(row.values["points"], played[row.player], row.values["omw"]) for row in ordered]
    assert keys == sorted(keys, reverse=True)


def test_all_rows_of_challonge() -> None:
    """4.2, 4.3, H211, H213, H226: Score, Median-Buchholz, wins against tied, difference of 19 players."""
    published = event("challonge_cd0ljdsv")
    scoring = Scoring(win=2, draw=1, bye=2)  # Challonge's 1, 0.5 and 1, doubled
    rows, _ = rows_of(published, scoring, "points", "median_buchholz", "tb_tied", "game_diff")
    keys = ("points", "median_buchholz", "tb_tied", "game_diff")
    assert [(row.player, row.rank, *(row.values[key] for key in keys)) for row in rows] == [
        (
            number(row["player"]),
            row["rank"],
            2 * row["score"],
            2 * row["median_buchholz"],
            row["tb"],
            row["pts_diff"],
        )
        for row in published["standings"]
    ]


def test_tied_means_equal_on_everything_before() -> None:
    """4.2: with "same Score" alone, 9 of the 19 rows of Challonge would be wrong."""
    published = event("challonge_cd0ljdsv")
    _, by = rows_of(published, Scoring(win=2, draw=1, bye=2), "points", "tb_tied")
    wrong = [
        row for row in published["standings"] if by[number(row["player"])].values["tb_tied"] != row["tb"]
    ]
    assert len(wrong) == 9
