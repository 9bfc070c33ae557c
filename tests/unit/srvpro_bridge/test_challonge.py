"""The Challonge face against the literal bodies of duel-server.md 3."""

import json

import pytest

from ruleset.ids import ServerId
from ruleset.tournament.reports import SeatScore
from srvpro_bridge.challonge import (
    MAX_SCORE_BYTES,
    OpenMatch,
    Participant,
    parse_roster,
    parse_score,
    render,
    report,
)
from srvpro_bridge.errors import BadReport

HALL = ServerId("hall")
MATCH = OpenMatch(id="X1R1T1", player1_id="P1", player2_id="P2")
LEFT, DEATH, CARD = (SeatScore(ending=ending) for ending in ("left", "death", "match_card"))
WINS = [SeatScore(wins=n) for n in range(3)]
UNKNOWN = SeatScore()


def put(scores: str, winner: str | None = None) -> bytes:
    """Return the bytes that srvpro sends (seen)."""
    before = "" if winner is None else f'"winner_id":"{winner}",'
    return f'{{"api_key":"KEY123","match":{{{before}"scores_csv":"{scores}"}}}}'.encode()


def test_the_answer_has_the_form_that_srvpro_reads() -> None:
    """duel-server.md 3: the body, to the byte; without a frozen deck there is no ``deckbuf``."""
    alice = Participant(id="P1", name="12345+Alice", deckbuf="base64?")
    answer = render((alice, Participant(id="P2", name="小+ B")), (MATCH,))
    assert (
        answer
        == (
            '{"tournament":{"id":1,"participants":[{"participant":{"id":"P1","name":"12345+Alice","deckbuf":"base64?"}},'
            '{"participant":{"id":"P2","name":"小+ B"}}],'
            '"matches":[{"match":{"id":"X1R1T1","state":"open","player1_id":"P1","player2_id":"P2","winner_id":null}}]}}'
        ).encode()
    )
    assert json.loads(render((), ())) == {"tournament": {"id": 1, "participants": [], "matches": []}}


@pytest.mark.parametrize(
    ("scores", "winner", "a", "b", "won"),
    [
        ("1-0", None, WINS[1], WINS[0], None),
        ("0-0", None, WINS[0], WINS[0], None),
        ("2-1", "P1", WINS[2], WINS[1], "a"),
        ("0-2", "P2", WINS[0], WINS[2], "b"),
        ("1--9", "P1", WINS[1], LEFT, "a"),
        ("0--9", "P1", WINS[0], LEFT, "a"),
        ("-9-0", "P2", LEFT, WINS[0], "b"),
        ("-9--9", "tie", LEFT, LEFT, "draw"),
        ("1--1", "P1", WINS[1], DEATH, "a"),
        ("-1-1", "P2", DEATH, WINS[1], "b"),
        ("99-1", "P1", CARD, WINS[1], "a"),
        ("0-99", "P2", WINS[0], CARD, "b"),
        ("1-1", "tie", WINS[1], WINS[1], "draw"),
        ("0-0", "tie", WINS[0], WINS[0], "draw"),
        ("-5-3", "P2", UNKNOWN, UNKNOWN, "b"),
    ],
)
def test_every_score_is_understood(
    scores: str, winner: str | None, a: SeatScore, b: SeatScore, won: str | None
) -> None:
    """duel-server.md 2 and 3, T13: wins, -9 left, -1 death, 99 card, one or both; -5 and 3 are unknown."""
    told = report(parse_score(put(scores, winner)), MATCH, HALL)
    assert (told.a, told.b, told.winner, told.source, told.server) == (a, b, won, "challonge", HALL)
    assert told.final == (winner is not None)


def test_only_the_same_message_is_the_same_report() -> None:
    """5.6-5: srvpro's six tries are one report; the key stays out of what the log keeps."""
    messages = [put("1-0"), put("1-0"), put("1-0", "P1"), put("1--1", "P1")]
    bodies = [report(parse_score(message), MATCH, HALL).body for message in messages]
    assert bodies == ["1-0", "1-0", "1-0 P1", "1--1 P1"]


