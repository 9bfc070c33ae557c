"""Frozen decks as files for the duel server."""

from pathlib import Path

import pytest

from deckcheck.deck import Deck
from deckcheck.export import deck_file_name, write_decks
from deckcheck.frozen import freeze_deck
from deckcheck.ydk import read_ydk
from ruleset.ids import PlayerId

PLAYER = PlayerId(123)
ONE, TWO = freeze_deck(Deck(main=(1,))), freeze_deck(Deck(main=(2,), side=(3,)))


@pytest.mark.parametrize("nickname", ["Alice", "é+Zoé", "七七", "77 Carol", ".hidden", "A＋B"])
def test_names_that_srvpro_can_match(nickname: str) -> None:
    """Duel-server 8: number + nickname, by either of which srvpro finds the file."""
    assert deck_file_name(PLAYER, nickname) == f"P000123+{nickname}.ydk"


@pytest.mark.parametrize(
    "nickname",
    [
        None,
        "",
        "../../etc/x",
        "a/b",
        "a\\b",
        "a\0b",
        "a\nb",
        "\u202egpj",
        "a:b",
        " a",
        "a ",
        "x" * 121,
        "\udc80",
    ],
)
def test_unsafe_names_leave_the_number_alone(nickname: str | None) -> None:
    """F23: only ids reach the disk."""
    assert deck_file_name(PLAYER, nickname) == "P000123.ydk"


def test_the_folder_holds_exactly_the_decks(tmp_path: Path) -> None:
    """Issue 5: what was there before goes, files of others stay, each file is whole."""
    (tmp_path / "own.ydk").write_text("1\n")
    write_decks(tmp_path, {"P000001+A.ydk": ONE, "P000002.ydk": TWO})
    write_decks(tmp_path, {"P000001+B.ydk": TWO, "P000002.ydk": ONE})
    files = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert files == {"own.ydk": "1\n", "P000001+B.ydk": TWO.text, "P000002.ydk": ONE.text}
    assert read_ydk(files["P000001+B.ydk"]).deck == TWO.deck


@pytest.mark.parametrize(
    "name", ["../P000001.ydk", "P000001+/../../x.ydk", "x.ydk", "P1.ydk", "P000001.ydk\n"]
)
def test_no_other_names_are_written(tmp_path: Path, name: str) -> None:
    """F23: a name that did not come from deck_file_name is refused, sentinel files are unchanged."""
    folder = tmp_path / "decks"
    folder.mkdir()
    sentinel = tmp_path / "x.ydk"
    sentinel.write_text("mine")
    with pytest.raises(ValueError, match="no name that deck_file_name makes"):
        write_decks(folder, {name: ONE})
    assert sentinel.read_text() == "mine"
    assert not list(folder.iterdir())


def test_nothing_is_written_if_one_name_is_wrong(tmp_path: Path) -> None:
    """F23: names are looked at before the first file is touched."""
    with pytest.raises(ValueError, match="no name"):
        write_decks(tmp_path, {"P000001.ydk": ONE, "../P000002.ydk": TWO})
    assert not list(tmp_path.iterdir())
