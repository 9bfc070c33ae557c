"""The form in which decks travel: CTOS_UPDATE_DECK and srvpro's ``deckbuf`` (D34)."""

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from struct import Struct, pack, unpack_from
from typing import Final

from deckcheck.deck import Deck, bounded_bytes, bounded_cards
from deckcheck.errors import DeckInvalid
from deckcheck.parsed import ParsedDeck

_HEAD: Final = Struct("<II")
"""Main and extra together, then side."""


def read_deckbuf(buffer: bytes) -> ParsedDeck:
    """Read a deck buffer; main and extra come mixed. Raises DeckInvalid if counts and length differ."""
    if len(buffer) < _HEAD.size:
        raise _bad_length(len(buffer), _HEAD.size)
    mixed, side = _HEAD.unpack_from(buffer)
    expected = _HEAD.size + 4 * (mixed + side)
    if len(buffer) != expected:
        raise _bad_length(len(buffer), expected)
    codes = unpack_from(f"<{bounded_cards(mixed + side)}I", buffer, _HEAD.size)
    return ParsedDeck(deck=Deck(main=codes[:mixed], side=codes[mixed:]), mixed=True)


def write_deckbuf(deck: Deck) -> bytes:
    """Write *deck* as the game client sends it: main, extra, side."""
    mixed = len(deck.main) + len(deck.extra)
    return pack(f"<II{len(deck)}I", mixed, len(deck.side), *deck.codes)


def read_deckbuf_text(text: str) -> ParsedDeck:
    """Read the base64 of a deck buffer. Raises DeckInvalid as `read_deckbuf`, and where it is no base64."""
    return read_deckbuf(decoded_base64(text))


def write_deckbuf_text(deck: Deck) -> str:
    """Write the base64 of the deck buffer, as srvpro's ``deckbuf`` field has it."""
    return b64encode(write_deckbuf(deck)).decode("ascii")


def decoded_base64(text: str) -> bytes:
    """Return the bytes that *text* stands for; padding may be missing. Raises DeckInvalid."""
    stripped = bounded_bytes(text.encode("utf-8", "surrogatepass")).rstrip(b"=")
    try:
        return b64decode(stripped + b"=" * (-len(stripped) % 4), validate=True)
    except NotBase64 as error:
        raise DeckInvalid("not_base64", f"this is no base64 text: {error}", length=len(text)) from error


def _bad_length(length: int, expected: int) -> DeckInvalid:
    return DeckInvalid(
        "bad_length",
        f"the deck buffer has {length} bytes where its counts ask for {expected}",
        length=length,
        expected=expected,
    )
