"""Accounts in one SQLite file of their own, so that it can be kept, copied and erased apart from the log."""

import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar

from relayd.storage.accounts import (
    Account,
    ApiToken,
    Avatar,
    EmailTaken,
    JudgeCall,
    Link,
    OwnPreset,
    Purpose,
    Session,
    StaffRole,
    Ticket,
)
from relayd.storage.sqlite.database import Database, Schema, transaction
from ruleset.ids import Instant, PlayerId, TournamentNo

T = TypeVar("T")

_PRESETS: Final = """
CREATE TABLE preset (
  player INTEGER NOT NULL, name TEXT NOT NULL, wishes TEXT NOT NULL, PRIMARY KEY (player, name)
) STRICT
"""
_AVATARS: Final = """
CREATE TABLE avatar (player INTEGER PRIMARY KEY, digest TEXT NOT NULL, image BLOB NOT NULL) STRICT;
CREATE INDEX avatar_by_digest ON avatar (digest)
"""
_SCOPES: Final = """
ALTER TABLE token ADD COLUMN tournament INTEGER;
UPDATE token SET scope = 'host' WHERE scope = 'write'
"""
_SCHEMA: Final = Schema(
    application=0x72_6C_79_34,
    version=3,
    tables=f"""
CREATE TABLE account (
  player INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, password TEXT NOT NULL, created_at INTEGER NOT NULL,
  verified_at INTEGER
) STRICT;
CREATE TABLE session (digest BLOB PRIMARY KEY, player INTEGER NOT NULL, expires_at INTEGER NOT NULL) STRICT;
CREATE INDEX session_of_player ON session (player);
CREATE TABLE ticket (
  digest BLOB PRIMARY KEY, player INTEGER NOT NULL, purpose TEXT NOT NULL, expires_at INTEGER NOT NULL,
  UNIQUE (player, purpose)
) STRICT;
CREATE TABLE link (
  id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, tournament INTEGER NOT NULL, role TEXT NOT NULL,
  label TEXT NOT NULL, created_at INTEGER NOT NULL, revoked_at INTEGER
) STRICT;
CREATE INDEX link_of_tournament ON link (tournament);
CREATE TABLE staff (
  tournament INTEGER NOT NULL, player INTEGER NOT NULL, role TEXT NOT NULL, PRIMARY KEY (tournament, player)
) STRICT;
CREATE TABLE token (
  id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, player INTEGER NOT NULL, label TEXT NOT NULL,
  scope TEXT NOT NULL, created_at INTEGER NOT NULL, tournament INTEGER
) STRICT;
CREATE INDEX token_of_player ON token (player);
CREATE TABLE call (
  id INTEGER PRIMARY KEY, tournament INTEGER NOT NULL, tab TEXT NOT NULL, player INTEGER NOT NULL,
  note TEXT NOT NULL, at INTEGER NOT NULL, UNIQUE (tournament, tab, player)
) STRICT;
{_PRESETS};
{_AVATARS}
""",
    upgrades={1: _PRESETS, 2: f"{_SCOPES};{_AVATARS}"},
)
_ACCOUNT: Final = "SELECT player, email, password, created_at, verified_at FROM account WHERE "
_LINK: Final = """
SELECT id, digest, tournament, role, label, created_at, revoked_at FROM link WHERE revoked_at IS NULL AND
"""
_TOKEN: Final = """
SELECT id, digest, player, label, scope, created_at, tournament FROM token WHERE
"""  # noqa: S105  SQL
_MAKE_TOKEN: Final = """
INSERT INTO token (digest, player, label, scope, created_at, tournament) VALUES (?, ?, ?, ?, ?, ?)
"""  # noqa: S105  SQL
_TAKE_TICKET: Final = """
DELETE FROM ticket WHERE digest = ? AND purpose = ? RETURNING digest, player, purpose, expires_at
"""
_CALLS: Final = """
SELECT id, tournament, tab AS "table", player, note, at FROM call WHERE tournament = ? ORDER BY id
"""
_PRESETS_OF: Final = "SELECT player, name, wishes FROM preset WHERE player = ? ORDER BY name"
_OF_PLAYER: Final = ("account", "session", "ticket", "staff", "token", "call", "preset", "avatar")


