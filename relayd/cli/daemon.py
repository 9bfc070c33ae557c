"""relayctl status, servers, oddities, log-level, reload, methods: the daemon itself."""

import click

from relayd.cli.desk import Desk
from relayd.cli.draw.base import facts
from relayd.cli.draw.people import methods as draw_methods
from relayd.cli.draw.people import oddities as draw_oddities
from relayd.cli.draw.people import reloaded as draw_reloaded
from relayd.cli.draw.people import servers as draw_servers
from relayd.cli.groups import Command, pass_desk, tournament_argument


@click.command(cls=Command)
@pass_desk
def status(desk: Desk) -> None:
    """Say who you are to the daemon, and how much runs."""
    desk.show(desk.ask("daemon.status"), facts)


@click.command(cls=Command)
@pass_desk
def servers(desk: Desk) -> None:
    """Show how the duel servers do."""
    desk.show(desk.ask("server.list"), draw_servers)


@click.command(cls=Command)
@tournament_argument
@pass_desk
def oddities(desk: Desk, tournament: int) -> None:
    """Show what is odd at the duel servers: strangers in a room, a second room, another server."""
    desk.show(desk.ask("server.oddities", tournament=tournament), draw_oddities)


@click.command("log-level", cls=Command)
@click.argument("level", type=click.Choice(["debug", "info", "warning", "error"]), required=False)
@pass_desk
def log_level(desk: Desk, level: str | None) -> None:
    """Show or set from which level on log lines are written."""
    desk.show(desk.change("log.set_level", level=level) if level else desk.ask("log.level"), facts)


@click.command(cls=Command)
@pass_desk
def reload(desk: Desk) -> None:
    """Have the daemon read its settings anew; a bad file leaves the old ones in force."""
    desk.show(desk.change("daemon.reload"), draw_reloaded)


@click.command(cls=Command)
@pass_desk
def methods(desk: Desk) -> None:
    """List what may be called with raw."""
    desk.show(desk.ask("rpc.methods"), draw_methods)
