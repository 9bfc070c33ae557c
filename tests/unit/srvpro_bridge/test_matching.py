"""Which table a duel server speaks of, clause by clause of rules.md 5.6."""

from dataclasses import replace
from typing import Literal

import pytest

from ruleset.ids import PlayerId, ServerId
from ruleset.roomcode import parse
from srvpro_bridge.matching import (
    Candidate,
    Index,
    Matched,
    NotOurs,
    Parked,
    Unmatched,
    match_id,
    match_room,
    orientation,
    seats,
)
from srvpro_bridge.names import Entrant

HALL, ELSEWHERE = ServerId("hall"), ServerId("elsewhere")


def entrant(number: int, nickname: str) -> Entrant:
    """Return one who entered."""
    return Entrant(number=PlayerId(number), nickname=nickname)


ALICE, BOB, CAROL, DAVE = (entrant(n, nick) for n, nick in enumerate(("Alice", "Bob", "Carol", "Dave"), 1))
ONE = Candidate(code=parse("X12R3T4"), server=HALL, a=ALICE, b=BOB)
TWO = Candidate(code=parse("X12R3T5"), server=HALL, a=CAROL, b=DAVE)
INDEX = Index([ONE, TWO], [ALICE, BOB, CAROL, DAVE])


def found(
    evidence: Literal["room", "names"], *, flipped: bool = False, extra: bool = False, table: Candidate = ONE
) -> Matched:
    """Return a match."""
    return Matched(
        candidate=table, extra=extra, flipped=flipped, evidence="room" if evidence == "room" else "names"
    )


@pytest.mark.parametrize("room", ["X12R3T4", "M#X12R3T4", "m,nf#x12r3t4", "M#X12R3T4$pw"])
@pytest.mark.parametrize(("names", "flipped"), [(("Alice", "Bob"), False), (("Bob", "Alice"), True)])
def test_a_code_in_the_room_and_both_names(room: str, names: tuple[str, str], *, flipped: bool) -> None:
    """5.6-1: that table, in either order of the players."""
    assert match_room(INDEX, HALL, room, names) == found("room", flipped=flipped)


@pytest.mark.parametrize(
    ("names", "strangers"),
    [
        (("Alice", "Zed"), False),
        (("Alice", "P000001"), False),
        (("Zed", "Yan"), True),
        (("Carol", "Dave"), True),
    ],
)
def test_a_code_in_the_room_and_other_people(names: tuple[str, str], *, strangers: bool) -> None:
    """5.6-1: one of its players, one of them twice: shown with the candidate; none of them: strangers."""
    expected = Unmatched(code=ONE.code, candidate=ONE, strangers=strangers, names=names)
    assert match_room(INDEX, HALL, "M#X12R3T4", names) == expected


def test_the_room_code_is_stronger_than_the_names() -> None:
    """5.6-1: Carol and Dave have a table, but this room is another's: that one is the only candidate."""
    assert match_room(INDEX, HALL, "hello", ("Carol", "Dave")) == found("names", table=TWO)
    assert isinstance(match_room(INDEX, HALL, "M#X12R3T4", ("Carol", "Dave")), Unmatched)


def test_a_code_of_no_running_table() -> None:
    """5.6-1, R057: an unknown table of a running tournament is shown; another tournament is not ours."""
    names = ("Alice", "Bob")
    unknown = Unmatched(code=parse("X12R2T4"), candidate=None, strangers=False, names=names)
    assert match_room(INDEX, HALL, "M#X12R2T4", names) == unknown
    assert match_room(INDEX, HALL, "M#X13R3T4", names) == NotOurs()


def test_the_wrong_server_is_never_believed() -> None:
    """F11: the table plays on another server: shown, not taken; by names it is not even a candidate."""
    names = ("Alice", "Bob")
    expected = Unmatched(code=ONE.code, candidate=ONE, strangers=False, names=names)
    assert match_room(INDEX, ELSEWHERE, "M#X12R3T4", names) == expected
    assert match_room(INDEX, ELSEWHERE, "hello", names) == NotOurs()
    assert match_id(INDEX, ELSEWHERE, "X12R3T4") == NotOurs()


def test_a_table_that_is_done_is_found_by_its_code_alone() -> None:
    """5.6-2, 5.6-5: a second report of its room still reaches it; names lead to open tables only."""
    done = replace(ONE, open=False)
    index = Index([done, TWO], [])
    assert match_room(index, HALL, "M#X12R3T4", ("Alice", "Bob")) == found("room", table=done)
    assert match_room(index, HALL, "hello", ("Alice", "Bob")) == NotOurs()


@pytest.mark.parametrize("extra", [False, True])
def test_the_extra_game_has_a_room_of_its_own(*, extra: bool) -> None:
    """R058, R070: its code is understood while it is played; the match's own room stays the table's."""
    table = replace(ONE, code=replace(ONE.code, extra=extra))
    index = Index([table], [])
    names = ("Alice", "Bob")
    assert match_room(index, HALL, "X12R3T4", names) == found("room", table=table)
    assert match_room(index, HALL, "hello", names) == found("names", table=table, extra=extra)
    unknown = Unmatched(code=parse("X12R3T4S"), candidate=None, strangers=False, names=names)
    with_tail = found("room", table=table, extra=True) if extra else unknown
    assert match_room(index, HALL, "X12R3T4S", names) == with_tail


