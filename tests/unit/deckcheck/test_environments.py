"""What decks are judged by."""

import pytest

from deckcheck.deck import Deck
from deckcheck.environments import current, known_cards, retro, whitelist
from deckcheck.lflist import LfList, hash_text, list_hash
from deckcheck.parsed import ParsedDeck
from deckcheck.pools import POOLS, PoolKey, pool_limits
from tests.decks import ARTWORK, NAMESAKE, a_list, card, small_ocg, small_world


@pytest.mark.parametrize(
    ("key", "list_hash"), [("goat", "fd3cfd0f"), ("edison", "3b5d4a9e"), ("explorer", "25e90c1b")]
)
def test_retro_environments(key: PoolKey, list_hash: str) -> None:
    """D44, D45, R047, R048, R049: pool + list, with the hashes that are stored; explorer's is 2011.9.1."""
    environment = retro(key)
    assert (environment.key, environment.list_hash) == (key, list_hash)
    assert environment.pool_hash == POOLS[key].hash
    assert environment.pool == frozenset(pool_limits(key))
    assert environment.list_name == POOLS[key].list_name


def test_retro_environments_differ() -> None:
    """D45: equality and hash are those of the content."""
    assert retro("goat") == retro("goat")
    assert hash(retro("goat")) == hash(retro("goat"))
    assert retro("goat") != retro("edison")
    assert retro("goat") != retro("goat", {})


def test_names_come_from_the_operator_s_cards() -> None:
    """Issue 5: else the pool's English names, and facts stay those of the pool."""
    german = known_cards({89631139: card(89631139, name="Blauäugiger w. Drache", setcode=0xDD, extra=True)})
    assert german[89631139].name == "Blauäugiger w. Drache"
    assert german[89631139].setcode == 0xDD
    assert not german[89631139].extra
    assert known_cards({89631139: card(89631139, name="")})[89631139].name == "Blue-Eyes White Dragon"
    assert known_cards()[46986414].name == "Dark Magician"


def test_the_current_environment() -> None:
    """D44, D45: list name and hash of the operator's list, pool hash of his cards."""
    environment = small_ocg("100 1")
    other = current(a_list("!2026.7\n100 1"), {100: card(100)})
    assert (environment.key, environment.title, environment.list_name) == ("ocg", "OCG 2026.7", "2026.7")
    assert environment.list_hash == other.list_hash == hash_text(list_hash([(100, 1)]))
    assert environment.pool_hash != other.pool_hash
    assert environment.pool_hash == small_ocg("101 1").pool_hash


def test_limits_of_artworks_and_names_are_one_limit() -> None:
    """D21, section 8: a list that names only an artwork means the card; of two lines the stricter counts."""
    assert small_ocg(f"{ARTWORK} 0").caps == {100: 0}
    assert small_ocg(f"{NAMESAKE} 2\n100 1\n999 1").caps == {100: 1, 999: 1}


def test_placing() -> None:
    """D31: mixed decks are sorted by card type, others are left as they are; unknown cards stay in main."""
    environment = small_ocg()
    mixed = ParsedDeck(deck=Deck(main=(100, 900, 999, 901), side=(902,)), mixed=True)
    assert environment.placed(mixed) == Deck(main=(100, 999), extra=(900, 901), side=(902,))
    apart = ParsedDeck(deck=Deck(main=(100, 900), extra=(101,)))
    assert environment.placed(apart) is apart.deck


def own(text: str) -> LfList:
    """Return a list with a pool of its own."""
    return a_list(f"!Mine \n$whitelist\n{text}")


def test_whitelists_are_pool_and_list() -> None:
    """D08: what is not listed is refused; 3 and -1 are unlimited."""
    environment = whitelist("mine", own("100 0\n101 1\n102 3\n103 -1\n"), small_world())
    assert (environment.key, environment.title, environment.list_name) == ("mine", "Mine", "Mine ")
    assert environment.pool == frozenset({100, 101, 102, 103})
    assert environment.caps == {100: 0, 101: 1}
    assert environment.unknown == "refuse"


def test_whitelists_need_no_cards() -> None:
    """D44: the carried facts serve; a card that nobody knows is a main deck card of its own."""
    environment = whitelist("mine", own("83764719 1\n7 2\n"))
    assert environment.pool == frozenset({83764718, 7})
    assert environment.caps == {83764718: 1, 7: 2}
    assert environment.unknown == "outside"
    assert environment.cards[7].name == ""


def test_credits_follow_names() -> None:
    """D09, D21: points belong to what a card is counted as."""
    environment = small_ocg(f"$g 9\n{ARTWORK} $g 4\n999 $g 2")
    assert environment.credits[0].points == {100: 4, 999: 2}
