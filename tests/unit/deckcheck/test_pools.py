"""The carried pools, and how they are made."""

import csv
import runpy
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from deckcheck.errors import SourceBroken
from deckcheck.pools import POOLS, PoolKey, modern_codes, parse_line, pool_cards, pool_hash, pool_limits
from deckcheck.pools import build as building
from tests.decks import SHARED, needs_shared, rows


@pytest.mark.parametrize(
    ("key", "cards", "sizes"),
    [
        ("goat", 1698, (17, 41, 15, 1625)),
        ("edison", 3673, (43, 70, 19, 3541)),
        ("explorer", 5118, (52, 65, 18, 4983)),
    ],
)
def test_sizes(key: PoolKey, cards: int, sizes: tuple[int, ...]) -> None:
    """Section 5: as many cards of each limit as published."""
    limits = pool_limits(key)
    counts = Counter(limits.values())
    assert len(limits) == cards
    assert tuple(counts[limit] for limit in range(4)) == POOLS[key].sizes == sizes


@pytest.mark.parametrize("key", list(POOLS))
def test_hashes(key: PoolKey) -> None:
    """D45: a pool that was changed is another pool."""
    assert pool_hash(pool_limits(key)) == POOLS[key].hash


def test_cards_know_their_other_passcodes() -> None:
    """D20, D22: artworks, far reprints, the printed Konami passcode, historical and pre-errata ids."""
    cards = pool_cards()
    bases = {83764719: 83764718, 18144507: 18144506, 36996508: 46986414, 27847700: 24094653}
    assert {code: cards[code].base for code in bases} == bases
    assert cards[504700000].base == 126218
    assert modern_codes()[504700000] == 126218
    assert 83764719 not in modern_codes()


def test_names_that_count_together() -> None:
    """D20: the Harpies are counted as Harpie Lady, each in its own right in the pool."""
    cards = pool_cards()
    assert {cards[code].counted_as for code in (27927359, 54415063, 80316585, 91932350)} == {76812113}
    assert cards[27927359].base == 27927359
    assert cards[13857930].extra


def test_nobody_writes_to_the_carried_tables() -> None:
    """D45: they are shared by all environments."""
    with pytest.raises(TypeError):
        pool_limits("goat")[1] = 1  # type: ignore[index]  # this is the test


@pytest.mark.parametrize("text", ["27551\t-33\t\t\t\tLimit Reverse", "2\t-10\tx\t7\t3 4 ~5\tA B"])
def test_a_line_says_what_it_is_made_of(text: str) -> None:
    """Decisions 10: limit, extra flag, counted-as, alternates, name."""
    assert str(parse_line(text)) == text
    assert parse_line("2\t-10\tx\t7\t3 4 ~5\tA B")[:6] == (2, (None, 1, 0), True, 7, (3, 4), (5,))


@needs_shared
def test_the_carried_table_is_what_the_facts_make() -> None:
    """Issue 5: the table comes from the facts alone."""
    assert building.build(SHARED) == building.TARGET.read_text("utf-8")


@needs_shared
@pytest.mark.parametrize("key", list(POOLS))
def test_every_published_card_is_carried(key: PoolKey) -> None:
    """Section 5: passcode by passcode, with its name."""
    published = rows(SHARED / "pools" / f"{POOLS[key].source}.csv")
    limits, cards = pool_limits(key), pool_cards()
    assert {int(row["passcode"]): int(row["limit"]) for row in published} == limits
    assert all(cards[int(row["passcode"])].name == row["name"] for row in published)


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    """Return the facts that the carried table was made of, as published, to be spoiled."""
    cards = pool_cards()
    artworks: dict[int, list[str]] = {card.base: [] for card in cards.values()}
    for code in cards.keys() - artworks.keys() - modern_codes().keys():
        artworks[cards[code].base].append(str(code))
    table = [("passcode", "extra", "treated_as", "alternates", "name")]
    table += [
        (
            f"{card.code:08d}",
            f"{card.extra:d}",
            "" if card.counted_as == card.code else f"{card.counted_as:08d}",
            " ".join(sorted(artworks[card.code])),
            card.name,
        )
        for card in map(cards.__getitem__, artworks)
    ]
    write(tmp_path / "pools" / "cards.csv", table)
    history = [(f"{old}", f"{code:08d}") for old, code in modern_codes().items()]
    write(tmp_path / "pools" / "historical-id-aliases.csv", [("historical_id", "passcode"), *history])
    for key, pool in POOLS.items():
        lines = [(f"{code:08d}", f"{limit}", cards[code].name) for code, limit in pool_limits(key).items()]
        head = ("passcode", "limit", "name")
        write(tmp_path / "pools" / f"{pool.source}.csv", [head, *lines])
        banned = [line for line in lines if line[1] != "3"]
        write(tmp_path / "banlists" / f"{building.BANLISTS[key]}.csv", [head, *banned])
    return tmp_path


def write(path: Path, table: Iterable[Sequence[str]]) -> None:
    """Write a table."""
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(table)


def spoil(path: Path, old: str, new: str) -> None:
    """Replace the first *old* in a file."""
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


@pytest.mark.parametrize(
    ("table", "old", "new", "code"),
    [
        ("pools/goat-2005-04.csv", "00032864,3,", "00032864,2,", "pool_counts"),
        ("pools/goat-2005-04.csv", "00032864,", "00000001,", "pool_counts"),
        ("pools/cards.csv", "00032864,", "00000001,", "pool_counts"),
        ("banlists/tcg-2005-04.csv", "04031928,0,", "04031928,1,", "pool_list"),
    ],
)
def test_facts_that_disagree_are_refused(facts: Path, table: str, old: str, new: str, code: str) -> None:
    """Section 5: counts and lists must agree before anything is written."""
    spoil(facts / table, old, new)
    with pytest.raises(SourceBroken) as refusal:
        building.build(facts)
    assert refusal.value.code == code


def test_another_pool_of_the_same_size_is_refused(facts: Path) -> None:
    """D45: the hash of a pool is part of what is published."""
    spoil(facts / "pools" / "goat-2005-04.csv", "00032864,3,", "00027551,3,")
    with pytest.raises(SourceBroken) as refusal:
        building.build(facts)
    assert refusal.value.code == "pool_hash"


def test_the_command_writes_the_table(facts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 5: ``python -m deckcheck.pools.build FOLDER TARGET``."""
    target = facts / "made.tsv"
    monkeypatch.setattr(sys, "argv", ["build", str(facts), str(target)])
    monkeypatch.delitem(sys.modules, building.__name__)
    runpy.run_module(building.__name__, run_name="__main__")
    assert target.read_bytes() == building.TARGET.read_bytes()
