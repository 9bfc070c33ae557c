"""Violations as data and in words."""

import json

import pytest

from deckcheck.deck import MAX_CODE
from deckcheck.sentences import LANGUAGES, Language, card_text, printable
from deckcheck.violations import KINDS, Kind, Violation, client_code

ASH = Violation(
    kind="CARDCOUNT",
    code=14558128,
    base=14558127,
    name="Ash Blossom & Joyous Spring",
    where=("main", "side"),
    count=4,
    limit=3,
)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Ash Blossom & Joyous Spring (14558128): 4 copies in main and side; at most 3 of one name"),
        ("zh", "「Ash Blossom & Joyous Spring」（14558128）：主卡组和副卡组共 4 张，同名卡最多 3 张"),
        (
            "ja",
            "「Ash Blossom & Joyous Spring」（14558128）：メインデッキとサイドデッキに合計 4 枚。同名カードは 3 枚までです",  # noqa: E501  # one sentence
        ),
    ],
)
def test_sentences(language: Language, sentence: str) -> None:
    """D23, D40: the printed code and name, where, how many, and how many may be, in the reader's language."""
    assert ASH.sentence(language) == sentence


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_words_in_every_language(kind: Kind, language: Language) -> None:
    """D40: no kind is silent, and no placeholder is left."""
    violation = Violation(
        kind=kind, code=123, name="Name", where=("extra",), count=7, limit=5, line=9, text="t"
    )
    sentence = violation.sentence(language)
    assert sentence
    assert not {"{", "}"} & set(sentence)
    assert {"9", "t"} <= set(sentence) if kind == "UNREADABLE" else "7" in sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_too_few_and_too_many_are_told_apart(language: Language) -> None:
    """D40: the bound of the main deck that is broken."""
    few = Violation(kind="MAINCOUNT", where=("main",), count=39, limit=40).sentence(language)
    many = Violation(kind="MAINCOUNT", where=("main",), count=61, limit=60).sentence(language)
    assert few.replace("39", "61").replace("40", "60") != many


def test_hostile_text_is_neutral() -> None:
    """F21: newline, ESC and U+202E are spelled out, and a long line is cut when shown."""
    violation = Violation(kind="UNREADABLE", line=3, text="a\x1b[31m\u202eb" + "x" * 100)
    sentence = violation.sentence("en")
    assert "a\\u001b[31m\\u202eb" in sentence
    assert sentence.endswith("x…")
    assert sentence.isprintable()
    assert violation.text.endswith("x" * 100)
    assert printable("a\nb") == "a\\u000ab"


def test_a_card_without_a_name_is_its_number() -> None:
    """D23: eight digits."""
    assert card_text(301322, "") == "00301322"
    assert card_text(301322, "A {b}", "zh") == "「A {b}」（00301322）"


@pytest.mark.parametrize(
    "violation",
    [
        ASH,
        Violation(kind="UNREADABLE", line=3, text="-1"),
        Violation(kind="MAINCOUNT", where=("main",), limit=40),
    ],
)
def test_data_are_plain_and_complete(violation: Violation) -> None:
    """D40: what JSON carries comes back equal; what a kind does not need is left out."""
    data = violation.as_data()
    assert Violation.from_data(json.loads(json.dumps(data))) == violation
    assert set(data) == {name for name in data if data[name] not in (0, "", [])}


@pytest.mark.parametrize(
    ("violation", "code"),
    [
        (Violation(kind="LFLIST", code=55144522), 0x1349704A),
        (Violation(kind="NOTINPOOL", code=1), 0x10000001),
        (Violation(kind="CREDITS", code=1, count=7), 0x10000001),
        (Violation(kind="OCGONLY", code=1), 0x20000001),
        (Violation(kind="TCGONLY", code=1), 0x30000001),
        (Violation(kind="UNKNOWNCARD", code=1), 0x40000001),
        (Violation(kind="UNKNOWNCARD", code=MAX_CODE + 2), 0x40000001),
        (Violation(kind="UNREADABLE", line=3, text="x"), 0x40000000),
        (Violation(kind="CARDCOUNT", code=1, count=4), 0x50000001),
        (Violation(kind="MAINCOUNT", count=39), 0x60000027),
        (Violation(kind="EXTRACOUNT", count=16), 0x70000010),
        (Violation(kind="SIDECOUNT", count=16), 0x80000010),
        (Violation(kind="NOTAVAIL", code=1), 0x90000001),
        (Violation(kind="WRONGPLACE", code=1, where=("main",)), 0x60000000),
        (Violation(kind="WRONGPLACE", code=1, where=("extra",)), 0x70000000),
    ],
)
def test_what_the_client_is_told(violation: Violation, code: int) -> None:
    """D41, duel-server 6: kind << 28 with the printed passcode or the count; Pot of Greed is 0x1349704a."""
    assert client_code(violation) == code
