"""What a plugin records of a match becomes a report whose certainty is known (5.6-6, 5.7; 10.l)."""

from typing import Any

import pytest

from ruleset.ids import Instant
from ruleset.tournament.reports import Report, SeatScore
from ruleset.tournament.results import Game
from ruleset.tournament.state import Table
from ruleset.tournament.verdicts import judge
from srvpro_bridge.protocol import RoomClosed
from srvpro_bridge.reports import names_of, of_end, of_game
from tests.builders import SERVER, started, tables
from tests.gateways import closed, game_over

TABLE: Table = tables(started(2))[0]
A, B, DRAWN = Game(winner="a"), Game(winner="b"), Game(winner=None)
BY_TIME = Game(winner="a", reason="time")
BEGAN = Instant(5)


def end(winners: str, scores: tuple[int, int] | None = None, **more: Any) -> Report:
    """Return the report of a room's end."""
    told = of_end(closed(9, TABLE, winners, scores, **more), SERVER, BEGAN)
    assert told is not None
    return told


def game(winners: str, *, lead_ends: bool = True, **more: Any) -> Report:
    """Return the report of the last of some games."""
    return of_game(game_over(3, TABLE, winners, **more), SERVER, BEGAN, lead_ends=lead_ends)


def score(wins: int, ending: str = "") -> SeatScore:
    """Return what a report says of a seat."""
    return SeatScore(wins=wins, ending=ending)  # type: ignore[arg-type] # tests write the literals


def said(report: Report) -> tuple[object, ...]:
    """Return what matters of a report."""
    return report.winner, report.crashed, report.a, report.b


@pytest.mark.parametrize(
    ("winners", "best_of", "winner"),
    [
        ("aa", 3, "a"),
        ("abb", 3, "b"),
        ("a", 1, "a"),
        ("b", 1, "b"),
        ("d", 1, "draw"),
        ("abd", 3, "draw"),
        ("ddd", 3, "draw"),
        ("add", 3, "a"),
    ],
)
def test_a_decided_match_is_final_at_its_last_game(winners: str, best_of: int, winner: str) -> None:
    """10.j: a kill of the duel server behind the last win loses nothing; the end says the same again."""
    wins = (winners.count("a"), winners.count("b"))
    wanted = (winner, False, score(wins[0]), score(wins[1]))
    assert said(game(winners, best_of=best_of)) == wanted
    assert said(end(winners, best_of=best_of)) == wanted


@pytest.mark.parametrize("winners", ["a", "b", "d", "ab", "ad", "dd"])
def test_a_match_that_goes_on_is_a_sight(winners: str) -> None:
    """T7, 5.6-6: no winner, and the games so far."""
    told = game(winners)
    assert (told.winner, told.crashed, told.final) == (None, None, False)
    assert (told.a.wins, told.b.wins) == (winners.count("a"), winners.count("b"))
    assert told.games == tuple({"a": A, "b": B, "d": DRAWN}[letter] for letter in winners)


def test_a_lead_that_arose_in_death_decides() -> None:
    """5.4, H206: the match ends at siding, where the server does so; the deciding game is that of time."""
    told = game("a", death="three")
    assert said(told) == ("a", False, score(1), score(0, "death"))
    assert told.games == (BY_TIME,)
    assert not game("a", death="three", lead_ends=False).final
    assert not game("ab", death="sudden").final
    assert game("da", death="sudden").winner == "a"
    assert said(game("b", death="three", best_of=1)) == ("b", False, score(0), score(1))


def test_a_match_winning_card_decides() -> None:
    """duel-server.md 2: 99 ends the match, whatever the games."""
    assert said(game("a", scores=(99, 0))) == ("a", False, score(1, "match_card"), score(0))
    assert said(end("b", (0, 99))) == ("b", False, score(0), score(1, "match_card"))


