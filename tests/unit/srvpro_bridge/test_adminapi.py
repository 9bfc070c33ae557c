"""The admin API against the literal bodies of duel-server.md 1."""

import pytest

from srvpro_bridge.adminapi import (
    Account,
    Done,
    PlayerSight,
    RoomNotFound,
    RoomSight,
    Stage,
    Verb,
    order_path,
    parse_answer,
    parse_rooms,
    rooms_path,
)
from srvpro_bridge.errors import NotSrvpro, WrongPassword

DAEMON = Account(user="daemon", password="p&w 1")
WAITING = (
    b'{"rooms":[{"roomid":"17956","roomname":"M#X1R1T1","roommode":1,"needpass":"false",'
    b'"users":[{"id":"-1","name":"Alice","ip":null,"status":null,"pos":0}],"istart":"wait"}]}'
)


def room(istart: str, users: str = "") -> RoomSight:
    """Return how a room with that ``istart`` is read."""
    body = f'{{"rooms":[{{"roomid":"7","roomname":"R","roommode":1,"users":[{users}],"istart":"{istart}"}}]}}'
    [seen] = parse_rooms(body.encode())
    return seen


def test_requests_carry_the_account_and_the_whole_name() -> None:
    """duel-server.md 1: names are URL-encoded, with prefix and ``$password``."""
    assert rooms_path(DAEMON) == "/api/getrooms?username=daemon&pass=p%26w%201"
    order = order_path(DAEMON, "death", "M#X1R1T1")
    assert order == "/api/message?username=daemon&pass=p%26w%201&death=M%23X1R1T1"
    assert order_path(DAEMON, "shout", "a b&c/你").endswith("&shout=a%20b%26c%2F%E4%BD%A0")


def test_a_waiting_room_is_read_to_the_last_field() -> None:
    """duel-server.md 1: the literal entry of a match room that waits."""
    [seen] = parse_rooms(WAITING)
    alice = PlayerSight(name="Alice", pos=0)
    expected = RoomSight(roomid="17956", name="M#X1R1T1", mode=1, stage=Stage.BEGIN, people=(alice,))
    assert (seen, seen.waiting, seen.players) == (expected, True, (alice,))
    assert parse_rooms(b'{"rooms":[]}') == ()


@pytest.mark.parametrize(
    ("istart", "stage", "duel", "turn", "death", "last_turn"),
    [
        ("wait", Stage.BEGIN, 0, 0, "off", None),
        ("Duel:0 Turn:0", Stage.COIN, 0, 0, "off", None),
        ("Duel:0 Turn:0/4", Stage.COIN, 0, 0, "on", 4),
        ("Duel:1 Turn:0", Stage.COIN, 1, 0, "off", None),
        ("Duel:1 Turn:1", Stage.DUELING, 1, 1, "off", None),
        ("Duel:1 Turn:3/4", Stage.DUELING, 1, 3, "on", 4),
        ("Duel:1 Turn:5/Death", Stage.DUELING, 1, 5, "sudden", None),
        ("Duel:1 Siding", Stage.SIDING, 1, 0, "off", None),
        ("start", Stage.STARTED, 0, 0, "off", None),
        ("Duel:1 Turn:?", Stage.STARTED, 0, 0, "off", None),
    ],
)
def test_every_stage_is_told_by_istart(
    istart: str, stage: Stage, duel: int, turn: int, death: str, last_turn: int | None
) -> None:
    """duel-server.md 1: the table of stages, with and without death; ``start`` where show_info is off."""
    seen = room(istart)
    assert (seen.stage, seen.duel, seen.turn, seen.death, seen.last_turn) == (
        stage,
        duel,
        turn,
        death,
        last_turn,
    )
    assert seen.waiting == (istart == "wait")


