"""Decks as links: ``ydke://`` (D33) and both forms of YGOMobile (D35)."""

from array import array
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator
from itertools import groupby
from sys import byteorder
from typing import Final
from urllib.parse import parse_qs, quote, urlsplit

from deckcheck.deck import MAX_CARDS, SECTIONS, Deck, bounded_bytes, bounded_cards
from deckcheck.errors import DeckInvalid
from deckcheck.parsed import ParsedDeck
from deckcheck.wire import decoded_base64

YDKE: Final = "ydke://"
_COUNT_BITS, _CODE_BITS = 2, 27
_RUN_BITS: Final = _COUNT_BITS + _CODE_BITS
_MAX_RUN: Final = (1 << _COUNT_BITS) - 1
_KIND_BITS: Final = (8, 4, 4)
"""Widths of the three numbers of runs: main, extra, side."""


def read_ydke(text: str) -> ParsedDeck:
    """Read a ``ydke://`` text. Raises DeckInvalid unless it has three parts of whole little-endian u32."""
    bounded_bytes(text.encode("utf-8", "surrogatepass"))
    scheme, _, rest = text.strip().partition("://")
    parts = rest.split("!")
    if scheme.lower() != "ydke" or len(parts) < len(SECTIONS):
        raise DeckInvalid("link_damaged", "a ydke link is ydke:// and three parts that end with !")
    codes = [_u32(part) for part in parts[: len(SECTIONS)]]
    if any(parts[len(SECTIONS) :]):
        raise DeckInvalid("link_damaged", "a ydke link ends after its third !")
    bounded_cards(sum(map(len, codes)))
    return ParsedDeck(deck=Deck(main=codes[0], extra=codes[1], side=codes[2]))


def write_ydke(deck: Deck) -> str:
    """Write *deck* as ``ydke://main!extra!side!``."""
    return YDKE + "".join(_base64_u32(codes) + "!" for codes in (deck.main, deck.extra, deck.side))


def read_link(text: str) -> ParsedDeck:
    """Read a deck link of YGOMobile, packed or in its old form. Raises DeckInvalid."""
    bounded_bytes(text.encode("utf-8", "surrogatepass"))
    query = _query(text)
    if "d" in query:
        return _read_packed(query)
    if query.keys() & set(SECTIONS):
        return _read_listed(query)
    raise DeckInvalid("link_damaged", "this link carries no deck: d= or main= is missing")


def write_link(deck: Deck, *, name: str = "") -> str:
    """Write the packed link of YGOMobile. Raises DeckInvalid for what its bits cannot hold."""
    title = f"name={quote(name, safe='')}&" if name else ""
    return f"http://deck.ourygo.top?{title}ygotype=deck&v=1&d={_packed(deck)}"


def write_old_link(deck: Deck) -> str:
    """Write the old form, ``ygo://deck?main=id*3_id&extra=..&side=..``."""
    parts = zip(SECTIONS, (deck.main, deck.extra, deck.side), strict=True)
    return "ygo://deck?" + "&".join(f"{section}={_listed(codes)}" for section, codes in parts)


def _u32(part: str) -> tuple[int, ...]:
    data = decoded_base64(part)
    if len(data) % 4:
        raise DeckInvalid("bad_length", f"{len(data)} bytes are no whole number of cards", length=len(data))
    return tuple(_little(array("I", data)))


def _base64_u32(codes: Iterable[int]) -> str:
    return b64encode(_little(array("I", codes)).tobytes()).decode("ascii")


def _little(numbers: "array[int]") -> "array[int]":
    if byteorder == "big":  # pragma: no cover  # the machines that run this are little-endian
        numbers.byteswap()
    return numbers


def _query(text: str) -> dict[str, str]:
    try:
        link = urlsplit(text.strip())
        query = parse_qs(link.query, keep_blank_values=True, max_num_fields=16)
    except ValueError as error:
        raise DeckInvalid("link_damaged", f"this is no link: {error}") from error
    if link.scheme not in {"http", "https", "ygo"}:
        raise DeckInvalid("link_damaged", "a deck link begins with http:// or ygo://")
    return {key: values[0] for key, values in query.items()}


