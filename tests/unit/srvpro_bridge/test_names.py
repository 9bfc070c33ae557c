"""How people are called on a duel server (rules.md 5.6, duel-server.md 3 and 6)."""

from collections.abc import Mapping

import pytest

from ruleset.ids import PlayerId
from srvpro_bridge.names import Entrant, fold, number_in, participant_names, shown


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("Alice", "Alice"),
        ("A$secret", "A"),
        ("Alice$1$9", "Alice"),
        ("Alice $1", "Alice"),
        ("Alice$", "Alice"),
        ("Lv.5 Bob", "Bob"),
        ("VIP.3 Zed", "Zed"),
        ("a\\b", "ab"),
    ],
)
def test_srvpro_shows_less_than_was_typed(typed: str, seen: str) -> None:
    """duel-server.md 6 and 10.h: keys, titles and backslashes go."""
    assert shown(typed) == seen


def test_names_are_compared_in_one_form() -> None:
    """5.6: NFKC, trim, casefold."""
    assert fold("  Ｓtraße ") == fold("STRASSE") == "strasse"


@pytest.mark.parametrize("text", ["P000123", "000123", "123", "p123"])
def test_a_number_has_many_forms(text: str) -> None:
    """5.6: all are player 123."""
    assert number_in(fold(text)) == 123


@pytest.mark.parametrize("text", ["", "P", "P0", "0", "12a", "P-1", "1 2", "9" * 5_000, "٣"])
def test_other_text_is_no_number(text: str) -> None:
    """5.6, F18: exactly a number, of at most 18 digits."""
    assert number_in(fold(text)) is None


def names(*people: tuple[int, str]) -> Mapping[PlayerId, str]:
    """Return the participants of these entrants."""
    everybody = (Entrant(number=PlayerId(number), nickname=nickname) for number, nickname in people)
    return participant_names(everybody)


def test_participants_are_found_by_number_and_nickname() -> None:
    """duel-server.md 3: split at the first ``+``, blank or ``＋``, so the nickname may hold them all."""
    assert names((123, "Alice"), (4, "Big Joe + 1"), (5, "VIP.3 Zed")) == {
        123: "P000123+Alice",
        4: "P000004+Big Joe + 1",
        5: "P000005+Zed",
    }


def test_namesakes_are_known_by_their_numbers_alone() -> None:
    """R059, 5.6-3: srvpro would take the first of two; one who is listed twice is one."""
    assert names((1, "Same"), (2, "SAME "), (3, "Other"), (3, "Other")) == {
        1: "P000001",
        2: "P000002",
        3: "P000003+Other",
    }


def test_nobody_is_taken_for_another_by_the_ending_of_a_deck_file() -> None:
    """F11, duel-server.md 3: srvpro takes ``Bob`` for ``P000001+Bob.ydk``, and would not know Bob.ydk."""
    assert names((1, "Bob.ydk"), (2, "Bob"), (3, "Joe.ydk.ydk"), (4, "Joe.YDK")) == {
        1: "P000001",
        2: "P000002+Bob",
        3: "P000003",
        4: "P000004+Joe.YDK",
    }


def test_a_nickname_of_which_nothing_is_shown_leaves_the_number() -> None:
    """duel-server.md 6: an empty name cannot join."""
    assert names((1, "$x")) == {1: "P000001"}
