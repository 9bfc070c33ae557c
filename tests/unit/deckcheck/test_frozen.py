"""Frozen decks."""

from hashlib import sha256

import pytest

from deckcheck.deck import Deck
from deckcheck.difference import difference
from deckcheck.frozen import freeze_deck, same_in_first_game, same_in_later_game, thaw_deck
from deckcheck.parsed import ParsedDeck
from deckcheck.wire import read_deckbuf, write_deckbuf
from deckcheck.ydk import read_ydk
from tests.decks import card

DECK = Deck(main=(3, 1, 1), extra=(9,), side=(5, 4))
FROZEN = freeze_deck(DECK)
NAMES = {code: card(code, name=name) for code, name in {1: "Ash Blossom", 4: "Droll", 5: "Nibiru"}.items()}
NAMES |= {9: card(9, name="Stardust", extra=True), 8: card(8, name="Utopia", extra=True)}


def test_what_is_kept() -> None:
    """D46: both multisets, SHA-256 over their sorted form, the text."""
    assert (FROZEN.main_extra, FROZEN.side) == ((1, 1, 3, 9), (4, 5))
    canonical = b"00000001 00000001 00000003 00000009\n00000004 00000005\n"
    assert FROZEN.sha256 == sha256(canonical).hexdigest()
    assert read_ydk(FROZEN.text).deck == DECK


def test_the_text_is_all_that_must_be_stored() -> None:
    """D46: it thaws to an equal frozen deck."""
    assert thaw_deck(FROZEN.text) == FROZEN
    assert thaw_deck(FROZEN.text).text == FROZEN.text


@pytest.mark.parametrize(
    ("deck", "first", "later"),
    [
        (Deck(main=(1, 3, 1), extra=(9,), side=(4, 5)), True, True),
        (Deck(main=(9, 1, 3, 1), side=(4, 5)), True, True),
        (Deck(main=(4, 3, 1), extra=(9,), side=(5, 1)), False, True),
        (Deck(main=(1, 3, 1, 4), extra=(9,), side=(5,)), False, True),
        (Deck(main=(1, 3, 1), extra=(9,), side=(4,)), False, False),
        (Deck(main=(1, 3, 3), extra=(9,), side=(4, 5)), False, False),
        (Deck(main=(1, 3, 1), extra=(9,), side=(4, 5, 5)), False, False),
    ],
)
def test_comparison(deck: Deck, *, first: bool, later: bool) -> None:
    """D46, R071: main + extra and side in the first game, their sum in later ones, in any order."""
    for given in (deck, ParsedDeck(deck=deck)):
        assert same_in_first_game(FROZEN, given) is first
        assert same_in_later_game(FROZEN, given) is later


def test_a_deck_with_an_unreadable_line_is_another_deck() -> None:
    """D32, D46: what could not be read is not nothing."""
    parsed = read_ydk(FROZEN.text + "x\n")
    assert not same_in_first_game(FROZEN, parsed)
    assert not same_in_later_game(FROZEN, parsed)


def test_historical_passcodes_become_playable() -> None:
    """D22, D46: the deck that the duel server will show has today's passcodes."""
    old = freeze_deck(Deck(main=(504700000,), side=(511000825,)))
    assert (old.main_extra, old.side) == ((126218,), (83555666,))
    assert same_in_first_game(old, Deck(main=(126218,), side=(83555666,)))
    assert same_in_first_game(old, Deck(main=(504700000,), side=(83555666,)))
    assert difference(old, Deck(main=(504700000,), side=(83555666,))) == ""


def test_artworks_are_kept_apart() -> None:
    """D46: by printed code."""
    assert not same_in_first_game(freeze_deck(Deck(main=(46986414,))), Deck(main=(46986415,)))


def test_differences() -> None:
    """D46, issue 5: what is more and what is less, per section, for host and player."""
    assert difference(FROZEN, DECK, NAMES) == ""
    sided = Deck(main=(3, 1, 1), extra=(9,), side=(5, 1))
    assert difference(FROZEN, sided, NAMES) == "side: +1 Ash Blossom, −1 Droll"
    assert difference(FROZEN, sided, NAMES, "zh") == "副卡组: +1 Ash Blossom, −1 Droll"
    other = Deck(main=(3, 7, 7), extra=(8,), side=(5, 4))
    assert difference(FROZEN, other, NAMES) == (
        "main: +2 00000007, −2 Ash Blossom; extra: +1 Utopia, −1 Stardust"
    )


def test_differences_of_mixed_decks() -> None:
    """D34, D46: the wire has main and extra in one; cards tell them apart, and the frozen deck does."""
    wire = ParsedDeck(deck=Deck(main=(3, 1, 1, 8), side=(5, 4)), mixed=True)
    assert difference(FROZEN, wire, NAMES) == "extra: +1 Utopia, −1 Stardust"
    assert difference(FROZEN, wire) == "main: +1 00000008; extra: −1 00000009"
    assert difference(FROZEN, read_deckbuf(write_deckbuf(FROZEN.deck))) == ""


def test_hostile_names_are_neutral() -> None:
    """F21: whatever the operator's database calls a card."""
    names = {7: card(7, name="a\nb")}
    assert difference(FROZEN, Deck(main=(3, 1, 1, 7), extra=(9,), side=(5, 4)), names) == "main: +1 a\\u000ab"
