"""What people are shown of a tournament."""

from dataclasses import replace

from relayd.ports import LiveTable
from relayd.views.clock import clock
from relayd.views.people import deck, player_rows
from relayd.views.ranks import bracket_view, dp_view, shown, standings_view
from relayd.views.tables import round_view
from relayd.views.whole import settings, summary, whole
from ruleset.errors import CommandRejected
from ruleset.ids import Instant, PlayerId, ServerId, TableId, TournamentNo
from ruleset.seeds import commitment, round_key
from ruleset.tournament import commands as c
from ruleset.tournament.settings import ServerUse
from ruleset.tournament.state import Tournament
from tests.builders import SEED, SERVER, SWISS, after, entered, minutes, play_out, start, started, table_id
from tests.builders import clock as with_clock

PLACED = replace(SWISS, servers=(ServerUse(id=SERVER),))


def join(number: TournamentNo, table: TableId) -> str:
    """Return what players type."""
    return f"X{number}{table}"


def nowhere(_number: TournamentNo, table: TableId) -> str:
    """Know no duel server for any table."""
    raise CommandRejected("unknown_table", table=str(table))


def tables(state: Tournament, now: Instant, how: object = join) -> list[dict[str, object]]:
    """Return the tables of the present round."""
    assert state.round is not None
    view = round_view(state, state.round, {}, how, now)  # type: ignore[arg-type]  # one of the two above
    rows = view["tables"]
    assert isinstance(rows, list)
    return rows


def test_the_clock_shows_what_comes_next() -> None:
    """R062-R067, 5.1: sign-in before the start; late and time-up in a round; the cap once time was called."""
    before = clock(entered(2, replace(SWISS, start_at=minutes(0))), minutes(-10))
    assert (before["signin_opens_at"], before["signin_closes_at"]) == (minutes(-60), minutes(-30))
    assert (before["start_at"], before["round"]) == (minutes(0), None)
    state = started(4)
    running = clock(state, minutes(1))["round"]
    assert isinstance(running, dict)
    assert (running["late_at"], running["time_up_at"]) == (minutes(15), minutes(40))
    called = clock(after(state, c.CallTime(now=minutes(5))), minutes(6))["round"]
    assert isinstance(called, dict)
    assert (called["time_called_at"], called["time_up_at"]) == (minutes(5), None)
    assert called["cap_at"] == minutes(35)


def test_a_paused_clock_shows_what_would_come() -> None:
    """R068, T18: as if the host resumed now: the time that is left stays the same."""
    state = after(started(4), c.Pause(now=minutes(10)))
    for now in (minutes(10), minutes(25)):
        view = clock(state, now)
        played = view["round"]
        assert isinstance(played, dict)
        assert played["time_up_at"] - now == minutes(30) - minutes(0)
        assert (view["acts"], view["paused_at"], view["next"]) == (False, minutes(10), None)
    (first, *_) = tables(state, minutes(25))
    assert first["clock"] == {**dict(first["clock"]), "time_up_at": minutes(55)}  # type: ignore[call-overload]


def test_a_clock_by_hand_only_suggests() -> None:
    """R068: off: nothing acts by itself, and the page still shows the times."""
    view = clock(started(4, with_clock(auto=False)), minutes(1))
    played = view["round"]
    assert isinstance(played, dict)
    assert (view["acts"], view["next"], played["time_up_at"]) == (False, None, minutes(40))


def test_a_table_whose_duel_server_is_away_has_no_deadline() -> None:
    """5.5-8: its time stands still."""
    state = after(started(4, PLACED), c.LoseServer(server=SERVER, since=minutes(2), now=minutes(3)))
    for table in tables(state, minutes(4)):
        assert table["lost_at"] == minutes(2)
        assert table["clock"] == {
            "late_at": None,
            "time_up_at": None,
            "time_called_at": None,
            "cap_at": None,
            "extended_ms": 0,
        }


def test_what_players_type_stands_there_while_they_play() -> None:
    """R058: not where no duel server is known, nor after the match."""
    state = started(4, PLACED)
    assert [table["join"] for table in tables(state, minutes(1))] == ["X12R1T1", "X12R1T2"]
    assert [table["join"] for table in tables(state, minutes(1), nowhere)] == [None, None]
    first = next(state.all_tables())
    conceded = after(state, c.Concede(table=first.id, player=first.a, now=minutes(2)))
    assert [table["join"] for table in tables(conceded, minutes(3))] == [None, "X12R1T2"]


