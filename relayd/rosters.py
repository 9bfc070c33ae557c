"""Lists of players and teams as files: the sample for a host to fill in, and what he sends (S109, S110)."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Final

from relayd.neutral import neutral
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId
from ruleset.tournament.commands import RosterLine

HEADER: Final = ("player", "nickname", "team")
SAMPLE: Final = (HEADER, ("P000123", "Nick", "Red"))
"""A header and one example; the nickname is for people, who is meant says the number (R004)."""
MOST: Final = 10_000
"""Lines that are read at most."""
_SPELLINGS: Final = {"选手号": "player", "number": "player", "队伍": "team", "昵称": "nickname"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """What a file says."""

    lines: tuple[RosterLine, ...]
    teams: tuple[str, ...]
    """Those of lines that name no player."""


def read_csv(text: bytes) -> Roster:
    """Read a file as the sample has it, columns in any order. Raises as ``read_rows``."""
    try:
        rows = list(csv.reader(StringIO(text.decode("utf-8-sig"))))
    except (UnicodeDecodeError, csv.Error) as error:
        raise CommandRejected("bad_file", why=str(error)) from error
    return read_rows(rows)


def read_rows(rows: Iterable[Sequence[object]]) -> Roster:
    """Read rows with a header, as of a CSV file or a sheet.

    Raises CommandRejected ``bad_file`` (no such header, too long) or ``bad_rows``: each by its number in the
    file, where 1 is the header, with what is wrong.
    """
    table = [[neutral(str(cell)).strip() for cell in row] for row in rows]
    head = [_SPELLINGS.get(name.lower(), name.lower()) for name in table[0]] if table else []
    if "player" not in head or len(table) > MOST:
        raise CommandRejected("bad_file", why=f"a header with {', '.join(HEADER)}, and {MOST} lines at most")
    read = list(_read(head, table[1:]))
    wrong = {number: line for number, line in read if isinstance(line, str)}
    if wrong:
        raise CommandRejected("bad_rows", rows=wrong)
    lines = [line for _, line in read if isinstance(line, RosterLine)]
    named = tuple(line for line in lines if line.player)
    return Roster(lines=named, teams=tuple(line.team for line in lines if not line.player))


def _read(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[tuple[int, RosterLine | str]]:
    for number, row in enumerate(rows, 2):
        cells = dict(zip(head, row, strict=False))
        player, team = cells.get("player", ""), cells.get("team", "")
        digits = player.upper().removeprefix("P")
        if not player and not team:
            continue
        if player and not (digits.isascii() and digits.isdecimal() and 0 < int(digits[:20]) < 2**53):
            yield number, "bad_number"
        else:
            yield number, RosterLine(player=PlayerId(int(digits or 0)), team=team)
