"""Asking the admin API of one duel server: bounded in time and size, one error for all that goes wrong."""

from typing import Final, Literal, TypeAlias

from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout
from yarl import URL

from srvpro_bridge.adminapi import (
    MAX_ANSWER_BYTES,
    MAX_ROOMS_BYTES,
    Account,
    Done,
    RoomNotFound,
    RoomSight,
    Verb,
    order_path,
    parse_answer,
    parse_rooms,
    rooms_path,
)
from srvpro_bridge.duellog import MAX_LOG_BYTES, LoggedRoom, log_path, parse_log
from srvpro_bridge.errors import PeerError, WrongPassword

Outcome: TypeAlias = Literal[
    "wrong_password", "no_json", "status", "timeout", "unreachable", "no_plugin", "no_room", "refused"
]

_OK: Final = 200


class NoAnswer(Exception):
    """The duel server did not say what was asked: it is away, or it is none, or it refuses the account."""

    def __init__(self, outcome: Outcome, why: str) -> None:
        super().__init__(why)
        self.outcome, self.why = outcome, why


class AdminApi:
    """The calls of one duel server (duel-server.md 1 and 8)."""

    def __init__(self, http: ClientSession, url: str, account: Account, timeout_ms: int) -> None:
        self._http, self._url, self._account = http, url, account
        self._timeout = ClientTimeout(total=timeout_ms / 1_000)

    async def rooms(self) -> tuple[RoomSight, ...]:
        """Return all rooms that the server shows. Raises NoAnswer."""
        body = await self._get(rooms_path(self._account), MAX_ROOMS_BYTES)
        try:
            return parse_rooms(body)
        except PeerError as error:
            raise _no_answer(error) from None

    async def logged(self, room_name: str) -> tuple[LoggedRoom, ...]:
        """Return what its duel log says of the rooms of that name, oldest first. Raises NoAnswer.

        Without a database there is no log, and no answer.
        """
        body = await self._get(log_path(self._account, room_name), MAX_LOG_BYTES)
        try:
            return parse_log(body)
        except PeerError as error:
            raise _no_answer(error) from None

    async def order(self, verb: Verb, what: str) -> Done | RoomNotFound:
        """Give an order; what it says to that proves little (duel-server.md 0-1). Raises NoAnswer."""
        body = await self._get(order_path(self._account, verb, what), MAX_ANSWER_BYTES)
        try:
            return parse_answer(body)
        except PeerError as error:
            raise _no_answer(error) from None

    async def _get(self, path: str, limit: int) -> bytes:
        url = URL(self._url + path, encoded=True)
        try:
            async with self._http.get(url, timeout=self._timeout, allow_redirects=False) as response:
                return await _body(response, limit)
        except TimeoutError:
            raise NoAnswer("timeout", f"no answer within {self._timeout.total} s") from None
        except (ClientError, OSError) as error:
            raise NoAnswer("unreachable", f"cannot be reached: {type(error).__name__}") from None


async def _body(response: ClientResponse, limit: int) -> bytes:
    if response.status != _OK:
        raise NoAnswer("status", f"answers with HTTP status {response.status}")
    body = bytearray()
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) > limit:
            raise NoAnswer("no_json", f"answers with more than {limit} bytes")
    return bytes(body)


def _no_answer(error: PeerError) -> NoAnswer:
    return NoAnswer("wrong_password" if isinstance(error, WrongPassword) else "no_json", error.message)
