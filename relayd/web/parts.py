"""What the pages ask of the daemon. The composition root fills it; nothing here knows who answers."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network
from typing import Any, Final, Protocol

from pydantic import BaseModel

from relayd.accounts.service import Accounts
from relayd.environments import Environments
from relayd.following import Feed
from relayd.observe.metrics import Metrics
from relayd.ports import Clock, Players, Sights, VersionedTournaments
from relayd.publishing import Publishing
from relayd.settings import DuelServer, RoleName
from relayd.storage.ledger import LedgerRow
from relayd.storage.log import Entry
from relayd.submitting import Submitting
from ruleset.ids import PlayerId, TournamentNo
from ruleset.tournament.events import Announced


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """In whose name something is done, and with which right."""

    name: str
    """Stands in the log as who did it: ``account:P000001``, ``link:table judge 2``."""
    role: RoleName
    tournament: TournamentNo | None = None
    """The right holds there alone; ``None``: everywhere."""
    player: PlayerId | None = None


NOT_THERE: Final = frozenset(
    {
        *("unknown_tournament", "unknown_table", "unknown_player", "unknown_round", "unknown_server"),
        *("bad_room_code", "unknown_webhook"),
    }
)
"""Codes of refusals that mean: what was named is not there."""


class CallFailed(Exception):
    """The caller was told no: ``code`` for programs, ``sentence`` in English, ``status`` of HTTP."""

    def __init__(self, status: int, code: str, sentence: str, data: Mapping[str, object]) -> None:
        super().__init__(sentence)
        self.status, self.code, self.sentence, self.data = status, code, sentence, data


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodFacts:
    """One thing that can be asked, as programs see it."""

    name: str
    role: RoleName
    own: bool
    """Whether a player may ask it for himself."""
    changes: bool
    help: str
    params: type[BaseModel]
    answer: Mapping[str, Any]
    """What is promised of its answer, as JSON schema."""


class Calls(Protocol):
    """Everything that can be asked and done, by name: the same methods as on the admin sockets."""

    @property
    def methods(self) -> Mapping[str, MethodFacts]:
        """All of them."""
        ...

    async def __call__(self, caller: Caller, method: str, params: Mapping[str, object]) -> object:
        """Do it once, in the caller's name, and return plain data. Raises CallFailed."""
        ...


class Ledgers(Protocol):
    """What the pages read of DP (storage.ledger.Ledger)."""

    async def dp(self, players: Collection[PlayerId]) -> Mapping[PlayerId, int]:
        """Return the present DP of each of *players*."""
        ...

    async def history(self, player: PlayerId) -> Sequence[LedgerRow]:
        """Return all rows of a player, in the order they were booked."""
        ...


class Limits(Protocol):
    """A token bucket for each name (admin.buckets.Buckets)."""

    def take(self, peer: str, calls: int = 1) -> float:
        """Take *calls*; return 0, or the seconds to wait first."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Floods:
    """What one address may do (F27)."""

    pages: Limits
    changes: Limits
    secrets: Limits
    """Sign-ins, sign-ups, resets: whatever a guess could open, or costs a hash or a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frontage:
    """How the site is reached."""

    public_url: str | None
    """Without a slash at the end; ``None``: as each request says."""
    trusted_proxies: Sequence[IPv4Network | IPv6Network]
    sign_up: bool
    time_zone: str = "Asia/Shanghai"
    """Of forms in which nobody has chosen one."""
    scale: int = 1
    """How fast the clock runs, so that countdowns do as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteParts:
    """The daemon, as far as the pages reach."""

    tournaments: VersionedTournaments
    players: Players
    roster: Callable[[], Iterable[tuple[PlayerId, str]]]
    running_in: Callable[[PlayerId], TournamentNo | None]
    sights: Sights
    clock: Clock
    publishing: Publishing
    submitting: Submitting
    environments: Environments
    feed: Feed
    ledger: Ledgers
    history: Callable[[TournamentNo], Awaitable[Sequence[Entry]]]
    """The entries of a tournament, oldest first: the audit trail."""
    said: Callable[[TournamentNo], Awaitable[Sequence[Announced]]]
    """What the host said last, newest first."""
    accounts: Accounts
    servers: Callable[[], Sequence[DuelServer]]
    """Those of the settings that are in force."""
    calls: Calls
    floods: Floods
    frontage: Frontage
    metrics: Metrics
