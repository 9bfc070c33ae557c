"""The cards that a duel server knows: ``cards.cdb`` and its expansions, merged, read-only (section 2)."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from deckcheck.errors import SourceBroken

EXTRA_TYPES: Final = 0x0480_2040
"""Fusion, synchro, xyz, link."""
TOKEN_TYPE: Final = 0x4000
OCG, TCG, CUSTOM, CHINESE, PRERELEASE = 0x1, 0x2, 0x4, 0x8, 0x100
"""Bits of ``ot``; the last is EDOPro's."""
ARTWORK_RANGE: Final = 20
"""An alias nearer than this is another artwork of the same card (D20)."""
FAR_REPRINTS: Final[Mapping[int, int]] = {36996508: 46986414, 27847700: 24094653}
"""Artworks too far from their card for D20 to see: Dark Magician, Polymerization (D22)."""

_QUERY: Final = """
    SELECT datas.id, datas.alias, datas.ot, datas.type, datas.setcode, texts.name
    FROM datas LEFT JOIN texts ON texts.id = datas.id
"""
_MAX_ROWS: Final = 1_000_000


class Card(NamedTuple):
    """What the check needs to know of a passcode."""

    code: int
    name: str
    base: int
    """The card that this is an artwork of; itself in most cases (D20)."""
    counted_as: int
    """The card whose name it bears, for copies and limits (D20, D21)."""
    ot: int
    extra: bool
    """It belongs to the extra deck."""
    token: bool
    setcode: int = 0
    """Up to four archetypes, 16 bits each."""


class _Row(NamedTuple):
    name: str
    code: int
    alias: int
    ot: int
    type: int
    setcode: int


def read_cards(paths: Iterable[Path]) -> Mapping[int, Card]:
    """Return all cards of the files by passcode; a later file replaces cards of the earlier ones.

    Raises SourceBroken if a file is missing, damaged or no card database.
    """
    rows: dict[int, _Row] = {}
    for path in paths:
        rows.update((row.code, row) for row in _rows(path))
    return {code: _card(row, rows) for code, row in rows.items()}


def _rows(path: Path) -> list[_Row]:
    try:
        if not path.is_file():
            raise SourceBroken("cards_missing", f"there is no card database {path}", path=str(path))
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            return list(_read(database))
    except (sqlite3.Error, OSError, TypeError, ValueError, OverflowError) as error:
        message = f"{path} is no readable card database: {error}"
        raise SourceBroken("cards_broken", message, path=str(path)) from error


def _read(database: sqlite3.Connection) -> Iterator[_Row]:
    database.text_factory = lambda raw: raw.decode("utf-8", "replace")
    for code, alias, ot, kind, setcode, name in database.execute(_QUERY).fetchmany(_MAX_ROWS):
        numbers = (int(number or 0) for number in (code, alias, ot, kind, setcode))
        yield _Row(str(name or ""), *numbers)


def _card(row: _Row, rows: Mapping[int, _Row]) -> Card:
    base = _base(row)
    return Card(
        code=row.code,
        name=row.name,
        base=base,
        counted_as=_counted_as(row, rows.get(base, row)),
        ot=row.ot,
        extra=bool(row.type & EXTRA_TYPES),
        token=bool(row.type & TOKEN_TYPE),
        setcode=row.setcode & 0xFFFF_FFFF_FFFF_FFFF,
    )


def _base(row: _Row) -> int:
    if row.alias and abs(row.code - row.alias) < ARTWORK_RANGE:
        return row.alias
    return FAR_REPRINTS.get(row.code, row.code)


def _counted_as(row: _Row, base: _Row) -> int:
    if row.type & TOKEN_TYPE:
        return row.code
    return base.alias or base.code
