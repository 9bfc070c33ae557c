"""What a tournament shows of its ranks while it runs, and who wins what."""

from dataclasses import replace

import pytest

from ruleset.standings.explain import calculation
from ruleset.tournament import commands as c
from ruleset.tournament.ranking import explained, live, standings, winners
from ruleset.tournament.settings import Prize, Settings
from ruleset.tournament.state import Tournament
from tests.builders import SWISS, after, minutes, play_out, started, table_id, tables

R1T1 = table_id(1, 1)
DRAFT = replace(SWISS, live_on="draft")


def points(state: Tournament) -> list[object]:
    """Return the points of the players of R1T1 in the live ranking."""
    table = tables(state)[0]
    rows = {row.player: row.values["points"] for row in live(state)}
    return [rows[table.a], rows[table.b]]


def seen(*wins: int) -> c.SeeRoom:
    """Return a sight of R1T1 at a score."""
    return c.SeeRoom(
        table=R1T1, seated=("a", "b"), playing=True, wins=(wins[0], wins[1]), duel=2, now=minutes(5)
    )


@pytest.mark.parametrize(
    ("wins", "expected"), [((0, 0), [0, 0]), ((1, 0), [3, 0]), ((0, 1), [0, 3]), ((1, 1), [1, 1])]
)
def test_a_draft_ranking_counts_every_score_as_it_is_known(
    wins: tuple[int, int], expected: list[int]
) -> None:
    """S139: off: any score edit changes it."""
    assert points(after(started(4, DRAFT), seen(*wins))) == expected


def test_a_submitted_ranking_changes_only_with_results() -> None:
    """S139: the default."""
    state = after(started(4), seen(1, 0))
    assert points(state) == [0, 0]
    assert live(state) == standings(state)
    assert standings(after(started(4, DRAFT), seen(1, 0))) == standings(started(4, DRAFT))


def test_in_a_draft_the_last_word_counts() -> None:
    """S136, S139: what was said of a match before both agree."""
    table = tables(started(4))[0]
    first = c.ReportByPlayer(table=R1T1, player=table.a, outcome="a", wins=(2, 0), now=minutes(5))
    second = c.ReportByPlayer(table=R1T1, player=table.b, outcome="b", wins=(0, 2), now=minutes(6))
    said = after(started(4, DRAFT), first)
    assert points(said) == [3, 0]
    assert points(after(said, second)) == [0, 3]
    assert points(after(said, second, replace(first, outcome="draw", wins=(1, 1), now=minutes(7)))) == [1, 1]


def test_without_a_list_there_is_nothing_live() -> None:
    """4.9."""
    assert live(started(4, Settings(title="Cup", format="elimination"))) == ()


def test_the_list_can_be_asked_why() -> None:
    """H203: the calculation behind a number."""
    state = play_out(started(4))
    row = standings(state)[0]
    assert calculation(explained(state), row.player, "points").value == row.values["points"]


def test_prizes_go_to_places_and_equals_share_them() -> None:
    """S129, R032: the first prizes for the first places; a tie takes the better one, the next is left."""
    prizes = (Prize(name="Cup"), Prize(name="Mat"), Prize(name="Pack", count=2))
    cup = Settings(title="Cup", format="elimination", prizes=prizes)
    end = play_out(started(8, cup))
    assert [(prize.name, place) for prize, _, place in winners(end)] == [
        ("Cup", 1),
        ("Mat", 2),
        ("Pack", 3),
        ("Pack", 3),
    ]
    assert [player for _, player, _ in winners(end)] == [player for player, _ in end.places[:4]]
    level = play_out(started(4, replace(SWISS, rounds=1, prizes=prizes)))
    shared = [(prize.name, place) for prize, _, place in winners(level)]
    assert shared == [("Cup", 1), ("Cup", 1), ("Pack", 3), ("Pack", 3)]
    assert winners(started(4, cup)) == ()
