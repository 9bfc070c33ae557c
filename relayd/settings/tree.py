"""The tree of all settings: what there is, what it means, what it is when nobody says anything."""

import os
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Final, Literal, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from deckcheck.environments import KEYS
from relayd.localtime import zone_names
from relayd.settings.surroundings import default_data_dir, surroundings
from ruleset.ids import ServerId
from srvpro_bridge.capabilities import ServerFacts

PREFIX: Final = "RELAYD_"
LONGEST_SOCKET_PATH: Final = 107
"""Bytes of a unix socket's path that Linux takes."""


def _known_zone(name: str) -> str:
    if name not in zone_names():
        near = get_close_matches(name, zone_names(), n=1)
        raise ValueError(f"no such time zone{f'; did you mean {near[0]}?' if near else ''}")
    return name


def _plain_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("write http://host:port or https://host:port")
    if parts.username is not None:
        raise ValueError("write the account into api_user and api_password_file, not into the URL")
    return url.rstrip("/")


def _unique(what: str, names: list[str]) -> None:
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"{what}: {', '.join(twice)} is there twice")


Port = Annotated[int, Field(ge=0, le=65_535)]
ZoneName = Annotated[str, AfterValidator(_known_zone)]
Url = Annotated[str, AfterValidator(_plain_url)]
RoleName = Literal["viewer", "player", "judge", "cohost", "host", "operator"]


class Part(BaseModel):
    """A table of the file; a key that it does not know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Address(Part):
    """Where to listen; loopback unless the operator says otherwise (decisions 7). Port 0: any free one."""

    host: str = "127.0.0.1"
    port: Port


class SocketRole(Part):
    """Which right a local user or group has on the admin socket (decisions 6)."""

    user: str | None = None
    group: str | None = None
    role: RoleName
    tournament: int | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.user is None) == (self.group is None):
            raise ValueError("name either a user or a group")
        return self


class AdminSocket(Part):
    """The unix socket; root and the daemon's own user are operators on it."""

    path: Path | None = None
    role: tuple[SocketRole, ...] = ()


class AdminToken(Part):
    """A right for whoever shows the token, on the admin WebSocket (decisions 6)."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$")
    """Stands in the log as who did it."""
    role: RoleName
    tournament: int | None = None
    player: int | None = None
    token_file: Path

    @model_validator(mode="after")
    def _player_is_somebody(self) -> Self:
        if (self.role == "player") != (self.player is not None):
            raise ValueError('a token with role = "player" names its player, and no other does')
        return self


class Poll(Part):
    """How often a duel server is looked at, and how long an answer may take; milliseconds."""

    running_ms: int = Field(default=1_000, ge=10)
    idle_ms: int = Field(default=15_000, ge=10)
    timeout_ms: int = Field(default=5_000, ge=10)


class ServerHabits(Part):
    """Settings of the duel server itself that decide what can be played on it (decisions 15)."""

    no_match_mode: bool = False
    """``modules.challonge.no_match_mode``: the room name is the match id as it is."""
    default_environment: str = "ocg"
    """Whose list stands first in its lflist.conf; empty: it checks no decks."""
    lists: dict[str, Annotated[int, Field(ge=1)]] = Field(default_factory=dict)
    """Key of an environment to the place of its list in its lflist.conf, from 1 up (D10)."""
    post_detailed_score: bool = True
    """``modules.challonge.post_detailed_score``; off makes the games unknowable (rules 5.6-7)."""
    quick_death_rule: Literal[0, 1, 2, 3] = 2
    """``modules.http.quick_death_rule``: ``false`` is 2, ``true`` is 1."""


class DuelServer(Part):
    """A duel server that tournaments may use (decisions 1)."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")
    title: str = ""
    host: str = Field(pattern=r"^\S+$")
    """What players type."""
    port: Port = 7911
    api_url: Url | None = None
    api_user: str | None = None
    api_password_file: Path | None = None
    kind: Literal["srvpro", "srvpro2"] = "srvpro"
    link: Literal["plugin", "challonge", "http"] = "challonge"
    plugin_token_file: Path | None = None
    challonge_key_file: Path | None = None
    capacity: int = Field(default=100, ge=1, le=10_000)
    """Rooms."""
    poll: Poll = Poll()
    habits: ServerHabits = ServerHabits()

    @property
    def facts(self) -> ServerFacts:
        """What the operator declares of it, in the bridge's form."""
        habits = self.habits
        return ServerFacts(
            id=ServerId(self.id),
            link=self.link,
            no_match_mode=habits.no_match_mode,
            default_environment=habits.default_environment,
            lists=tuple(sorted(habits.lists.items())),
            post_detailed_score=habits.post_detailed_score,
            quick_death_rule=habits.quick_death_rule,
        )

    @model_validator(mode="after")
    def _link_is_complete(self) -> Self:
        needed = {
            "plugin": ("plugin_token_file",),
            "challonge": ("challonge_key_file",),
            "http": ("api_url",),
        }
        login = ("api_user", "api_password_file") if self.api_url is not None else ()
        missing = [name for name in (*needed[self.link], *login) if getattr(self, name) is None]
        if missing:
            raise ValueError(f"link = {self.link!r} needs {', '.join(missing)}")
        return self


