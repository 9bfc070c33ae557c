"""relayctl players, entry: who there is, and who plays."""

from typing import Any

import click

from relayd.cli.desk import Desk
from relayd.cli.draw.people import players as draw_players
from relayd.cli.draw.people import roster
from relayd.cli.groups import (
    Group,
    pass_desk,
    player_argument,
    players_argument,
    read_player,
    tournament_argument,
)


@click.group(cls=Group)
def players() -> None:
    """Player numbers and nicknames, across tournaments.

    \b
    Examples:
      relayctl players register Alice Bob
      relayctl players list --find ali
    """  # noqa: D301  click keeps the lines behind \b


@players.command()
@click.argument("nicknames", nargs=-1, required=True)
@pass_desk
def register(desk: Desk, nicknames: tuple[str, ...]) -> None:
    """Give new player numbers."""
    if len(nicknames) > 1:  # each is a command of its own
        desk.command_id = None
    given: list[Any] = []
    try:
        for nickname in nicknames:
            given.append(desk.change("player.register", nickname=nickname))  # noqa: PERF401  kept on the way
    finally:  # also those before the one that was refused
        if given:
            desk.show(given, roster)


@players.command()
@player_argument
@click.argument("nickname")
@pass_desk
def rename(desk: Desk, player: str, nickname: str) -> None:
    """Change a nickname."""
    desk.show([desk.change("player.rename", player=player, nickname=nickname)], roster)


@players.command("drop-picture")
@player_argument
@pass_desk
def drop_picture(desk: Desk, player: str) -> None:
    """Take a player's picture off the pages."""
    desk.show([desk.change("player.drop_picture", player=player)], roster)


@players.command("list")
@click.option("--find", default="", help="Part of a nickname.")
@click.option("--after", type=click.IntRange(0), default=0, help="Begin behind this number.")
@click.option("--limit", type=click.IntRange(1, 1_000), default=200, show_default=True)
@pass_desk
def listed(desk: Desk, find: str, after: int, limit: int) -> None:
    """List players."""
    desk.show(desk.ask("player.list", text=find, after=after, limit=limit), roster)


@players.command()
@player_argument
@pass_desk
def show(desk: Desk, player: str) -> None:
    """Show who a number is."""
    desk.show(desk.ask("player.show", player=player), lambda view: roster([view]))


@click.group(cls=Group)
def entry() -> None:
    """Players of one tournament: registration, sign-in, drops.

    \b
    Examples:
      relayctl entry add 12 P000123 P000124
      relayctl entry sign-in 12 --all
      relayctl entry drop 12 P000123
    """  # noqa: D301  click keeps the lines behind \b


@entry.command("list")
@tournament_argument
@pass_desk
def entries(desk: Desk, tournament: int) -> None:
    """List the tournament's players with deck, sign-in and DP."""
    desk.show(desk.ask("entry.list", tournament=tournament), draw_players)


@entry.command()
@tournament_argument
@players_argument()
@pass_desk
def add(desk: Desk, tournament: int, players: tuple[str, ...]) -> None:
    """Enter players for the tournament."""
    if len(players) > 1:  # each is a command of its own
        desk.command_id = None
    for player in players:
        desk.say_done(desk.change("entry.register", tournament=tournament, player=player))


@entry.command()
@tournament_argument
@player_argument
@pass_desk
def withdraw(desk: Desk, tournament: int, player: str) -> None:
    """Take a registration back."""
    desk.say_done(desk.change("entry.withdraw", tournament=tournament, player=player))


@entry.command("sign-in")
@tournament_argument
@click.argument("player", required=False, type=read_player)
@click.option("--all", "everybody", is_flag=True, help="Everybody whose deck has passed.")
@pass_desk
def sign_in(desk: Desk, tournament: int, player: str | None, *, everybody: bool) -> None:
    """Sign one player in, or all."""
    if everybody == (player is not None):
        raise click.UsageError("name a player, or say --all")
    if everybody:
        desk.say_done(desk.change("entry.sign_in_all", tournament=tournament))
    else:
        desk.say_done(desk.change("entry.sign_in", tournament=tournament, player=player))


@entry.command()
@tournament_argument
@player_argument
@pass_desk
def drop(desk: Desk, tournament: int, player: str) -> None:
    """Take a player out of the running tournament."""
    desk.say_done(desk.change("entry.drop", tournament=tournament, player=player))


@entry.command("undo-drop")
@tournament_argument
@player_argument
@pass_desk
def undo_drop(desk: Desk, tournament: int, player: str) -> None:
    """Let a dropped player play on from the next round."""
    desk.say_done(desk.change("entry.undo_drop", tournament=tournament, player=player))
