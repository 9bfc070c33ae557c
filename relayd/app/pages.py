"""The site for players, hosts and judges: what its pages ask, answered by the parts of the daemon."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from http import HTTPStatus
from typing import Final

import msgspec
from aiohttp import web

from relayd.accounts.mail import LogMailer, Mailer, SmtpMailer
from relayd.accounts.passwords import Passwords
from relayd.accounts.service import Accounts
from relayd.admin.buckets import Buckets
from relayd.admin.calls import METHODS
from relayd.admin.dispatcher import Dispatcher
from relayd.admin.methods import Method
from relayd.admin.roles import Peer, Role
from relayd.admin.rpc import Code
from relayd.app.administration import Administration
from relayd.app.core import Core
from relayd.app.reloading import Reloading
from relayd.following import Following
from relayd.reducers import TOURNAMENT, stream_of
from relayd.settings import Mail, RoleName, Settings, secret
from relayd.storage.accounts import AccountStore
from relayd.storage.history import read
from relayd.storage.log import Entry, EventLog
from relayd.web.pages.routes import pages
from relayd.web.parts import NOT_THERE, Caller, CallFailed, Floods, Frontage, MethodFacts, SiteParts
from relayd.web.said import Announcements
from relayd.web.site import Site
from relayd.web.stream import Streams
from ruleset.ids import TournamentNo

_STATUS: Final[Mapping[int, int]] = {
    Code.REFUSED: HTTPStatus.CONFLICT,
    Code.CONFLICT: HTTPStatus.CONFLICT,
    Code.DECK: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.COMMAND_ID: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.FORBIDDEN: HTTPStatus.FORBIDDEN,
    Code.AWAY: HTTPStatus.SERVICE_UNAVAILABLE,
    Code.BUSY: HTTPStatus.TOO_MANY_REQUESTS,
    Code.INTERNAL: HTTPStatus.INTERNAL_SERVER_ERROR,
    Code.UNKNOWN_METHOD: HTTPStatus.NOT_FOUND,
}
_ROLES: Final[Sequence[RoleName]] = ("viewer", "player", "judge", "cohost", "host", "operator")


REMEMBERED: Final = 20
"""Tournaments whose entries are kept for the audit trail."""


def site_pages(
    reloading: Reloading, core: Core, desk: Administration, stack: AsyncExitStack
) -> list[web.RouteDef]:
    """Return the addresses of the site; they go behind all others, because they end with "nothing here".

    *stack* closes the streams. Raises SettingsError where the mail password cannot be read.
    """
    accounts = _accounts(reloading.settings, core, core.accounts)
    parts = _site_parts(reloading, core, desk, accounts)
    site = Site(parts)
    streams = Streams(parts, site.renderer)
    stack.push_async_callback(streams.close)
    return site.routes(pages(streams))


def _site_parts(reloading: Reloading, core: Core, desk: Administration, accounts: Accounts) -> SiteParts:
    parts, history = desk.parts, Trails(core.log)
    return SiteParts(
        tournaments=parts.tournaments,
        players=parts.players,
        roster=parts.roster,
        running_in=core.directory.running_in,
        sights=parts.sights,
        clock=core.clock,
        publishing=parts.publishing,
        submitting=parts.submitting,
        environments=parts.submitting.environments,
        feed=parts.feed,
        ledger=core.ledger,
        history=history,
        said=Announcements(history, parts.tournaments.version),
        accounts=accounts,
        servers=lambda: reloading.settings.duel_server,
        calls=DispatcherCalls(desk.dispatcher, METHODS),
        floods=_floods(),
        frontage=_frontage(reloading.settings),
        metrics=core.metrics,
    )


def _accounts(settings: Settings, core: Core, store: AccountStore) -> Accounts:
    mailer = _mailer(settings.web.mail)
    verify = mailer.sends if settings.web.verify_email is None else settings.web.verify_email
    return Accounts(
        store=store,
        players=core.directory,
        passwords=Passwords(),
        mailer=mailer,
        clock=core.clock,
        verify_email=verify,
    )


def _frontage(settings: Settings) -> Frontage:
    return Frontage(
        public_url=settings.web.public_url,
        trusted_proxies=settings.web.trusted_proxies,
        sign_up=settings.web.sign_up,
        scale=settings.clock.scale,
        time_zone=settings.time_zone,
    )


def _mailer(mail: Mail | None) -> Mailer:
    if mail is None:
        return LogMailer()
    password = None if mail.password_file is None else secret(mail.password_file)
    return SmtpMailer(
        host=mail.host,
        port=mail.port,
        security=mail.security,
        sender=mail.sender,
        user=mail.user,
        password=password,
    )


def _floods() -> Floods:
    """Return limits under which a hall of 300 behind one address never notices them (F27)."""
    return Floods(pages=Buckets(100.0, 1_500.0), changes=Buckets(20.0, 400.0), secrets=Buckets(0.2, 30.0))


class Trails:
    """The entries of tournaments, read from the log as far as they are not known yet."""

    def __init__(self, log: EventLog) -> None:
        self._log: Final = log
        self._known: OrderedDict[TournamentNo, list[Entry]] = OrderedDict()

    async def __call__(self, number: TournamentNo) -> Sequence[Entry]:
        """Return all entries of a tournament, oldest first. Raises HistoryBroken."""
        known = self._known.setdefault(number, [])
        self._known.move_to_end(number)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        head = known[-1].head if known else None
        async for entry in read(self._log, stream_of(number), TOURNAMENT.codec, head):
            if not known or entry.version == known[-1].version + 1:  # else somebody else read it meanwhile
                known.append(entry)
        return known


class _Answer(msgspec.Struct):
    result: object = None
    error: dict[str, object] | None = None


class DispatcherCalls:
    """The methods of the admin sockets, for the pages: one table of rights (web.parts.Calls)."""

    def __init__(self, dispatcher: Dispatcher, methods: Mapping[str, Method]) -> None:
        self._dispatcher: Final = dispatcher
        self.methods: Final = {
            name: _facts(method) for name, method in methods.items() if not name.startswith("live.")
        }

    async def __call__(self, caller: Caller, method: str, params: Mapping[str, object]) -> object:
        if method not in self.methods:
            raise CallFailed(HTTPStatus.NOT_FOUND, "unknown_method", "there is no such method", {})
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        peer = Peer(
            name=caller.name,
            role=Role.named(caller.role),
            tournament=caller.tournament,
            player=caller.player,
        )
        told = await self._dispatcher.answer(peer, msgspec.json.encode(message), _NoLine())
        answer = msgspec.json.decode(told or b"{}", type=_Answer)
        if answer.error is not None:
            raise _failed(answer.error)
        return answer.result


class _NoLine:
    """Nothing comes later: pages follow by streams of their own."""

    def attach(self, following: Following) -> int:
        following.close()
        return 0

    def detach(self, number: int) -> bool:
        return number < 0


def _facts(method: Method) -> MethodFacts:
    return MethodFacts(
        name=method.name,
        role=_ROLES[method.role],
        own=method.own,
        changes=method.changes,
        help=method.help,
        params=method.params,
        answer=method.answer_schema,
    )


def _failed(error: Mapping[str, object]) -> CallFailed:
    number, data = error.get("code"), error.get("data")
    known: Mapping[str, object] = data if isinstance(data, dict) else {}
    code = str(known.get("code", "bad_request"))
    status = _STATUS.get(number if isinstance(number, int) else 0, HTTPStatus.BAD_REQUEST)
    status = HTTPStatus.NOT_FOUND if code in NOT_THERE else status
    rest = {name: value for name, value in known.items() if name != "code"}
    return CallFailed(status, code, str(error.get("message", "")), rest)
