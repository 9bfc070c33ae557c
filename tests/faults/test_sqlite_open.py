"""Files that cannot be started on: one clear sentence each, and nothing changed (issue 2, F30)."""

import asyncio
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from relayd.audit import audit, exit_code_of
from relayd.exits import Exit
from relayd.reducers import TOURNAMENT
from relayd.storage.accounts import Account, OwnPreset
from relayd.storage.log import LogDamaged, LogError, LogRefused, LogUnavailable, start_of
from relayd.storage.sqlite.accounts import SqliteAccounts
from relayd.storage.sqlite.cursors import SqliteCursors
from relayd.storage.sqlite.ledger import SqliteLedger
from relayd.storage.sqlite.log import SqliteLog
from ruleset.ids import Instant, PlayerId
from ruleset.tournament.events import DeckApproved
from tests.faults.test_sqlite_kill import PROGRAM, ROOT
from tests.streams import desk_at, register, registration


def make_log(path: Path) -> None:
    """Make a log with one entry."""

    async def make() -> None:
        log = SqliteLog(path)
        await register(desk_at(log), 1)
        await log.close()

    asyncio.run(make())


def set_pragma(path: Path, name: str, value: int) -> None:
    """Change the header of a file."""
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA {name} = {value}")
        db.commit()


def refusal(path: Path) -> LogError:
    """Return why the file is not started on."""
    with pytest.raises(LogError) as refused:
        SqliteLog(path)
    assert str(path.name) in str(refused.value)
    return refused.value


def test_a_log_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    """F30, issue 2: with both numbers, and the file is as it was."""
    path = tmp_path / "relayd.db"
    make_log(path)
    set_pragma(path, "user_version", 2)
    before = path.read_bytes()
    refused = refusal(path)
    assert isinstance(refused, LogRefused)
    assert "format 2 is newer than this program, which knows 1" in str(refused)
    assert path.read_bytes() == before


@pytest.mark.parametrize("other", [SqliteLedger, SqliteCursors])
def test_another_kind_of_file_is_refused(tmp_path: Path, other: type[SqliteLedger | SqliteCursors]) -> None:
    """A ledger is no log; neither is somebody else's database."""
    path = tmp_path / "relayd.db"
    asyncio.run(other(path).close())
    assert isinstance(refusal(path), LogRefused)


def test_a_strangers_database_is_refused(tmp_path: Path) -> None:
    """It is not taken over."""
    path = tmp_path / "relayd.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE deck (id)")
    assert isinstance(refusal(path), LogRefused)


def test_what_is_no_database_is_damage(tmp_path: Path) -> None:
    """F02: exit code 5."""
    path = tmp_path / "relayd.db"
    path.write_bytes(b"not a database" * 1_000)
    refused = refusal(path)
    assert isinstance(refused, LogDamaged)
    assert exit_code_of(refused) == Exit.DAMAGED


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """Issue 2: an unreadable data folder."""
    refused = refusal(tmp_path / "nowhere" / "relayd.db")
    assert isinstance(refused, LogUnavailable)
    assert "No such file or directory" in str(refused)
    assert exit_code_of(refused) == Exit.AWAY


def test_a_folder_in_the_place_of_the_file_is_named(tmp_path: Path) -> None:
    """Issue 2."""
    (tmp_path / "relayd.db").mkdir()
    assert isinstance(refusal(tmp_path / "relayd.db"), LogUnavailable)


