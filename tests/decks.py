"""What the tests of decks share: the published data, a small world of cards, decks of it."""

import csv
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import pytest

from deckcheck.cards import OCG, TCG, Card
from deckcheck.deck import Deck
from deckcheck.environments import Environment, Rule, current
from deckcheck.errors import DeckcheckError
from deckcheck.lflist import LfList, read_lflist
from deckcheck.links import read_link, read_ydke
from deckcheck.lint import lint
from deckcheck.reading import read_any
from deckcheck.snapshot import thaw_environment
from deckcheck.wire import read_deckbuf, read_deckbuf_text
from deckcheck.ydk import read_ydk

SHARED: Final = Path(__file__).parents[2] / "shared" / "data"
"""The published facts, beside the project; tests that need them are skipped where they are absent."""
CDB: Final = SHARED / "ygopro" / "cards.cdb"
LFLIST: Final = SHARED / "ygopro" / "lflist.conf"

needs_shared: Final = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the shared data are not beside the project"
)

D36: Final = Deck(main=(89631139, 89631139, 89631139, 46986414), extra=(63519819,))
"""The deck that decks.md shows in every form."""

EXTRA: Final = range(900, 920)
"""Passcodes of the small world that belong to the extra deck."""
TOKEN, TCG_ONLY, CUSTOM, PRERELEASE_BIT, ARTWORK, NAMESAKE = 800, 801, 802, 803, 119, 804
"""Special passcodes of the small world; the last two are an artwork of card 100, and a card of its name."""

CdbRow = tuple[int, int, int, int, int, str]
"""id, ot, alias, setcode, type, name."""


def rows(path: Path) -> list[dict[str, str]]:
    """Return a published table."""
    with path.open(encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table))


def card(code: int, **changes: Any) -> Card:
    """Return a card that is like others but for *changes*."""
    plain = Card(
        code=code, name=f"Card {code}", base=code, counted_as=code, ot=OCG | TCG, extra=False, token=False
    )
    return plain._replace(**changes)


def small_world() -> Mapping[int, Card]:
    """Return 100 main cards (100-199), 20 extra cards (900-919) and one of each odd kind."""
    cards = [card(code) for code in range(100, 200)] + [card(code, extra=True) for code in EXTRA]
    cards += [
        card(TOKEN, token=True),
        card(TCG_ONLY, ot=TCG),
        card(CUSTOM, ot=4),
        card(PRERELEASE_BIT, ot=0x101),
        card(ARTWORK, base=100, counted_as=100),
        card(NAMESAKE, counted_as=100),
    ]
    return {each.code: each for each in cards}


def a_list(text: str) -> LfList:
    """Return the first list of *text*."""
    return read_lflist(text.encode())[0]


def small_ocg(lines: str = "", *, allow_prerelease: bool = True, rule: Rule = "ocg") -> Environment:
    """Return an ``ocg`` environment of the small world."""
    return current(a_list(f"!2026.7\n{lines}"), small_world(), allow_prerelease=allow_prerelease, rule=rule)


def legal_main(*instead: int, size: int = 40) -> tuple[int, ...]:
    """Return a main deck of single cards that begins with *instead*."""
    return (*instead, *range(140, 140 + size - len(instead)))


def make_cdb(path: Path, cards: Iterable[CdbRow]) -> Path:
    """Write a card database with *cards*."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "CREATE TABLE datas (id INTEGER PRIMARY KEY, ot, alias, setcode, type, atk, def, level, race,"
            " attribute, category)"
        )
        database.execute("CREATE TABLE texts (id INTEGER PRIMARY KEY, name, desc)")
        for code, ot, alias, setcode, kind, name in cards:
            values = (code, ot, alias, setcode, kind)
            database.execute(
                "INSERT INTO datas (id, ot, alias, setcode, type) VALUES (?, ?, ?, ?, ?)", values
            )
            database.execute("INSERT INTO texts (id, name) VALUES (?, ?)", (code, name))
    return path


def _link(data: bytes) -> object:
    return read_link(data.decode("utf-8", "surrogateescape"))


def _ydke(data: bytes) -> object:
    return read_ydke(data.decode("utf-8", "surrogateescape"))


def _deckbuf_text(data: bytes) -> object:
    return read_deckbuf_text(data.decode("utf-8", "surrogateescape"))


READERS: Final[Mapping[str, Callable[[bytes], object]]] = {
    "any": read_any,
    "ydk": read_ydk,
    "ydke": _ydke,
    "link": _link,
    "deckbuf": read_deckbuf,
    "deckbuf_text": _deckbuf_text,
    "lflist": read_lflist,
    "lint": lint,
    "snapshot": thaw_environment,
}
"""Everything that reads bytes from outside (F17)."""


def reads(data: bytes, *names: str) -> None:
    """Let the named readers, or all, read *data*: the only error that may come is of this package."""
    for name in names or READERS:
        with suppress(DeckcheckError):
            READERS[name](data)
