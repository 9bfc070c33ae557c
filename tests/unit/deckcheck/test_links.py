"""Decks as links."""

from base64 import b64encode, urlsafe_b64encode

import pytest

from deckcheck.deck import Deck
from deckcheck.errors import DeckInvalid
from deckcheck.links import read_link, read_ydke, write_link, write_old_link, write_ydke
from tests.decks import D36

PACKED = "http://deck.ourygo.top?ygotype=deck&v=1&d=AhDqvU0asz0rl5J4lg"
YDKE = "ydke://o6lXBaOpVwWjqVcFrvTMAg==!SzzJAw==!!"


def test_the_known_deck_as_ydke() -> None:
    """D33, D36: little-endian u32 in base64, empty parts allowed."""
    assert write_ydke(D36) == YDKE
    assert read_ydke(YDKE).deck == D36
    assert not read_ydke(YDKE).mixed


def test_the_known_deck_as_packed_link() -> None:
    """D35, D36: 8, 4, 4 bits of kinds, then runs of 2 + 27 bits, no padding."""
    assert write_link(D36) == PACKED
    assert read_link(PACKED).deck == D36


def test_the_known_deck_as_old_link() -> None:
    """D35: ``id*3_id``."""
    old = "ygo://deck?main=89631139*3_46986414&extra=63519819&side="
    assert write_old_link(D36) == old
    assert read_link(old).deck == D36
    assert read_link("ygo://deck?main=1*4_2&side=3").mixed
    assert read_link("ygo://deck?main=1*4_2&side=3").deck == Deck(main=(1, 1, 1, 1, 2), side=(3,))


@pytest.mark.parametrize(
    "link",
    [
        PACKED.replace("http", "https"),
        PACKED.replace("?", "?name=%E9%9D%92%E7%9C%BC&"),
        "ygo://deck?ygotype=deck&v=1&d=AhDqvU0asz0rl5J4lg",
        f" {PACKED}==\r\n",
    ],
)
def test_other_ways_to_write_the_link(link: str) -> None:
    """D35: a name, another scheme, padding or blanks around change nothing."""
    assert read_link(link).deck == D36


def test_a_name_is_escaped() -> None:
    """D35: what is in the name stays in the name."""
    link = write_link(D36, name="a&d=b 青眼")
    assert link.startswith("http://deck.ourygo.top?name=a%26d%3Db%20%E9%9D%92%E7%9C%BC&ygotype=deck&v=1&d=")
    assert read_link(link).deck == D36


def test_runs_longer_than_three_are_cut() -> None:
    """D35: a count has two bits; the order of the deck is kept."""
    deck = Deck(main=(5,) * 7 + (6,) + (5,))
    assert read_link(write_link(deck)).deck == deck


def test_plus_and_slash_are_read_in_packed_links() -> None:
    """D35: a link in the other alphabet of base64 is understood."""
    deck = Deck(main=(0x7FFFFFF, 0x7FFFFFE) * 20)
    link = write_link(deck)
    assert {"-", "_"} & set(link)
    assert read_link(link.replace("-", "+").replace("_", "/")).deck == deck


@pytest.mark.parametrize(
    "deck", [Deck(main=(1 << 27,)), Deck(main=tuple(range(256))), Deck(extra=tuple(range(16)))]
)
def test_what_a_packed_link_cannot_hold_is_refused(deck: Deck) -> None:
    """D35: never a link that stands for another deck."""
    with pytest.raises(DeckInvalid) as refusal:
        write_link(deck)
    assert refusal.value.code == "cannot_write"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ydke://AAAA!!!", "bad_length"),
        ("ydke://AQAAAA==!!!x", "link_damaged"),
        ("ydke://AQAAAA==!", "link_damaged"),
        ("ydk://AQAAAA==!!!", "link_damaged"),
        ("ydke://%%!!!", "not_base64"),
        ("ydke://" + "!" * 70000, "deck_too_large"),
        ("ydke://" + b64encode(bytes(4004)).decode() + "!!!", "too_many_cards"),
    ],
)
def test_damaged_ydke(text: str, code: str) -> None:
    """D33: a length that is no multiple of 4, or anything but three parts, is refused."""
    with pytest.raises(DeckInvalid) as refusal:
        read_ydke(text)
    assert refusal.value.code == code


def test_ydke_with_empty_parts() -> None:
    """D33: an empty side is a side."""
    assert read_ydke("ydke://!!!").deck == Deck()
    assert read_ydke(" YDKE://AQAAAA==!!\n").deck == Deck(main=(1,))


@pytest.mark.parametrize(
    ("link", "code"),
    [
        ("http://[", "link_damaged"),
        ("ftp://deck?main=1", "link_damaged"),
        ("http://deck.ourygo.top?name=a", "link_damaged"),
        ("http://deck.ourygo.top?" + "&".join("a=1" for _ in range(99)), "link_damaged"),
        (PACKED.replace("v=1", "v=2"), "link_version"),
        (PACKED.replace("=deck", "=room"), "link_version"),
        (PACKED[:-3], "link_damaged"),
        (PACKED + "AAAA", "link_damaged"),
        (PACKED + "A", "link_damaged"),
        (PACKED + "*", "not_base64"),
        ("ygo://deck?main=x", "link_damaged"),
        ("ygo://deck?main=1*x", "link_damaged"),
        ("ygo://deck?main=1*1001", "link_damaged"),
        ("ygo://deck?main=1*600_2*600", "too_many_cards"),
        ("ygo://deck?main=4294967296", "link_damaged"),
        ("ygo://deck?main=１", "link_damaged"),
        ("ygo://deck?main=" + "1" * 70000, "deck_too_large"),
    ],
)
def test_damaged_links(link: str, code: str) -> None:
    """D35, F17: a link that says no deck says why."""
    with pytest.raises(DeckInvalid) as refusal:
        read_link(link)
    assert refusal.value.code == code


def test_a_card_that_stands_no_times_is_refused() -> None:
    """D35: a run of zero would be a card dropped in silence."""
    with pytest.raises(DeckInvalid, match="no times"):
        read_link("ygo://deck?d=" + urlsafe_b64encode((1 << 40 | 7 << 3).to_bytes(6, "big")).decode())
