"""relayctl status, server …, oddities, log-level, reload, methods: the daemon itself."""

from pathlib import Path

import click

from relayd.cli.desk import Desk
from relayd.cli.draw.base import facts
from relayd.cli.draw.people import methods as draw_methods
from relayd.cli.draw.people import oddities as draw_oddities
from relayd.cli.draw.people import reloaded as draw_reloaded
from relayd.cli.draw.people import servers as draw_servers
from relayd.cli.draw.people import status as draw_status
from relayd.cli.groups import Command, Group, pass_desk, tournament_argument
from relayd.exits import Exit


@click.command(cls=Command)
@pass_desk
def status(desk: Desk) -> None:
    """Say who you are to the daemon, and how much runs."""
    desk.show(desk.ask("daemon.status"), draw_status)


@click.command(cls=Command)
@pass_desk
def servers(desk: Desk) -> None:
    """Show how the duel servers do."""
    desk.show(desk.ask("server.list"), draw_servers)


@click.group(cls=Group)
def server() -> None:
    """Duel servers: how they do, and what they need.

    \b
    Examples:
      relayctl server list
      relayctl server doctor                 asks the daemon about all of them
      relayctl server doctor main --srvpro ~/srvpro --config ~/relayd/relayd.toml --fix
    """  # noqa: D301  click keeps the lines behind \b


server.add_command(servers, "list")


@server.command()
@click.argument("server", required=False)
@click.option(
    "--srvpro",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A srvpro on this machine: look at its files instead of asking the daemon.",
)
@click.option(
    "-c",
    "--config",
    type=click.Path(path_type=Path),
    envvar="RELAYD_CONFIG",
    help="The daemon's settings, to compare with; else /etc/relayd/relayd.toml.",
)
@click.option("--fix", is_flag=True, help="Write what is wrong into srvpro's files, and keep the old ones.")
@pass_desk
def doctor(desk: Desk, server: str | None, srvpro: Path | None, config: Path | None, *, fix: bool) -> None:
    """Say what a duel server needs, and which line to change."""
    from relayd.cli.doctor import at_a_folder, at_the_daemon  # noqa: PLC0415  slow to load, seldom needed

    if srvpro is not None:
        at_a_folder(desk, server, srvpro, config, fix=fix)
    if fix:
        desk.fail("--fix writes into a folder: name it with --srvpro", Exit.USAGE)
    at_the_daemon(desk, server)


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
