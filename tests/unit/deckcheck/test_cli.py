"""The command ``deckcheck``."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from deckcheck.cli import main
from deckcheck.deck import Deck
from deckcheck.links import write_ydke
from deckcheck.pools import pool_cards, pool_limits
from deckcheck.ydk import read_ydk, write_ydk
from tests.decks import D36, make_cdb

GOAT = [code for code, limit in pool_limits("goat").items() if limit == 3 and not pool_cards()[code].extra]
LEGAL = write_ydk(Deck(main=tuple(GOAT[:40])))
ILLEGAL = write_ydk(Deck(main=(*GOAT[:40], 14558127)))


def run(*words: object, stdin: bytes = b"") -> Result:
    """Run the command."""
    return CliRunner().invoke(main, [str(word) for word in words], input=stdin)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a legal and an illegal deck, and what is no deck."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.ydk").write_text(LEGAL)
    (tmp_path / "sub" / "b.ydk").write_text(ILLEGAL)
    (tmp_path / "notes.txt").write_text("no deck")
    return tmp_path


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return a YGOPro folder."""
    path = tmp_path / "game"
    (path / "expansions").mkdir(parents=True)
    make_cdb(path / "cards.cdb", [(code, 3, 0, 0x12, 1, f"Name {code}") for code in GOAT[:40]])
    make_cdb(path / "expansions" / "new.cdb", [(GOAT[0], 3, 0, 0x12, 1, "Newest name")])
    (path / "lflist.conf").write_text(f"!2026.7\n{GOAT[0]} 0\n")
    return path


def test_a_legal_deck(folder: Path) -> None:
    """Decisions 11: exit 0, and the counts."""
    result = run("check", "--env", "goat", folder / "a.ydk")
    assert result.exit_code == 0
    assert result.stdout.startswith("legal ")
    assert "40 + 0 + 0" in result.stdout


def test_folders_and_the_worst_exit_code(folder: Path) -> None:
    """Decisions 11: a folder stands for its ydk files; illegal is 1, unreadable 3, the worst wins."""
    result = run("check", "--env", "goat", folder)
    assert result.exit_code == 1
    assert [line.split()[0] for line in result.stdout.splitlines() if line[0] != " "] == ["legal", "illegal"]
    assert "14558127 is not in the pool" in result.stdout
    worst = run("check", "--env", "goat", folder, folder / "nowhere.ydk")
    assert worst.exit_code == 3
    assert "unreadable" in worst.stdout


def test_links_and_stdin() -> None:
    """Issue 5: links as words, ``-`` for what is piped in, in the reader's language."""
    result = run("check", "--env", "goat", "--lang", "zh", write_ydke(D36), "-", stdin=ILLEGAL.encode())
    assert result.exit_code == 1
    assert "主卡组有 4 张，最少 40 张" in result.stdout
    assert "14558127不在此环境的卡池内，主卡组有 1 张" in result.stdout


def test_json(folder: Path) -> None:
    """D40, issue 5: all violations as data, each with its sentence; unreadable decks with their reason."""
    (folder / "c.ydk").write_text("1\n" * 1001)
    result = run("check", "--env", "edison", "--json", folder)
    data = json.loads(result.stdout)
    assert result.exit_code == 3
    assert data["environment"]["list_hash"] == "3b5d4a9e"
    assert [deck["status"] for deck in data["decks"]] == ["legal", "unreadable", "illegal"]
    assert data["decks"][1]["error"]["code"] == "too_many_cards"
    assert data["decks"][2]["violations"] == [
        {
            "kind": "NOTINPOOL",
            "code": 14558127,
            "base": 14558127,
            "where": ["main"],
            "count": 1,
            "sentence": "14558127 is not in the pool of this environment, 1 in main",
        }
    ]
    assert data["decks"][2]["client_code"] == 1 << 28 | 14558127


def test_many_decks_have_a_progress_bar_apart_from_the_result(tmp_path: Path) -> None:
    """Issue 5: JSON stays JSON."""
    for number in range(25):
        (tmp_path / f"{number}.ydk").write_text(LEGAL)
    result = run("check", "--env", "goat", "--json", tmp_path)
    assert len(json.loads(result.stdout)["decks"]) == 25


