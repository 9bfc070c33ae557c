"""What an operator should know of his ``lflist.conf``: all that game servers read in another way (D11)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from deckcheck.lflist import BOM, DIRECTIVE, ENTRY, POINTS, Entry, read_entry

_LONGEST_LINE: Final = 1023
_DATED: Final = re.compile(rb"![0-9.]+")
_CODE_ALONE: Final = re.compile(rb"[ \t\v\f]*\+?[0-9]+\s*")
_MAX_CODE: Final = 0xFFFF_FFFF
_USUAL_COUNTS: Final = range(-1, 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is not as it looks."""

    line: int
    """From 1 up."""
    code: str
    """Stable word for programs."""
    message: str


def lint(data: bytes) -> tuple[Problem, ...]:
    """Return the problems of a list file, in the order of its lines; an empty tuple for a clean one."""
    return tuple(_problems(data))


def _problems(data: bytes) -> Iterator[Problem]:
    if data.startswith(BOM):
        yield _problem(1, "bom", "the file begins with a BOM: YGOPro loses a list that follows it directly")
    section = _Section()
    for number, line in enumerate(data.removeprefix(BOM).split(b"\n"), start=1):
        if len(line) > _LONGEST_LINE:
            yield _problem(number, "long_line", f"YGOPro cuts lines after {_LONGEST_LINE} bytes")
        if line.startswith(b"!"):
            section = _Section(inside=True)
            yield from _header(number, line)
        elif line.strip() and not line.startswith(b"#"):
            yield from section.read(number, line)


def _header(number: int, line: bytes) -> Iterator[Problem]:
    if not _DATED.match(line):
        message = "srvpro does not count a list without a date: its numbers differ from YGOPro's from here on"
        yield _problem(number, "undated_header", message)


class _Section:
    """What was read since the last header."""

    def __init__(self, *, inside: bool = False) -> None:
        self.inside, self.lines = inside, 0
        self.entries: dict[int, tuple[int, int]] = {}
        self.budgets: set[bytes] = set()

    def read(self, number: int, line: bytes) -> Iterator[Problem]:
        self.lines += 1
        if not self.inside:
            yield _problem(
                number, "before_first_list", "this belongs to no list: no line with ! stands before"
            )
        elif line.startswith(b"$"):
            yield from self._directive(number, line)
        elif points := POINTS.match(line):
            yield from self._points(number, points[2])
        elif entry := read_entry(line):
            yield from self._entry(number, entry)
        else:
            yield _unread(number, line)

    def _directive(self, number: int, line: bytes) -> Iterator[Problem]:
        match = DIRECTIVE.match(line)
        if match and match[1] == b"whitelist":
            if self.lines > 1:
                yield _problem(number, "whitelist_late", "$whitelist must follow the header of its list")
        elif match and match[2]:
            self.budgets.add(match[1])
        else:
            yield _problem(number, "unknown_directive", "no server knows this $ line: it is skipped")

    def _points(self, number: int, key: bytes) -> Iterator[Problem]:
        if key not in self.budgets:
            shown = key.decode("utf-8", "replace")
            yield _problem(number, "no_budget", f"no line ${shown} with a limit stands before this cost")

    def _entry(self, number: int, entry: Entry) -> Iterator[Problem]:
        code, allowed, _ = entry
        if allowed not in _USUAL_COUNTS:
            yield _problem(number, "odd_count", f"{allowed} is no count of a list: YGOPro skips the line")
        if code in self.entries:
            yield _duplicate(number, code, allowed, *self.entries[code])
        self.entries[code] = number, allowed


def _duplicate(number: int, code: int, allowed: int, before: int, first: int) -> Problem:
    if allowed == first:
        message = f"{code:08d} stands in line {before} as well: both lines cancel in the hash"
        return _problem(number, "equal_lines", message)
    message = f"{code:08d} stands in line {before} with {first}: the last line wins"
    return _problem(number, "duplicate", message)


def _unread(number: int, line: bytes) -> Problem:
    match = ENTRY.match(line)
    if (match and match[2] is None) or _CODE_ALONE.fullmatch(line):
        return _problem(
            number, "missing_count", "no count: newer servers skip the line, older ones forbid the card"
        )
    if match and int(match[1]) > _MAX_CODE:
        return _problem(number, "code_too_large", "no passcode is above 4294967295: the line is skipped")
    return _problem(number, "no_entry", "this is neither an entry nor a comment: the line is skipped")


def _problem(line: int, code: str, message: str) -> Problem:
    return Problem(line=line, code=code, message=message)
