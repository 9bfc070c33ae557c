"""Any form of a deck, as people paste or upload it."""

import re
from typing import Final

from deckcheck.deck import bounded_bytes
from deckcheck.links import YDKE, read_link, read_ydke
from deckcheck.parsed import ParsedDeck
from deckcheck.wire import read_deckbuf, read_deckbuf_text
from deckcheck.ydk import read_ydk

_LINKS: Final = (b"http://", b"https://", b"ygo://")
_BASE64: Final = re.compile(rb"[A-Za-z0-9+/]{11,}={0,2}")
"""The shortest deck buffer, an empty deck, has 11 such characters; a passcode has fewer."""


def read_any(data: bytes) -> ParsedDeck:
    """Read a ydk file, a ydke text, a deck link, or a deck buffer, raw or as base64.

    Raises DeckInvalid if the form that it looks like cannot be read.
    """
    text = bounded_bytes(data).removeprefix(b"\xef\xbb\xbf").strip()
    start = text[:16].lower()
    if start.startswith(YDKE.encode()):
        return read_ydke(text.decode("utf-8", "replace"))
    if start.startswith(_LINKS):
        return read_link(text.decode("utf-8", "replace"))
    if b"\0" in data:
        return read_deckbuf(data)
    if _BASE64.fullmatch(text) and not text.isdigit():
        return read_deckbuf_text(text.decode("ascii"))
    return read_ydk(data)
