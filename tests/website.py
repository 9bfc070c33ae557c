"""The site over a house: real pages, accounts and desks, a clock that stands still, duel servers as told."""

import re
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any

from aiohttp import ClientResponse, ClientSession, CookieJar, web
from aiohttp.test_utils import TestServer
from argon2 import PasswordHasher

from relayd.accounts.passwords import Passwords
from relayd.accounts.service import Accounts
from relayd.admin.buckets import Buckets
from relayd.admin.calls import METHODS
from relayd.app.pages import DispatcherCalls, Trails
from relayd.storage.ledger import LedgerRow
from relayd.storage.sqlite.accounts import SqliteAccounts
from relayd.web.pages.routes import pages
from relayd.web.parts import Calls, Floods, Frontage, SiteParts
from relayd.web.said import Announcements
from relayd.web.site import Site
from relayd.web.stream import Streams
from relayd.web.viewers import Admission
from ruleset.ids import PlayerId, Seat, TournamentNo
from tests.builders import won
from tests.house import PLAN, SERVER, House, opened

PASSWORD = "correct horse"
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
OPEN = Frontage(public_url=None, trusted_proxies=(), sign_up=True)


@dataclass
class Post:
    """Takes e-mails in (accounts.mail.Mailer)."""

    sends: bool = True
    letters: list[tuple[str, str]] = field(default_factory=list)

    async def send(self, to: str, subject: str, text: str) -> None:
        """Keep the message."""
        assert subject
        self.letters.append((to, text))

    def link(self) -> str:
        """Return the path of the link in the last message."""
        found = re.search(r"https?://[^/]+(/\S+)", self.letters[-1][1])
        assert found is not None
        return found[1]


class Booked:
    """A ledger without rows (web.parts.Ledgers)."""

    async def dp(self, players: Collection[PlayerId]) -> Mapping[PlayerId, int]:
        """Return 1000 for everybody."""
        return dict.fromkeys(players, 1_000)

    async def history(self, _player: PlayerId) -> Sequence[LedgerRow]:
        """Return no rows."""
        return ()


class Reader:
    """A browser without a screen: cookies, forms, pages."""

    def __init__(self, session: ClientSession, base: str) -> None:
        self.session, self.base = session, base

    async def get(self, path: str, status: int = HTTPStatus.OK, **more: Any) -> str:
        """Return a page as text."""
        async with self.session.get(self.base + path, **more) as answer:
            text = await answer.text()
            assert answer.status == status, f"{path}: {answer.status}\n{text[:2_000]}"
            return text

    async def post(self, path: str, status: int = HTTPStatus.OK, /, **fields: Any) -> str:
        """Send a form as a page of ours does, and return the page that it leads to."""
        answer = await self.send(path, **fields)
        text = await answer.text()
        assert answer.status == status, f"{path}: {answer.status}\n{text[:2_000]}"
        return text

    async def send(
        self, path: str, headers: Mapping[str, str] | None = None, **fields: Any
    ) -> ClientResponse:
        """Send a form and return the answer, after redirects."""
        told = {"Origin": self.base, "Sec-Fetch-Site": "same-origin"} if headers is None else headers
        return await self.session.post(self.base + path, data=fields, headers=told)

    async def do(self, number: int, method: str, **fields: Any) -> str:
        """Press a button of a tournament."""
        return await self.post(f"/e/{number}/do/{method}", **fields)

    async def sign_up(self, nickname: str) -> PlayerId:
        """Make an account and be signed in with it; return its number."""
        email = f"{nickname}@example.org"
        await self.post("/signup", nickname=nickname, email=email, password=PASSWORD, back="/me")
        found = re.search(r"P0*(\d+)", await self.get("/me"))
        assert found is not None
        return PlayerId(int(found[1]))


@dataclass(kw_only=True)
class Website:
    """The site at work."""

    house: House
    parts: SiteParts
    store: SqliteAccounts
    post: Post
    base: str
    sessions: list[ClientSession] = field(default_factory=list)

    def reader(self) -> Reader:
        """Return a new browser, which asks for English."""
        jar = CookieJar(unsafe=True)
        session = ClientSession(cookie_jar=jar, headers={"Accept-Language": "en"})
        self.sessions.append(session)
        return Reader(session, self.base)

    async def publish(self, organiser: PlayerId | None = None, **wishes: Any) -> TournamentNo:
        """Publish a tournament."""
        made = await self.house.parts.publishing.publish({**PLAN, **wishes}, by="test", organiser=organiser)
        return made.number

    async def win(self, number: TournamentNo, *, seat: Seat = "a", only: int = 0) -> None:
        """Let a seat win every open table, or one."""
        state = await self.house.desks.load(number)
        assert state.round is not None
        for table in state.round.open_tables:
            if only in {0, table.id.table}:
                await self.house.desks.handle(number, won(table, seat, self.house.clock.now()), by="test")


def calls_of(house: House) -> Calls:
    """Return the methods as they are."""
    return DispatcherCalls(house.dispatcher, METHODS)


@asynccontextmanager
async def website(
    folder: Path,
    *,
    floods: Floods | None = None,
    frontage: Frontage = OPEN,
    verify: bool = False,
    keepalive_s: float = 10.0,
    calls: Callable[[House], Calls] = calls_of,
    admission: Admission | None = None,
) -> AsyncIterator[Website]:
    """Open the site on a port of loopback."""
    async with opened(folder) as house:
        store, post = house.accounts, Post()
        parts = _parts(house, store, post, floods or _patient(), frontage, verify=verify)
        parts = replace(parts, calls=calls(house))
        site, app = Site(parts), web.Application()
        streams = Streams(parts, site.renderer, admission)
        app.add_routes(site.routes(pages(streams)))
        server = TestServer(app)
        await server.start_server(access_log=None, keepalive_timeout=keepalive_s)
        found = Website(
            house=house, parts=parts, store=store, post=post, base=str(server.make_url("")).rstrip("/")
        )
        try:
            yield found
        finally:
            for session in found.sessions:
                await session.close()
            await streams.close()
            await server.close()


def _parts(
    house: House, store: SqliteAccounts, post: Post, floods: Floods, frontage: Frontage, *, verify: bool
) -> SiteParts:
    parts, history = house.parts, Trails(house.log)
    accounts = Accounts(
        store=store,
        players=house.directory,
        passwords=Passwords(CHEAP),
        mailer=post,
        clock=house.clock,
        verify_email=verify,
    )
    return SiteParts(
        tournaments=parts.tournaments,
        players=parts.players,
        roster=parts.roster,
        running_in=house.directory.running_in,
        sights=parts.sights,
        clock=parts.clock,
        publishing=parts.publishing,
        submitting=parts.submitting,
        environments=parts.submitting.environments,
        feed=parts.feed,
        ledger=Booked(),
        history=history,
        said=Announcements(history, parts.tournaments.version),
        accounts=accounts,
        servers=lambda: (SERVER,),
        calls=calls_of(house),
        floods=floods,
        frontage=frontage,
        metrics=house.metrics,
    )


def _patient() -> Floods:
    return Floods(pages=Buckets(1e6, 1e6), changes=Buckets(1e6, 1e6), secrets=Buckets(1e6, 1e6))
