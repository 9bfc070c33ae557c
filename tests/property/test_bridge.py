"""Laws of the bridge: readers are total, matching agrees with the rule read aloud."""

import json
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from ruleset.ids import PlayerId, RoundNo, ServerId, TableNo, TournamentNo, player_label
from ruleset.roomcode import RoomCode
from srvpro_bridge.adminapi import parse_answer, parse_rooms
from srvpro_bridge.challonge import OpenMatch, parse_roster, parse_score, report
from srvpro_bridge.duellog import parse_log
from srvpro_bridge.errors import PeerError
from srvpro_bridge.matching import Candidate, Index, Matched, NotOurs, Parked, match_room
from srvpro_bridge.names import Entrant, fold, number_in, participant_names, shown
from srvpro_bridge.simulator.nicks import deck_name_match

HALL = ServerId("hall")
KEYS = ["api_key", "match", "scores_csv", "winner_id", "rooms", "users", "status", "istart", "name"]

words = st.text(max_size=12) | st.sampled_from(KEYS)
trees = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=20,
)
bodies = st.one_of(
    st.binary(max_size=200),
    trees.map(lambda tree: json.dumps(tree).encode()),
    st.text(max_size=80).map(lambda text: f"['{text}', '{text}']".encode("utf-8", "replace")),
)


def refused(read: Callable[[bytes], object], body: bytes) -> PeerError | None:
    """Return how *body* is refused; ``None``: it is read."""
    try:
        read(body)
    except PeerError as error:
        return error
    return None


@given(bodies)
def test_nothing_escapes_the_error_class(body: bytes) -> None:
    """F17: whatever comes in, every reader answers or raises a PeerError with a code and a sentence."""
    for read in (parse_score, parse_roster, parse_rooms, parse_answer, parse_log):
        refusal = refused(read, body)
        assert refusal is None or (refusal.code and str(refusal))


@given(st.integers(-999, 999), st.integers(-999, 999), st.sampled_from([None, "tie", "P1", "P2"]))
def test_every_pair_of_codes_is_split_where_it_was_joined(a: int, b: int, winner: str | None) -> None:
    """duel-server.md 3: the last ``-`` of the first number splits; a report always comes of it."""
    body = json.dumps({"api_key": "", "match": {"scores_csv": f"{a}-{b}", "winner_id": winner}}).encode()
    score = parse_score(body)
    told = report(score, OpenMatch(id="X1R1T1", player1_id="P1", player2_id="P2"), HALL)
    assert score.scores == (a, b)
    assert told.winner == {None: None, "tie": "draw", "P1": "a", "P2": "b"}[winner]


@given(st.text(max_size=20), st.lists(st.text(max_size=8), max_size=3))
def test_a_stage_that_is_new_to_us_hides_no_room(istart: str, names: list[str]) -> None:
    """duel-server.md 1: everybody in the room is still seen."""
    users = [{"name": name, "pos": pos} for pos, name in enumerate(names)]
    body = json.dumps({"rooms": [{"roomid": "1", "roomname": "R", "users": users, "istart": istart}]})
    [room] = parse_rooms(body.encode())
    assert [person.pos for person in room.people] == [*range(len(names))]


nicknames = st.lists(
    st.sampled_from(["Alice", "ALICE", "Bob", "2", "Big Joe", "a+b"]), min_size=2, max_size=8
)
typed = st.sampled_from(["alice", "Bob", "1", "2", "P000001", "p000002", "000003", "Big Joe", "a+b", "Zed"])


def meant(name: str, everybody: list[Entrant]) -> set[PlayerId]:
    """Read 5.6 aloud: a number is exactly that player, unless the digits are somebody's nickname."""
    named = {entrant.number for entrant in everybody if fold(entrant.nickname) == fold(name)}
    numbered = {entrant.number for entrant in everybody if entrant.number == number_in(fold(name))}
    return named if named and name.isdigit() else numbered or named


@given(nicknames, st.integers(0, 4), typed, typed)
def test_matching_by_names_is_the_rule_read_aloud(nicks: list[str], idle: int, one: str, other: str) -> None:
    """5.6-2, 5.6-3: one open table and nobody else who may be meant, or parked, or not ours."""
    everybody = [Entrant(number=PlayerId(n), nickname=nick) for n, nick in enumerate(nicks, 1)]
    seated = everybody[: max(2, len(everybody) - idle) // 2 * 2]
    tables = [
        Candidate(
            code=RoomCode(tournament=TournamentNo(1), round_no=RoundNo(1), table=TableNo(n)),
            server=HALL,
            a=a,
            b=b,
        )
        for n, (a, b) in enumerate(zip(seated[::2], seated[1::2], strict=True), 1)
    ]
    ones, others = meant(one, everybody), meant(other, everybody)
    straight = [table for table in tables if table.a.number in ones and table.b.number in others]
    swapped = [table for table in tables if table.b.number in ones and table.a.number in others]
    fits = {table.code: table for table in straight + swapped}
    answer = match_room(Index(tables, everybody), HALL, "hello", (one, other))
    match answer:
        case Matched():
            assert [*fits] == [answer.candidate.code]
            assert len(ones) == len(others) == 1
            assert answer.flipped == bool(swapped)
        case Parked():
            assert {table.code for table in answer.candidates} == fits.keys()
            assert len(ones) > 1 or len(others) > 1
        case NotOurs():
            assert not fits
        case _:
            raise AssertionError(answer)
    back = match_room(Index(tables, everybody), HALL, "hello", (other, one))
    assert type(back) is type(answer)


wild_nicknames = st.lists(
    st.text(st.sampled_from("aA b+＋.Lv5\\"), min_size=1, max_size=8).map(str.strip).filter(shown), max_size=6
)


@given(wild_nicknames)
def test_srvpro_finds_exactly_the_entrant_who_is_meant(nicks: list[str]) -> None:
    """duel-server.md 3, R059: by his number, by his nickname unless it is shared; never somebody else."""
    everybody = [Entrant(number=PlayerId(n), nickname=nick) for n, nick in enumerate(nicks, 1)]
    names = participant_names(everybody)

    def found(typed: str) -> list[PlayerId]:
        return [number for number, name in names.items() if deck_name_match(name, typed)]

    for entrant in everybody:
        namesakes = [other for other in everybody if fold(other.nickname) == fold(entrant.nickname)]
        assert found(player_label(entrant.number)) == [entrant.number]
        assert found(shown(entrant.nickname)) == ([entrant.number] if len(namesakes) == 1 else [])
