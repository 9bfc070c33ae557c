"""relayctl team, roster: teams, and lists of players taken in at once."""

from pathlib import Path

import click

from relayd.cli.desk import Desk
from relayd.cli.draw import teams as draw
from relayd.cli.files import rows_of
from relayd.cli.groups import Group, file_argument, pass_desk, player_argument, tournament_argument


@click.group(cls=Group)
def team() -> None:
    """Teams of a tournament, and who is in which.

    \b
    Examples:
      relayctl team add 12 Red
      relayctl team assign 12 P000123 1
      relayctl team list 12
    """  # noqa: D301  click keeps the lines behind \b


@team.command("list")
@tournament_argument
@pass_desk
def listed(desk: Desk, tournament: int) -> None:
    """Show the teams with their players and, where they are ranked, their ranks."""
    desk.show(desk.ask("team.list", tournament=tournament), draw.teams)


@team.command()
@tournament_argument
@click.argument("name")
@pass_desk
def add(desk: Desk, tournament: int, name: str) -> None:
    """Put a team on the list."""
    desk.say_done(desk.change("team.add", tournament=tournament, name=name))


@team.command()
@tournament_argument
@click.argument("team", type=click.IntRange(1))
@pass_desk
def remove(desk: Desk, tournament: int, team: int) -> None:
    """Take the team with that number off the list; its players stay, without it."""
    desk.say_done(desk.change("team.remove", tournament=tournament, team=team))


@team.command()
@tournament_argument
@player_argument
@click.argument("team", type=click.IntRange(1), required=False)
@click.option("--label", default="", help="Shown in the place of a team; it counts for nothing.")
@pass_desk
def assign(desk: Desk, tournament: int, player: str, team: int | None, label: str) -> None:
    """Put a player into the team with that number; without one, into none."""
    wish = {"player": player, "team": team, "label": label}
    desk.say_done(desk.change("team.assign", tournament=tournament, **wish))


@click.group(cls=Group)
def roster() -> None:
    """Lists of players and teams: columns player, nickname, team.

    \b
    Examples:
      relayctl roster import 12 list.csv --dry-run
      relayctl roster import 12 list.xlsx
      relayctl roster export 12 > list.csv
    """  # noqa: D301  click keeps the lines behind \b


@roster.command("import")
@tournament_argument
@file_argument
@click.option("--dry-run", is_flag=True, help="Only say what would come of it.")
@pass_desk
def import_roster(desk: Desk, tournament: int, file: Path, *, dry_run: bool) -> None:
    """Enter the players of a list and their teams, all or nothing; - reads standard input.

    CSV as any Excel saves it, or a workbook (.xlsx).
    """
    wish = {"csv": draw.as_csv(rows_of(desk, file)), "dry_run": dry_run}
    told = desk.change("roster.import", tournament=tournament, **wish)
    if dry_run:
        desk.show(told, lambda view: f"fine: {view['would']} changes; nothing is written")
    else:
        desk.say_done(told)


@roster.command("export")
@tournament_argument
@pass_desk
def export(desk: Desk, tournament: int) -> None:
    """Print the players with their teams as such a list."""
    players = desk.ask("entry.list", tournament=tournament)
    teams = desk.ask("team.list", tournament=tournament)
    lines = draw.lines(players, teams)
    if desk.as_json:
        desk.print_json([dict(zip(lines[0], line, strict=True)) for line in lines[1:]])
    else:
        click.echo(draw.as_csv(lines), nl=False)
