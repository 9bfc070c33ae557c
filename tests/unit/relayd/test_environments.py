"""Environments made of the operator's files, frozen, and thawed to judge by."""

import asyncio
import sqlite3
import threading
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from deckcheck.check import check
from deckcheck.environments import KEYS, Environment
from deckcheck.errors import SourceBroken
from deckcheck.pools import POOLS, pool_cards
from deckcheck.reading import read_any
from deckcheck.snapshot import thaw_environment
from relayd import environments as module
from relayd.environments import Environments
from relayd.settings import EnvironmentSettings, OwnEnvironment
from ruleset.errors import CommandRejected
from ruleset.tournament.decks import FrozenTable
from tests.cardfiles import CARDS, UNKNOWN, operators_files, own_deck, write_cards, write_list
from tests.decks import make_cdb

DARK_HOLE = 53129443


async def unavailable(environments: Environments, key: str) -> Mapping[str, object]:
    """Return why an environment is not available."""
    with pytest.raises(CommandRejected) as caught:
        await environments.freeze(key)
    assert caught.value.code == "environment_unavailable"
    return caught.value.data


def status(environment: Environment, deck: str) -> str:
    """Return what becomes of a deck."""
    return check(read_any(deck.encode()), environment).status


async def names(environments: Environments, key: str) -> str:
    """Return what Dark Hole is called in a message of that environment."""
    frozen = await environments.freeze(key)
    return await environments.ask(frozen, lambda environment: environment.cards[DARK_HOLE].name)


async def test_retro_environments_speak_as_the_operators_cards_do(tmp_path: Path) -> None:
    """Issue 5: names come from the operator's cdb, and what he knows is told from what nobody knows."""
    cdb = make_cdb(tmp_path / "c.cdb", [(DARK_HOLE, 3, 0, 0, 2, "黑洞"), (5, 3, 0, 0, 2, "New Card")])
    environments = Environments(EnvironmentSettings(cdb_paths=(cdb,)))
    for key in POOLS:
        assert await names(environments, key) == "黑洞"
    goat = await environments.thaw(await environments.freeze("goat"))
    kinds = {v.code: v.kind for v in check(read_any(b"5\n6\n"), goat).violations if v.code}
    assert kinds == {5: "NOTINPOOL", 6: "UNKNOWNCARD"}


@pytest.mark.parametrize("content", [None, b"no database", b""])
async def test_retro_environments_need_no_cards(tmp_path: Path, content: bytes | None) -> None:
    """D44, issue 5: with no, a broken or an empty cards.cdb they are whole, with the pool's own names."""
    cdb = tmp_path / "cards.cdb"
    if content is not None:
        cdb.write_bytes(content)
    broken = Environments(EnvironmentSettings(cdb_paths=(cdb,)))
    plain = Environments(EnvironmentSettings())
    for key in POOLS:
        assert await broken.freeze(key) == await plain.freeze(key)
    assert await names(broken, "goat") == pool_cards()[DARK_HOLE].name == "Dark Hole"


async def test_cards_that_come_later_give_their_names(tmp_path: Path) -> None:
    """D45: what was broken is looked at again once it is another file; what was frozen stays."""
    cdb = tmp_path / "cards.cdb"
    cdb.write_bytes(b"half a file")
    environments = Environments(EnvironmentSettings(cdb_paths=(cdb,)))
    before = await environments.freeze("goat")
    cdb.unlink()
    make_cdb(cdb, [(DARK_HOLE, 3, 0, 0, 2, "黑洞")])
    assert await names(environments, "goat") == "黑洞"
    assert (await environments.thaw(before)).cards[DARK_HOLE].name == "Dark Hole"


async def test_own_pools_are_environments_like_any_other(tmp_path: Path) -> None:
    """D08, issue 5: a host's whitelist, by the key of the settings; what it does not name is refused."""
    environments = Environments(operators_files(tmp_path))
    assert environments.keys == (*KEYS, "summer")
    frozen = await environments.freeze("summer")
    assert (frozen.key, frozen.list_name) == ("summer", "Summer")
    environment = await environments.thaw(frozen)
    assert status(environment, own_deck(101, 101)) == "legal"
    verdict = check(read_any(own_deck(DARK_HOLE, UNKNOWN).encode()), environment)
    assert {v.kind: v.code for v in verdict.violations} == {"NOTINPOOL": DARK_HOLE, "UNKNOWNCARD": UNKNOWN}
    assert environment.cards[151].extra


async def test_an_own_pool_says_what_is_missing(tmp_path: Path) -> None:
    """D08, D44: no file, no whitelist in it, no cards where some are named: it approves nothing."""
    (tmp_path / "plain.conf").write_text("!List\n101 1\n")
    (tmp_path / "pool.conf").write_text("!Pool\n$whitelist\n101 3\n")
    files = {"absent": "absent.conf", "plain": "plain.conf", "pool": "pool.conf"}
    own = tuple(OwnEnvironment(key=key, file=tmp_path / name) for key, name in files.items())
    environments = Environments(EnvironmentSettings(cdb_paths=(tmp_path / "c.cdb",), own=own))
    assert "absent.conf cannot be read" in str((await unavailable(environments, "absent"))["why"])
    assert "no list with $whitelist" in str((await unavailable(environments, "plain"))["why"])
    assert f"no card database {tmp_path}/c.cdb" in str((await unavailable(environments, "pool"))["why"])
    assert await Environments(EnvironmentSettings(own=own)).freeze("pool")


