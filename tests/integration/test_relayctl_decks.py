"""relayctl deck and relayctl tournament refresh-list against a real admin socket."""

import csv
import io
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from deckcheck.reading import read_any
from deckcheck.ydk import read_ydk
from relayd.admin.peers import LocalUsers
from relayd.admin.unixsocket import AdminSocket
from relayd.exits import Exit
from tests.cardfiles import UNKNOWN, operators_files, own_deck, write_list
from tests.decks import CDB, LFLIST, needs_shared
from tests.house import House, admin_socket, opened
from tests.terminals import Terminal, quiet

PLAN = ("--title", "Weekly", "--format", "swiss", "--rounds", "2", "--environment", "ocg")


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """The daemon's log lines are not ours."""
    with quiet():
        yield


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A daemon beside an operator's own list and cards."""
    async with opened(tmp_path, environment=operators_files(tmp_path)) as house:
        yield house


@pytest.fixture
async def host(house: House, tmp_path: Path) -> AsyncIterator[Terminal]:
    """A terminal beside it."""
    async with admin_socket(house, tmp_path) as admin:
        yield Terminal(admin.path, tmp_path)


async def entered(host: Terminal, *nicknames: str) -> None:
    """Publish tournament 1 with these players signed in."""
    await host.type("tournament publish", *PLAN)
    await host.type("players register", *nicknames)
    for n in range(1, len(nicknames) + 1):
        await host.type(f"entry add 1 {n}")
        await host.type(f"deck submit 1 {n}", host.file("deck.ydk", own_deck(115 + n)))
    await host.type("entry sign-in 1 --all")


async def test_a_deck_is_printed_in_any_form(host: Terminal) -> None:
    """D36: ``--as`` prints the deck and nothing else, to be pasted or piped."""
    await entered(host, "Alice")
    whole = read_ydk(own_deck(116)).deck
    for form in ("ydk", "ydke", "link"):
        assert read_any((await host.type(f"deck show 1 1 --as {form}")).encode()).deck == whole
    assert re.fullmatch(r"[A-Za-z0-9+/]+=*\n", await host.type("deck show 1 1 --as deckbuf"))
    assert "main (40)" in await host.type("deck show 1 1")
    data = await host.data("deck show 1 1 --as ydke")
    assert (data["form"], data["text"][:7]) == ("ydke", "ydke://")


async def test_decks_are_compared(host: Terminal) -> None:
    """D46, decisions 11: exit code 0 for the same, 1 with what is more and less, 3 for no deck."""
    await entered(host, "Alice")
    same = host.file("same.ydk", own_deck(116))
    assert "P000001 Alice: no difference" in await host.type("deck diff 1 P000001", same)
    sided = host.file("sided.ydk", own_deck(116).replace("!side\n160\n", "!side\n103\n"))
    result = await host.run("deck", "diff", "1", "1", sided)
    assert (result.exit_code, result.stdout) == (
        Exit.REFUSED,
        "P000001 Alice: side: +1 卡 103, −1 卡 160\n",
    )
    chinese = await host.run("--lang", "zh", "deck", "diff", "1", "1", sided)
    assert "副卡组: +1" in chinese.stdout
    text = own_deck(116)
    moved = text.replace("151\n!side\n160\n", "160\n!side\n151\n")
    result = await host.run("deck", "diff", "1", "1", "-", input=moved)
    assert "the same cards, as after siding" in result.stdout
    assert (await host.run("deck", "diff", "1", "1", host.file("x", "ydke://!"))).exit_code == Exit.UNREADABLE


async def test_decks_are_written_for_the_duel_server(host: Terminal, tmp_path: Path) -> None:
    """F23, duel-server 8: the folder holds the decks that are in, by name; what else lies there stays."""
    await host.type("tournament publish", *PLAN)
    folder = tmp_path / "srvpro" / "decks"
    refused = await host.run("deck", "export", "1", str(folder))
    assert (refused.exit_code, folder.exists()) == (Exit.REFUSED, False)
    await host.type("players register", "Alice", "a/../b")
    for n in (1, 2):
        await host.type(f"entry add 1 {n}")
        await host.type(f"deck submit 1 {n}", host.file("deck.ydk", own_deck(115 + n)))
    folder.mkdir(parents=True)
    (folder / "P000009+Gone.ydk").write_text("1\n")
    (folder / "readme.txt").write_text("mine")
    assert f"2 decks in {folder}" in await host.type("deck export 1", str(folder))
    assert sorted(path.name for path in folder.iterdir()) == [
        "P000001+Alice.ydk",
        "P000002.ydk",
        "readme.txt",
    ]
    assert read_ydk((folder / "P000002.ydk").read_bytes()).deck == read_ydk(own_deck(117)).deck
    assert await host.data("deck export 1", str(folder)) == {"folder": str(folder), "decks": 2}
    blocked = await host.run("deck", "export", "1", str(folder / "readme.txt"))
    assert blocked.exit_code == Exit.USAGE
    below = await host.run("deck", "export", "1", str(folder / "readme.txt" / "x"))
    assert (below.exit_code, "cannot be written" in below.stderr) == (Exit.UNREADABLE, True)