def test_two_daemons_never_write_one_file(tmp_path: Path) -> None:
    """F07: the second is told who has it; when the first is dead, even by kill -9, the file is free."""
    with subprocess.Popen([*PROGRAM, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        first.stdout.readline()
        refused = refusal(tmp_path / "relayd.db")
        assert isinstance(refused, LogUnavailable)
        assert f"process {first.pid} has it open" in str(refused)
        first.kill()
    asyncio.run(SqliteLog(tmp_path / "relayd.db").close())


def test_a_file_that_was_closed_is_free(tmp_path: Path) -> None:
    """Also one that could not be opened holds nothing."""
    path = tmp_path / "relayd.db"
    make_log(path)
    make_log(tmp_path / "other.db")
    set_pragma(path, "user_version", 2)
    refusal(path)
    set_pragma(path, "user_version", 1)
    asyncio.run(SqliteLog(path).close())


async def test_an_audit_reads_beside_a_daemon_and_changes_nothing(tmp_path: Path) -> None:
    """Issue 2: ``verify-log`` needs no stop; it takes no lock and leaves no trace in the file."""
    path = tmp_path / "relayd.db"
    log = SqliteLog(path)
    await register(desk_at(log), 1)
    before = path.read_bytes()
    report = await audit(path)
    assert [(stream.stream, stream.entries) for stream in report.streams] == [("directory", 1)]
    assert path.read_bytes() == before
    assert (await register(desk_at(log), 2)).entry is not None
    await log.close()


@pytest.mark.parametrize(("content", "says"), [(None, "no such file"), (b"", "nothing was ever written")])
def test_an_audit_of_nothing_is_refused(tmp_path: Path, content: bytes | None, says: str) -> None:
    """Decisions 11: unreadable input."""
    path = tmp_path / "relayd.db"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(LogRefused, match=says) as refused:
        asyncio.run(audit(path))
    assert exit_code_of(refused.value) == Exit.UNREADABLE
    assert [*tmp_path.iterdir()] == ([] if content is None else [path])


async def test_a_stream_that_nobody_knows_is_damage_to_an_audit(tmp_path: Path) -> None:
    """F30: a newer program may have streams that this one cannot read."""
    log = SqliteLog(tmp_path / "relayd.db")
    await log.append("series-1", start_of("series-1"), registration(1, start_of("series-1")))
    await log.close()
    report = await audit(tmp_path / "relayd.db")
    assert "knows no stream series-1" in report.streams[0].damage
    assert report.exit_code == Exit.DAMAGED


async def test_what_cannot_be_applied_is_damage_to_an_audit(tmp_path: Path) -> None:
    """F30: the entries are whole, but lead nowhere; their number is named."""
    log = SqliteLog(tmp_path / "relayd.db")
    events = (DeckApproved(player=PlayerId(9)),)
    entry = TOURNAMENT.codec.seal(
        start_of("t1"), command_id="c", digest=b"", at=Instant(0), by="host", events=events
    )
    await log.append("t1", start_of("t1"), entry)
    await log.close()
    report = await audit(tmp_path / "relayd.db")
    assert "stream t1 cannot be replayed from version 1 on: KeyError" in report.streams[0].damage


OLDER = {
    1: (
        "DROP TABLE preset",
        "DROP TABLE avatar",
        "ALTER TABLE token DROP COLUMN tournament",
        "INSERT INTO token VALUES (1, x'07', 1, 'bot', 'write', 1)",
    ),
    2: (
        "DROP TABLE avatar",
        "ALTER TABLE token DROP COLUMN tournament",
        "INSERT INTO token VALUES (1, x'07', 1, 'bot', 'write', 1)",
    ),
}
"""What makes the accounts of today those of an older version."""


@pytest.mark.parametrize("version", OLDER)
async def test_accounts_of_an_older_program_are_taken_over(tmp_path: Path, version: int) -> None:
    """F30: what older files lack is added, and nothing in them is lost; who could write may do so still."""
    path, ann = tmp_path / "accounts.db", PlayerId(1)
    made = SqliteAccounts(path)
    await made.add(Account(player=ann, email="ann@example.org", password="x", created_at=Instant(1)))
    await made.close()
    with closing(sqlite3.connect(path)) as db:
        for statement in OLDER[version]:
            db.execute(statement)
        db.commit()
    set_pragma(path, "user_version", version)
    for _ in range(2):
        store = SqliteAccounts(path)
        await store.keep_preset(OwnPreset(player=ann, name="mine", wishes="{}"))
        assert await store.by_player(ann) is not None
        assert [(token.scope, token.tournament) for token in await store.tokens(ann)] == [("host", None)]
        assert await store.avatars([ann]) == {}
        assert [preset.name for preset in await store.presets(ann)] == ["mine"]
        await store.close()