@pytest.mark.parametrize(
    "names",
    [
        ("Alice", "Bob"),
        (" ＡＬＩＣＥ ", "bob"),
        ("P000001", "000002"),
        ("1", "p000002"),
        ("Alice$secret", "Bob$"),
        ("P000001+Alice", "2＋Bob"),
        ("Lv.5 Alice", "VIP.3 B\\ob"),
    ],
)
def test_names_alone(names: tuple[str, str]) -> None:
    """5.6, 5.6-2: NFKC, trim, casefold; numbers in every form; srvpro's ``$`` tails and titles."""
    assert match_room(INDEX, HALL, "hello", names) == found("names")
    assert match_room(INDEX, HALL, "hello", names[::-1]) == found("names", flipped=True)


@pytest.mark.parametrize(
    "names",
    [
        ("Alice", "Carol"),
        ("Alice", "Alice"),
        ("Alice", "1"),
        ("Alice", "Zed"),
        ("", ""),
        ("Alice", "P000009"),
        ("P000001+Bob", "Bob"),
        ("9+Alice", "Bob"),
    ],
)
def test_other_pairs_are_a_game_of_their_own(names: tuple[str, str]) -> None:
    """5.6-2: not the two seats of one open table."""
    assert match_room(INDEX, HALL, "hello", names) == NotOurs()


def test_match_by_name_may_be_off() -> None:
    """5.6-2: then only a code leads to the table."""
    table = replace(ONE, by_name=False)
    index = Index([table], [])
    assert match_room(index, HALL, "hello", ("Alice", "Bob")) == NotOurs()
    assert match_room(index, HALL, "X12R3T4", ("Alice", "Bob")) == found("room", table=table)


def test_a_nickname_of_two_entrants_parks_the_report() -> None:
    """5.6-3, R059: also where the other one sits at no table now; numbers and room codes need no claim."""
    namesake = entrant(9, "ALICE")
    index = Index([ONE, TWO], [namesake])
    assert match_room(index, HALL, "hello", ("Alice", "Bob")) == Parked(
        candidates=(ONE,), names=("Alice", "Bob")
    )
    assert match_room(index, HALL, "hello", ("1", "Bob")) == found("names")
    assert match_room(index, HALL, "X12R3T4", ("Alice", "Bob")) == found("room")


def test_a_parked_report_names_every_table_that_it_fits() -> None:
    """5.6-3: two Alices play two Bobs; the claim says which."""
    other = Candidate(code=parse("X13R1T1"), server=HALL, a=entrant(11, "bob"), b=entrant(12, "alice"))
    index = Index([ONE, other], [])
    names = ("Alice", "Bob")
    assert match_room(index, HALL, "hello", names) == Parked(candidates=(ONE, other), names=names)
    assert [orientation(index, table, names) for table in (ONE, other)] == [False, True]


def test_both_seats_carry_one_nickname() -> None:
    """5.6-3: never by name, not even with the code; player numbers decide."""
    table = Candidate(code=parse("X12R3T4"), server=HALL, a=entrant(1, "Same"), b=entrant(2, "same"))
    index = Index([table], [])
    names = ("Same", "Same")
    assert match_room(index, HALL, "hello", names) == Parked(candidates=(table,), names=names)
    coded = match_room(index, HALL, "X12R3T4", names)
    assert coded == Unmatched(code=table.code, candidate=table, strangers=False, names=names)
    assert match_room(index, HALL, "X12R3T4", ("P000002", "P000001")) == found(
        "room", table=table, flipped=True
    )
    assert match_room(index, HALL, "hello", ("1", "2")) == found("names", table=table)
    assert seats(index, table, ("1", "Same", "Zed")) == ("a", None, None)


def test_digits_are_a_nickname_while_its_owner_is_entered() -> None:
    """5.6: "2" is Max's nickname, so it is never Bob's number; ``P000002`` is."""
    table = Candidate(code=parse("X12R3T5"), server=HALL, a=CAROL, b=entrant(8, "2"))
    index = Index([ONE, table], [])
    assert match_room(index, HALL, "hello", ("Alice", "2")) == NotOurs()
    assert match_room(index, HALL, "hello", ("Carol", "2")) == found("names", table=table)
    assert match_room(index, HALL, "hello", ("Alice", "P000002")) == found("names")
    assert match_room(INDEX, HALL, "hello", ("Alice", "2")) == found("names")


def test_a_challonge_match_counts_as_both_names() -> None:
    """5.6-4: its id is the code, in any case; ids that we never gave are not ours."""
    assert match_id(INDEX, HALL, "x12r3t4") == found("room")
    for never in ("X12R3T4S", "X12R9T9", "M#X12R3T4", "17", ""):
        assert match_id(INDEX, HALL, never) == NotOurs()
