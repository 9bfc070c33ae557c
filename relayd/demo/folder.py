"""The folder of a demo: settings and secrets of the daemon, the simulated duel server and its players."""

import json
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from relayd.demo.cast import ENVIRONMENT, Actor, Beside, CurrentCards, swapped
from srvpro_bridge.simulator.__main__ import World
from srvpro_bridge.simulator.config import Account, ChallongeLink, PluginLink, ServerConfig
from srvpro_bridge.simulator.scripts import Script

SERVER: Final = "sim"
USER: Final = "relayd"
_CHALLONGE: Final = """\
api_url = "http://127.0.0.1:{port}"
api_user = "{user}"
api_password_file = {secret}
link = "challonge"
challonge_key_file = {secret}
poll = {{ running_ms = 50, idle_ms = 200 }}"""
_PLUGIN: Final = """\
link = "plugin"
plugin_token_file = {secret}
poll = {{ running_ms = 50 }}"""
DAWDLES_IN: Final = 2
"""The round in which one table runs into time-up."""


class Ports(NamedTuple):
    """Where everybody listens on loopback."""

    http: int
    gateway: int
    api: int
    """Of the duel server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a demo goes. With *beside* the duel server has our plugin, else its Challonge module."""

    seed: str
    scale: int
    actors: Sequence[Actor]
    environment: str = ENVIRONMENT
    beside: Beside | None = None

    @property
    def dawdler(self) -> Actor:
        """Who plays slowly."""
        return self.actors[-1]

    @property
    def forgetful(self) -> Actor:
        """Who brings another deck than he handed in."""
        return self.actors[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """Where everything lies."""

    path: Path

    @property
    def settings(self) -> Path:
        """The daemon's settings."""
        return self.path / "relayd.toml"

    @property
    def world(self) -> Path:
        """The duel server's."""
        return self.path / "duel-server.json"

    @property
    def socket(self) -> Path:
        """The admin socket."""
        return self.path / "admin.sock"

    @property
    def data(self) -> Path:
        """The daemon's data."""
        return self.path / "data"

    @property
    def log_lines(self) -> Path:
        """What the daemon wrote to standard error."""
        return self.path / "relayd.log"

    def write(self, plan: Plan, ports: Ports) -> None:
        """Write all of it."""
        self.path.mkdir(parents=True, exist_ok=True)
        secret = secrets.token_hex(16)
        (self.path / "secret").write_text(secret, encoding="utf-8")
        (self.path / "secret").chmod(0o600)
        self.settings.write_text(self._settings(plan, ports), encoding="utf-8")
        server = _with_challonge(ports, secret) if plan.beside is None else self._with_plugin(ports, secret)
        world = World(server=server, players=_scripts(plan), seed=plan.seed, scale=plan.scale)
        self.world.write_bytes(msgspec.json.encode(world))

    def _with_plugin(self, ports: Ports, token: str) -> ServerConfig:
        gateway, spool = f"ws://127.0.0.1:{ports.gateway}/plugin", str(self.path / "relayd.spool")
        link = PluginLink(url=gateway, server=SERVER, token=token, spool=spool, retry_ms=20)
        return ServerConfig(port=ports.api, plugin=link, connect_limit=False)

    def _settings(self, plan: Plan, ports: Ports) -> str:
        quoted = json.dumps  # a JSON string is a TOML string
        now_ms, secret_file = time.time_ns() // 1_000_000, quoted(str(self.path / "secret"))
        link = _CHALLONGE if plan.beside is None else _PLUGIN
        current = None if plan.beside is None else plan.beside.current
        return f"""\
data_dir = {quoted(str(self.data))}
fixed_seed = "{sha256(plan.seed.encode()).hexdigest()}"
admin_socket.path = {quoted(str(self.socket))}
clock = {{ scale = {plan.scale}, origin = {now_ms} }}
log.format = "json"
{"" if current is None else _current(current)}
[[duel_server]]
id = "{SERVER}"
title = "Simulated duel server"
host = "127.0.0.1"
{link.format(port=ports.api, user=USER, secret=secret_file)}
habits = {{ default_environment = "{ENVIRONMENT if plan.beside is None else plan.beside.environment}" }}
"""


def _current(current: CurrentCards) -> str:
    lflist, cdb = (json.dumps(str(path.resolve())) for path in current)
    return f"environment = {{ lflist_path = {lflist}, cdb_paths = [{cdb}] }}\n"


def _with_challonge(ports: Ports, secret: str) -> ServerConfig:
    link = ChallongeLink(
        url=f"http://127.0.0.1:{ports.http}/challonge/{SERVER}",
        tournament="relayd",
        api_key=secret,
        cache_ttl_ms=20,
    )
    return ServerConfig(
        port=ports.api,
        accounts=(Account(user=USER, password=secret),),
        challonge=link,
        tournament_mode=True,
        connect_limit=False,
    )


def _scripts(plan: Plan) -> tuple[Script, ...]:
    others = () if plan.beside is None else plan.beside.actors
    return tuple(_script(plan, actor) for actor in (*plan.actors, *others))


def _script(plan: Plan, actor: Actor) -> Script:
    deck = actor.deck
    return Script(
        name=actor.name,
        main=(*deck.main, *deck.extra),
        side=deck.side,
        wrong_main=swapped(deck) if actor is plan.forgetful else (),
        dawdles_in=(DAWDLES_IN,) if actor is plan.dawdler else (),
    )
