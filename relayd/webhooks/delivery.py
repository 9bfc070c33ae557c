"""One message to one URL, and what came of it."""

from typing import Final, Protocol

from aiohttp import ClientConnectionError, ClientError, ClientSession, ClientSSLError, InvalidURL

from relayd.ports import Clock
from relayd.storage.webhooks import Hook
from relayd.webhooks.guarded import AddressRefused
from relayd.webhooks.signing import headers

STATUS: Final = "status_"
GONE: Final = "status_410"
"""The receiver wants no more of it."""


class Delivery(Protocol):
    """Brings messages."""

    async def __call__(self, hook: Hook, message: str, body: bytes) -> str:
        """Bring *body* once and return what went wrong, as a code; empty: it was taken."""
        ...


class HttpDelivery:
    """Brings them by POST: 2xx is taken, all else is not; redirects are not followed, answers not read."""

    def __init__(self, session: ClientSession, clock: Clock) -> None:
        self._session, self._clock = session, clock

    async def __call__(self, hook: Hook, message: str, body: bytes) -> str:
        told = {
            **headers(hook.secret, message, self._clock.now(), body),
            "Content-Type": "application/json",
            "User-Agent": "relayd",
        }
        try:
            posting = self._session.post(hook.url, data=body, headers=told, allow_redirects=False)
            async with posting as answer:
                return "" if answer.ok and answer.status < 300 else f"status_{answer.status}"
        except (ClientError, TimeoutError, OSError, ValueError) as error:
            return _code(error)


def _code(error: Exception) -> str:
    """Return what kind of failure it was: no more, for a host is no scanner of networks."""
    match error:
        case TimeoutError():
            return "timeout"
        case InvalidURL() | ValueError():
            return "bad_url"
        case ClientSSLError():
            return "no_tls"
        case ClientConnectionError() if isinstance(getattr(error, "os_error", None), AddressRefused):
            return "not_public"
        case ClientConnectionError():
            return "no_connection"
        case _:
            return "no_http"