async def test_what_was_played_is_printed(host: Terminal) -> None:
    """Issue 5: two tables for people, one of them as CSV, or all as JSON; only after the end."""
    await entered(host, "Alice", "Bob")
    early = await host.run("deck", "stats", "1")
    assert (early.exit_code, "after the end" in early.stderr) == (Exit.REFUSED, True)
    await host.type("start 1")
    await host.type("tournament cancel 1 --yes")
    shown = await host.type("deck stats 1")
    assert "Cards of 2 decks" in shown
    assert "吸血鬼" in shown
    cards = list(csv.DictReader(io.StringIO(await host.type("deck stats 1 --csv"))))
    assert cards[0] == {
        "code": "102",
        "name": "卡 102",
        "decks": "2",
        "main": "6",
        "extra": "0",
        "side": "0",
    }
    assert (await host.type("deck stats 1 --csv archetypes")).splitlines() == [
        "setcode,name,decks,copies",
        "142,吸血鬼,2,84",
    ]
    data = await host.data("deck stats 1")
    assert len(data["cards"]) == len(cards)


async def test_a_list_is_refreshed_from_a_terminal(host: Terminal, tmp_path: Path) -> None:
    """R045, R014: what decks are judged by now, and whose are refused."""
    await entered(host, "Alice", "Bob")
    assert "nothing to do" in await host.type("tournament refresh-list 1")
    write_list(tmp_path, "2026.10", "116 0")
    told = await host.type("tournament refresh-list 1")
    assert re.search(r"decks are judged by 2026\.10 \([0-9a-f]{8}\) now", told)
    assert "P000001: deck refused, not signed in" in told
    assert "P000002" not in told
    assert "the list allows 0" in await host.type("deck show 1 1")


async def test_what_is_wrong_is_said_in_the_hosts_language(host: Terminal) -> None:
    """D40, decisions 12: verdicts and refusals; the first 20, and how many more there are."""
    await entered(host, "Alice")
    illegal = host.file("illegal.ydk", own_deck(101, 101, 5, 6))
    checked = await host.run("--lang", "zh", "deck", "check", "1", illegal)
    assert checked.exit_code == Exit.REFUSED
    assert "「卡 101」（00000101）：主卡组共 2 张，禁限卡表只允许 1 张" in checked.stdout
    assert "unknown: 1 × 00000005" in checked.stdout
    await host.type("players register Bob")
    await host.type("entry add 1 2")
    refused = await host.run("--lang", "zh", "deck", "submit", "1", "2", illegal)
    assert "禁限卡表只允许 1 张" in refused.stderr
    many = host.file("many.ydk", own_deck() + "x\n" * 30)
    english = await host.run("deck", "submit", "1", "2", many)
    chinese = await host.run("--lang", "zh", "deck", "submit", "1", "2", many)
    assert ("and 10 more" in english.stderr, "还有 10" in chinese.stderr) == (True, True)


async def test_a_deck_waits_for_its_host(host: Terminal) -> None:
    """Decisions 9: the host sees what nobody knows, and lets it pass or refuses it with one command."""
    await host.type("tournament publish", *PLAN)
    await host.type("players register Alice")
    await host.type("entry add 1 1")
    deck = host.file("deck.ydk", own_deck(UNKNOWN, 100_200_001))
    assert (await host.run("deck", "check", "1", deck)).exit_code == Exit.REFUSED
    assert "waits for your look" in await host.type("deck submit 1 1", deck)
    shown = await host.type("deck show 1 1")
    assert f"unknown: 1 × {UNKNOWN}" in shown
    assert re.search(rf"main \(\d+\): \d × \S.* \(\d{{8}}\),[\s\S]* × {UNKNOWN:08d}", shown)
    assert "pre-release: 1 × 100200001" in shown
    assert "deck approved" in await host.type("deck approve 1 1")


async def test_the_environments_are_listed(host: Terminal, tmp_path: Path) -> None:
    """D44: with their lists, or with what is missing."""
    (tmp_path / "summer.conf").unlink()
    shown = await host.type("deck environments")
    assert "2005.4 TCG" in shown
    assert "summer.conf cannot be read" in shown
    assert len(await host.data("deck environments")) == 5


@needs_shared
async def test_the_published_files_end_to_end(tmp_path: Path) -> None:
    """D07, D44: the real list and the real cards, from publishing to a verdict with names."""
    settings = operators_files(tmp_path).model_copy(update={"lflist_path": LFLIST, "cdb_paths": (CDB,)})
    folder = tmp_path / "house"
    folder.mkdir()
    async with opened(folder, environment=settings) as house:
        admin = AdminSocket(tmp_path / "admin.sock", LocalUsers(()), house.dispatcher, house.metrics)
        await admin.start()
        host = Terminal(admin.path, tmp_path)
        checked = await host.data("tournament check", *PLAN)
        assert (checked["list_name"], checked["list_hash"]) == ("2026.7", "1b736034")
        await host.type("tournament publish", *PLAN)
        deck = host.file("deck.ydk", "#main\n" + "55144522\n" * 3)
        told = await host.run("deck", "check", "1", deck)
        assert "Pot of Greed (55144522): 3 in main; the list allows 0" in told.stdout
        await admin.close()
