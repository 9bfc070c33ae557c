"""Run a simulated duel server: ``python -m srvpro_bridge.simulator --config file.json``.

The file holds ``server`` (ServerConfig), ``players`` (Scripts), ``seed`` and ``scale``. One line of JSON says
where the admin API is; SIGTERM or SIGINT ends it.
"""

import asyncio
import json
import signal
import sys
from pathlib import Path
from typing import Final

import click
import msgspec

from srvpro_bridge.simulator.clock import ScaledClock
from srvpro_bridge.simulator.config import ServerConfig
from srvpro_bridge.simulator.scripts import Script
from srvpro_bridge.simulator.server import DuelServer
from srvpro_bridge.simulator.troupe import Troupe

UNREADABLE: Final = 3
AWAY: Final = 4
"""Exit codes (decisions 11)."""


class World(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file."""

    server: ServerConfig
    players: tuple[Script, ...] = ()
    seed: str = "0"
    """Of the results."""
    scale: float = 1
    """How many times faster than the world the rooms run."""


@click.command()
@click.option(
    "--config", type=click.Path(path_type=Path), required=True, help="Settings and players, in JSON."
)
def main(config: Path) -> None:
    """Run a duel server until a signal comes."""
    try:
        world = msgspec.json.decode(config.read_bytes(), type=World)
    except (OSError, msgspec.DecodeError) as error:
        click.echo(f"{config} cannot be read: {error}", err=True)
        sys.exit(UNREADABLE)
    try:
        asyncio.run(run(world))
    except OSError as error:
        click.echo(f"the admin API cannot listen: {error}", err=True)
        sys.exit(AWAY)


async def run(world: World) -> None:
    """Serve until a signal comes."""
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    async with DuelServer(world.server, ScaledClock(world.scale)) as server:
        troupe = Troupe(server, world.players, world.seed)
        click.echo(json.dumps({"url": server.url}))
        troupe.start()
        await ended.wait()
        await troupe.stop()


if __name__ == "__main__":
    main()
