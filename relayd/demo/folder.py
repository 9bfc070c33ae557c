"""The folder of a demo: settings and secrets of the daemon, the simulated duel server and its players."""

import json
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from relayd.demo.cast import ENVIRONMENT, Actor, swapped
from srvpro_bridge.simulator.__main__ import World
from srvpro_bridge.simulator.config import Account, ChallongeLink, ServerConfig
from srvpro_bridge.simulator.scripts import Script

SERVER: Final = "sim"
USER: Final = "relayd"
DAWDLES_IN: Final = 2
"""The round in which one table runs into time-up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a demo goes."""

    seed: str
    scale: int
    actors: Sequence[Actor]

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

    def write(self, plan: Plan, http_port: int, api_port: int) -> None:
        """Write all of it."""
        self.path.mkdir(parents=True, exist_ok=True)
        password, key = secrets.token_hex(16), secrets.token_hex(16)
        for name, secret in (("api-password", password), ("challonge-key", key)):
            (self.path / name).write_text(secret, encoding="utf-8")
            (self.path / name).chmod(0o600)
        self.settings.write_text(self._settings(plan, api_port), encoding="utf-8")
        server = _server(http_port, api_port, password, key)
        world = World(server=server, players=_scripts(plan), seed=plan.seed, scale=plan.scale)
        self.world.write_bytes(msgspec.json.encode(world))

    def _settings(self, plan: Plan, api_port: int) -> str:
        quoted = json.dumps  # a JSON string is a TOML string
        now_ms = time.time_ns() // 1_000_000
        return f"""\
data_dir = {quoted(str(self.data))}
fixed_seed = "{sha256(plan.seed.encode()).hexdigest()}"
admin_socket.path = {quoted(str(self.socket))}
clock = {{ scale = {plan.scale}, origin = {now_ms} }}
log.format = "json"

[[duel_server]]
id = "{SERVER}"
title = "Simulated duel server"
host = "127.0.0.1"
api_url = "http://127.0.0.1:{api_port}"
api_user = "{USER}"
api_password_file = {quoted(str(self.path / "api-password"))}
link = "challonge"
challonge_key_file = {quoted(str(self.path / "challonge-key"))}
poll = {{ running_ms = 50, idle_ms = 200 }}
habits = {{ default_environment = "{ENVIRONMENT}" }}
"""


def _server(http_port: int, api_port: int, password: str, key: str) -> ServerConfig:
    link = ChallongeLink(
        url=f"http://127.0.0.1:{http_port}/challonge/{SERVER}",
        tournament="relayd",
        api_key=key,
        cache_ttl_ms=20,
    )
    return ServerConfig(
        port=api_port,
        accounts=(Account(user=USER, password=password),),
        challonge=link,
        tournament_mode=True,
        connect_limit=False,
    )


def _scripts(plan: Plan) -> tuple[Script, ...]:
    return tuple(_script(plan, actor) for actor in plan.actors)


def _script(plan: Plan, actor: Actor) -> Script:
    deck = actor.deck
    return Script(
        name=actor.name,
        main=(*deck.main, *deck.extra),
        side=deck.side,
        wrong_main=swapped(deck) if actor is plan.forgetful else (),
        dawdles_in=(DAWDLES_IN,) if actor is plan.dawdler else (),
    )
