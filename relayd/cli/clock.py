"""relayctl clock …, and its shortest ways: the host's hand on the clock."""

import click

from relayd.cli.desk import Desk
from relayd.cli.draw.base import cell
from relayd.cli.draw.tournament import clock_line
from relayd.cli.groups import Group, pass_desk, tournament_argument
from relayd.cli.words import read_duration


@click.group(cls=Group)
def clock() -> None:
    """The clock of a tournament.

    \b
    Examples:
      relayctl clock show 12
      relayctl clock pause 12
      relayctl clock postpone 12 5m
      relayctl clock auto 12 off
    """  # noqa: D301  click keeps the lines behind \b


@clock.command()
@tournament_argument
@pass_desk
def show(desk: Desk, tournament: int) -> None:
    """Show every deadline."""
    view = desk.ask("clock.show", tournament=tournament)
    desk.show(view, lambda view: cell(clock_line(view, "UTC")))


@clock.command()
@tournament_argument
@pass_desk
def pause(desk: Desk, tournament: int) -> None:
    """Freeze every deadline."""
    desk.say_done(desk.change("clock.pause", tournament=tournament))


@clock.command()
@tournament_argument
@pass_desk
def resume(desk: Desk, tournament: int) -> None:
    """Go on; deadlines move by the length of the pause."""
    desk.say_done(desk.change("clock.resume", tournament=tournament))


@clock.command()
@tournament_argument
@click.argument("switch", type=click.Choice(["on", "off"]))
@pass_desk
def auto(desk: Desk, tournament: int, switch: str) -> None:
    """Let deadlines act by themselves, or only show them."""
    desk.say_done(desk.change("clock.auto", tournament=tournament, on=switch == "on"))


@clock.command("time-up")
@tournament_argument
@pass_desk
def time_up(desk: Desk, tournament: int) -> None:
    """Call time now for every open table."""
    desk.say_done(desk.change("clock.call_time", tournament=tournament))


@clock.command()
@tournament_argument
@click.argument("time", type=read_duration, default="5m")
@pass_desk
def postpone(desk: Desk, tournament: int, time: int) -> None:
    """Move this round's clock, by 5 minutes unless said otherwise."""
    desk.say_done(desk.change("clock.postpone", tournament=tournament, by_ms=time))
