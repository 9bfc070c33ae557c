"""Room codes, as they are written, read, found in the names of rooms and counted (R058)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleset import roomcode
from ruleset.errors import RulesetError
from ruleset.ids import PLAYOFF, RoundNo, TableId, TableNo, TournamentNo
from ruleset.roomcode import RoomCode, find, fits, parse, room_of


def code(
    tournament: int, round_no: int, table: int, *, playoff: bool = False, extra: bool = False
) -> RoomCode:
    """Return a code."""
    return RoomCode(
        tournament=TournamentNo(tournament),
        round_no=RoundNo(round_no),
        table=TableNo(table),
        playoff=playoff,
        extra=extra,
    )


numbers = st.integers(1, 999)
codes = st.builds(code, numbers, numbers, numbers, playoff=st.booleans(), extra=st.booleans())


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("X12R3T4", code(12, 3, 4)),
        ("X12R3T4S", code(12, 3, 4, extra=True)),
        ("X12P1T1", code(12, 1, 1, playoff=True)),
        ("x12r3t4s", code(12, 3, 4, extra=True)),
    ],
)
def test_all_three_forms_are_read_in_any_case(text: str, meant: RoomCode) -> None:
    """R058: a table of a round, its extra game, the cut play-off; written in capitals."""
    assert parse(text) == meant
    assert str(meant) == text.upper()


@given(codes)
def test_what_is_written_is_read(written: RoomCode) -> None:
    """R058: reading undoes writing, by itself and as a room's name."""
    assert parse(str(written)) == find(f"M#{written}") == find(f"m,nf,lf2# {written} $pw#x") == written


@pytest.mark.parametrize(
    "text",
    [
        "",
        "X",
        "X12R3",
        "X12R3T4SS",
        "X12R3T4 ",
        "M#X12R3T4",
        "X0R1T1",
        "X012R3T4",
        "X1R0T1",
        "X1R1T0",
        "X-1R1T1",
        "X1R1T1\n",
        "X１R1T1",
        "X1R1T1ſ",
        "X1S1T1",
        f"X{'9' * 15}R1T1",
        "9" * 5_000,
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    """R058, F17: blanks, zeros, other digits and letters, endless numbers: ``bad_room_code``."""
    with pytest.raises(RulesetError) as refusal:
        parse(text)
    assert (refusal.value.code, refusal.value.data) == ("bad_room_code", {"text": text})


@pytest.mark.parametrize(
    "room_name",
    [
        "X12R3T4",
        "M#X12R3T4",
        "m#x12r3t4",
        "MATCH#X12R3T4",
        "M,NF#X12R3T4",
        "M,TM5,DH1#X12R3T4",
        "M#X12R3T4$secret",
        " X12R3T4 ",
        "M# X12R3T4",
    ],
)
def test_a_code_is_found_in_a_rooms_name(room_name: str) -> None:
    """5.6-1, R057: with or without mode prefixes and ``$password``, in any case."""
    assert find(room_name) == code(12, 3, 4)


@pytest.mark.parametrize("room_name", ["", "M#", "hello", "X12R3T4#M", "M#X#X12R3T4", "M$x#X12R3T4", "all"])
def test_other_rooms_hold_no_code(room_name: str) -> None:
    """5.6-2: a room without a code; a code in the prefix, behind two ``#`` or inside the password is none."""
    assert find(room_name) is None


def test_a_hostile_name_takes_no_longer_than_it_is() -> None:
    """F17: 200,000 blanks; a search that tried where to split them would never end."""
    assert find("M#" + " " * 100_000 + "X1R1T1" + " " * 100_000 + "#") is None


@given(st.text(max_size=40))
def test_any_name_has_a_code_or_none(room_name: str) -> None:
    """F17: nothing but a code or ``None`` comes of it, and what is found stands there."""
    found = find(room_name)
    assert found is None or str(found) in room_name.upper()


@pytest.mark.parametrize(
    ("tournament", "prefix", "answer"),
    [(99_999, "M#", True), (9_999_999, "M#", True), (99_999_999, "M#", False), (9_999, "M,NF#", True)],
)
def test_the_length_is_checked_when_a_number_is_given(tournament: int, prefix: str, answer: bool) -> None:  # noqa: FBT001
    """R058: prefix, code and the ``S`` of the extra game within the 19 characters of the stock client."""
    assert fits(TournamentNo(tournament), prefix) is answer
    longest = f"{prefix}X{tournament}R99T9999S"
    assert (len(longest) <= roomcode.LONGEST_PASSWORD) is answer


@given(numbers, st.integers(0, 999), numbers, st.booleans())
def test_a_table_and_its_room_name_each_other(tournament: int, number: int, table: int, extra: bool) -> None:  # noqa: FBT001  drawn
    """R033, R058: the play-off is ``P1``, every other table stands in its round."""
    id_ = TableId(RoundNo(number), TableNo(table))
    found = room_of(TournamentNo(tournament), id_, extra=extra)
    assert (found.table_id, found.playoff, found.extra) == (id_, number == PLAYOFF, extra)
    assert str(found).removesuffix("S").endswith(str(id_))
