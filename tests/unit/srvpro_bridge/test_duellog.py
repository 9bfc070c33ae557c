"""The duel log against the literal rows of duel-server.md 8."""

import json

import pytest

from ruleset.ids import ServerId
from ruleset.tournament.results import Game
from srvpro_bridge.adminapi import Account
from srvpro_bridge.duellog import LoggedGame, log_path, parse_log, report
from srvpro_bridge.errors import NotSrvpro, WrongPassword

SEEN = (
    b'[{"id":3,"time":"2026-11-29 19:52:06","name":"M#X1R1T1 (Duel:3)","roomid":23932,'
    b'"cloud_replay_id":"R#4563534962659165","replay_filename":"2026-11-29 19-52-06 Alice VS Bob.yrp",'
    b'"roommode":1,"players":['
    b'{"pos":0,"is_first":true,"name":"Alice (IP: 127.0.0.1) (Score:2 LP:8000 Cards:5)","winner":true},'
    b'{"pos":1,"is_first":false,"name":"Bob (Score:1 LP:0 Cards:3)","winner":false}]}]'
)
HALL = ServerId("hall")


def rows(*games: tuple[int, int, str], mode: int = 1, room: int = 1) -> bytes:
    """Return a log, newest first: id, number of the game, who won (``A``, ``B`` or nobody)."""
    return json.dumps(
        [
            {
                "id": number,
                "time": "t",
                "name": f"M#X1R1T1 (Duel:{duel})",
                "roomid": room,
                "roommode": mode,
                "players": [
                    {"pos": pos, "name": nick, "winner": nick == won} for pos, nick in enumerate("AB")
                ],
            }
            for number, duel, won in reversed(games)
        ]
    ).encode()


def test_a_row_is_read_to_the_last_field() -> None:
    """duel-server.md 8: the literal row; the brackets behind a name are the server's."""
    [room] = parse_log(SEEN)
    assert (room.roomid, room.name, room.mode, room.names) == ("23932", "M#X1R1T1", 1, ("Alice", "Bob"))
    assert room.games == (LoggedGame(number=3, winner=0, ended="2026-11-29 19:52:06", row=3),)
    assert not room.complete


def test_games_are_joined_in_the_order_of_play() -> None:
    """F31: newest first in the log; games and their winners come to the seats of the table."""
    [room] = parse_log(rows((5, 1, "A"), (6, 2, "B"), (8, 3, "A")))
    assert room.complete
    told = report(room, HALL, flipped=True)
    assert told.games == (Game(winner="b"), Game(winner="a"), Game(winner="b"))
    assert (told.source, told.a.wins, told.b.wins, told.winner, told.final) == ("duellog", 1, 2, "b", True)
    assert told.body == "duellog 1 5 6 8"


@pytest.mark.parametrize(
    ("games", "mode", "winner"),
    [
        ([(1, 1, "A")], 1, None),  # death or a crash may have ended it
        ([(1, 1, "A"), (2, 2, "A")], 1, "a"),
        ([(1, 2, "A"), (2, 3, "A")], 1, None),  # a game is missing
        ([(1, 1, "A"), (2, 2, "B"), (3, 3, "-")], 1, "draw"),
        ([(1, 1, "A"), (2, 2, "-"), (3, 3, "-")], 1, "a"),
        ([(1, 1, "B")], 0, "b"),
        ([(1, 1, "-")], 0, "draw"),
    ],
)
def test_only_a_whole_match_has_a_winner(
    games: list[tuple[int, int, str]], mode: int, winner: str | None
) -> None:
    """5.6-6, duel-server.md 2 (f) and 8: two wins or three games, none missing; a single duel is one."""
    [room] = parse_log(rows(*games, mode=mode))
    assert report(room, HALL, flipped=False).winner == winner


def test_a_second_room_of_the_same_id_is_another_room() -> None:
    """duel-server.md 1: the id is a process id, which comes again."""
    first, second = parse_log(rows((1, 1, "A"), (2, 2, "A"), (3, 1, "B")))
    assert ([game.row for game in first.games], [game.row for game in second.games]) == ([1, 2], [3])


def test_a_nickname_with_brackets_keeps_them() -> None:
    """duel-server.md 8: only what the server adds is dropped."""
    [room] = parse_log(
        SEEN.replace(b"Alice (IP", b"A (x) (IP").replace(b'"Bob (Score:1 LP:0 Cards:3)"', b'"B (Score"')
    )
    assert room.names == ("A (x)", "B (Score")


def test_rows_of_other_rooms_are_left_out() -> None:
    """duel-server.md 8: a tag duel has four players; a name without number belongs to no match."""
    assert parse_log(SEEN.replace(b'"pos":1', b'"pos":2')) == parse_log(SEEN.replace(b" (Duel:3)", b"")) == ()


def test_the_request_names_the_room() -> None:
    """duel-server.md 8: the filter is ``roomname``."""
    account = Account(user="d", password="p")
    assert log_path(account) == "/api/duellog?username=d&pass=p"
    assert log_path(account, "M#X1R1T1").endswith("&roomname=M%23X1R1T1")


def test_a_refused_account_and_other_bodies() -> None:
    """duel-server.md 8, F18: the look-alike is no JSON; without a database the body is empty."""
    with pytest.raises(WrongPassword):
        parse_log("[{name:'密码错误'}]".encode())
    for body in (b"", b"<html>", b'[{"id":1}]', b"[" * 100_000):
        with pytest.raises(NotSrvpro):
            parse_log(body)