def _read_packed(query: dict[str, str]) -> ParsedDeck:
    if query.get("ygotype", "deck") != "deck" or query.get("v", "1") != "1":
        raise DeckInvalid("link_version", "only deck links of version 1 can be read", v=query.get("v", ""))
    text = query["d"].replace("-", "+").replace("_", "/").replace(" ", "+")
    return ParsedDeck(deck=_unpacked(decoded_base64(text)))


class _Bits:
    """Reads numbers from the most significant bit on."""

    def __init__(self, data: bytes) -> None:
        self.value, self.left = int.from_bytes(data, "big"), 8 * len(data)

    def take(self, width: int) -> int:
        if width > self.left:
            raise DeckInvalid("link_damaged", "the link ends in the middle of the deck")
        self.left -= width
        return (self.value >> self.left) & ((1 << width) - 1)


def _unpacked(data: bytes) -> Deck:
    bits = _Bits(data)
    runs = [bits.take(width) for width in _KIND_BITS]
    main, extra, side = (tuple(_taken_runs(bits, count)) for count in runs)
    if bits.left >= 8 or bits.take(bits.left):
        raise DeckInvalid("link_damaged", "the link goes on behind the deck", bits=bits.left)
    return Deck(main=main, extra=extra, side=side)


def _taken_runs(bits: _Bits, runs: int) -> Iterator[int]:
    for _ in range(runs):
        count, code = bits.take(_COUNT_BITS), bits.take(_CODE_BITS)
        if not count:
            raise DeckInvalid("link_damaged", f"card {code:08d} stands in the link no times", card=code)
        yield from [code] * count


def _packed(deck: Deck) -> str:
    sections = [list(_runs(codes)) for codes in (deck.main, deck.extra, deck.side)]
    value = bits = 0
    for width, runs in zip(_KIND_BITS, sections, strict=True):
        value, bits = value << width | _fits(len(runs), width, "kinds"), bits + width
    for count, code in (run for runs in sections for run in runs):
        value, bits = (
            value << _RUN_BITS | count << _CODE_BITS | _fits(code, _CODE_BITS, "id"),
            bits + _RUN_BITS,
        )
    value <<= -bits % 8
    return urlsafe_b64encode(value.to_bytes((bits + 7) // 8, "big")).decode("ascii").rstrip("=")


def _runs(codes: Iterable[int]) -> Iterator[tuple[int, int]]:
    for code, same in groupby(codes):
        count = sum(1 for _ in same)
        while count > 0:
            yield min(count, _MAX_RUN), code
            count -= _MAX_RUN


def _fits(value: int, width: int, what: str) -> int:
    if value >> width:
        raise DeckInvalid(
            "cannot_write", f"a deck link holds no {what} of {value}: at most {(1 << width) - 1}", value=value
        )
    return value


def _listed(codes: Iterable[int]) -> str:
    runs = ((code, sum(1 for _ in same)) for code, same in groupby(codes))
    return "_".join(f"{code}*{count}" if count > 1 else f"{code}" for code, count in runs)


def _read_listed(query: dict[str, str]) -> ParsedDeck:
    main, extra, side = (tuple(_listed_codes(query.get(section, ""))) for section in SECTIONS)
    return ParsedDeck(deck=Deck(main=main, extra=extra, side=side), mixed="extra" not in query)


def _listed_codes(text: str) -> Iterator[int]:
    total = 0
    for part in filter(None, text.split("_")):
        code, _, times = part.partition("*")
        count = _number(times or "1", MAX_CARDS, part)
        total = bounded_cards(total + count)
        yield from [_number(code, 0xFFFF_FFFF, part)] * count


def _number(digits: str, limit: int, part: str) -> int:
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 10 or int(digits) > limit:
        raise DeckInvalid("link_damaged", f"{part!r} is no card of a deck link", text=part)
    return int(digits)
