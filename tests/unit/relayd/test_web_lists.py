"""What a host means by what he types, and what stands in the address of his console."""

from typing import Any

import pytest

from relayd.web.lists import batches, counts, is_player, is_table
from relayd.web.wish import Wish

ANN: dict[str, Any] = {"nickname": "Ann 星", "player": 12, "label": "P000012"}
BOB: dict[str, Any] = {"nickname": "Bob", "player": 7, "label": "P000007"}
TABLE: dict[str, Any] = {"table": "R3T12", "room_code": "X1R3T12", "a": ANN, "b": BOB}


@pytest.mark.parametrize("words", ["ann", "星", "P000012", "p12", "12", "000012"])
def test_a_player_is_meant_by_part_of_his_nickname_or_by_his_number(words: str) -> None:
    """R004: in any case, with or without the letter and its zeros."""
    assert is_player(ANN, words)
    assert not is_player(BOB, words)


@pytest.mark.parametrize("words", ["12", "t12", "T12", "R3T12", "x1r3t12", "bob", "P000007"])
def test_a_table_is_meant_by_its_number_its_code_or_its_players(words: str) -> None:
    """R058: what stands on the table, in any case."""
    assert is_table(TABLE, words)


@pytest.mark.parametrize("words", ["2", "R1T12", "X1R3T1", "carol", "P000008"])
def test_other_tables_are_not_meant(words: str) -> None:
    """A part of a number means nothing."""
    assert not is_table(TABLE, words)


def test_batches_keep_the_order_and_lose_nothing() -> None:
    """Pages of a list, the last one shorter."""
    assert [list(page) for page in batches(range(7), 3)] == [[0, 1, 2], [3, 4, 5], [6]]
    assert list(batches([], 3)) == []


def test_counts_say_how_many_each_filter_lets_through() -> None:
    """A filter shows its number before it is chosen."""
    assert counts([ANN, BOB], {"all": bool, "bobs": lambda p: p["nickname"] == "Bob"}) == {
        "all": 2,
        "bobs": 1,
    }


def test_a_wish_survives_its_address() -> None:
    """What a host looks at stands in the address, nothing else does, and it comes back as it was."""
    wish = Wish.of({"show": "lost", "q": " 星 ", "r": "2", "page": "1", "stranger": "x"})
    assert wish == Wish(show="lost", q="星", r=2, page=1)
    assert wish.but() == "?show=lost&q=%E6%98%9F&r=2&page=1"
    assert wish.but(q="", page=0) == "?show=lost&r=2"


@pytest.mark.parametrize("number", ["-1", "x", "²", "9999999", ""])
def test_numbers_that_are_none_say_nothing(number: str) -> None:
    """Bad input in an address changes nothing."""
    assert Wish.of({"r": number, "page": number, "people": number}) == Wish()


def test_words_in_an_address_are_bounded() -> None:
    """F13: nobody makes a page search for a megabyte."""
    assert len(Wish.of({"q": "x" * 10_000}).q) == 60