def test_the_current_environment(game: Path, folder: Path) -> None:
    """D44, issue 5: list, cards and expansions of the duel server's folder."""
    result = run("check", "--env", "ocg", "--game", game, folder / "a.ydk")
    assert result.exit_code == 1
    assert f"Newest name ({GOAT[0]:08d}): 1 in main; the list allows 0" in result.stdout


def test_review_counts_as_illegal(game: Path) -> None:
    """D44, decisions 9 and 11: unknown and pre-release cards are listed."""
    deck = write_ydk(Deck(main=(*GOAT[1:40], 7, 101304024)))
    result = run("check", "--env", "ocg", "--game", game, "-", stdin=deck.encode())
    assert result.exit_code == 1
    assert result.stdout.startswith("review")
    assert "for the host to look at: 1 × 00000007" in result.stdout
    assert "not released yet: 1 × 101304024" in result.stdout
    refused = run("check", "--env", "ocg", "--no-prerelease", "--game", game, "-", stdin=deck.encode())
    assert "Unknown card 101304024" in refused.stdout


def test_named_files_instead_of_a_folder(game: Path, folder: Path) -> None:
    """Issue 5: ``--lflist`` and ``--cdb``."""
    own = folder / "own.conf"
    own.write_text("!2020.1\n")
    words = ("--env", "ocg", "--lflist", own, "--cdb", game / "cards.cdb", "--ocg-rule", "all")
    assert run("check", *words, folder / "a.ydk").exit_code == 0


