"""Forbidden lists as game servers read them: ``lflist.conf`` of YGOPro, with the words of EDOPro and Koishi.

A file of a hundred lists says the same few hundred lines again and again: each distinct line is read once,
and a section that was read before (in an older edition of the file) is not read again.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from operator import attrgetter, xor
from types import MappingProxyType
from typing import Final, NamedTuple

from deckcheck.errors import SourceBroken

HASH_START: Final = 0x7DFC_EE6A
MAX_FILE_BYTES: Final = 32 * 1024 * 1024
BOM: Final = b"\xef\xbb\xbf"
_MASK: Final = 0xFFFF_FFFF
_CREDIT_MARK: Final = 0x4352_4544
_KEPT: Final = range(3)
_COUNTS: Final = range(-(1 << 31), 1 << 31)
_MAX_DIGITS: Final = 32

ENTRY: Final = re.compile(rb"[ \t\v\f]*\+?([0-9]+)[ \t](?:[ \t\v\f]*([+-]?[0-9]+))?")
"""Code and count of a line; the rest of the line is a comment (D02)."""
DIRECTIVE: Final = re.compile(rb"\$(\S+)(?:[ \t]+([0-9]+))?")
"""``$whitelist`` (D08) or ``$key limit`` (D09)."""
POINTS: Final = re.compile(rb"[ \t]*\+?([0-9]+)[ \t]+\$(\S+)[ \t]+([0-9]+)")
"""What a card costs: ``code $key points`` (D09)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit:
    """A budget over the whole deck (genesys, D09)."""

    key: str
    limit: int
    points: Mapping[int, int] = field(default_factory=dict)
    """By passcode."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LfList:
    """One list of a file."""

    name: str
    """As in the header, not trimmed (D01)."""
    limits: Mapping[int, int]
    """Passcode to 0, 1 or 2: what YGOPro keeps (D03)."""
    counts: Mapping[int, int]
    """Passcode to any count: what EDOPro keeps (D08)."""
    hash: int
    """What YGOPro and srvpro tell each other, over *limits* (D07)."""
    edopro_hash: int
    """What EDOPro tells, over *counts* (D08)."""
    whitelist: bool = False
    """A card that is not in *counts* is refused (D08)."""
    credits: tuple[Credit, ...] = ()


def read_lflist(data: bytes) -> tuple[LfList, ...]:
    """Return the lists of a file in its order; the first is the current OCG list (D10).

    What a game server would skip is skipped; `lint` names it. Raises SourceBroken above 32 MiB.
    """
    if len(data) > MAX_FILE_BYTES:
        raise SourceBroken(
            "list_too_large", f"a list file has at most {MAX_FILE_BYTES} bytes", size=len(data)
        )
    _, *sections = (b"\n" + data.removeprefix(BOM)).split(b"\n!")
    return tuple(map(_section, sections))


def list_hash(entries: Iterable[tuple[int, int]]) -> int:
    """Return YGOPro's hash over (code, count); equal entries cancel, the order does not matter (D06, D07)."""
    return reduce(xor, (_mixed(code, count) for code, count in entries), HASH_START)


def hash_text(hash_: int) -> str:
    """Return a list hash as people write it: eight hexadecimal digits."""
    return f"{hash_:08x}"


class Entry(NamedTuple):
    """What a line says about a card."""

    code: int
    allowed: int
    mixed: int
    """What it adds to the hash."""


@lru_cache(maxsize=1 << 14)
def read_entry(line: bytes) -> Entry | None:
    """Return what *line* says, None for a comment and for what every game server skips (D02-D04)."""
    match = ENTRY.match(line)
    if not match or match[2] is None:
        return None
    code, count = bounded_number(match[1]), bounded_number(match[2])
    if code > _MASK or count not in _COUNTS:
        return None
    return Entry(code, count, _mixed(code, count))


def bounded_number(digits: bytes) -> int:
    """Return a number; of one with too many digits, only that it is out of every range."""
    return int(digits) if len(digits) <= _MAX_DIGITS else 1 << 64


@lru_cache(maxsize=512)
def _section(section: bytes) -> LfList:
    header, *lines = section.split(b"\n")
    entries = [entry for entry in map(read_entry, lines) if entry]
    kept = [entry for entry in entries if entry.allowed in _KEPT]
    whitelist, budgets = _directives(lines) if b"$" in section else (False, ())
    hash_ = reduce(xor, map(attrgetter("mixed"), kept), HASH_START)
    return LfList(
        name=header.partition(b"\r")[0].decode("utf-8", "replace"),
        limits=MappingProxyType({entry.code: entry.allowed for entry in kept}),
        counts=MappingProxyType({entry.code: entry.allowed for entry in entries}),
        hash=reduce(xor, map(_credit_hash, budgets), hash_),
        edopro_hash=reduce(xor, map(attrgetter("mixed"), entries), HASH_START),
        whitelist=whitelist,
        credits=budgets,
    )


def _mixed(code: int, count: int) -> int:
    return _rotated(code, 18) ^ _rotated(code, 27 + count)


def _rotated(value: int, by: int) -> int:
    by &= 31
    return (value << by | value >> (32 - by)) & _MASK


def _directives(lines: Iterable[bytes]) -> tuple[bool, tuple[Credit, ...]]:
    whitelist, limits = False, dict[bytes, int]()
    points: dict[bytes, dict[int, int]] = {}
    for line in lines:
        if match := DIRECTIVE.match(line):
            whitelist |= match[1] == b"whitelist"
            limits |= {match[1]: bounded_number(match[2]) & _MASK} if match[2] else {}
        elif match := POINTS.match(line):
            costs = points.setdefault(match[2], {})
            costs[bounded_number(match[1]) & _MASK] = bounded_number(match[3]) & _MASK
    return whitelist, tuple(_credit(key, limit, points.get(key, {})) for key, limit in limits.items())


def _credit(key: bytes, limit: int, points: Mapping[int, int]) -> Credit:
    return Credit(key=key.decode("utf-8", "replace"), limit=limit, points=MappingProxyType(points))


def _credit_hash(credit: Credit) -> int:
    key = _fnv1a(credit.key.encode())
    costs = ((code, key, points) for code, points in credit.points.items())
    return reduce(xor, (_mixed_credit(*terms) for terms in ((key, credit.limit, _CREDIT_MARK), *costs)))


def _mixed_credit(a: int, b: int, c: int) -> int:
    return _rotated(a, 18) ^ _rotated(b, 9) ^ _rotated(c, 27)


def _fnv1a(text: bytes) -> int:
    return reduce(lambda hash_, byte: (hash_ ^ byte) * 16_777_619 & _MASK, text, 2_166_136_261)