CASES = [
    # 10.l, row by row: games, scores, more; winner, crashed, seat a, seat b
    ("a", (1, -1), {"finished_by_death": True}, ("a", False, score(1), score(0, "death"))),
    ("b", (-1, 1), {"finished_by_death": True}, ("b", False, score(0, "death"), score(1))),
    ("a", (1, -9), {"away": (1,)}, ("a", False, score(1), score(0, "left"))),
    ("", (-9, 0), {"away": (0,), "begun": 1}, ("b", False, score(0, "left"), score(0))),
    ("a", (-9, 0), {"away": (0,), "begun": 2}, ("b", False, score(1, "left"), score(0))),
    ("a", (-9, 0), {"away": (0, 1)}, ("draw", False, score(1, "left"), score(0, "left"))),
    ("a", (-9, -9), {"begun": 2}, ("draw", False, score(1, "left"), score(0, "left"))),
    ("a", (1, 0), {"away": (1,)}, ("a", False, score(1), score(0, "left"))),
    ("a", (1, -1), {"away": (0, 1)}, ("a", False, score(1), score(0, "death"))),
    ("aa", (2, -9), {"away": (1,)}, ("a", False, score(2), score(0))),
    ("aa", (-9, 0), {"away": (0,)}, ("a", False, score(2), score(0))),
]


@pytest.mark.parametrize(("winners", "scores", "more", "wanted"), CASES)
def test_how_rooms_end(winners: str, scores: tuple[int, int], more: Any, wanted: object) -> None:
    """duel-server.md 2, 10.l: marks stand in the place of wins, and the games tell the wins all the same."""
    assert said(end(winners, scores, **more)) == wanted


def test_time_decides_the_last_game_of_the_winner() -> None:
    """H206: its reason says so; one that was won before death does, too, for the lead ended the match."""
    assert end("a", (1, -1), finished_by_death=True).games == (BY_TIME,)
    assert end("da", (1, -1), finished_by_death=True).games == (DRAWN, BY_TIME)


@pytest.mark.parametrize(
    ("winners", "more"),
    [
        ("", {"ending": "crashed", "begun": 1}),
        ("a", {"ending": "crashed", "begun": 2}),
        ("ab", {"ending": "crashed", "begun": 2}),
        ("", {"best_of": 1, "begun": 1}),
        ("ab", {"begun": 3}),
        ("a", {"begun": 1}),
    ],
)
def test_an_end_that_nobody_saw_is_suspect(winners: str, more: Any) -> None:
    """5.6-6, F29, 10.0-1: a crash, or a game server that hung up without a word of who won."""
    told = end(winners, **more)
    assert (told.crashed, told.final) == (True, True)
    assert judge(TABLE, told, 3) == "suspect"


@pytest.mark.parametrize("ending", ["closed", "kicked"])
def test_a_room_that_was_closed_says_nothing_of_its_end(ending: str) -> None:
    """T10, duel-server.md 0-4: a kick sets the scores to 0; the wins still hold the truth."""
    told = end("a", (0, 0), ending=ending)
    assert (told.final, told.a.wins, told.crashed) == (False, 1, None)


def test_a_room_that_nobody_started_says_nothing() -> None:
    """duel-server.md 3: no report of a room left in BEGIN."""
    assert of_end(closed(1, TABLE, "", ending="unstarted", players=()), SERVER, None) is None


def test_two_of_one_nickname_are_never_told_apart() -> None:
    """5.6-3, duel-server.md 0-9: whose win it was nobody knows: no games, and no certain winner."""
    told = end("??", (2, 2))
    assert (told.games, told.crashed, told.winner) == (None, True, "draw")
    assert game("?", scores=(1, 1)).final is False


def test_names_stand_by_position() -> None:
    """5.6: seat A of the report is position 0; nobody known is an empty name."""
    both = closed(1, TABLE, "aa").players
    assert names_of(both) == (f"Nick{TABLE.a}", f"Nick{TABLE.b}")
    assert names_of(both[::-1]) == names_of(both)
    assert names_of(()) == ("", "")


def test_reports_of_one_room_are_told_apart() -> None:
    """5.6-5: the same word of the same room is the same report; each game and the end have their own."""
    assert game("a").body != game("ab").body != end("aba").body
    assert end("aa") == end("aa")
    assert end("aa").body != end("aa", room="b007-2").body
    assert (end("aa").began_at, end("aa").source) == (BEGAN, "plugin")


def test_a_broken_part_of_the_last_word_claims_nothing() -> None:
    """10.k: a plugin that could not make a part of it sends what claims least."""
    broken = RoomClosed(
        seq=1,
        at=Instant(1),
        room="r",
        name="X12R1T1",
        code="X12R1T1",
        ending="crashed",
        best_of=3,
        stage="end",
        players=(),
        games=(),
        begun=0,
        finished=False,
        finished_by_death=False,
        scores_before=None,
        away=(),
        duel_end=(),
        exit=None,
        started_at=None,
    )
    told = of_end(broken, SERVER, None)
    assert told is not None
    assert (told.crashed, told.winner) == (True, "draw")
