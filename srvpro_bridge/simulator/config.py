"""How the duel server is set up: its config.json and admin_user.json in one."""

from typing import Final

import msgspec

from srvpro_bridge.simulator.rules import QuickDeath

PERMISSIONS: Final = (
    "get_rooms",
    "shout",
    "kick_user",
    "start_death",
    "stop",
    "change_settings",
    "ban_user",
    "duel_log",
)


class Account(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An account of the admin API (duel-server.md 1)."""

    user: str
    password: str
    enabled: bool = True
    permissions: tuple[str, ...] = PERMISSIONS


class ChallongeLink(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """modules.challonge (duel-server.md 3). All in real time."""

    url: str
    """Scheme, host and port of the other side."""
    tournament: str
    api_key: str
    cache_ttl_ms: int = 60_000
    timeout_s: float = 5
    """Of the GET; the PUT has none."""
    no_match_mode: bool = False
    post_score_midduel: bool = True
    post_detailed_score: bool = True


class PluginLink(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Our plugin is installed (docs/protocol.md). All in real time."""

    url: str
    """Of the daemon's gateway: ``ws://host:port/plugin``."""
    server: str
    """The id of this duel server in the daemon's settings."""
    token: str
    spool: str | None = None
    """The file of what is not acknowledged; ``None``: kept in memory."""
    retry_ms: int = 250
    """From a lost connection to the first try for a new one."""


class ServerConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of it."""

    host: str = "127.0.0.1"
    port: int = 0
    """Of the admin API; 0: any free one."""
    accounts: tuple[Account, ...] = ()
    challonge: ChallongeLink | None = None
    plugin: PluginLink | None = None
    tournament_mode: bool = False
    """``enabled`` and ``deck_check``: registered decks are enforced, a nickname alone is enough to return."""
    quick_death_rule: QuickDeath = 2
    reconnect_wait_s: float = 90
    public_roomlist: bool = False
    show_info: bool = True
    show_ip: bool = False
    halfway_watch: bool = True
    connect_limit: bool = True
    """Refuse more than five connections of one address."""
    duel_log: bool = False
    """A database is configured."""
    forbidden: tuple[int, ...] = ()
    """Cards that the default list forbids."""
