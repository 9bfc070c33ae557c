"""The ydk reader and writer."""

import pytest

from deckcheck.deck import MAX_CODE, Deck
from deckcheck.errors import DeckInvalid
from deckcheck.violations import Violation
from deckcheck.ydk import read_ydk, write_ydk


def unreadable(line: int, text: str) -> Violation:
    """Return what is said of a line that is no card."""
    return Violation(kind="UNREADABLE", line=line, text=text)


def test_sections_and_comments() -> None:
    """D30: section headers start sections, ``#`` lines and MDPro3's trailers say nothing."""
    text = "#created by A\n#main\n1\n##34a05d\n#extra\n2\n!side\n3\n###301322\n#pickup\n#0\n$14989021$\n"
    parsed = read_ydk(text)
    assert parsed.deck == Deck(main=(1,), extra=(2,), side=(3,))
    assert not parsed.unreadable
    assert not parsed.mixed


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_bom(end: str, bom: bytes) -> None:
    """D30: CRLF, LF or CR, with a BOM or without, with blanks around anything and empty lines between."""
    data = bom + end.join(["#main", " 00000001\t", "", "#extra ", "2 ", "!side\t", "\u30003"]).encode()
    assert read_ydk(data).deck == Deck(main=(1,), extra=(2,), side=(3,))


def test_comments_in_gb18030() -> None:
    """D30: an old Chinese file is read like one in UTF-8."""
    parsed = read_ydk("#青眼白龙\n#main\n89631139\n青眼白龙\n".encode("gb18030"))
    assert parsed.deck.main == (89631139,)
    assert parsed.unreadable == (unreadable(line=4, text="青眼白龙"),)


def test_after_side_everything_is_side() -> None:
    """D31: also after a second ``#main``, as in ygopro."""
    assert read_ydk("#main\n1\n!side\n2\n#main\n3\n#extra\n4").deck == Deck(main=(1,), side=(2, 3, 4))


def test_repeated_sections_are_joined() -> None:
    """D31: a section given twice before ``!side`` is one section."""
    assert read_ydk("#main\n1\n#extra\n2\n#main\n3\n#extra\n4").deck == Deck(main=(1, 3), extra=(2, 4))


def test_without_extra_section_the_deck_is_mixed() -> None:
    """D31: then extra monsters are sorted by card type; ``#extra`` after ``!side`` does not count."""
    assert read_ydk("#main\n1\n!side\n2\n#extra\n3").mixed


@pytest.mark.parametrize(
    "line", ["-1", "Dark Magician", "1 3", "3x 24508238", "１２３", "0x10", "!sideboard", "$1"]
)
def test_what_is_no_card_is_named(line: str) -> None:
    """D32: anything else on a card line gives number and text, and the rest is read."""
    parsed = read_ydk(f"#main\n1\n {line} \n2\n")
    assert parsed.unreadable == (unreadable(line=3, text=line),)
    assert parsed.deck.main == (1, 2)


@pytest.mark.parametrize("digits", [str(MAX_CODE + 1), str(1 << 32), str(1 << 64), "9" * 5001])
def test_numbers_above_the_client_s_range_are_unreadable(digits: str) -> None:
    """D32, F19: 0x0fffffff is the last card; a long number does not crash the reader."""
    parsed = read_ydk(f"#main\n{MAX_CODE}\n{digits}\n")
    assert parsed.deck.main == (MAX_CODE,)
    assert [each.line for each in parsed.unreadable] == [3]


def test_a_thousand_cards_are_read_and_no_more() -> None:
    """D32: 1000 cards in all sections together."""
    thousand = "#main\n" + "1\n" * 600 + "!side\n" + "2\n" * 400
    assert len(read_ydk(thousand).deck) == 1000
    with pytest.raises(DeckInvalid, match="more than 1000 cards") as refusal:
        read_ydk(thousand + "3\n")
    assert refusal.value.code == "too_many_cards"


def test_64_kib_are_read_and_no_more() -> None:
    """D32, F19: every unreadable line of 64 KiB is named, one byte more is refused."""
    full = b"x\n" * 32768
    assert len(read_ydk(full).unreadable) == 32768
    with pytest.raises(DeckInvalid) as refusal:
        read_ydk(full + b"x")
    assert refusal.value.code == "deck_too_large"
    assert refusal.value.data == {"size": 65537, "limit": 65536}


def test_other_line_separators_are_text() -> None:
    """D30: a vertical tab or U+2028 ends no line, so line numbers are those of an editor."""
    parsed = read_ydk("#a\u2028b\x0bc\n#main\nx\n")
    assert parsed.unreadable == (unreadable(line=3, text="x"),)


def test_text_with_half_a_character_is_read() -> None:
    """F17: a str that no encoding has is a deck with an unreadable line, no crash."""
    assert [each.line for each in read_ydk("1\n\udc80").unreadable] == [2]


def test_writing() -> None:
    """D30: the form that YGOPro writes."""
    deck = Deck(main=(1, 1), extra=(2,), side=(3,))
    assert write_ydk(deck, created_by="A") == "#created by A\n#main\n1\n1\n#extra\n2\n!side\n3\n"


def test_incomplete_decks_are_refused_where_all_lines_are_needed() -> None:
    """D32: the lines are in the message and in the data."""
    parsed = read_ydk("x\n1\n" + "y\n" * 30)
    with pytest.raises(DeckInvalid, match="no cards: 1, 3, 4") as refusal:
        parsed.complete()
    assert refusal.value.data == {"lines": [1, *range(3, 33)]}
    with pytest.raises(DeckInvalid, match=r"no cards: 1$"):
        read_ydk("x").complete()
    whole = read_ydk("1")
    assert whole.complete() is whole