def test_live_rooms_stand_beside_their_tables() -> None:
    """Issue 2: stage, game, turn, score, LP as last seen."""
    state = started(4, PLACED)
    live = LiveTable(
        table=table_id(1, 2),
        server=ServerId("main"),
        room_name="M#X12R1T2",
        stage="dueling",
        duel=1,
        turn=3,
        death="off",
        last_turn=None,
        wins=(0, 0),
        lp=(8_000, 7_000),
        in_room=(True, True),
        strangers=(),
        seen_at=minutes(1),
    )
    assert state.round is not None
    rows = round_view(state, state.round, {live.table: live}, join, minutes(1))["tables"]
    assert isinstance(rows, list)
    assert rows[0]["live"] is None
    assert (rows[1]["live"]["lp"], rows[1]["live"]["turn"]) == ((8_000, 7_000), 3)


def test_the_seed_is_secret_until_the_end() -> None:
    """R030: its hash at once, each round's key with the round, itself after the end."""
    running = whole(started(4), minutes(1))
    seed = bytes.fromhex(SEED)
    keys = [round_key(seed, played.number).hex() for played in started(4).rounds]
    assert running["seed"] == {"sha256": commitment(seed), "round_keys": keys, "seed": None}
    assert SEED not in str(running)
    ended = whole(play_out(started(4)), minutes(900))["seed"]
    assert isinstance(ended, dict)
    assert ended["seed"] == SEED


def test_an_exhibition_is_said_before_it_starts() -> None:
    """R052, R054: eight or fewer: DP stays as it is; computed live."""
    assert [whole(entered(count), minutes(-40))["exhibition"] for count in (8, 9)] == [True, False]
    assert whole(started(8), minutes(1))["exhibition"] is True


def test_a_tournament_in_a_line_and_as_a_whole() -> None:
    """Issue 2: what a list shows; settings may be sent back; frozen list and pool are named."""
    state = started(5)
    line = summary(state)
    assert (line["tournament"], line["phase"], line["entrants"], line["open_tables"]) == (12, "running", 5, 2)
    view = whole(state, minutes(1))
    assert view["settings"] == settings(state)
    assert view["frozen"] == {
        "environment": "goat",
        "list_name": "2005.4",
        "list_hash": "00000001",
        "pool_hash": "00",
    }
    organised = replace(state, organiser=PlayerId(3), environment=None)
    assert whole(organised, minutes(1))["organiser"] == {"player": 3, "label": "P000003", "nickname": "Nick3"}
    assert whole(organised, minutes(1))["frozen"] is None
    stranger = whole(replace(state, organiser=PlayerId(99)), minutes(1))["organiser"]
    assert stranger == {"player": 99, "label": "P000099", "nickname": ""}


def test_players_and_decks() -> None:
    """R014, R017: who has a deck, is signed in, has dropped, and what DP he has."""
    state = after(entered(2), c.Register(player=PlayerId(3), nickname="Third", now=minutes(-40)))
    rows = player_rows(state)
    assert [(row["label"], row["deck"], row["signed_in"]) for row in rows][1:] == [
        ("P000002", "approved", 2),
        ("P000003", "none", None),
    ]
    assert rows[0]["dp"] is None
    dropped = player_rows(after(after(state, start(state)), c.Drop(player=PlayerId(1), now=minutes(1))))
    assert (dropped[0]["dropped_in"], dropped[0]["dp"]) == (1, {"at_entry": 1_000, "now": 1_000})
    assert deck(state, state.players[PlayerId(3)])["main"] == []


def test_ranks_are_exact_and_readable() -> None:
    """R024-R029: every criterion in its order, shares as fractions and as people read them."""
    state = play_out(started(9))
    view = standings_view(state)
    rows = view["rows"]
    assert isinstance(rows, list)
    assert view["criteria"] == ["points", "omw", "gw", "ogw", "h2h", "fewer_byes", "signin"]
    assert list(rows[0]["values"]) == view["criteria"]
    assert rows[0]["values"]["points"] == 9
    omw = rows[0]["values"]["omw"]
    assert omw["shown"].endswith(" %")
    assert "/" in omw["exact"] or omw["exact"] in {"0", "1"}
    assert shown(()) == []
    assert standings_view(entered(2)) == {"rounds": 0, "criteria": list(SWISS.scores.order), "rows": []}


def test_dp_and_brackets() -> None:
    """4.6-4.8: each row with table and opponent, the highest DP first; places neighbour by neighbour."""
    finals = replace(SWISS, format="elimination", rounds=0)
    state = play_out(started(9, finals))
    rows = dp_view(state)
    assert [row["now"] for row in rows] == sorted((row["now"] for row in rows), reverse=True)  # type: ignore[type-var]
    changes = rows[0]["rows"]
    assert isinstance(changes, list)
    assert changes[0]["table"] is not None
    bracket = bracket_view(state)["rounds"]
    assert isinstance(bracket, list)
    assert [len(played["slots"]) for played in bracket] == [16, 8, 4, 2]
    assert (len(bracket[0]["byes"]), len(bracket[0]["tables"])) == (7, 1)
    assert bracket[-1]["tables"][0]["result"]["outcome"] == "a"
