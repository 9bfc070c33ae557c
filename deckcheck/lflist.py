"""Forbidden lists as game servers read them: ``lflist.conf`` of YGOPro, with the words of EDOPro and Koishi.

A file of a hundred lists says the same lines again and again: each distinct line is read once, and a section
that was read before (in an older edition of the file) is not read again.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from operator import xor
from types import MappingProxyType
from typing import Final, TypeAlias

from deckcheck.errors import SourceBroken

HASH_START: Final = 0x7DFC_EE6A
MAX_FILE_BYTES: Final = 32 * 1024 * 1024
BOM: Final = b"\xef\xbb\xbf"
_MASK: Final = 0xFFFF_FFFF
_CREDIT_MARK: Final = 0x4352_4544
_KEPT: Final = frozenset(range(3))
_REMEMBERED_LINES: Final = 1 << 14
_USUAL: Final = {b" %d%s" % (count, end): count for count in _KEPT for end in (b"", b" ")}
"""What follows a code of eight digits, as nearly all lines have it: read in a third of the time."""

# No number has so many digits that it is slow to read.
ENTRY: Final = re.compile(rb"[ \t\v\f]*\+?([0-9]{1,99})[ \t](?:[ \t\v\f]*([+-]?[0-9]{1,99})(?![0-9]))?")
"""Code and count of a line; the rest of the line is a comment (D02)."""
DIRECTIVE: Final = re.compile(rb"\$(\S+)(?:[ \t]+([0-9]{1,99}))?")
"""``$whitelist`` (D08) or ``$key limit`` (D09)."""
POINTS: Final = re.compile(rb"[ \t]*\+?([0-9]{1,99})[ \t]+\$(\S+)[ \t]+([0-9]{1,99})")
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
    return _lists(data)


def list_hash(entries: Iterable[tuple[int, int]]) -> int:
    """Return YGOPro's hash over (code, count); equal entries cancel, the order does not matter (D06, D07)."""
    return reduce(xor, (_mixed(code, count) for code, count in entries), HASH_START)


def hash_text(hash_: int) -> str:
    """Return a list hash as people write it: eight hexadecimal digits."""
    return f"{hash_:08x}"


Entry: TypeAlias = tuple[int, int, int]
"""What a line says: code, how many are allowed, what this adds to the hash."""


def read_entry(line: bytes) -> Entry | None:
    """Return what *line* says, None for a comment and for what every game server skips (D02-D04)."""
    allowed = _USUAL.get(line[8:11])
    if allowed is not None and (digits := line[:8]).isdigit():
        code = int(digits)
        twice = code << 32 | code  # of which every rotation of the code is a part
        return code, allowed, (twice >> 14 ^ twice >> 5 - allowed) & _MASK
    match = ENTRY.match(line)
    number, count = match.groups() if match else (b"", None)
    if count is None or (code := int(number)) > _MASK:
        return None
    return code, int(count), _mixed(code, int(count))


class _Known(dict[bytes, Entry | None]):
    """What YGOPro keeps of the distinct lines that were met lately."""

    def __init__(self) -> None:
        super().__init__()
        self.others = set[bytes]()
        """Lines that only EDOPro keeps."""

    def __missing__(self, line: bytes) -> Entry | None:
        entry = read_entry(line)
        if entry and entry[1] not in _KEPT:
            self.others.add(line)
            entry = None
        self[line] = entry
        return entry

    def forget(self) -> None:
        """Start anew."""
        self.clear()
        self.others.clear()


_KNOWN: Final = _Known()


@lru_cache(maxsize=2)
def _lists(data: bytes) -> tuple[LfList, ...]:
    head, *sections = data.removeprefix(BOM).split(b"\n!")
    if head.startswith(b"!"):
        sections.insert(0, head.removeprefix(b"!"))
    return tuple(map(_section, sections))


@lru_cache(maxsize=512)
def _section(section: bytes) -> LfList:
    header, _, body = section.partition(b"\n")
    lines = body.split(b"\n")
    if len(_KNOWN) > _REMEMBERED_LINES:
        _KNOWN.forget()
    limits, hash_ = _content(filter(None, map(_KNOWN.__getitem__, lines)))
    counts, edopro_hash = limits, hash_
    if _KNOWN.others and not _KNOWN.others.isdisjoint(lines):
        counts, edopro_hash = _content(filter(None, map(read_entry, lines)))
    whitelist, budgets = _directives(lines) if b"$" in section else (False, ())
    return LfList(
        name=header.partition(b"\r")[0].decode("utf-8", "replace"),
        limits=MappingProxyType(limits),
        counts=MappingProxyType(counts),
        hash=reduce(xor, map(_credit_hash, budgets), hash_),
        edopro_hash=edopro_hash,
        whitelist=whitelist,
        credits=budgets,
    )


def _content(entries: Iterable[Entry]) -> tuple[dict[int, int], int]:
    """Return how many are allowed by code, the last entry wins, and the hash over all entries."""
    counts, hash_ = dict[int, int](), HASH_START
    for code, allowed, mixed in entries:
        counts[code] = allowed
        hash_ ^= mixed
    return counts, hash_


def _mixed(code: int, count: int) -> int:
    # Modulo 2^32 - 1 a multiplication by 2^n is a rotation by n; what all ones give cancels out.
    return (code << 18) % _MASK ^ (code << (27 + count & 31)) % _MASK


def _rotated(value: int, by: int) -> int:
    return (value << by | value >> (32 - by)) & _MASK


def _directives(lines: Iterable[bytes]) -> tuple[bool, tuple[Credit, ...]]:
    whitelist, limits = False, dict[bytes, int]()
    points: dict[bytes, dict[int, int]] = {}
    for line in lines:
        if match := DIRECTIVE.match(line):
            whitelist |= match[1] == b"whitelist"
            limits |= {match[1]: int(match[2]) & _MASK} if match[2] else {}
        elif match := POINTS.match(line):
            costs = points.setdefault(match[2], {})
            costs[int(match[1]) & _MASK] = int(match[3]) & _MASK
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
