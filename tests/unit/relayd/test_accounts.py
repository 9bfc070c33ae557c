"""Accounts: sign-up, sign-in, links by e-mail, leaving (R004, R053, F22)."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from relayd.accounts.passwords import Passwords
from relayd.accounts.service import SESSION_MS, TICKET_MS, AccountRefused, Accounts
from relayd.accounts.tokens import digest_of, new_token
from relayd.storage.sqlite.accounts import SqliteAccounts
from ruleset.ids import PlayerId
from tests.clocks import FakeClock
from tests.website import Post

PASSWORD = "correct horse"


@dataclass
class Names:
    """Gives player numbers (relayd.ports.Players), as far as accounts ask."""

    names: dict[PlayerId, str] = field(default_factory=dict)

    async def register(self, nickname: str, *, by: str, command_id: str | None = None) -> PlayerId:
        """Give the next number."""
        assert (by, command_id) == ("web:sign-up", None)
        self.names[PlayerId(len(self.names) + 1)] = nickname
        return PlayerId(len(self.names))

    async def rename(self, player: PlayerId, nickname: str, *, by: str) -> None:
        """Change a nickname."""
        assert by
        self.names[player] = nickname


@dataclass(kw_only=True)
class Desk:
    """Accounts with what they stand on."""

    accounts: Accounts
    clock: FakeClock
    post: Post
    names: Names
    store: SqliteAccounts


def letter(purpose: str, token: str) -> tuple[str, str]:
    """Write a message."""
    return purpose, f"https://site/{purpose}/{token}"


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    """Accounts that want their e-mails verified."""
    store, clock, post, names = SqliteAccounts(tmp_path / "accounts.db"), FakeClock(), Post(), Names()
    accounts = Accounts(
        store=store,
        players=names,  # type: ignore[arg-type]  # it has what accounts ask
        passwords=Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)),
        mailer=post,
        clock=clock,
        verify_email=True,
    )
    yield Desk(accounts=accounts, clock=clock, post=post, names=names, store=store)
    await store.close()


async def test_an_account_has_a_player_number_and_either_name_signs_in(desk: Desk) -> None:
    """R004: the number is given at sign-up; e-mail in any case, P000001, 000001 and 1 all sign in."""
    made = await desk.accounts.sign_up(" Ann@Example.org ", PASSWORD, "Ann", letter)
    assert (made.player, made.email, made.verified_at) == (1, "ann@example.org", None)
    for name in ("ANN@example.ORG", "P000001", "000001", "1"):
        account, token = await desk.accounts.sign_in(name, PASSWORD)
        assert account.player == 1
        assert await desk.accounts.account_of(token) == account


@pytest.mark.parametrize("name", ["ann@example.org", "P000002", "nobody", "", "\udc80"])
async def test_a_wrong_name_and_a_wrong_password_are_told_alike(desk: Desk, name: str) -> None:
    """Sign-in never says which of the two was wrong."""
    await desk.accounts.sign_up("ann@example.org", PASSWORD, "Ann", letter)
    with pytest.raises(AccountRefused) as refused:
        await desk.accounts.sign_in(name, "wrong \udc80 horse")
    assert refused.value.code == "wrong_password"


@pytest.mark.parametrize(
    ("email", "password", "code"),
    [
        ("ann", PASSWORD, "bad_email"),
        ("a b@example.org", PASSWORD, "bad_email"),
        ("a@b.org\nBcc: x@y.org", PASSWORD, "bad_email"),
        ("ann@example.org", "short", "short_password"),
        ("ann@example.org", "x" * 201, "long_password"),
    ],
)
async def test_what_is_no_account_is_refused_before_a_number_is_given(
    desk: Desk, email: str, password: str, code: str
) -> None:
    """A refused sign-up costs no player number."""
    with pytest.raises(AccountRefused) as refused:
        await desk.accounts.sign_up(email, password, "Ann", letter)
    assert (refused.value.code, desk.names.names) == (code, {})


async def test_an_email_has_one_account(desk: Desk) -> None:
    """The same e-mail in another case is the same."""
    await desk.accounts.sign_up("ann@example.org", PASSWORD, "Ann", letter)
    with pytest.raises(AccountRefused) as refused:
        await desk.accounts.sign_up("ANN@example.org", PASSWORD, "Bob", letter)
    assert (refused.value.code, len(desk.names.names)) == ("email_taken", 1)


async def test_a_link_verifies_once(desk: Desk) -> None:
    """R053: the link of the e-mail is good once, for its purpose alone, and for a day."""
    account = await desk.accounts.sign_up("ann@example.org", PASSWORD, "Ann", letter)
    token = desk.post.letters[-1][1].rpartition("/")[2]
    assert await desk.accounts.reset(token, "another password") is None
    assert await desk.accounts.verify(token) == 1
    assert await desk.accounts.verify(token) is None
    await desk.accounts.send_ticket(account, "verify", letter)
    desk.clock.advance(TICKET_MS / 1_000)
    assert await desk.accounts.verify(desk.post.letters[-1][1].rpartition("/")[2]) is None


async def test_a_reset_ends_every_session(desk: Desk) -> None:
    """Another password: whoever was signed in with the old one is out, and the old one is no good."""
    account = await desk.accounts.sign_up("ann@example.org", PASSWORD, "Ann", letter)
    _, session = await desk.accounts.sign_in("1", PASSWORD)
    await desk.accounts.send_ticket(account, "reset", letter)
    token = desk.post.letters[-1][1].rpartition("/")[2]
    with pytest.raises(AccountRefused):
        await desk.accounts.reset(token, "short")
    assert await desk.accounts.reset(token, "another password") == 1
    assert await desk.accounts.account_of(session) is None
    with pytest.raises(AccountRefused):
        await desk.accounts.sign_in("1", PASSWORD)
    found, _ = await desk.accounts.sign_in("1", "another password")
    assert found.verified_at is not None


async def test_a_change_of_password_asks_for_the_old_one(desk: Desk) -> None:
    """A session alone cannot take an account over."""
    account = await desk.accounts.sign_up("ann@example.org", PASSWORD, "Ann", letter)
    with pytest.raises(AccountRefused):
        await desk.accounts.change_password(account, "wrong horse", "another password")
    await desk.accounts.change_password(account, PASSWORD, "another password")
    assert (await desk.accounts.sign_in("1", "another password"))[0].player == 1


async def test_a_session_expires_and_ends(desk: Desk) -> None:
    """A session is good for 30 days, or until its owner signs out."""
    await desk.accounts.sign_up("ann@example.org", PASSWORD, "Ann", letter)
    _, first = await desk.accounts.sign_in("1", PASSWORD)
    await desk.accounts.sign_out(first)
    assert await desk.accounts.account_of(first) is None
    _, second = await desk.accounts.sign_in("1", PASSWORD)
    desk.clock.advance(SESSION_MS / 1_000)
    assert await desk.accounts.account_of(second) is None


async def test_who_leaves_is_forgotten_but_for_his_number(desk: Desk) -> None:
    """Decisions 5: e-mail, password, sessions go; the number stays with another nickname."""
    account = await desk.accounts.sign_up("ann@example.org", PASSWORD, "Ann", letter)
    _, session = await desk.accounts.sign_in("1", PASSWORD)
    with pytest.raises(AccountRefused):
        await desk.accounts.anonymise(account, "wrong horse", "gone")
    await desk.accounts.anonymise(account, PASSWORD, "gone")
    assert desk.names.names == {1: "gone"}
    assert await desk.accounts.find("ann@example.org") is None
    assert await desk.accounts.account_of(session) is None
    assert (await desk.accounts.sign_up("ann@example.org", PASSWORD, "Ann", letter)).player == 2


@pytest.mark.parametrize("token", ["", "é", "\udc80", "日本", "x" * 10_000])
async def test_any_text_may_be_shown_as_a_token(desk: Desk, token: str) -> None:
    """F22: a token that is not ASCII is wrong, not an error."""
    assert await desk.accounts.account_of(token) is None
    assert digest_of(token) != digest_of(new_token())


async def test_passwords_are_never_stored_as_they_are(desk: Desk, tmp_path: Path) -> None:
    """Argon2id with its parameters stands in the file, the password does not."""
    account = await desk.accounts.sign_up("ann@example.org", PASSWORD, "Ann", letter)
    held = _bytes_of(tmp_path)
    assert account.password.startswith("$argon2id$")
    assert account.password.encode() in held
    assert PASSWORD.encode() not in held


def _bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.glob("accounts.db*"))
