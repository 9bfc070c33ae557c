"""What people do with accounts: sign up, verify, sign in, reset, leave."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from relayd.accounts.avatars import Painter
from relayd.accounts.mail import Mailer
from relayd.accounts.passwords import LONGEST, SHORTEST, Passwords
from relayd.accounts.tokens import digest_of, new_token
from relayd.ports import Clock, Players
from relayd.storage.accounts import Account, AccountStore, EmailTaken, Purpose, Session, Ticket
from ruleset.ids import MINUTE_MS, Instant, PlayerId

SESSION_MS: Final = 30 * 24 * 60 * MINUTE_MS
TICKET_MS: Final = 24 * 60 * MINUTE_MS
_PART: Final = r"[^@\s,;<>\"()\x00-\x20\x7f\ud800-\udfff]"
_EMAIL: Final = re.compile(rf"{_PART}{{1,64}}@{_PART}{{1,180}}\.{_PART}{{2,63}}")
_NUMBER: Final = re.compile(r"[Pp]?0*([1-9][0-9]{0,15})", re.ASCII)

Problem: TypeAlias = Literal["bad_email", "email_taken", "short_password", "long_password", "wrong_password"]
Letter: TypeAlias = Callable[[Purpose, str], tuple[str, str]]
"""Purpose and token of a link, to the subject and the text of the message that brings it."""


class AccountRefused(Exception):
    """The sender: that is not possible, and ``code`` says why."""

    def __init__(self, code: Problem) -> None:
        super().__init__(code)
        self.code: Problem = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Accounts:
    """Accounts at work."""

    store: AccountStore
    players: Players
    passwords: Passwords
    mailer: Mailer
    clock: Clock
    verify_email: bool
    """Whether an account counts as verified only after its e-mail was answered (R053)."""
    painter: Painter = field(default_factory=Painter)

    async def sign_up(self, email: str, password: str, nickname: str, letter: Letter) -> Account:
        """Make an account with a new player number (R004).

        Raises AccountRefused, CommandRejected ``bad_nickname``, MailUnavailable once the account is made.
        """
        address = _address(email)
        _refuse_weak(password)
        if await self.store.by_email(address) is not None:
            raise AccountRefused("email_taken")
        hashed = await self.passwords.hash(password)
        player = await self.players.register(nickname, by="web:sign-up")
        now = self.clock.now()
        account = Account(
            player=player,
            email=address,
            password=hashed,
            created_at=now,
            verified_at=None if self.verify_email else now,
        )
        try:
            await self.store.add(account)
        except EmailTaken:
            raise AccountRefused("email_taken") from None
        if self.verify_email:
            await self.send_ticket(account, "verify", letter)
        return account

    async def sign_in(self, name: str, password: str) -> tuple[Account, str]:
        """Return the account of an e-mail or player number, and the token of a new session.

        Raises AccountRefused ``wrong_password``, whether the account or the password is not the right one.
        """
        account = await self.find(name)
        fits = await self.passwords.fits(password[:LONGEST], None if account is None else account.password)
        if account is None or not fits:
            raise AccountRefused("wrong_password")
        return account, await self.open_session(account.player)

    async def open_session(self, player: PlayerId) -> str:
        """Return the token of a new session."""
        token = new_token()
        expires = Instant(self.clock.now() + SESSION_MS)
        await self.store.open_session(Session(digest=digest_of(token), player=player, expires_at=expires))
        return token

    async def account_of(self, token: str) -> Account | None:
        """Return whose session a token is."""
        session = await self.store.session(digest_of(token), self.clock.now())
        return None if session is None else await self.store.by_player(session.player)

    async def sign_out(self, token: str) -> None:
        """End a session."""
        await self.store.close_session(digest_of(token))

    async def find(self, name: str) -> Account | None:
        """Return the account of an e-mail or of a player number in any of its forms."""
        if found := _NUMBER.fullmatch(name.strip()):
            return await self.store.by_player(PlayerId(int(found[1])))
        email = _normalised(name)
        return await self.store.by_email(email) if _EMAIL.fullmatch(email) else None

    async def send_ticket(self, account: Account, purpose: Purpose, letter: Letter) -> None:
        """Send a link that is good once, for a day. Raises MailUnavailable."""
        token = new_token()
        expires = Instant(self.clock.now() + TICKET_MS)
        ticket = Ticket(digest=digest_of(token), player=account.player, purpose=purpose, expires_at=expires)
        await self.store.keep_ticket(ticket)
        subject, text = letter(purpose, token)
        await self.mailer.send(account.email, subject, text)

    async def verify(self, token: str) -> PlayerId | None:
        """Take the link of a verification; ``None``: it is not good any more."""
        now = self.clock.now()
        ticket = await self.store.take_ticket(digest_of(token), "verify", now)
        if ticket is None:
            return None
        await self.store.verify(ticket.player, now)
        return ticket.player

    async def reset(self, token: str, password: str) -> PlayerId | None:
        """Take the link of a reset: another password, and every session ends. Raises AccountRefused."""
        _refuse_weak(password)
        now = self.clock.now()
        ticket = await self.store.take_ticket(digest_of(token), "reset", now)
        if ticket is None:
            return None
        await self.store.set_password(ticket.player, await self.passwords.hash(password))
        await self.store.verify(ticket.player, now)  # whoever read the link reads that e-mail
        return ticket.player

    async def change_password(self, account: Account, old: str, new: str) -> None:
        """Change the password and end every session. Raises AccountRefused."""
        _refuse_weak(new)
        if not await self.passwords.fits(old[:LONGEST], account.password):
            raise AccountRefused("wrong_password")
        await self.store.set_password(account.player, await self.passwords.hash(new))

    async def set_avatar(self, player: PlayerId, uploaded: bytes) -> None:
        """Make a picture of an upload in place of the old one (R004). Raises AvatarRefused."""
        await self.store.set_avatar(await self.painter.paint(player, uploaded))

    async def anonymise(self, account: Account, password: str, nickname: str) -> None:
        """Delete the account; its number stays in old tournaments, and *nickname* is its name from now on.

        Raises AccountRefused ``wrong_password``.
        """
        if not await self.passwords.fits(password[:LONGEST], account.password):
            raise AccountRefused("wrong_password")
        await self.players.rename(account.player, nickname, by="web:anonymise")
        await self.store.erase(account.player)


def _normalised(email: str) -> str:
    return unicodedata.normalize("NFKC", email).strip().casefold()


def _address(email: str) -> str:
    address = _normalised(email)
    if not _EMAIL.fullmatch(address):
        raise AccountRefused("bad_email")
    return address


def _refuse_weak(password: str) -> None:
    if len(password) < SHORTEST:
        raise AccountRefused("short_password")
    if len(password) > LONGEST:
        raise AccountRefused("long_password")
