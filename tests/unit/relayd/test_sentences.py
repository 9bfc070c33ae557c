"""Refusals in words."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from relayd.sentences import LANGUAGES, Language, sentence, sentences
from ruleset.ids import Instant, PlayerId

ROOT = Path(__file__).parents[3]


def refusals() -> Iterator[str]:
    """Yield every code with which the rules or the daemon refuse."""
    for package in ("ruleset", "relayd"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                    yield from _codes(node.func.id, node.args[0])


def _codes(name: str, code: ast.expr) -> Iterator[str]:
    if name in {"CommandRejected", "RulesetError"}:
        constants = (part for part in ast.walk(code) if isinstance(part, ast.Constant))
        known = {"draft"}  # compared with, in a choice between two codes
        yield from (str(part.value) for part in constants if part.value not in known)


def test_every_refusal_has_its_sentence() -> None:
    """House 4: a class says who must act, a code which rule it was; here is the text of both."""
    codes = set(refusals())
    assert len(codes) > 30
    assert codes - sentences().keys() == set()


@pytest.mark.parametrize("code", sorted(sentences()))
def test_the_languages_say_the_same(code: str) -> None:
    """Done when 2: every code in zh-CN, ja and en, with the same data in them."""
    texts = sentences()[code]
    assert set(texts) == set(LANGUAGES)
    assert all(texts.values())
    assert len({frozenset(_names(text)) for text in texts.values()}) == 1


def _names(text: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_data_are_shown_as_people_know_them() -> None:
    """R004: player numbers with six digits; moments, scores and lists read well."""
    assert sentence("unknown_player", {"player": PlayerId(7)}) == "There is no player P000007 here."
    unsigned = sentence("confirm_unsigned", {"players": (PlayerId(7), PlayerId(8))})
    assert unsigned.startswith("Not signed in yet: P000007, P000008.")
    assert "2027-01-15 08:00 UTC" in sentence("signin_not_open", {"opens_at": Instant(1_800_000_000_000)})
    shanghai = sentence("signin_not_open", {"opens_at": Instant(1_800_000_000_000)}, "zh", "Asia/Shanghai")
    assert "2027-01-15 16:00 Asia/Shanghai" in shanghai
    assert sentence("too_late", {"until": Instant(2**62)}, zone="Asia/Shanghai").endswith("Shanghai.")
    assert sentence("bad_score", {"wins": (2, 2)}) == "A match cannot end 2-2 for that outcome."
    assert "R1T2 (disputed)" in sentence("round_open", {"tables": {"R1T2": "disputed"}})
    assert sentence("bad_settings", {"problems": ["a", "b"]}).endswith("a; b")
    assert sentence("too_few_players", {"players": ()}).endswith("free: –.")


@pytest.mark.parametrize(("language", "word"), [("zh", "争议中"), ("ja", "確認中"), ("en", "disputed")])
def test_values_are_said_in_the_same_language(language: Language, word: str) -> None:
    """Done when 2: a refusal in Chinese does not name the status of a table in English."""
    assert f"R1T2 ({word})" in sentence("round_open", {"tables": {"R1T2": "disputed"}}, language)
    assert word in sentence("table_decided", {"table": "R1T2", "status": "disputed"}, language)


def test_words_never_fail() -> None:
    """F21: whatever stands in the data, one neutral line; an unknown code is named, a missing word shown."""
    assert sentence("brand_new", {}) == "brand_new"
    assert sentence("bad_moment", {"text": "a\n\x1b"}).startswith(r"a\u000a\u001b is no date and time: ")
    assert sentence("unknown_table", {}) == "There is no table ?."
    assert "x" in sentence("too_late", {"until": "x"})
    assert "x" in sentence("bad_score", {"wins": "x"})
    assert "x" in sentence("confirm_unsigned", {"players": "x"})
