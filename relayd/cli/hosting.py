"""relayctl undo, and what a host changes while a tournament goes on, as relayctl tournament rounds."""

import click

from relayd.cli.desk import Desk
from relayd.cli.draw.base import facts
from relayd.cli.draw.tournament import last_action
from relayd.cli.groups import Command, pass_desk, players_argument, tournament_argument
from relayd.cli.tournaments import tournament
from relayd.exits import Exit


@click.command(cls=Command)
@tournament_argument
@click.option("--action", type=click.IntRange(1), help="Only if it is this one; no question is asked.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_desk
def undo(desk: Desk, tournament: int, action: int | None, *, yes: bool) -> None:
    """Take the last action back, if nothing rests on it.

    \b
    Examples:
      relayctl undo 12
      relayctl undo 12 --action 7
    """  # noqa: D301  click keeps the lines behind \b
    if action is None:
        action = _last(desk, tournament, yes=yes)
    desk.say_done(desk.change("tournament.undo", tournament=tournament, action=action))


def _last(desk: Desk, tournament: int, *, yes: bool) -> int:
    """Return the number of the last action, which the host has seen and confirmed."""
    last = desk.ask("tournament.show", tournament=tournament)["last_action"]
    if last is None:
        desk.fail("there is nothing to undo", Exit.REFUSED)
    if not yes:
        click.confirm(f"Take back: {last_action(last)}", abort=True, err=True)
    number: int = last["action"]
    return number


@tournament.command()
@tournament_argument
@click.argument("number", type=click.IntRange(1))
@pass_desk
def rounds(desk: Desk, tournament: int, number: int) -> None:
    """Let more or fewer rounds count, where the settings leave it open (rounds_locked=false)."""
    desk.say_done(desk.change("tournament.set_rounds", tournament=tournament, rounds=number))


@tournament.command()
@tournament_argument
@click.argument("state", type=click.Choice(["open", "closed"]))
@pass_desk
def registration(desk: Desk, tournament: int, state: str) -> None:
    """Close the registration, whatever its deadline, or open it again."""
    desk.say_done(desk.change("tournament.set_registration", tournament=tournament, closed=state == "closed"))


@tournament.command()
@tournament_argument
@players_argument(required=False)
@click.option("--none", "nobody", is_flag=True, help="Nobody any more.")
@pass_desk
def cohosts(desk: Desk, tournament: int, players: tuple[str, ...], *, nobody: bool) -> None:
    """Name all co-hosts by player number: these and nobody else."""
    if nobody == bool(players):
        raise click.UsageError("name all co-hosts, or say --none")
    desk.say_done(desk.change("tournament.set_cohosts", tournament=tournament, players=players))


@tournament.command()
@tournament_argument
@click.argument("who", type=click.Choice(["public", "private"]))
@pass_desk
def visibility(desk: Desk, tournament: int, who: str) -> None:
    """List the tournament, or hide it, also behind its end."""
    desk.say_done(desk.change("tournament.set_visibility", tournament=tournament, visibility=who))


@tournament.command("unset-ended")
@tournament_argument
@pass_desk
def unset_ended(desk: Desk, tournament: int) -> None:
    """Let a tournament go on that counts as ended because nothing happened."""
    desk.say_done(desk.change("tournament.unset_ended", tournament=tournament))


@tournament.command()
@tournament_argument
@pass_desk
def fingerprint(desk: Desk, tournament: int) -> None:
    """Show the fingerprint of the live state, to compare with relayd replay."""
    desk.show(desk.ask("tournament.fingerprint", tournament=tournament), facts)
