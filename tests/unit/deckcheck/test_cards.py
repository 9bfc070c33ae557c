"""The reader of cards.cdb."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from deckcheck.cards import read_cards
from deckcheck.errors import SourceBroken
from tests.decks import CDB, make_cdb, needs_shared

POLYMERIZATION, FUSION_SUBSTITUTE, FAR_REPRINT = 24094653, 74335036, 27847700


@pytest.fixture
def cdb(tmp_path: Path) -> Path:
    """Return a database with one card of each kind of alias."""
    return make_cdb(
        tmp_path / "cards.cdb",
        [
            (100, 3, 0, 0x12F, 0x21, "Base"),
            (119, 1, 100, 0, 0x21, "Artwork"),
            (120, 2, 100, 0, 0x41, "Namesake"),
            (500, 3, 120, 0, 0x21, "Namesake of a namesake"),
            (121, 3, 120, 0, 0x21, "Artwork of a namesake"),
            (900, 3, 100, 0, 0x4011, "Token"),
            (FAR_REPRINT, 3, POLYMERIZATION, 0, 2, "Polymerization"),
            (FUSION_SUBSTITUTE, 3, POLYMERIZATION, 0, 2, "Fusion Substitute"),
        ],
    )


def test_aliases(cdb: Path) -> None:
    """D20: near ones are artworks, far ones names, tokens neither."""
    cards = read_cards([cdb])
    names = {code: (cards[code].base, cards[code].counted_as) for code in (100, 119, 120, 500, 121, 900)}
    assert names == {
        100: (100, 100),
        119: (100, 100),
        120: (120, 100),
        500: (500, 120),
        121: (120, 100),
        900: (900, 900),
    }


def test_far_reprints_are_the_same_card_but_namesakes_are_not(cdb: Path) -> None:
    """D21, D22: Fusion Substitute does not ride on Polymerization, its far reprint does."""
    cards = read_cards([cdb])
    assert (cards[FAR_REPRINT].base, cards[FUSION_SUBSTITUTE].base) == (POLYMERIZATION, FUSION_SUBSTITUTE)
    assert cards[FAR_REPRINT].counted_as == cards[FUSION_SUBSTITUTE].counted_as == POLYMERIZATION


def test_kinds_bits_and_names(cdb: Path) -> None:
    """Section 2: extra deck and token by type, the rest as it stands."""
    cards = read_cards([cdb])
    assert [code for code, card in cards.items() if card.extra] == [120]
    assert [code for code, card in cards.items() if card.token] == [900]
    assert (cards[100].name, cards[100].ot, cards[100].setcode) == ("Base", 3, 0x12F)


@pytest.mark.parametrize("kind", [0x40, 0x2000, 0x800000, 0x4000000])
def test_extra_deck_types(tmp_path: Path, kind: int) -> None:
    """Section 2: fusion, synchro, xyz, link are ``type & 0x4802040``."""
    assert read_cards([make_cdb(tmp_path / "a.cdb", [(1, 3, 0, 0, kind | 1, "x")])])[1].extra


def test_later_files_win(cdb: Path, tmp_path: Path) -> None:
    """Section 2: expansions are merged in order, and their aliases may point into earlier files."""
    expansion = make_cdb(tmp_path / "z.cdb", [(100, 1, 0, 0, 1, "Newer"), (101, 1, 100, 0, 1, "Art")])
    cards = read_cards([cdb, expansion])
    assert cards[100].name == "Newer"
    assert cards[101].base == 100
    assert read_cards([expansion, cdb])[100].name == "Base"


def test_missing_values_are_empty(tmp_path: Path) -> None:
    """F17: a card without a text or with NULL in its fields is a card without a name."""
    path = make_cdb(tmp_path / "a.cdb", [])
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("INSERT INTO datas (id) VALUES (7)")
        database.execute("INSERT INTO datas (id, setcode) VALUES (8, -1)")
        database.execute("INSERT INTO texts VALUES (8, CAST(X'FF41' AS TEXT), '')")
    cards = read_cards([path])
    assert (cards[7].name, cards[7].ot) == ("", 0)
    assert (cards[8].name, cards[8].setcode) == ("\ufffdA", 0xFFFF_FFFF_FFFF_FFFF)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """D44: the operator is told which file."""
    with pytest.raises(SourceBroken, match=r"nowhere\.cdb") as refusal:
        read_cards([tmp_path / "nowhere.cdb"])
    assert refusal.value.code == "cards_missing"


@pytest.mark.parametrize("content", [b"", b"not a database, but long enough to look at" * 40])
def test_a_broken_file_is_named(tmp_path: Path, content: bytes) -> None:
    """D44: so is a file that is no card database."""
    path = tmp_path / "cards.cdb"
    path.write_bytes(content)
    with pytest.raises(SourceBroken, match="no readable card database") as refusal:
        read_cards([path])
    assert refusal.value.data == {"path": str(path)}


def test_a_text_where_a_number_belongs_is_named(tmp_path: Path) -> None:
    """D44: a damaged row is not guessed at."""
    path = make_cdb(tmp_path / "a.cdb", [])
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("INSERT INTO datas (id, ot) VALUES (7, 'three')")
    with pytest.raises(SourceBroken):
        read_cards([path])


def test_the_file_is_only_read(cdb: Path) -> None:
    """D45: the duel server's own file is left alone, also where it may not be written."""
    before = cdb.read_bytes()
    cdb.chmod(0o444)
    read_cards([cdb])
    assert cdb.read_bytes() == before
    assert [path.name for path in cdb.parent.iterdir()] == ["cards.cdb"]


@needs_shared
def test_the_real_file() -> None:
    """D20, D22: the artworks and names of the published database."""
    cards = read_cards([CDB])
    assert len(cards) == 10422
    assert (cards[46986421].base, cards[36996508].base) == (46986414, 46986414)
    assert (cards[83764719].base, cards[27927359].counted_as) == (83764718, 76812113)
    assert cards[27927359].base == 27927359