class OwnEnvironment(Part):
    """A pool of a host's own (D08)."""

    key: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")
    """By which tournaments are published; stands in the log."""
    file: Path
    """A list file; its first list with ``$whitelist`` counts."""


class EnvironmentSettings(Part):
    """Where the operator's own lists and cards lie (D44)."""

    lflist_path: Path | None = None
    """Its first list is that of the current OCG environment (D10)."""
    cdb_paths: tuple[Path, ...] = ()
    """Later ones win; what they name cards, messages name them."""
    strings_path: Path | None = None
    """The ``strings.conf`` that names archetypes."""
    allow_prerelease: bool = True
    ocg_rule: Literal["ocg", "all"] = "ocg"
    own: tuple[OwnEnvironment, ...] = ()

    @model_validator(mode="after")
    def _keys_are_free(self) -> Self:
        _unique("own", [*KEYS, *(own.key for own in self.own)])
        return self

    @property
    def files(self) -> tuple[Path, ...]:
        """All of the files that are named."""
        single = (path for path in (self.lflist_path, self.strings_path) if path is not None)
        return (*single, *self.cdb_paths, *(own.file for own in self.own))


class ClockSettings(Part):
    """How fast time goes; everything but 1 is for demonstrations."""

    scale: int = Field(default=1, ge=1, le=10_000)
    origin: int | None = Field(default=None, ge=0)
    """UTC milliseconds from which on a fast clock runs, so that a restart changes nothing."""


class LogSettings(Part):
    """What is written to standard error, and how; ``auto`` is for people on a terminal, else JSON lines."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["auto", "json", "console"] = "auto"


class Metrics(Part):
    """Who may read ``/metrics``, ``/healthz`` and ``/readyz`` (decisions 7)."""

    allow: tuple[IPv4Network | IPv6Network, ...] = (IPv4Network("127.0.0.0/8"), IPv6Network("::1/128"))


class Mail(Part):
    """The mail server; without one, links to verify and reset are shown in the log (R053)."""

    host: str
    port: Port = 587
    security: Literal["tls", "starttls", "none"] = "starttls"
    sender: str
    user: str | None = None
    password_file: Path | None = None

    @model_validator(mode="after")
    def _login_is_complete(self) -> Self:
        if (self.user is None) != (self.password_file is None):
            raise ValueError("user and password_file go together")
        return self


class Web(Part):
    """The site for players, hosts and judges."""

    public_url: Url | None = None
    """How readers reach it, for links in e-mails and QR codes; not set: as each request says."""
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = ()
    """Whose X-Forwarded-For and X-Forwarded-Proto are believed."""
    sign_up: bool = True
    """Whether anybody may make an account."""
    verify_email: bool | None = None
    """Whether a host needs a verified e-mail; not set: where ``mail`` is configured (R053)."""
    mail: Mail | None = None


class Webhooks(Part):
    """URLs that hosts have told what happens in their tournaments (F26)."""

    allow: tuple[IPv4Network | IPv6Network, ...] = ()
    """Networks that they may reach besides the public internet."""
    per_tournament: int = Field(default=5, ge=0, le=100)


class Settings(BaseSettings):
    """All of it; every default works with no file at all."""

    model_config = SettingsConfigDict(
        extra="forbid", frozen=True, env_prefix=PREFIX, env_nested_delimiter="__"
    )

    data_dir: Path = Field(default_factory=default_data_dir)
    http: Address = Address(port=8720)
    gateway: Address = Address(port=8721)
    """WebSockets: plugins and administration."""
    admin_socket: AdminSocket = AdminSocket()
    admin_token: tuple[AdminToken, ...] = ()
    duel_server: tuple[DuelServer, ...] = ()
    environment: EnvironmentSettings = EnvironmentSettings()
    clock: ClockSettings = ClockSettings()
    log: LogSettings = LogSettings()
    metrics: Metrics = Metrics()
    web: Web = Web()
    webhooks: Webhooks = Webhooks()
    fixed_seed: str | None = Field(default=None, pattern=r"^[0-9a-f]{64}$")
    """For demonstrations: what every tournament draws from; not set: 32 secret bytes each (R030)."""
    time_zone: ZoneName = "Asia/Shanghai"
    """Of tournaments that do not name one (decisions 8)."""

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        _unique("duel_server", [server.id for server in self.duel_server])
        _unique("admin_token", [token.name for token in self.admin_token])
        if len(os.fsencode(self.admin_socket_path)) > LONGEST_SOCKET_PATH:
            raise ValueError(
                f"admin_socket.path: a unix socket's path has {LONGEST_SOCKET_PATH} bytes at most"
            )
        return self

    @property
    def admin_socket_path(self) -> Path:
        """Where the admin socket is: as set, else in the unit's runtime folder, else in the data folder."""
        return self.admin_socket.path or (surroundings().runtime or self.data_dir) / "admin.sock"

    @property
    def zone(self) -> ZoneInfo:
        """The default time zone."""
        return ZoneInfo(self.time_zone)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Let variables go before the file."""
        del settings_cls, dotenv_settings, file_secret_settings
        return env_settings, init_settings