class SqliteAccounts:
    """The account store that comes with the daemon (storage.accounts.AccountStore)."""

    def __init__(self, path: Path) -> None:
        """Raises LogUnavailable, LogRefused or LogDamaged."""
        self._db = Database(path, _SCHEMA)

    async def add(self, account: Account) -> None:
        if not await self._write(lambda db: _add(db, account)):
            raise EmailTaken(account.player)

    async def by_email(self, email: str) -> Account | None:
        return await self._one(Account, _ACCOUNT + "email = ?", email)

    async def by_player(self, player: PlayerId) -> Account | None:
        return await self._one(Account, _ACCOUNT + "player = ?", player)

    async def set_password(self, player: PlayerId, password: str) -> None:
        def job(db: sqlite3.Connection) -> None:
            db.execute("UPDATE account SET password = ? WHERE player = ?", (password, player))
            db.execute("DELETE FROM session WHERE player = ?", (player,))
            db.execute("DELETE FROM ticket WHERE player = ?", (player,))

        await self._write(job)

    async def verify(self, player: PlayerId, at: Instant) -> None:
        await self._execute(
            "UPDATE account SET verified_at = ? WHERE player = ? AND verified_at IS NULL", at, player
        )

    async def erase(self, player: PlayerId) -> None:
        def job(db: sqlite3.Connection) -> None:
            for table in _OF_PLAYER:
                db.execute(f"DELETE FROM {table} WHERE player = ?", (player,))  # noqa: S608  names of ours

        await self._write(job)

    async def open_session(self, session: Session) -> None:
        await self._execute(
            "INSERT INTO session VALUES (?, ?, ?)", session.digest, session.player, session.expires_at
        )

    async def session(self, digest: bytes, now: Instant) -> Session | None:
        sql = "SELECT digest, player, expires_at FROM session WHERE digest = ? AND expires_at > ?"
        return await self._one(Session, sql, digest, now)

    async def close_session(self, digest: bytes) -> None:
        await self._execute("DELETE FROM session WHERE digest = ?", digest)

    async def keep_ticket(self, ticket: Ticket) -> None:
        await self._execute(
            "INSERT OR REPLACE INTO ticket VALUES (?, ?, ?, ?)",
            ticket.digest,
            ticket.player,
            ticket.purpose,
            ticket.expires_at,
        )

    async def take_ticket(self, digest: bytes, purpose: Purpose, now: Instant) -> Ticket | None:
        def job(db: sqlite3.Connection) -> Ticket | None:
            found = _row(Ticket, db.execute(_TAKE_TICKET, (digest, purpose)))
            return None if found is None or found.expires_at <= now else found

        return await self._write(job)

    async def make_link(self, link: Link) -> Link:
        values = (link.digest, link.tournament, link.role, link.label, link.created_at)
        sql = "INSERT INTO link (digest, tournament, role, label, created_at) VALUES (?, ?, ?, ?, ?)"
        return replace(link, id=await self._insert(sql, values))

    async def link(self, digest: bytes) -> Link | None:
        return await self._one(Link, _LINK + "digest = ?", digest)

    async def links(self, tournament: TournamentNo) -> Sequence[Link]:
        return await self._all(Link, _LINK + "tournament = ? ORDER BY id", tournament)

    async def revoke_link(self, tournament: TournamentNo, link: int, at: Instant) -> None:
        sql = "UPDATE link SET revoked_at = ? WHERE id = ? AND tournament = ? AND revoked_at IS NULL"
        await self._execute(sql, at, link, tournament)

    async def set_staff(self, tournament: TournamentNo, player: PlayerId, role: StaffRole | None) -> None:
        if role is None:
            await self._execute("DELETE FROM staff WHERE tournament = ? AND player = ?", tournament, player)
        else:
            await self._execute("INSERT OR REPLACE INTO staff VALUES (?, ?, ?)", tournament, player, role)

    async def staff(self, tournament: TournamentNo) -> Sequence[tuple[PlayerId, StaffRole]]:
        sql = "SELECT player, role FROM staff WHERE tournament = ? ORDER BY player"
        return await self._db.run(lambda db: db.execute(sql, (tournament,)).fetchall())

    async def make_token(self, token: ApiToken) -> ApiToken:
        values = (token.digest, token.player, token.label, token.scope, token.created_at, token.tournament)
        return replace(token, id=await self._insert(_MAKE_TOKEN, values))

    async def token(self, digest: bytes) -> ApiToken | None:
        return await self._one(ApiToken, _TOKEN + "digest = ?", digest)

    async def tokens(self, player: PlayerId) -> Sequence[ApiToken]:
        return await self._all(ApiToken, _TOKEN + "player = ? ORDER BY id", player)

    async def revoke_token(self, player: PlayerId, token: int) -> None:
        await self._execute("DELETE FROM token WHERE id = ? AND player = ?", token, player)

    async def set_avatar(self, avatar: Avatar) -> None:
        sql = "INSERT OR REPLACE INTO avatar VALUES (?, ?, ?)"
        await self._execute(sql, avatar.player, avatar.digest, avatar.image)

    async def drop_avatar(self, player: PlayerId) -> None:
        await self._execute("DELETE FROM avatar WHERE player = ?", player)

    async def avatar(self, digest: str) -> Avatar | None:
        return await self._one(Avatar, "SELECT player, digest, image FROM avatar WHERE digest = ?", digest)

    async def avatars(self, players: Collection[PlayerId]) -> Mapping[PlayerId, str]:
        def job(db: sqlite3.Connection) -> Mapping[PlayerId, str]:
            sql = "SELECT digest FROM avatar WHERE player = ?"
            found = ((player, db.execute(sql, (player,)).fetchone()) for player in players)
            return {player: row[0] for player, row in found if row is not None}

        return await self._db.run(job)

    async def call_judge(self, call: JudgeCall) -> None:
        values = (call.tournament, call.table, call.player, call.note, call.at)
        sql = "INSERT OR IGNORE INTO call (tournament, tab, player, note, at) VALUES (?, ?, ?, ?, ?)"
        await self._execute(sql, *values)

    async def judge_calls(self, tournament: TournamentNo) -> Sequence[JudgeCall]:
        return await self._all(JudgeCall, _CALLS, tournament)

    async def answer_call(self, tournament: TournamentNo, call: int) -> None:
        await self._execute("DELETE FROM call WHERE id = ? AND tournament = ?", call, tournament)

    async def keep_preset(self, preset: OwnPreset) -> None:
        await self._execute(
            "INSERT OR REPLACE INTO preset VALUES (?, ?, ?)", preset.player, preset.name, preset.wishes
        )

    async def presets(self, player: PlayerId) -> Sequence[OwnPreset]:
        return await self._all(OwnPreset, _PRESETS_OF, player)

    async def drop_preset(self, player: PlayerId, name: str) -> None:
        await self._execute("DELETE FROM preset WHERE player = ? AND name = ?", player, name)

    async def close(self) -> None:
        self._db.close()

    async def _one(self, kind: Callable[..., T], sql: str, *values: object) -> T | None:
        return await self._db.run(lambda db: _row(kind, db.execute(sql, values)))

    async def _all(self, kind: Callable[..., T], sql: str, *values: object) -> list[T]:
        def job(db: sqlite3.Connection) -> list[T]:
            cursor = db.execute(sql, values)
            names = [column[0] for column in cursor.description]
            return [kind(**dict(zip(names, row, strict=True))) for row in cursor]

        return await self._db.run(job)

    async def _execute(self, sql: str, *values: object) -> None:
        await self._write(lambda db: db.execute(sql, values) and None)

    async def _insert(self, sql: str, values: Sequence[object]) -> int:
        return await self._write(lambda db: db.execute(sql, values).lastrowid or 0)

    async def _write(self, job: Callable[[sqlite3.Connection], T]) -> T:
        def whole(db: sqlite3.Connection) -> T:
            with transaction(db):
                return job(db)

        return await self._db.run(whole)


def _add(db: sqlite3.Connection, account: Account) -> bool:
    sql = "INSERT OR IGNORE INTO account VALUES (?, ?, ?, ?, ?)"
    values = (account.player, account.email, account.password, account.created_at, account.verified_at)
    return db.execute(sql, values).rowcount == 1


def _row(kind: Callable[..., T], cursor: sqlite3.Cursor) -> T | None:
    names: list[Any] = [column[0] for column in cursor.description]
    found = cursor.fetchone()
    return None if found is None else kind(**dict(zip(names, found, strict=True)))
