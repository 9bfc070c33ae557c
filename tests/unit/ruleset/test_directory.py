"""Facts across tournaments: numbers, nicknames, who is running where (R004, R057, decisions 2 and 3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleset.directory import commands as c
from ruleset.directory import events as e
from ruleset.directory.decide import decide
from ruleset.directory.nickname import normalised
from ruleset.directory.numbered import Numbered
from ruleset.directory.state import EMPTY, Directory, replay
from ruleset.errors import CommandRejected
from ruleset.ids import Instant, PlayerId, TournamentNo

NOW = Instant(1_800_000_000_000)
ONE, TWO = TournamentNo(1), TournamentNo(2)


def players(*numbers: int) -> tuple[PlayerId, ...]:
    """Return player numbers."""
    return tuple(PlayerId(number) for number in numbers)


def after(state: Directory, *commands: c.Command) -> Directory:
    """Return the state after *commands*."""
    for command in commands:
        state = replay(decide(state, command), state)
    return state


def enter(tournament: TournamentNo, *numbers: int) -> c.EnterPlayers:
    """Return a tournament's question for players."""
    return c.EnterPlayers(tournament=tournament, players=players(*numbers), now=NOW)


@pytest.fixture
def state() -> Directory:
    """Four players, two tournaments."""
    known = [c.RegisterPlayer(nickname=f"Nick{n}") for n in "abcd"]
    return after(EMPTY, *known, c.ReserveTournament(), c.ReserveTournament())


def test_numbers_go_up_from_one(state: Directory) -> None:
    """R004, decisions 2: player and tournament numbers are 1, 2, 3, … each for itself."""
    assert decide(state, c.RegisterPlayer(nickname=" Ｙｕｇｉ ")) == (
        e.PlayerRegistered(player=PlayerId(5), nickname="Yugi"),
    )
    assert decide(state, c.ReserveTournament()) == (e.TournamentReserved(tournament=TournamentNo(3)),)
    assert [player.nickname for player in state.players] == ["Nicka", "Nickb", "Nickc", "Nickd"]


def test_a_nickname_changes_and_the_number_stays(state: Directory) -> None:
    """R004: nicknames may change and may be carried by two; the same again changes nothing."""
    renamed = after(state, c.RenamePlayer(player=PlayerId(2), nickname="Nicka"))
    assert [player.nickname for player in renamed.players] == ["Nicka", "Nicka", "Nickc", "Nickd"]
    assert decide(renamed, c.RenamePlayer(player=PlayerId(2), nickname=" Nicka")) == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        (" \t\n", "empty"),
        ("a\nb", "control"),
        ("a\x1bb", "control"),
        ("a\u202eb", "control"),
        ("a\u2028b", "control"),
        ("a\u200bb", "control"),
        ("\ufeffa", "control"),
        ("a\u00adb", "control"),
        ("\U000e0041a", "control"),
        ("a\u3164", "control"),
        ("\u2800", "control"),
        ("\u200d", "empty"),
        ("a\ud800", "control"),
        ("a" * 17, "too_long"),
        ("😀" * 9, "too_long"),
        ("㍿" * 5, "too_long"),
        ("a$b", "reserved"),
        ("＃a", "reserved"),
        ("123", "number"),
        ("１２３", "number"),
        ("٣", "number"),
        ("P000123", "number"),
        ("p1", "number"),
        ("P000123+Eve", "number"),
        ("123 ＋Eve", "number"),
    ],
)
def test_bad_nicknames_are_refused_with_the_reason(text: str, why: str) -> None:
    """Decisions 3: 1-16 UTF-16 units after NFKC and trim, printable, no $ or #, not readable as a number."""
    with pytest.raises(CommandRejected) as refusal:
        decide(EMPTY, c.RegisterPlayer(nickname=text))
    assert (refusal.value.code, refusal.value.data) == ("bad_nickname", {"why": why})


@pytest.mark.parametrize(
    "text", ["a", "a" * 16, "😀" * 8, "游戏王", "P1a", "Pegasus", "1st", "a b", "é", "a+1", "👨\u200d👩"]
)
def test_good_nicknames_stay_as_they_are(text: str) -> None:
    """Decisions 3: letters of any script, spaces inside, digits beside letters."""
    assert normalised(text) == text


@given(st.text(max_size=20))
def test_what_was_normalised_is_normal(text: str) -> None:
    """Decisions 3: normalising again changes nothing."""
    try:
        once = normalised(text)
    except CommandRejected:
        return
    assert normalised(once) == once


