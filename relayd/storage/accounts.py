"""Accounts and what hangs on them: personal data, which never enters the log (decisions 5)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from ruleset.ids import Instant, PlayerId, TournamentNo

Purpose: TypeAlias = Literal["verify", "reset"]
"""What a ticket from an e-mail is good for."""
LinkRole: TypeAlias = Literal["viewer", "judge"]
"""What a link gives: the hall screen only looks on (S127, S128)."""
StaffRole: TypeAlias = Literal["judge", "cohost"]
"""What a host makes of other players in his tournament (S105)."""
TokenScope: TypeAlias = Literal["read", "play", "host"]
"""What a token is good for: to ask what its owner may know; to act as a player, too; to act as its owner."""


class EmailTaken(Exception):
    """The sender: another account has this e-mail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Who may sign in as a player number (R004)."""

    player: PlayerId
    email: str
    """Normalised: no blanks around, casefolded; unique."""
    password: str
    """Argon2id, in its own notation."""
    created_at: Instant
    verified_at: Instant | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A browser that is signed in."""

    digest: bytes
    """SHA-256 of the token in its cookie."""
    player: PlayerId
    expires_at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """A link that was sent by e-mail, good for one use."""

    digest: bytes
    player: PlayerId
    purpose: Purpose
    expires_at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link that gives a right in one tournament to whoever has it, until it is revoked."""

    id: int
    """0 until it is stored."""
    digest: bytes
    tournament: TournamentNo
    role: LinkRole
    label: str
    """Stands in the audit trail (S128)."""
    created_at: Instant
    revoked_at: Instant | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiToken:
    """A right for a program that acts as its owner does."""

    id: int
    digest: bytes
    player: PlayerId
    label: str
    scope: TokenScope
    created_at: Instant
    tournament: TournamentNo | None = None
    """Good there alone; elsewhere it knows what everybody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Avatar:
    """A player's picture (R004)."""

    player: PlayerId
    digest: str
    """SHA-256 of the image, in 64 hexadecimal digits: its name."""
    image: bytes = field(repr=False)
    """WebP."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCall:
    """A player who wants a judge at his table."""

    id: int
    tournament: TournamentNo
    table: str
    player: PlayerId
    note: str
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPreset:
    """What a host counts by, saved under a name of his (G4)."""

    player: PlayerId
    name: str
    """Each once for a player."""
    wishes: str
    """The part of a tournament's settings that it sets, as JSON."""


class AccountStore(Protocol):
    """Keeps all of them. Every method raises LogUnavailable, LogBroken or LogDamaged."""

    async def add(self, account: Account) -> None:
        """Keep a new account. Raises EmailTaken."""
        ...

    async def by_email(self, email: str) -> Account | None:
        """Return the account with that normalised e-mail."""
        ...

    async def by_player(self, player: PlayerId) -> Account | None:
        """Return the account of a player number."""
        ...

    async def set_password(self, player: PlayerId, password: str) -> None:
        """Change the password, and end every session and ticket that rests on the old one."""
        ...

    async def verify(self, player: PlayerId, at: Instant) -> None:
        """Mark the e-mail as its owner's; again changes nothing."""
        ...

    async def erase(self, player: PlayerId) -> None:
        """Forget everything about a player but his number."""
        ...

    async def open_session(self, session: Session) -> None:
        """Keep a session."""
        ...

    async def session(self, digest: bytes, now: Instant) -> Session | None:
        """Return a session that has not expired."""
        ...

    async def close_session(self, digest: bytes) -> None:
        """End a session; again changes nothing."""
        ...

    async def keep_ticket(self, ticket: Ticket) -> None:
        """Keep a ticket in place of others of the same player and purpose."""
        ...

    async def take_ticket(self, digest: bytes, purpose: Purpose, now: Instant) -> Ticket | None:
        """Return a ticket once; ``None``: unknown, used, expired or for something else."""
        ...

    async def make_link(self, link: Link) -> Link:
        """Keep a link and return it with its id."""
        ...

    async def link(self, digest: bytes) -> Link | None:
        """Return a link that was not revoked."""
        ...

    async def links(self, tournament: TournamentNo) -> Sequence[Link]:
        """Return the links of a tournament that were not revoked, oldest first."""
        ...

    async def revoke_link(self, tournament: TournamentNo, link: int, at: Instant) -> None:
        """End a link; again changes nothing."""
        ...

    async def set_staff(self, tournament: TournamentNo, player: PlayerId, role: StaffRole | None) -> None:
        """Make a player judge or co-host of a tournament; ``None``: neither any more."""
        ...

    async def staff(self, tournament: TournamentNo) -> Sequence[tuple[PlayerId, StaffRole]]:
        """Return the judges and co-hosts of a tournament, by number."""
        ...

    async def make_token(self, token: ApiToken) -> ApiToken:
        """Keep a token of a program and return it with its id."""
        ...

    async def token(self, digest: bytes) -> ApiToken | None:
        """Return a token."""
        ...

    async def tokens(self, player: PlayerId) -> Sequence[ApiToken]:
        """Return a player's tokens, oldest first."""
        ...

    async def revoke_token(self, player: PlayerId, token: int) -> None:
        """Forget a token; again changes nothing."""
        ...

    async def set_avatar(self, avatar: Avatar) -> None:
        """Keep a picture in place of the player's old one."""
        ...

    async def drop_avatar(self, player: PlayerId) -> None:
        """Forget a player's picture; again changes nothing."""
        ...

    async def avatar(self, digest: str) -> Avatar | None:
        """Return a picture by its digest."""
        ...

    async def avatars(self, players: Collection[PlayerId]) -> Mapping[PlayerId, str]:
        """Return the digests of the pictures of *players*; who has none is left out."""
        ...

    async def call_judge(self, call: JudgeCall) -> None:
        """Keep a call; a second one of the same player at the same table changes nothing."""
        ...

    async def judge_calls(self, tournament: TournamentNo) -> Sequence[JudgeCall]:
        """Return the calls that nobody has answered, oldest first."""
        ...

    async def answer_call(self, tournament: TournamentNo, call: int) -> None:
        """Put a call away; again changes nothing."""
        ...

    async def keep_preset(self, preset: OwnPreset) -> None:
        """Keep a preset in place of an older one of that player and name."""
        ...

    async def presets(self, player: PlayerId) -> Sequence[OwnPreset]:
        """Return a player's own presets, by name."""
        ...

    async def drop_preset(self, player: PlayerId, name: str) -> None:
        """Forget a preset; again changes nothing."""
        ...

    async def close(self) -> None:
        """Let go of the store."""
        ...
