"""Deck buffers."""

from base64 import b64encode
from struct import pack

import pytest

from deckcheck.deck import Deck
from deckcheck.errors import DeckInvalid
from deckcheck.wire import read_deckbuf, read_deckbuf_text, write_deckbuf, write_deckbuf_text
from tests.decks import D36


def test_the_known_deck() -> None:
    """D34, D36: u32 main + extra, u32 side, the ids; base64 of exactly that."""
    assert write_deckbuf_text(D36) == "BQAAAAAAAACjqVcFo6lXBaOpVwWu9MwCSzzJAw=="
    parsed = read_deckbuf_text("BQAAAAAAAACjqVcFo6lXBaOpVwWu9MwCSzzJAw==")
    assert parsed.deck == Deck(main=D36.main + D36.extra)
    assert parsed.mixed


def test_bytes_are_little_endian() -> None:
    """D34: main before side."""
    deck = Deck(main=(1,), extra=(2,), side=(0xFFFFFFFF,))
    assert write_deckbuf(deck) == pack("<5I", 2, 1, 1, 2, 0xFFFFFFFF)


@pytest.mark.parametrize(
    "buffer",
    [
        b"",
        bytes(7),
        pack("<3I", 2, 0, 1),
        pack("<3I", 0, 0, 1),
        pack("<2I", 0xFFFFFFFF, 0xFFFFFFFF),
        pack("<3I", 1, 0, 1) + b"x",
    ],
)
def test_counts_that_do_not_fit_are_refused(buffer: bytes) -> None:
    """F17: a length that lies never reads past its end."""
    with pytest.raises(DeckInvalid) as refusal:
        read_deckbuf(buffer)
    assert refusal.value.code == "bad_length"


def test_more_than_a_thousand_cards_are_refused() -> None:
    """D32: whatever the form."""
    with pytest.raises(DeckInvalid) as refusal:
        read_deckbuf(pack("<1003I", 600, 401, *range(1001)))
    assert refusal.value.code == "too_many_cards"


@pytest.mark.parametrize("text", ["BQAA*AAA", "é", "\udc80", "A", "====A"])
def test_what_is_no_base64_is_refused(text: str) -> None:
    """F17: a text that is no base64 is said to be none."""
    with pytest.raises(DeckInvalid) as refusal:
        read_deckbuf_text(text)
    assert refusal.value.code == "not_base64"


def test_padding_may_be_missing() -> None:
    """D34: a pasted text often lost it."""
    text = b64encode(pack("<3I", 1, 0, 7)).decode().rstrip("=")
    assert read_deckbuf_text(text).deck.main == (7,)