def test_nobody_runs_in_two_tournaments(state: Directory) -> None:
    """R057: the first that asks has them; the second is told who is elsewhere, and where."""
    state = after(state, enter(ONE, 3, 1))
    assert decide(state, enter(TWO, 1, 2, 3, 4)) == (
        e.PlayersEntered(
            tournament=TWO,
            granted=players(2, 4),
            elsewhere=((PlayerId(1), ONE), (PlayerId(3), ONE)),
            at=NOW,
        ),
    )
    assert [player.running for player in after(state, enter(TWO, 1, 2)).players] == [ONE, TWO, ONE, None]


def test_asking_again_changes_nothing(state: Directory) -> None:
    """R057: a start that is repeated has what it had, and takes those who are new with them."""
    entered = after(state, enter(ONE, 1, 2))
    assert decide(entered, enter(ONE, 2, 1)) == ()
    (event,) = decide(entered, enter(ONE, 3, 1, 3))
    assert isinstance(event, e.PlayersEntered)
    assert event.granted == players(3, 1)
    assert after(entered, enter(ONE, 3, 1)).tournaments.row(1).players == players(1, 2, 3)


def test_who_is_free_for_nobody_leaves_no_event(state: Directory) -> None:
    """R057: a tournament that gets none of those it asked for changes nothing."""
    assert decide(after(state, enter(ONE, 1, 2)), enter(TWO, 1, 2)) == ()


def test_who_leaves_may_run_elsewhere(state: Directory) -> None:
    """R057: dropped or eliminated players are free at once; those of other tournaments are not touched."""
    state = after(state, enter(ONE, 1, 2), enter(TWO, 3))
    leave = c.LeavePlayers(tournament=ONE, players=players(2, 3, 2))
    assert decide(state, leave) == (e.PlayersLeft(tournament=ONE, players=players(2)),)
    state = after(state, leave)
    assert decide(state, leave) == ()
    assert [player.running for player in state.players] == [ONE, None, TWO, None]
    assert [player.running for player in after(state, enter(TWO, 2)).players] == [ONE, TWO, TWO, None]


def test_an_ended_tournament_lets_go_of_all(state: Directory) -> None:
    """R057: its players are free, it takes nobody any more, and ending it again changes nothing."""
    end = c.EndTournament(tournament=ONE)
    state = after(state, enter(ONE, 1, 2), end)
    assert {player.running for player in state.players} == {None}
    assert [*state.open_tournaments()] == [TWO]
    assert decide(state, end) == ()
    with pytest.raises(CommandRejected, match="tournament_ended"):
        decide(state, enter(ONE, 1))


@pytest.mark.parametrize(
    "command",
    [
        enter(TournamentNo(3), 1),
        enter(TournamentNo(0), 1),
        c.LeavePlayers(tournament=TournamentNo(3), players=players(1)),
        c.EndTournament(tournament=TournamentNo(3)),
    ],
)
def test_a_number_that_was_not_given_is_refused(state: Directory, command: c.Command) -> None:
    """Decisions 2: only the directory gives tournament numbers."""
    with pytest.raises(CommandRejected, match="unknown_tournament"):
        decide(state, command)


@pytest.mark.parametrize(
    "command", [enter(ONE, 5), enter(ONE, 0), c.RenamePlayer(player=PlayerId(5), nickname="Joey")]
)
def test_a_stranger_is_refused(state: Directory, command: c.Command) -> None:
    """R004: only the directory gives player numbers."""
    with pytest.raises(CommandRejected, match="unknown_player"):
        decide(state, command)


@given(st.lists(st.tuples(st.sampled_from([1, 2]), st.lists(st.integers(1, 4), max_size=4)), max_size=10))
def test_every_player_has_one_tournament(asked: list[tuple[int, list[int]]]) -> None:
    """R057: whoever asks in whatever order, players and tournaments tell the same story."""
    state = after(EMPTY, *[c.RegisterPlayer(nickname="Nick")] * 4, *[c.ReserveTournament()] * 2)
    for tournament, wanted in asked:
        state = after(state, enter(TournamentNo(tournament), *wanted))
    inside = {p: TournamentNo(n) for n, contest in enumerate(state.tournaments, 1) for p in contest.players}
    assert inside == {PlayerId(n): p.running for n, p in enumerate(state.players, 1) if p.running}
    assert sum(len(contest.players) for contest in state.tournaments) == len(inside)


def test_numbered_rows_are_kept_over_many_pages() -> None:
    """Rows keep their numbers over page borders; an older sequence stays as it was."""
    rows: Numbered[int] = Numbered()
    for number in range(1, 601):
        rows = rows.plus(number)
    changed = rows.put(256, -1).put(257, -2).put(600, -3)
    assert [*rows] == [*range(1, 601)]
    assert (len(rows), len(changed), len(Numbered())) == (600, 600, 0)
    assert [changed.get(n) for n in (0, 1, 256, 257, 600, 601)] == [None, 1, -1, -2, -3, None]
