"""Lists of players and teams as files: the sample for a host to fill in, and what he sends (S109, S110)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from relayd.files.refusal import bad_file
from relayd.files.tables import MOST_ROWS, read_table, read_text
from relayd.neutral import neutral
from ruleset.ids import PlayerId, player_label
from ruleset.tournament.commands import RosterLine

Column: TypeAlias = Literal["player", "nickname", "team"]
HEADER: Final[tuple[Column, ...]] = ("player", "nickname", "team")
SAMPLE: Final = (HEADER, ("P000123", "Nick", "Red"))
"""A header and one example; the nickname is for people, who is meant says the number (R004)."""
MOST: Final = MOST_ROWS
"""Lines that are read at most."""
LONGEST_TEAM: Final = 100
"""Characters, as for a team that is typed."""
SPELLINGS: Final[Mapping[str, Column]] = {
    **dict.fromkeys(("player", "number", "player number", "no.", "id", "选手号", "选手编号"), "player"),
    **dict.fromkeys(("编号", "選手番号", "プレイヤー番号"), "player"),
    **dict.fromkeys(("nickname", "name", "昵称", "姓名", "名字", "ニックネーム", "名前"), "nickname"),
    **dict.fromkeys(("team", "team name", "队伍", "队名", "战队", "チーム", "チーム名"), "team"),
}
"""How people head the columns, in lower case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A player's line and where it stands."""

    row: int
    """In the file, where 1 is the header."""
    nickname: str
    """What the file calls him; empty: nothing."""
    told: RosterLine


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that is wrong with one cell."""

    row: int
    column: Column
    what: str
    """A code: ``bad_number``, ``no_number``, ``long_team``, and those of the rules (S110)."""
    cell: str = ""
    """What stands there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """What a file says."""

    lines: tuple[Line, ...]
    teams: tuple[str, ...]
    """Those of lines that name no player."""
    problems: tuple[Problem, ...] = field(default=())
    """Of the lines that are left out above."""

    @property
    def told(self) -> tuple[RosterLine, ...]:
        """The lines as the rules take them."""
        return tuple(line.told for line in self.lines)


def read_file(data: bytes) -> Roster:
    """Read a CSV file or a workbook as the sample has it, columns in any order, with all that is wrong.

    Raises CommandRejected ``bad_file``: not such a file, no such header, too long.
    """
    return read_rows(read_table(data))


def read_csv(text: str) -> Roster:
    """Read what somebody sends or pastes as CSV. Raises as ``read_file``."""
    return read_rows(read_text(text.removeprefix("\ufeff")))


def read_rows(rows: Iterable[Sequence[object]]) -> Roster:
    """Read rows with a header, as of a CSV file or a sheet. Raises as ``read_file``."""
    table = [[neutral(str(cell)).strip() for cell in row] for row in rows]
    head = [SPELLINGS.get(name.lower()) for name in table[0]] if table else []
    if "player" not in head:
        raise bad_file("header")
    if len(table) > MOST:
        raise bad_file("long")
    read = [*_read(head, table[1:])]
    return Roster(
        lines=tuple(line for line in read if isinstance(line, Line)),
        teams=tuple(line for line in read if isinstance(line, str)),
        problems=tuple(line for line in read if isinstance(line, Problem)),
    )


def rows_of(lines: Iterable[tuple[str, str, str]]) -> Iterator[Sequence[str]]:
    """Yield label, nickname and team of each player below the header, so that it can be sent again."""
    yield HEADER
    yield from lines


def rows_again(roster: Roster) -> Iterator[Sequence[str]]:
    """Yield what was read without problems, in the columns of the sample."""
    players = ((player_label(line.told.player), line.nickname, line.told.team) for line in roster.lines)
    yield from rows_of((*players, *(("", "", team) for team in roster.teams)))


def number_of(text: str) -> PlayerId | None:
    """Return the player number that *text* is, ``P000123`` or ``123``; ``None``: it is none (R004)."""
    digits = text.upper().removeprefix("P")
    sound = digits.isascii() and digits.isdecimal() and 0 < int(digits[:20]) < 2**53
    return PlayerId(int(digits)) if sound and len(digits) <= 20 else None


def _read(head: Sequence[Column | None], rows: Iterable[Sequence[str]]) -> Iterator[Line | Problem | str]:
    for row, cells in enumerate(rows, 2):
        said = {name: cell for name, cell in zip(head, cells, strict=False) if name is not None}
        player, nickname, team = (_unguarded(said.get(name, "")) for name in HEADER)
        if player or nickname or team:
            yield from _line(row, player, nickname, team)


def _line(row: int, player: str, nickname: str, team: str) -> Iterator[Line | Problem | str]:
    number = number_of(player)
    if player and number is None:
        yield Problem(row=row, column="player", what="bad_number", cell=player)
    elif nickname and number is None:
        yield Problem(row=row, column="player", what="no_number", cell=nickname)
    elif len(team) > LONGEST_TEAM:
        yield Problem(row=row, column="team", what="long_team", cell=team)
    elif number is None:
        yield team
    else:
        yield Line(row=row, nickname=nickname, told=RosterLine(player=number, team=team))


def _unguarded(cell: str) -> str:
    """Take off the mark by which a spreadsheet is kept from calculating (exports.as_csv)."""
    return cell[1:] if cell.startswith(("'=", "'+", "'-", "'@")) else cell
