"""What hosts do with the webhooks of their tournament: add, look, try, switch on again, remove."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from ipaddress import ip_address
from typing import Final, Protocol
from urllib.parse import urlsplit

import msgspec

from relayd.ports import Clock, VersionedTournaments
from relayd.storage.webhooks import Hook, HookKnown, HookStore
from relayd.webhooks.addresses import Networks, reachable
from relayd.webhooks.delivery import Delivery
from relayd.webhooks.signing import new_secret, shown
from ruleset.errors import CommandRejected
from ruleset.ids import TournamentNo

LONGEST: Final = 500
"""Characters of a URL."""


class Workers(Protocol):
    """Who tells the hooks (relayd.webhooks.courier.Courier)."""

    def wake(self, hook: Hook) -> None:
        """Take a hook up that is new or switched on again, and try it now."""
        ...

    def forget(self, hook: Hook) -> None:
        """Tell a hook nothing more."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """The webhooks of all tournaments, as hosts reach them."""

    store: HookStore
    workers: Workers
    deliver: Delivery
    tournaments: VersionedTournaments
    clock: Clock
    allowed: Callable[[], Networks]
    most: Callable[[], int]
    """Hooks of one tournament."""

    async def of(self, tournament: TournamentNo) -> Sequence[Hook]:
        """Return the hooks of a tournament, oldest first. Raises CommandRejected ``unknown_tournament``."""
        await self.tournaments.load(tournament)
        return await self.store.of(tournament)

    async def add(self, tournament: TournamentNo, url: str, *, by: str) -> tuple[Hook, str]:
        """Tell *url* of everything from now on; return the hook, and its secret, which is shown this once.

        Raises CommandRejected ``bad_webhook``, ``webhook_known``, ``too_many_webhooks``.
        """
        address, held = checked(url, self.allowed()), await self.of(tournament)
        if len(held) >= self.most():
            raise CommandRejected("too_many_webhooks", limit=self.most())
        hook = Hook(
            id=0,
            tournament=tournament,
            url=address,
            secret=new_secret(),
            made_by=by,
            created_at=self.clock.now(),
            position=self.tournaments.version(tournament),
        )
        try:
            hook = await self.store.add(hook)
        except HookKnown:
            raise CommandRejected("webhook_known") from None
        self.workers.wake(hook)
        return hook, shown(hook.secret)

    async def remove(self, tournament: TournamentNo, hook: int) -> None:
        """End a hook. Raises CommandRejected ``unknown_webhook``."""
        found = await self._one(tournament, hook)
        await self.store.remove(tournament, hook)
        self.workers.forget(found)

    async def resume(self, tournament: TournamentNo, hook: int) -> Hook:
        """Try a hook now, also one that is switched off; it is told all that it has missed."""
        self.workers.forget(await self._one(tournament, hook))
        found = replace(await self._one(tournament, hook), failures=0, next_at=None, off_at=None)
        await self.store.note(found)
        self.workers.wake(found)
        return found

    async def test(self, tournament: TournamentNo, hook: int) -> str:
        """Send a message without events and return what went wrong; empty: it was taken."""
        found = await self._one(tournament, hook)
        body = {"tournament": tournament, "version": found.position, "at": self.clock.now(), "events": []}
        message = f"t{tournament}/test/{secrets.token_hex(8)}"
        return await self.deliver(found, message, msgspec.json.encode(body))

    async def _one(self, tournament: TournamentNo, hook: int) -> Hook:
        for found in await self.of(tournament):
            if found.id == hook:
                return found
        raise CommandRejected("unknown_webhook", hook=hook)


def checked(url: str, allowed: Networks) -> str:
    """Return a URL that may be a hook's. Raises CommandRejected ``bad_webhook`` with ``why``.

    What a name leads to is looked at again at each connection; here an address as such is refused at once.
    """
    text = url.strip()
    why = _why_not(text, allowed)
    if why is not None:
        raise CommandRejected("bad_webhook", why=why)
    return text


def _why_not(text: str, allowed: Networks) -> str | None:
    if len(text) > LONGEST:
        return "too_long"
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "no_url"
    if parts.scheme not in {"http", "https"} or not host or not text.isascii() or not text.isprintable():
        return "no_url"
    if parts.username is not None or parts.password is not None or " " in text:
        return "no_url"
    return None if _may_be(host, allowed) else "not_public"


def _may_be(host: str, allowed: Networks) -> bool:
    try:
        return reachable(ip_address(host), allowed)
    except ValueError:
        return True