def test_the_key_is_handed_on_for_judging() -> None:
    """F11: whoever takes the report compares it; an absent winner may also be null."""
    assert parse_score(put("1-0")).api_key == "KEY123"
    assert parse_score(b'{"api_key":"","match":{"scores_csv":"1-0","winner_id":null}}').winner_id is None


def test_a_winner_from_another_table_is_refused() -> None:
    """F11: neither player nor ``tie``: says which match and who plays in it."""
    with pytest.raises(BadReport, match=r"'P3' of match X1R1T1.*'P1' and 'P2', nor 'tie'") as refusal:
        report(parse_score(put("2-0", "P3")), MATCH, HALL)
    assert refusal.value.code == "unknown_winner"


@pytest.mark.parametrize(
    "scores", ["", "2", "2-", "-2", "2-1,0-2", "2:1", "--1-0", "1---9", "1000-0", "１-0", "a-b"]
)
def test_other_scores_are_refused(scores: str) -> None:
    """duel-server.md 3: one pair, nothing else; several sets are another dialect."""
    with pytest.raises(BadReport) as refusal:
        parse_score(put(scores, "P1"))
    assert refusal.value.code == "bad_scores"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "not_json"),
        (b"match[scores_csv]=1-0", "not_json"),
        (b"<html>", "not_json"),
        (b'{"api_key":"K","match":{"scores_csv":NaN}}', "not_json"),
        (b'{"api_key":"K","match":{"scores_csv":"\\ud800"}}', "not_json"),
        (b'{"api_key":"K","match":{"scores_csv":"1-0"}} x', "not_json"),
        (b'{"api_key":"K","match":{"scores_csv":"\xff"}}', "not_json"),
        (b'{"api_key":"K"}', "wrong_shape"),
        (b'{"match":{"scores_csv":"1-0"}}', "wrong_shape"),
        (b'{"api_key":"K","match":{"scores_csv":1}}', "wrong_shape"),
        (b'{"api_key":"K","match":{"scores_csv":"1-0","winner_id":1}}', "wrong_shape"),
        (b'{"data":{"type":"match","attributes":{}}}', "wrong_shape"),
        (b'{"api_key":"K","match":{"scores_csv":"1-0"},"x":' + b"9" * 3_000 + b"}", "wrong_shape"),
        (b'{"api_key":"K","match":' + b"[" * 2_000, "wrong_shape"),
        (b"[" * 100_000, "too_large"),
        (b'{"api_key":"K","match":{"scores_csv":"' + b"1" * MAX_SCORE_BYTES + b'"}}', "too_large"),
    ],
)
def test_other_bodies_are_refused(body: bytes, code: str) -> None:
    """F18: other dialects, nesting, endless numbers, NaN, lone surrogates: one clear sentence each."""
    with pytest.raises(BadReport) as refusal:
        parse_score(body)
    assert refusal.value.code == code
    assert str(refusal.value)


@pytest.mark.parametrize("body", [b'{"api_key":"S3cret",', b"api_key=S3cret&scores_csv=1-0"])
def test_a_refusal_never_quotes_a_key(body: bytes) -> None:
    """House 5: tokens are in no log and in no answer."""
    with pytest.raises(BadReport) as refusal:
        parse_score(body)
    assert "S3cret" not in refusal.value.message


def test_deep_nesting_is_refused_where_the_body_may_be_long() -> None:
    """F18: 10^5 brackets in a roster."""
    with pytest.raises(BadReport) as refusal:
        parse_roster(b'{"api_key":"K","participants":[],"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}")
    assert refusal.value.code == "wrong_shape"


def test_a_roster_brings_names_and_decks() -> None:
    """Decisions 13: the deck dashboard's bulk_add."""
    body = b'{"api_key":"K","participants":[{"name":"1+A","deckbuf":"AAA="},{"name":"B"}]}'
    roster = parse_roster(body)
    assert roster.api_key == "K"
    players = [(player.name, player.deckbuf) for player in roster.players]
    assert players == [("1+A", "AAA="), ("B", None)]
