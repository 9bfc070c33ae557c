"""One request of one reader: who he is, in which language, what he may do, and the ways to answer him."""

import asyncio
import base64
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

import msgspec
from aiohttp import web

from relayd.accounts.tokens import digest_of
from relayd.settings import RoleName
from relayd.storage.accounts import Account, Link
from relayd.web import languages
from relayd.web.languages import Language
from relayd.web.parts import Caller, SiteParts
from relayd.web.render import Renderer
from relayd.web.security import local_path, origin
from ruleset.errors import CommandRejected
from ruleset.ids import PLAYOFF, Instant, PlayerId, RoundNo, TableId, TableNo, TournamentNo, player_label
from ruleset.tournament.state import Tournament

SESSION: Final = "relayd_session"
LANGUAGE: Final = "relayd_language"
FLASH: Final = "relayd_flash"
LINKS: Final = "relayd_link_"
BODY_S: Final = 8.0
"""How long a body may take to arrive (F13)."""
_RANKS: Final[Sequence[RoleName]] = ("viewer", "player", "judge", "cohost", "host", "operator")
_MOST: Final = 2**53


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights:
    """What the reader is in one tournament."""

    role: RoleName
    name: str
    player: PlayerId | None

    def at_least(self, role: RoleName) -> bool:
        """Say whether a right is included."""
        return _RANKS.index(self.role) >= _RANKS.index(role)


