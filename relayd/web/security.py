"""Who asks, from where, and whether the page that asks is one of ours (F24, F25)."""

from collections.abc import Mapping, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from relayd.web.parts import Frontage

Networks = Sequence[IPv4Network | IPv6Network]

HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""Of every answer of the site."""


def client_address(request: web.BaseRequest, trusted: Networks) -> str:
    """Return the address that asks: the nearest in X-Forwarded-For that is no proxy of ours."""
    address = request.remote or "unknown"
    hops = request.headers.get("X-Forwarded-For", "").split(",")
    for hop in reversed(hops):
        if not hop.strip() or not _trusted(address, trusted):
            break
        address = hop.strip()[:64]
    return _prefix(address)


def origin(request: web.BaseRequest, frontage: Frontage) -> str:
    """Return scheme, host and port under which the reader sees the site."""
    if frontage.public_url is not None:
        return frontage.public_url
    scheme = request.scheme
    if _trusted(request.remote or "", frontage.trusted_proxies):
        scheme = "https" if request.headers.get("X-Forwarded-Proto") == "https" else scheme
    return f"{scheme}://{request.host}"


def foreign(request: web.BaseRequest, frontage: Frontage) -> bool:
    """Say whether a change was asked for by a page that is not ours (F25).

    Every browser says where a form or a fetch comes from; one that says nothing is refused, too.
    """
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        return True
    source = request.headers.get("Origin") or request.headers.get("Referer")
    if source is None:
        return True
    parts = urlsplit(source)
    return f"{parts.scheme}://{parts.netloc}".casefold() != origin(request, frontage).casefold()


def local_path(path: str | None, default: str = "/") -> str:
    """Return *path* where it leads into this site, else *default*: nobody is sent elsewhere."""
    if path is None or not path.startswith("/") or path.startswith("//"):
        return default
    return default if any(c in path for c in "\\\r\n\t") or not path.isprintable() else path[:500]


def _trusted(address: str, trusted: Networks) -> bool:
    known = _parsed(address)
    return known is not None and any(known in network for network in trusted)


def _prefix(address: str) -> str:
    """Return what stands for one household: an IPv4 address, or the first half of an IPv6 address."""
    known = _parsed(address)
    if isinstance(known, IPv6Address):
        return str(IPv6Network((int(known) >> 64 << 64, 64)))
    return address


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(address)
    except ValueError:
        return None
