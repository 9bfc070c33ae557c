"""Where a URL may lead (F26)."""

from ipaddress import ip_address, ip_network

import pytest

from relayd.webhooks.addresses import reachable

INSIDE = (
    "0.0.0.0",  # noqa: S104  nothing listens there
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
    *("224.0.0.1", "239.1.1.1", "255.255.255.255", "240.0.0.1", "192.0.2.1", "198.18.0.1", "203.0.113.9"),
    *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "fec0::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "100::1", "3fff::1"),
    *("64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::808:808", "64:ff9b::e000:1"),
    *("2002:7f00:1::", "2002:808:808::1", "2001:0:7f00:1::", "5f00::1"),
)
OUTSIDE = ("8.8.8.8", "1.1.1.1", "2606:4700::1111", "2a00:1450:4001::1", "64:ff9b::808:808", "::ffff:8.8.8.8")


@pytest.mark.parametrize("text", INSIDE)
def test_what_is_not_of_the_public_internet_is_not_reached(text: str) -> None:
    """F26: private, loopback, link-local, multicast, mapped, NAT64, 6to4, Teredo, documents."""
    assert not reachable(ip_address(text), ())


@pytest.mark.parametrize("text", OUTSIDE)
def test_what_is_public_is_reached(text: str) -> None:
    """A receiver on the internet, also behind NAT64."""
    assert reachable(ip_address(text), ())


def test_an_operator_allows_networks() -> None:
    """F26: unless the operator allowed them; as he writes them, also where the address is mapped."""
    allowed = (ip_network("10.0.0.0/8"), ip_network("fd12::/16"))
    for text in ("10.9.9.9", "::ffff:10.9.9.9", "64:ff9b::a09:909", "fd12::5"):
        assert reachable(ip_address(text), allowed)
    for text in ("127.0.0.1", "192.168.1.1", "fd13::1"):
        assert not reachable(ip_address(text), allowed)