def test_what_is_away(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """D44, decisions 11: ``ocg`` says what is missing, approves nothing, exit 4."""
    monkeypatch.chdir(folder)
    result = run("check", "--env", "ocg", folder / "a.ydk")
    assert result.exit_code == 4
    assert "there is no card database cards.cdb" in result.stderr
    assert result.stdout == ""


def test_retro_needs_no_cards(folder: Path) -> None:
    """D44, issue 5: a missing or broken database is named, and the pool judges without it."""
    broken = folder / "cards.cdb"
    broken.write_text("x")
    result = run("check", "--env", "goat", "--cdb", broken, folder / "a.ydk")
    assert result.exit_code == 0
    assert "going on without it" in result.stderr


def test_an_own_pool(folder: Path, game: Path) -> None:
    """Issue 5: ``--env FILE`` with a $whitelist."""
    own = folder / "own.conf"
    own.write_text("!Mine\n$whitelist\n" + "".join(f"{code} 3\n" for code in GOAT[:40]))
    assert run("check", "--env", own, folder / "a.ydk").exit_code == 0
    assert run("check", "--env", own, "--game", game, folder / "sub").exit_code == 1
    own.write_text("!Mine\n1 0\n")
    result = run("check", "--env", own, folder / "a.ydk")
    assert result.exit_code == 4
    assert "$whitelist" in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["check", "--env", "nothing", "x.ydk"],
        ["check", "--env", "goat"],
        ["check", "--env", "goat", "."],
        ["convert", "--to", "png", "x"],
        ["pools", "tcg"],
        ["nonsense"],
    ],
)
def test_usage(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions 11: exit 2 for what the command cannot mean."""
    monkeypatch.chdir(tmp_path)
    assert run(*words).exit_code == 2


def test_lint(tmp_path: Path) -> None:
    """D11: file, line, code, message; exit 1 if there is any."""
    path = tmp_path / "lflist.conf"
    path.write_text("!2026.7\n1\n")
    result = run("lint", path)
    assert result.exit_code == 1
    assert f"{path}:2: missing_count: " in result.stdout.replace("\n", "")
    assert json.loads(run("lint", "--json", path).stdout)[0]["code"] == "missing_count"
    path.write_text("!2026.7\n1 0\n")
    assert run("lint", path).exit_code == 0
    assert run("lint", tmp_path / "nowhere").exit_code == 3


def test_hash(tmp_path: Path) -> None:
    """D07, D46: of lists and of decks."""
    lists, deck = tmp_path / "lflist.conf", tmp_path / "a.ydk"
    lists.write_text("#c\n!2026.7\n1 0\n!TCG\n")
    deck.write_text(LEGAL + "!side\n")
    result = run("hash", lists, deck)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1] == "7dfcee6a  TCG"
    data = json.loads(run("hash", "--json", lists, deck).stdout)
    assert [row.get("entries") for row in data] == [1, 0, None]
    assert len(data[2]["hash"]) == 64
    deck.write_text("x\n")
    assert run("hash", deck).exit_code == 3


@pytest.mark.parametrize("form", ["ydke", "link", "old-link", "deckbuf", "ydk"])
def test_convert(form: str) -> None:
    """D36: through every form and back; a mixed form is sorted by the carried facts."""
    deck = Deck(main=(89631139, 46986414), extra=(23995346,), side=(5318639,))
    there = run("convert", "--to", form, "-", stdin=write_ydk(deck).encode())
    assert there.exit_code == 0
    back = run("convert", "--to", "ydk", "-", stdin=there.stdout.encode())
    assert read_ydk(back.stdout).deck == deck


def test_convert_drops_nothing(folder: Path) -> None:
    """D32: a line that is no card refuses the deck; a folder of many is no deck."""
    result = run("convert", "--to", "ydke", "-", stdin=b"1\nx\n")
    assert result.exit_code == 3
    assert "no cards: 2" in result.stderr
    assert run("convert", "--to", "ydke", folder).exit_code == 2


def test_diff(folder: Path, game: Path) -> None:
    """D46: what is more and less; exit 1 if anything."""
    result = run("diff", folder / "a.ydk", folder / "sub" / "b.ydk")
    assert (result.exit_code, result.stdout) == (1, "main: +1 14558127\n")
    named = run("diff", "--game", game, "--lang", "ja", "-", folder / "a.ydk", stdin=b"#main\n")
    assert "メインデッキ: +1 Newest name, +1 Name" in named.stdout
    same = run("diff", folder / "a.ydk", folder / "a.ydk")
    assert (same.exit_code, same.stdout) == (0, "no difference\n")


def test_pools(folder: Path) -> None:
    """Section 5: what is carried, and a whitelist to start an own pool from that judges like the pool."""
    assert "1698" in run("pools").stdout
    assert [row["sizes"][0] for row in json.loads(run("pools", "--json").stdout)] == [17, 43, 52]
    own = folder / "own.conf"
    own.write_text(run("pools", "goat").stdout, "utf-8")
    assert run("check", "--env", own, folder / "a.ydk").exit_code == 0
    assert run("check", "--env", own, folder / "sub").exit_code == 1


def test_stats(folder: Path, game: Path) -> None:
    """Issue 5: usage of cards and archetypes, as a table, JSON and CSV; an unreadable deck is named."""
    strings = folder / "strings.conf"
    strings.write_text("!setname 0x12 Ojama\n", "utf-8")
    words = ("stats", "--game", game, "--strings", strings, folder / "a.ydk")
    assert "Ojama" in run(*words).stdout
    assert json.loads(run(*words, "--json").stdout)["archetypes"][0]["copies"] == 40
    assert run(*words, "--csv", "archetypes").stdout.splitlines() == [
        "setcode,name,decks,copies",
        "18,Ojama,1,40",
    ]
    assert len(run(*words, "--csv", "cards").stdout.splitlines()) == 41
    bad = run("stats", "--json", folder / "a.ydk", "-", stdin=b"\0")
    assert bad.exit_code == 3
    assert json.loads(bad.stdout)["decks"] == 1
    assert run("stats", "--strings", folder / "nowhere", folder / "a.ydk").exit_code == 3


def test_hostile_names_are_neutral(tmp_path: Path) -> None:
    """F21: a file name with ESC and brackets is text."""
    path = tmp_path / "[red]\x1b[31m.ydk"
    path.write_text("x\n" + LEGAL)
    result = run("check", "--env", "goat", path)
    assert "\x1b" not in result.stdout
    assert "[red]\\u001b[31m.ydk" in result.stdout.replace("\n", "")


def test_a_file_of_any_size_is_not_read(tmp_path: Path) -> None:
    """D32, F19: more than 64 KiB is refused without being held in memory."""
    path = tmp_path / "big.ydk"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    result = run("check", "--env", "goat", path)
    assert result.exit_code == 3
