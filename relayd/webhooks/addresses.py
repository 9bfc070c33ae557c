"""Where a stranger's URL may lead: to the public internet, and to what the operator allows (F26)."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final, TypeAlias

Networks: TypeAlias = Sequence[IPv4Network | IPv6Network]

_NAT64: Final = IPv6Network("64:ff9b::/96")
_UNICAST: Final = IPv6Network("2000::/3")
_TUNNELS: Final = (IPv6Network("2001::/32"), IPv6Network("2002::/16"))
"""Teredo and 6to4: the address says to which IPv4 address a packet goes in truth."""
_DOCUMENTS: Final = IPv6Network("3fff::/20")


def reachable(address: IPv4Address | IPv6Address, allowed: Networks) -> bool:
    """Say whether a connection to *address* may be made.

    An IPv4 address inside of an IPv6 one (mapped, NAT64) is judged by itself. ``is_global`` alone would let
    multicast, NAT64 and 6to4 pass.
    """
    meant = _meant(address)
    if any(meant in network or address in network for network in allowed):
        return True
    return _public_6(meant) if isinstance(meant, IPv6Address) else _public_4(meant)


def _meant(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return IPv4Address(int(address) & 0xFFFF_FFFF) if address in _NAT64 else address


def _public_4(address: IPv4Address) -> bool:
    return address.is_global and not (address.is_multicast or address.is_reserved)


def _public_6(address: IPv6Address) -> bool:
    if address.scope_id is not None or address not in _UNICAST or not address.is_global:
        return False
    return not any(address in network for network in (*_TUNNELS, _DOCUMENTS))
