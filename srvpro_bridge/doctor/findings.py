"""What the doctor finds, and what he compares a duel server with."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

from srvpro_bridge.adminapi import Account
from srvpro_bridge.capabilities import ServerFacts

CONFIG: Final = "config/config.json"
USERS: Final = "config/admin_user.json"
LISTS: Final = "ygopro/lflist.conf"
DECKS: Final = "decks"
PLUGIN_SCRIPT: Final = "plugins/relayd.js"
PLUGIN_CONF: Final = "plugins/relayd.conf"
"""Files of srvpro, below its folder."""
Weight: TypeAlias = Literal["wrong", "unwise"]
"""``wrong``: tournaments do not work as they should. ``unwise``: they do, until somebody is unlucky."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One value in one file, as it should be."""

    path: tuple[str, ...]
    """Keys, from the outside in."""
    value: object
    secret: bool = False
    """Never shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is not as it should be."""

    weight: Weight
    file: str
    """Below srvpro's folder; empty: it is in no file."""
    what: str
    """What it is, and what it should be, in words."""
    why: str
    """What happens else."""
    change: Change | None = None
    """What would mend it; ``None``: that takes a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the daemon's own settings say of a duel server."""

    facts: ServerFacts
    face_url: str = ""
    """What srvpro should take for Challonge: ``http://127.0.0.1:8720/challonge/<id>``."""
    gateway_url: str = ""
    """Where its plugin should connect: ``ws://127.0.0.1:8721/plugin``."""
    port: int = 0
    """Where players join."""
    api_url: str | None = None
    account: Account | None = None
    """``None``: relayd has none, or nobody may read its password."""
    challonge_key: str | None = None
    plugin_token: str | None = None
    capacity: int = 100
    list_hash: int | None = None
    """Of the list by which relayd judges the current environment; ``None``: it has none."""

    @property
    def api_port(self) -> int | None:
        """The port of the admin API, where it is one without TLS."""
        parts = urlsplit(self.api_url or "")
        return (parts.port or 80) if parts.scheme == "http" else None
