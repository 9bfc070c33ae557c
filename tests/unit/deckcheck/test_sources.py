"""The operator's files."""

import os
from pathlib import Path

import pytest

from deckcheck.environments import Environment
from deckcheck.errors import SourceBroken
from deckcheck.sources import Reloading, load_cards, load_lists, load_ocg, load_own
from tests.decks import CDB, LFLIST, make_cdb, needs_shared


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return a folder with a list and a card database."""
    make_cdb(tmp_path / "cards.cdb", [(1, 3, 0, 0, 1, "One"), (2, 2, 0, 0, 1, "Two")])
    (tmp_path / "lflist.conf").write_text("!2026.7\n1 1\n!2026.4\n2 0\n")
    return tmp_path


def test_the_current_environment_comes_from_the_first_list(game: Path) -> None:
    """D10, D44: index 0 of the file is the current list."""
    environment = load_ocg(game / "lflist.conf", [game / "cards.cdb"])
    assert (environment.list_name, environment.caps) == ("2026.7", {1: 1})
    assert (environment.rule, environment.allow_prerelease) == ("ocg", True)
    other = load_ocg(game / "lflist.conf", [game / "cards.cdb"], allow_prerelease=False, ocg_rule="all")
    assert (other.rule, other.allow_prerelease) == ("all", False)


@needs_shared
def test_the_published_files() -> None:
    """D44: list 2026.7 over the real cards."""
    environment = load_ocg(LFLIST, [CDB])
    assert (environment.list_name, environment.list_hash) == ("2026.7", "1b736034")
    assert len(environment.cards) == 10422


def test_what_is_missing_is_named(game: Path) -> None:
    """D44, issue 5: ``ocg`` says what is missing and approves nothing."""
    with pytest.raises(SourceBroken, match=r"nowhere\.conf") as no_list:
        load_ocg(game / "nowhere.conf", [game / "cards.cdb"])
    with pytest.raises(SourceBroken, match="no card database") as no_cards:
        load_ocg(game / "lflist.conf", [])
    assert (no_list.value.code, no_cards.value.code) == ("list_missing", "cards_missing")


def test_a_file_without_lists_is_no_list(game: Path) -> None:
    """D01: no line begins with ``!``."""
    (game / "lflist.conf").write_text("1 0\n")
    with pytest.raises(SourceBroken) as refusal:
        load_lists(game / "lflist.conf")
    assert refusal.value.code == "list_empty"


def test_an_own_pool(game: Path) -> None:
    """Issue 5: a host adds his pool by a whitelist file; the first of its whitelists counts."""
    path = game / "summer.conf"
    path.write_text("!Normal\n1 0\n!Summer\n$whitelist\n1 2\n")
    environment = load_own(path, [])
    assert (environment.key, environment.title, environment.pool) == ("summer", "Summer", frozenset({1}))
    assert environment.unknown == "outside"
    named = load_own(path, [game / "cards.cdb"], key="beach")
    assert (named.key, named.cards[1].name) == ("beach", "One")


def test_an_own_pool_needs_a_whitelist(game: Path) -> None:
    """D08: a list of limits is no pool."""
    with pytest.raises(SourceBroken) as refusal:
        load_own(game / "lflist.conf", [])
    assert refusal.value.code == "no_whitelist"


def test_cards_are_merged_in_order(game: Path, tmp_path: Path) -> None:
    """Section 2: expansions later win."""
    expansion = make_cdb(tmp_path / "more.cdb", [(1, 3, 0, 0, 1, "Uno")])
    assert load_cards([game / "cards.cdb", expansion])[1].name == "Uno"


def test_changed_files_are_read_again(game: Path) -> None:
    """D45, issue 5: new tournaments see the new files; what was made before stays as it was."""
    lists, cards = game / "lflist.conf", game / "cards.cdb"
    made: list[Environment] = []

    def load() -> Environment:
        made.append(load_ocg(lists, [cards]))
        return made[-1]

    reloading = Reloading([lists, cards], load)
    first = reloading.present()
    assert reloading.present() is first
    lists.write_text("!2026.10\n2 2\n")
    os.utime(lists, ns=(1, 1))
    assert reloading.present().list_name == "2026.10"
    assert first.list_name == "2026.7"
    assert len(made) == 2


def test_a_file_that_vanished_is_an_error_until_it_is_back(game: Path) -> None:
    """D44: nothing is approved by what is no longer there."""
    lists, cards = game / "lflist.conf", game / "cards.cdb"
    reloading = Reloading([lists, cards], lambda: load_ocg(lists, [cards]))
    first = reloading.present()
    moved = lists.rename(game / "away.conf")
    with pytest.raises(SourceBroken):
        reloading.present()
    moved.rename(lists)
    assert reloading.present() == first


@pytest.mark.parametrize("name", ["lflist.conf", "cards.cdb"])
def test_a_file_that_cannot_be_reached_is_named(game: Path, name: str) -> None:
    """D44: a folder that the daemon may not look into is an error of the operator's, and no bug."""
    unreachable = Path("x" * 300) / name  # what the system refuses to look for
    files = {each: unreachable if each == name else game / each for each in ("lflist.conf", "cards.cdb")}
    reloading = Reloading(files.values(), lambda: load_ocg(files["lflist.conf"], [files["cards.cdb"]]))
    with pytest.raises(SourceBroken, match=name):
        reloading.present()
