"""Statistics of decks."""

import csv
from io import StringIO

from deckcheck.deck import Deck
from deckcheck.usage import ArchetypeUse, CardUse, as_csv, read_set_names, usage
from tests.decks import card

CARDS = {
    1: card(1, name="One", setcode=0x10A2_00DD),
    2: card(2, name="One in another art", base=1, setcode=0x10A2_00DD),
    3: card(3, name="Three", setcode=0x30A2),
}
DECKS = [Deck(main=(1, 1, 2), extra=(3,), side=(7,)), Deck(main=(1,), side=(3, 3)), Deck(main=(7,))]


def test_cards() -> None:
    """Issue 5: decks and copies of each card, artworks together; most decks first, then most copies."""
    assert usage(DECKS, CARDS).cards == (
        CardUse(code=1, name="One", decks=2, main=4, extra=0, side=0),
        CardUse(code=3, name="Three", decks=2, main=0, extra=1, side=2),
        CardUse(code=7, name="", decks=2, main=1, extra=0, side=1),
    )


def test_archetypes() -> None:
    """Issue 5: by setcode, a part of an archetype with it; a card of two counts in both."""
    assert usage(DECKS, CARDS, {0xDD: "Blue-Eyes"}).archetypes == (
        ArchetypeUse(setcode=0xA2, name="", decks=2, copies=7),
        ArchetypeUse(setcode=0xDD, name="Blue-Eyes", decks=2, copies=4),
    )


def test_no_decks() -> None:
    """Issue 5: an event without decks has empty tables."""
    empty = usage([], CARDS)
    assert (empty.decks, empty.cards, empty.archetypes) == (0, (), ())
    assert as_csv(empty.cards) == ""


def test_csv_and_data() -> None:
    """Issue 5: as CSV with a header, and as values that JSON has."""
    found = usage(DECKS, CARDS)
    assert list(csv.DictReader(StringIO(as_csv(found.archetypes)))) == [
        {"setcode": "162", "name": "", "decks": "2", "copies": "7"},
        {"setcode": "221", "name": "", "decks": "2", "copies": "4"},
    ]
    assert as_csv(found.cards).splitlines()[0] == "code,name,decks,main,extra,side"
    assert found.as_data()["decks"] == 3


def test_set_names() -> None:
    """Issue 5: archetypes have their names from strings.conf, whose other lines say nothing here."""
    named = "!setname 0xdd 青眼|ブルーアイズ\r\n!setname 0x2066\t磁石战士\t磁石の戦士\n"
    text = f"#setnames\n!system 1 x\n{named}!setname x y"
    assert read_set_names(text) == {0xDD: "青眼|ブルーアイズ", 0x2066: "磁石战士"}
