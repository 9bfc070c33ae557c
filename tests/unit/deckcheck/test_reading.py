"""Any form of a deck."""

from base64 import b64encode

import pytest

from deckcheck.deck import Deck
from deckcheck.errors import DeckInvalid
from deckcheck.links import write_link, write_old_link, write_ydke
from deckcheck.reading import read_any
from deckcheck.wire import write_deckbuf, write_deckbuf_text
from deckcheck.writing import FORMS, Form, write_any
from deckcheck.ydk import write_ydk
from tests.decks import D36

MIXED = Deck(main=D36.main + D36.extra)


@pytest.mark.parametrize("text", [write_ydk(D36), write_ydke(D36), write_link(D36), write_old_link(D36)])
@pytest.mark.parametrize("around", [("", ""), ("\ufeff", "\r\n"), ("  ", "\n\n")])
def test_texts_are_recognised(text: str, around: tuple[str, str]) -> None:
    """D36: one deck in all forms, with what a paste brings along."""
    assert read_any((around[0] + text + around[1]).encode()).deck == D36


@pytest.mark.parametrize("data", [write_deckbuf(D36), write_deckbuf_text(D36).encode() + b"\n"])
def test_deck_buffers_are_recognised(data: bytes) -> None:
    """D34, D36: raw as from the wire, or in base64 as from a duel server."""
    assert read_any(data).deck == MIXED
    assert read_any(data).mixed


@pytest.mark.parametrize("form", FORMS)
def test_every_form_that_is_written_is_read(form: Form) -> None:
    """D36: one deck in all forms, there and back."""
    read = read_any(write_any(D36, form).encode())
    assert (read.deck, read.mixed) == ((MIXED, True) if form == "deckbuf" else (D36, False))


def test_what_looks_like_nothing_is_a_ydk() -> None:
    """D32: so that its lines are named."""
    assert [each.text for each in read_any(b"Blue-Eyes White Dragon\n").unreadable] == [
        "Blue-Eyes White Dragon"
    ]
    assert read_any(b"123456789012").unreadable
    assert read_any(b"").deck == Deck()


@pytest.mark.parametrize("data", [b"ydke://\xff!!!", b"http://x", b"\0", b64encode(bytes(9)), b"x" * 65537])
def test_damaged_forms_are_refused(data: bytes) -> None:
    """F17: nothing escapes DeckInvalid."""
    with pytest.raises(DeckInvalid):
        read_any(data)