def test_players_are_told_from_spectators() -> None:
    """duel-server.md 1: spectators have position 7 and no status; a new player has no position yet."""
    users = (
        '{"name":"Bob","status":{"score":-9,"lp":0,"cards":3},"pos":1},{"name":"Eve","status":null,"pos":7},'
        '{"name":"Zoe"},{"name":"Alice","status":{"score":1,"lp":8000,"cards":5},"pos":0}'
    )
    seen = room("Duel:2 Turn:3", users)
    assert [(p.name, p.score, p.lp, p.cards) for p in seen.players] == [
        ("Alice", 1, 8000, 5),
        ("Bob", -9, 0, 3),
    ]
    assert [p.pos for p in seen.people] == [1, 7, None, 0]


def test_half_a_character_in_a_name_hides_no_room() -> None:
    """duel-server.md 6: a nickname cut at 20 units may end in a lone surrogate; it becomes U+FFFD."""
    seen = room(
        "wait", r'{"name":"a\ud83d","pos":0},{"name":"b\ud83d\ude00","pos":1},{"name":"\\ud83d","pos":7}'
    )
    assert [person.name for person in seen.people] == ["a\ufffd", "b\U0001f600", "\\ud83d"]


@pytest.mark.parametrize(
    ("name", "address"), [("M#X1", "M#X1"), ("all", "7"), ("17956", "7"), ("All", "All")]
)
def test_an_order_never_reaches_other_rooms(name: str, address: str) -> None:
    """duel-server.md 1: ``all`` means every room, digits a room id: such a room is called by its own id."""
    assert RoomSight(roomid="7", name=name, mode=1, stage=Stage.BEGIN).address == address


def test_a_refused_account_looks_like_a_room() -> None:
    """duel-server.md 1: the look-alike; a room that somebody named so is a room."""
    with pytest.raises(WrongPassword):
        parse_rooms('{"rooms":[{"roomid":"0","roomname":"密码错误","needpass":"true"}]}'.encode())
    assert len(parse_rooms('{"rooms":[{"roomid":"9","roomname":"密码错误","istart":"wait"}]}'.encode())) == 1


@pytest.mark.parametrize(
    ("body", "verb", "target"),
    [
        ("['shout ok', 'hello ' world 你好']", "shout", "hello ' world 你好"),
        ("['death ok', '17956']", "death", "17956"),
        ("['death cancel ok', '17956']", "deathcancel", "17956"),
        ("['kick ok', '17956']", "kick", "17956"),
    ],
)
def test_an_answer_says_ok(body: str, verb: Verb, target: str) -> None:
    """duel-server.md 1: single quotes, nothing escaped."""
    assert parse_answer(body.encode()) == Done(verb=verb, target=target)


def test_an_answer_says_no() -> None:
    """duel-server.md 1: no such room, or no death to cancel; a wrong account or permission."""
    assert parse_answer(b"['room not found', 'NOPE']") == RoomNotFound(target="NOPE")
    with pytest.raises(WrongPassword, match=r"admin_user\.json"):
        parse_answer("['密码错误', 0]".encode())


@pytest.mark.parametrize(
    "body", [b"", b"<html>502</html>", b"['what ok', 'x']", b"{}", b"\xff", b"['death ok', "]
)
def test_other_answers_are_not_srvpros(body: bytes) -> None:
    """F29: the 400 with an empty body, HTML of a proxy, half an answer."""
    with pytest.raises(NotSrvpro):
        parse_answer(body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b'{"rooms":{}}',
        b'{"rooms":[{"roomid":7}]}',
        b"[" * 100_000,
        b'{"rooms":[' + b"[" * 100_000,
    ],
)
def test_other_lists_are_not_srvpros(body: bytes) -> None:
    """F18, F29: HTML, other shapes, 10^5 nested brackets."""
    with pytest.raises(NotSrvpro):
        parse_rooms(body)


def test_deep_nesting_is_refused() -> None:
    """F18: 10^5 brackets in a field that nobody reads."""
    with pytest.raises(NotSrvpro, match="nests deeper") as refusal:
        parse_rooms(b'{"rooms":[],"x":' + b"[" * 100_000)
    assert refusal.value.code == "too_deep"