async def test_other_settings_make_other_environments(tmp_path: Path) -> None:
    """Issue 3, D45: taken up while the daemon runs, for tournaments that are published from then on."""
    environments = Environments(EnvironmentSettings())
    assert "set environment.lflist_path" in str((await unavailable(environments, "ocg"))["why"])
    environments.use(operators_files(tmp_path))
    frozen = await environments.freeze("summer")
    environments.use(EnvironmentSettings())
    with pytest.raises(CommandRejected) as caught:
        await environments.freeze("summer")
    assert (caught.value.code, caught.value.data["known"]) == ("unknown_environment", KEYS)
    assert status(await environments.thaw(frozen), own_deck()) == "legal"


async def test_what_has_changed_on_the_disk_holds_for_new_tournaments(tmp_path: Path) -> None:
    """D45, issue 5: a list and a cdb that are updated; what was frozen before judges as before."""
    environments = Environments(operators_files(tmp_path))
    july = await environments.freeze("ocg")
    assert await environments.freeze("ocg") is july
    write_list(tmp_path, "2026.10", "102 1")
    october = await environments.freeze("ocg")
    write_cards(tmp_path, 170)
    november = await environments.freeze("ocg")
    assert [each.list_name for each in (july, october, november)] == ["2026.7", "2026.10", "2026.10"]
    thawed = [await environments.thaw(frozen) for frozen in (july, october, november)]
    decks = {
        "two of 101": own_deck(101, 101),
        "three of 102": own_deck(),
        "one of 170": own_deck(170).replace("102\n" * 3, "102\n115\n115\n"),
    }
    judged = {name: [status(environment, deck) for environment in thawed] for name, deck in decks.items()}
    assert judged == {
        "two of 101": ["illegal", "illegal", "illegal"],
        "three of 102": ["legal", "illegal", "illegal"],
        "one of 170": ["review", "review", "legal"],
    }


async def test_half_an_update_is_no_environment(tmp_path: Path) -> None:
    """D44: while files are being replaced publishing says so; the next whole state is taken."""
    environments = Environments(operators_files(tmp_path))
    await environments.freeze("ocg")
    (tmp_path / "lflist.conf").write_bytes(b"")
    assert "has no list" in str((await unavailable(environments, "ocg"))["why"])
    write_list(tmp_path, "2026.10")
    assert (await environments.freeze("ocg")).list_name == "2026.10"


async def test_names_of_archetypes_are_the_operators(tmp_path: Path) -> None:
    """Issue 5: read again when the file has changed; none where there is none."""
    settings = operators_files(tmp_path)
    environments = Environments(settings)
    assert await environments.set_names() == {0x8E: "吸血鬼"}
    (tmp_path / "strings.conf").write_bytes(b"\xef\xbb\xbf!setname 0x8e Vampire, the\r\n")
    assert await environments.set_names() == {0x8E: "Vampire, the"}
    (tmp_path / "strings.conf").unlink()
    assert await environments.set_names() == {}
    assert await Environments(EnvironmentSettings()).set_names() == {}


async def test_what_takes_long_runs_beside_the_event_loop(tmp_path: Path) -> None:
    """Performance 6: on the loop only what is said to be quick; nothing is thawed twice."""
    environments = Environments(operators_files(tmp_path))
    frozen = await environments.freeze("ocg")
    seen: list[int] = []

    def question(environment: Environment) -> int:
        seen.append(threading.get_ident())
        return id(environment)

    answers = await asyncio.gather(*(environments.ask(frozen, question) for _ in range(50)))
    assert len(set(answers)) == 1
    assert len(seen) == 50
    assert threading.get_ident() not in seen
    assert await environments.ask(frozen, question, quick=True) == answers[0]
    assert seen[-1] == threading.get_ident()
    assert await environments.thaw(frozen) is await environments.thaw(frozen)


async def test_only_so_many_environments_are_kept_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """Performance 6: memory does not grow with the tournaments; those that are asked for stay."""
    monkeypatch.setattr(module, "THAWED", 2)
    environments = Environments(EnvironmentSettings())
    goat, edison, explorer = [await environments.freeze(key) for key in POOLS]
    first = await environments.thaw(goat)
    await environments.thaw(edison)
    assert await environments.thaw(goat) is first
    second = await environments.thaw(edison)
    await environments.thaw(goat)
    await environments.thaw(explorer)
    assert await environments.thaw(goat) is first
    assert await environments.thaw(edison) is not second


async def test_whoever_stops_waiting_stops_nobody_else() -> None:
    """House 4: a caller who hangs up while a table is thawed takes it from nobody."""
    environments = Environments(EnvironmentSettings())
    frozen = await environments.freeze("explorer")
    gone, stays = (asyncio.create_task(environments.thaw(frozen)) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()
    assert (await stays).key == "explorer"
    assert gone.cancelled()


async def test_a_damaged_table_is_told() -> None:
    """D45, F02: never judged by something else."""
    table = FrozenTable(key="ocg", list_name="", list_hash=0, pool_hash="", table=b"?")
    with pytest.raises(SourceBroken):
        await Environments(EnvironmentSettings()).thaw(table)


async def test_a_frozen_table_holds_all_of_it(tmp_path: Path) -> None:
    """D45: list name, list hash, pool hash and the table agree."""
    environments = Environments(operators_files(tmp_path))
    for key in environments.keys:
        frozen = await environments.freeze(key)
        thawed = thaw_environment(frozen.table)
        assert (frozen.key, frozen.list_name, frozen.pool_hash) == (
            thawed.key,
            thawed.list_name,
            thawed.pool_hash,
        )
        assert f"{frozen.list_hash:08x}" == thawed.list_hash


def test_the_small_files_are_what_they_seem(tmp_path: Path) -> None:
    """The cards of these tests: 50 for the main deck, 10 for the extra deck."""
    operators_files(tmp_path)
    with closing(sqlite3.connect(tmp_path / "cards.cdb")) as database:
        assert database.execute("SELECT count(*) FROM datas").fetchone() == (len(CARDS),)
