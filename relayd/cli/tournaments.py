"""relayctl tournament …: plans, and what becomes of them."""

from typing import Any

import click

from relayd.cli.desk import Desk
from relayd.cli.draw.tournament import tournaments, whole
from relayd.cli.groups import Group, pass_desk, read_player, tournament_argument
from relayd.cli.settings import settings_of, settings_options


@click.group(cls=Group)
def tournament() -> None:
    """Publish, change, look at and end tournaments.

    \b
    Examples:
      relayctl tournament publish --title "Weekly" --format swiss --rounds 5 --environment goat
      relayctl tournament publish --from weekly.toml --start "2026-08-01 19:30"
      relayctl tournament edit 12 --gap 5m
      relayctl tournament rounds 12 7
      relayctl tournament cohosts 12 P000123 P000124
      relayctl tournament list --all
    """  # noqa: D301  click keeps the lines behind \b


@tournament.command()
@settings_options
@click.option(
    "--organiser", type=read_player, metavar="PLAYER", help="Player number of whoever publishes it."
)
@pass_desk
def publish(desk: Desk, /, organiser: str | None, **given: Any) -> None:  # noqa: ANN401  all the options
    """Open a tournament for registration."""
    result = desk.change("tournament.publish", settings=settings_of(desk, given), organiser=organiser)
    desk.say_done(result)


@tournament.command()
@settings_options
@pass_desk
def check(desk: Desk, /, **given: Any) -> None:  # noqa: ANN401  all the options
    """Say whether these settings could be published; nothing is written."""
    result = desk.ask("tournament.check", settings=settings_of(desk, given))
    desk.show(result, lambda view: f"fine: list {view['list_name']} ({view['list_hash']})")


@tournament.command()
@tournament_argument
@settings_options
@pass_desk
def edit(desk: Desk, /, tournament: int, **given: Any) -> None:  # noqa: ANN401  all the options
    """Change settings, until 12 hours before the start."""
    desk.say_done(desk.change("tournament.edit", tournament=tournament, settings=settings_of(desk, given)))


@tournament.command("refresh-list")
@tournament_argument
@pass_desk
def refresh_list(desk: Desk, tournament: int) -> None:
    """Judge decks by the list as it is now, until 12 hours before the start; all are checked again."""
    desk.say_done(desk.change("tournament.refresh_list", tournament=tournament))


@tournament.command("list")
@click.option("--all", "every", is_flag=True, help="Ended ones, too.")
@pass_desk
def listed(desk: Desk, *, every: bool) -> None:
    """List tournaments."""
    desk.show(desk.ask("tournament.list", phase="all" if every else "open"), tournaments)


@tournament.command()
@tournament_argument
@pass_desk
def show(desk: Desk, tournament: int) -> None:
    """Show a tournament as a whole."""
    desk.show(desk.ask("tournament.show", tournament=tournament), whole)


@tournament.command()
@tournament_argument
@pass_desk
def finish(desk: Desk, tournament: int) -> None:
    """End a Swiss tournament early, between rounds."""
    desk.say_done(desk.change("tournament.finish", tournament=tournament))


@tournament.command()
@tournament_argument
@click.confirmation_option(prompt="Cancel it? Every DP row goes back")
@pass_desk
def cancel(desk: Desk, tournament: int) -> None:
    """Call a tournament off."""
    desk.say_done(desk.change("tournament.cancel", tournament=tournament))


@tournament.command()
@tournament_argument
@click.argument("text")
@pass_desk
def announce(desk: Desk, tournament: int, text: str) -> None:
    """Say something in all rooms of the tournament's duel servers."""
    desk.say_done(desk.change("tournament.announce", tournament=tournament, text=text))
