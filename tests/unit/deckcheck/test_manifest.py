"""The published decks and their verdicts (section 7): exactly these, and for these reasons."""

from collections.abc import Mapping

import pytest

from deckcheck.cards import Card, read_cards
from deckcheck.check import check
from deckcheck.environments import Environment, retro
from deckcheck.errors import DeckInvalid
from deckcheck.pools import POOLS, PoolKey
from deckcheck.reading import read_any
from deckcheck.snapshot import freeze_environment, thaw_environment
from deckcheck.sources import load_ocg
from deckcheck.violations import Violation
from tests.decks import CDB, LFLIST, SHARED, needs_shared, rows

pytestmark = needs_shared

FOLDER = SHARED / "ydk"
MANIFEST = rows(FOLDER / "manifest.csv") if SHARED.is_dir() else []
JUDGED = [
    pytest.param(row, key, id=f"{row['file']}-{key}")
    for row in MANIFEST
    for key in POOLS
    if row["environment"] == key and row["verdict"] != "unreadable"
]


@pytest.fixture(scope="module")
def cards() -> Mapping[int, Card]:
    """Return the published card database."""
    return read_cards([CDB])


@pytest.fixture(scope="module")
def ocg() -> Environment:
    """Return the current environment of the published files."""
    return load_ocg(LFLIST, [CDB])


def in_words(violation: Violation) -> str:
    """Return a violation as the manifest writes it."""
    match violation.kind:
        case "MAINCOUNT" | "EXTRACOUNT" | "SIDECOUNT":
            return f"{violation.kind} {violation.count}"
        case "UNREADABLE":
            return f"UNREADABLE line {violation.line}"
        case "LFLIST" | "CARDCOUNT":
            return f"{violation.kind} {violation.base:08d} {violation.count}/{violation.limit}"
        case _:
            return f"{violation.kind} {violation.base:08d}"


@pytest.mark.parametrize(("row", "key"), JUDGED)
def test_verdicts_with_cards(row: Mapping[str, str], key: PoolKey, cards: Mapping[int, Card]) -> None:
    """Issue 5 done-when 1: the verdict, the counts and exactly the set of violations."""
    verdict = check(read_any((FOLDER / row["file"]).read_bytes()), retro(key, cards))
    assert verdict.status == row["verdict"]
    assert {in_words(each) for each in verdict.violations} == set(filter(None, row["violations"].split("; ")))
    counts = len(verdict.deck.main), len(verdict.deck.extra), len(verdict.deck.side)
    assert counts == (int(row["main"]), int(row["extra"]), int(row["side"]))


@pytest.mark.parametrize(("row", "key"), JUDGED)
def test_verdicts_without_cards(row: Mapping[str, str], key: PoolKey) -> None:
    """Issue 5 done-when 1, D44: the same verdict; what is not in the pool is NOTINPOOL, known or not."""
    verdict = check(read_any((FOLDER / row["file"]).read_bytes()), retro(key))
    assert verdict.status == row["verdict"]
    expected = row["violations"].replace("UNKNOWNCARD", "NOTINPOOL")
    assert {in_words(each) for each in verdict.violations} == set(filter(None, expected.split("; ")))


@pytest.mark.parametrize(("row", "key"), JUDGED)
def test_verdicts_of_thawed_environments(
    row: Mapping[str, str], key: PoolKey, cards: Mapping[int, Card]
) -> None:
    """D45: a published tournament judges as on its first day."""
    parsed, environment = read_any((FOLDER / row["file"]).read_bytes()), retro(key, cards)
    assert check(parsed, thaw_environment(freeze_environment(environment))) == check(parsed, environment)


def test_what_is_unreadable() -> None:
    """D32: more than 1000 cards."""
    refused = [row["file"] for row in MANIFEST if row["verdict"] == "unreadable"]
    assert refused
    for name in refused:
        with pytest.raises(DeckInvalid) as refusal:
            read_any((FOLDER / name).read_bytes())
        assert refusal.value.code == "too_many_cards"


def test_the_harpies(ocg: Environment) -> None:
    """D20, D21: 3 + 3 + 3 cards of one name, by the treated-as code."""
    verdict = check(read_any((FOLDER / "ydke-01-9-harpie.txt").read_bytes()), ocg)
    assert "CARDCOUNT 27927359 9/3" in {in_words(each) for each in verdict.violations}


def test_main_only() -> None:
    """D33: empty parts are parts."""
    parsed = read_any((FOLDER / "ydke-03-main-only.txt").read_bytes())
    assert parsed.deck.main
    assert not parsed.deck.extra + parsed.deck.side


def test_cards_newer_than_the_database(ocg: Environment) -> None:
    """D44: alternate arts are known by their alias; what the old database lacks is for the host, by name."""
    verdict = check(read_any((FOLDER / "mal-05-alt-arts.ydk").read_bytes()), ocg)
    assert verdict.status == "review"
    assert {59438932, 10045475} <= {card.code for card in verdict.review}
    assert 70095155 not in {card.code for card in verdict.review}


def test_prerelease_ids(ocg: Environment) -> None:
    """D44, R046: pre-release ids pass and are listed, others of the same deck are for the host."""
    verdict = check(read_any((FOLDER / "pre-01-tenpai-prerelease.ydk").read_bytes()), ocg)
    assert [(card.code, card.count) for card in verdict.prerelease] == [(101304024, 3), (101304025, 3)]
    assert verdict.review