@dataclass(slots=True, kw_only=True)
class Visit:
    """A request at work."""

    request: web.Request
    parts: SiteParts
    renderer: Renderer
    address: str
    language: Language
    account: Account | None = None
    now: Instant
    _cookies: list[tuple[str, str, int]] = field(default_factory=list)
    _rights: dict[tuple[TournamentNo, PlayerId | None], Rights] = field(default_factory=dict)
    """What the stores have said in this request."""

    @property
    def player(self) -> PlayerId | None:
        """As whom he is signed in."""
        return None if self.account is None else self.account.player

    @property
    def origin(self) -> str:
        """How he reaches the site."""
        return origin(self.request, self.parts.frontage)

    @property
    def number(self) -> TournamentNo:
        """The tournament in the address."""
        number = int(self.request.match_info["number"])
        if number > _MOST:
            raise web.HTTPNotFound
        return TournamentNo(number)

    @property
    def table(self) -> TableId:
        """The table in the address."""
        letter, numbers = (name := self.request.match_info["table"])[0], name[1:].split("T")
        round_no = PLAYOFF if letter == "P" else RoundNo(int(numbers[0]))
        return TableId(round_no, TableNo(int(numbers[1])))

    def t(self, key: str, /, **values: object) -> str:
        """Return a text in his language."""
        return languages.text(self.language, key, **values)

    async def tournament(self) -> Tournament:
        """Return the tournament in the address. Raises CommandRejected ``unknown_tournament``."""
        return await self.parts.tournaments.load(self.number)

    def signed_in(self) -> Account:
        """Return his account, or send him to the page where he signs in."""
        if self.account is None:
            raise web.HTTPSeeOther(f"/signin?back={quote(self.request.path_qs)}")
        return self.account

    async def rights(self, state: Tournament) -> Rights:
        """Return what he is in a tournament: the highest of what account, staff and link give."""
        asked = state.number, self.player
        if asked not in self._rights:
            self._rights[asked] = await self._found_rights(state)
        return self._rights[asked]

    async def _found_rights(self, state: Tournament) -> Rights:
        link = await self.link(state.number)
        by_link: RoleName = "viewer" if link is None else link.role
        player, own = self.player, await self._own_role(state)
        if link is not None and _RANKS.index(by_link) > _RANKS.index(own):
            return Rights(role=by_link, name=f"link:{link.id} {link.label}", player=player)
        name = "nobody" if player is None else f"account:{player_label(player)}"
        return Rights(role=own, name=name, player=player)

    async def require(self, state: Tournament, role: RoleName) -> Rights:
        """Return his rights. Raises HTTPForbidden, or sends him to sign in, where they are too few."""
        rights = await self.rights(state)
        if not rights.at_least(role):
            self.signed_in()
            raise web.HTTPForbidden
        return rights

    async def caller(self, number: TournamentNo) -> Caller:
        """Return in whose name he acts in a tournament."""
        rights = await self.rights(await self.parts.tournaments.load(number))
        return Caller(name=rights.name, role=rights.role, tournament=number, player=rights.player)

    async def link(self, number: TournamentNo) -> Link | None:
        """Return the link of a tournament that he came by."""
        token = self.request.cookies.get(f"{LINKS}{number}")
        link = None if token is None else await self.parts.accounts.store.link(digest_of(token))
        return link if link is not None and link.tournament == number else None

    async def form(self, most: int = 256 * 1024) -> dict[str, str]:
        """Read a form, its files as text of one character a byte; bounded in size and time (F13)."""
        if (self.request.content_length or 0) > most:
            raise web.HTTPRequestEntityTooLarge(most, self.request.content_length or 0)
        try:
            async with asyncio.timeout(BODY_S):
                fields = await self.request.clone(client_max_size=most).post()
        except TimeoutError:
            raise web.HTTPRequestTimeout from None
        except (ValueError, LookupError):
            raise web.HTTPBadRequest from None
        return {name: _field(value) for name, value in fields.items()}

    def page(self, template: str, /, status: int = 200, **values: Any) -> web.Response:  # noqa: ANN401  what templates show
        """Answer with a page."""
        notice = self._notice()
        body = self.renderer.page(template, self.language, {**self._always(), "notice": notice, **values})
        response = web.Response(text=body, status=status, content_type="text/html")
        response.headers["Cache-Control"] = "no-cache, private"
        response.headers["Vary"] = "Cookie, Accept-Language"
        response.enable_compression()
        if notice is not None:
            self.cookie(FLASH, "", 0)
        return self.finished(response)

    def redirect(self, path: str, notice: str = "", kind: str = "good") -> web.Response:
        """Send him on after a change, with a word of what came of it."""
        if notice:
            packed = msgspec.json.encode([kind, notice[:1_000]])
            self.cookie(FLASH, base64.urlsafe_b64encode(packed).decode(), 60)
        response = web.Response(status=HTTPStatus.SEE_OTHER, headers={"Location": local_path(path)})
        return self.finished(response)

    def back(self, form: Mapping[str, str], default: str) -> str:
        """Return where a form wants to lead, if that is a page of ours."""
        return local_path(form.get("back"), default)

    def cookie(self, name: str, value: str, seconds: int) -> None:
        """Set a cookie with the answer; 0 seconds delete it."""
        self._cookies.append((name, value, seconds))

    def finished(self, response: web.Response) -> web.Response:
        """Put the cookies on an answer."""
        for name, value, seconds in self._cookies:
            response.set_cookie(
                name,
                value,
                max_age=seconds,
                path="/",
                httponly=True,
                samesite="Lax",
                secure=self.origin.startswith("https:"),
            )
        self._cookies.clear()
        return response

    async def _own_role(self, state: Tournament) -> RoleName:
        if self.player is None:
            return "viewer"
        if state.organiser == self.player:
            return "host"
        if self.player in state.settings.co_hosts:
            return "cohost"
        staff = dict(await self.parts.accounts.store.staff(state.number))
        return staff.get(self.player, "player")

    def _notice(self) -> tuple[str, str] | None:
        packed = self.request.cookies.get(FLASH)
        try:
            return (
                None
                if not packed
                else msgspec.json.decode(base64.urlsafe_b64decode(packed), type=tuple[str, str])
            )
        except (ValueError, msgspec.DecodeError):
            return None

    def _always(self) -> dict[str, Any]:
        own = self.player
        return {
            "path": self.request.path_qs,
            "now": self.now,
            "me": None if own is None else {"player": own, "label": player_label(own)},
            "my_name": None if own is None else self._nickname(own),
            "new_id": secrets.token_hex(16),
        }

    def _nickname(self, player: PlayerId) -> str:
        try:
            return self.parts.players.nickname(player)
        except CommandRejected:
            return ""


def _field(value: object) -> str:
    if isinstance(value, web.FileField):
        with value.file as file:
            return file.read().decode("latin-1")
    return value if isinstance(value, str) else ""
