"""Tournament report files, read by a reader of another house."""

from dataclasses import replace
from pathlib import Path

import pytest
from py4swiss.trf import ParsedTrf, TrfParser  # type: ignore[import-untyped]  # it comes without types
from py4swiss.trf.results import ResultToken  # type: ignore[import-untyped]

from relayd.files.trf import as_trf
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId
from ruleset.tournament import commands as c
from ruleset.tournament.ranking import standings
from ruleset.tournament.results import Outcome, Reason
from ruleset.tournament.settings import Points, ScoreRules, Settings
from ruleset.tournament.state import Tournament
from tests.builders import (
    START,
    SWISS,
    after,
    all_won,
    entered,
    minutes,
    play_out,
    result,
    start,
    started,
    tables,
)


def parsed(state: Tournament, folder: Path) -> ParsedTrf:
    """Return what py4swiss makes of the file, which also finds points, opponents and colours consistent.

    The days are left out: it looks for one every nine columns, where the format has ten for each round.
    """
    path = folder / "made.trf"
    lines = as_trf(state).splitlines(keepends=True)
    path.write_bytes(b"".join(line for line in lines if not line.startswith(b"132")))
    return TrfParser.parse(path)


def players(state: Tournament) -> list[str]:
    """Return the lines of players."""
    return [line for line in as_trf(state).decode().split("\r\n") if line.startswith("001")]


def ruled(state: Tournament, *results: tuple[Outcome, tuple[int, int], Reason]) -> Tournament:
    """Return the state after the tables of the round ended so, in order, and the next round is paired."""
    for table, (outcome, wins, reason) in zip(tables(state), results, strict=True):
        rule = c.Rule(table=table.id, result=result(outcome, wins, reason), now=minutes(10))
        state = after(state, rule)
    return after(state, c.NextRound(now=minutes(11)))


def tokens(found: ParsedTrf, round_no: int) -> list[ResultToken]:
    """Return what everybody has in a round, by starting number."""
    return [player.results[round_no - 1].result for player in found.player_sections]


@pytest.mark.parametrize("count", [4, 7, 9])
def test_another_reader_finds_a_whole_tournament_consistent(count: int, tmp_path: Path) -> None:
    """H208: points, opponents, colours and byes of all rounds; byes and wins are worth what they are here."""
    state = play_out(started(count, replace(SWISS, rounds=3)))
    found = parsed(state, tmp_path)
    assert found.x_section.number_of_rounds == 3
    assert [player.name for player in found.player_sections] == [f"Nick{n}" for n in range(1, count + 1)]
    rows = {row.player: row for row in standings(state)}
    for player in found.player_sections:
        assert player.fide_number is not None
        row = rows[PlayerId(player.fide_number)]
        assert (player.points_times_ten, player.rank) == (10 * int(row.values["points"]), row.rank)  # type: ignore[arg-type]  # a count
        assert player.fide_rating == 1_000


def test_the_head_says_what_was_played(tmp_path: Path) -> None:
    """H208: title, days in the tournament's zone, players, kind, time."""
    state = play_out(started(4))
    head = parsed(state, tmp_path).tournament_section
    lines = as_trf(state).decode().split("\r\n")
    assert head.tournament_name == "Weekly"
    for line in ("042 2027/01/15", "062 4", "072 4", "092 Individual: Swiss-System"):
        assert line in lines
    assert "122 Best of 3, 40 minutes a round" in lines
    dates = next(line for line in lines if line.startswith("132"))
    assert (dates.index("27/01/15"), len(dates)) == (91, 91 + 28)


def test_absences_double_losses_and_drops_have_letters_of_their_own(tmp_path: Path) -> None:
    """5.7: a match that nobody played is a forfeit, one that both lost is played; who dropped is absent."""
    state = started(8)
    state = ruled(
        state,
        ("a", (0, 0), "no_show"),
        ("double_loss", (0, 0), "no_show"),
        ("draw", (1, 1), "time"),
        ("b", (0, 1), "drop"),
    )
    state = after(state, c.Drop(player=PlayerId(1), now=minutes(12)))
    state = all_won(state, "a", minutes(20))
    state = after(state, c.NextRound(now=minutes(21)))
    found = parsed(state, tmp_path)
    first = tokens(found, 1)
    assert first.count(ResultToken.FORFEIT_WIN) == 1
    assert first.count(ResultToken.FORFEIT_LOSS) == 3
    assert first.count(ResultToken.DRAW) == 2
    assert (first.count(ResultToken.WIN), first.count(ResultToken.LOSS)) == (1, 1)
    assert len(found.player_sections[0].results) == 2  # the third round goes on: it is not in the file


def test_a_double_loss_after_the_cap_is_a_loss_for_both() -> None:
    """R066: both played and lost; that is what each line says, though chess hardly knows it."""
    state = ruled(started(4), ("double_loss", (1, 1), "cap"), ("a", (2, 0), "played"))
    assert sorted(line[98] for line in players(state)) == ["0", "0", "0", "1"]


def test_points_of_ones_own_are_told(tmp_path: Path) -> None:
    """R007: with 2 for a win, 1 for a draw or a loss and 1 for a bye, points still follow from results."""
    points = ScoreRules(points=Points(win=2, draw=1, loss=1, bye=1))
    state = play_out(started(5, replace(SWISS, scores=points)))
    assert parsed(state, tmp_path).player_sections[0].points_times_ten > 0
    high = ScoreRules(points=Points(win=90, draw=1, loss=0, bye=3))
    lines = players(play_out(started(4, replace(SWISS, scores=high))))
    assert {line[80:84] for line in lines} >= {" 270", "90.0"}


def test_a_round_robin_has_walkovers(tmp_path: Path) -> None:
    """S100: the opponent of who dropped has a full-point bye; a bracket behind it is not in the file."""
    robin = Settings(title="League", format="round_robin_elimination", cut=2, ends_after_ms=0)
    state = after(started(4, robin), c.Drop(player=PlayerId(4), now=minutes(1)))
    found = parsed(play_out(state), tmp_path)
    assert found.x_section.number_of_rounds == 3
    assert ResultToken.FULL_POINT_BYE in [token for n in (2, 3) for token in tokens(found, n)]


def test_names_and_ratings_stay_in_their_columns(tmp_path: Path) -> None:
    """F21: invisible characters are neutral, long names are cut, a DP of five digits stays out."""
    state = after(
        entered(2),
        c.Register(player=PlayerId(3), nickname="\u202e" * 16, now=minutes(-120)),
        c.SubmitDeck(player=PlayerId(3), deck=entered(1).players[PlayerId(1)].deck, verdict="legal"),  # type: ignore[arg-type]  # it is there
        c.SignIn(player=PlayerId(3), by_host=True, now=minutes(-45)),
    )
    state = after(state, start(state, START, {PlayerId(1): 12_345}))
    found = parsed(state, tmp_path)
    assert found.player_sections[2].name == ("\\u202e" * 16)[:33]
    assert [player.fide_rating for player in found.player_sections] == [None, 1_000, 1_000]
    assert [player.results for player in found.player_sections] == [[], [], []]


def test_what_has_no_rounds_of_a_list_is_refused() -> None:
    """H208: before the start nobody is in it; a bracket alone has no first stage."""
    for state, code in (
        (entered(4), "not_started"),
        (started(4, Settings(title="K", format="elimination", ends_after_ms=0)), "no_first_stage"),
    ):
        with pytest.raises(CommandRejected, match=code):
            as_trf(state)
