"""relayctl start, next, tables, standings, report, raw, …: a tournament at work."""

import json
from typing import Any

import click

from relayd.cli.desk import Desk
from relayd.cli.draw.play import bracket as draw_bracket
from relayd.cli.draw.play import dp as draw_dp
from relayd.cli.draw.play import places as draw_places
from relayd.cli.draw.play import reports as draw_reports
from relayd.cli.draw.play import standings as draw_standings
from relayd.cli.draw.play import strays as draw_strays
from relayd.cli.draw.play import tables as draw_tables
from relayd.cli.groups import Command, Group, pass_desk, table_argument, tournament_argument


@click.command(cls=Command)
@tournament_argument
@click.option("--yes", is_flag=True, help="Whoever is not signed in yet stays out.")
@pass_desk
def start(desk: Desk, tournament: int, *, yes: bool) -> None:
    """Start a tournament now."""
    desk.say_done(desk.change("tournament.start", tournament=tournament, confirmed=yes))


@click.command("next", cls=Command)
@tournament_argument
@pass_desk
def next_round(desk: Desk, tournament: int) -> None:
    """Pair the next round now."""
    desk.say_done(desk.change("tournament.next_round", tournament=tournament))


@click.command(cls=Command)
@tournament_argument
@click.option("--round", "round_no", type=click.IntRange(1), help="An earlier one.")
@pass_desk
def tables(desk: Desk, tournament: int, round_no: int | None) -> None:
    """Show the tables of a round, live."""
    desk.show(desk.ask("table.list", tournament=tournament, round=round_no), draw_tables)


@click.command(cls=Command)
@tournament_argument
@pass_desk
def standings(desk: Desk, tournament: int) -> None:
    """Show the Swiss list with every criterion."""
    desk.show(desk.ask("standings.show", tournament=tournament), draw_standings)


@click.command(cls=Command)
@tournament_argument
@pass_desk
def bracket(desk: Desk, tournament: int) -> None:
    """Show the bracket."""
    desk.show(desk.ask("bracket.show", tournament=tournament), draw_bracket)


@click.command(cls=Command)
@tournament_argument
@pass_desk
def places(desk: Desk, tournament: int) -> None:
    """Show the final ranking."""
    desk.show(desk.ask("places.show", tournament=tournament), draw_places)


@click.command(cls=Command)
@tournament_argument
@pass_desk
def dp(desk: Desk, tournament: int) -> None:
    """Show DP with its changes."""
    desk.show(desk.ask("dp.show", tournament=tournament), draw_dp)


@click.group(cls=Group)
def report() -> None:
    """Reports of duel servers that wait for somebody who knows their table.

    \b
    Examples:
      relayctl report list 12
      relayctl report accept 12 main-17 R3T4 --swapped
    """  # noqa: D301  click keeps the lines behind \b


@report.command("list")
@tournament_argument
@pass_desk
def list_reports(desk: Desk, tournament: int) -> None:
    """List waiting reports with their candidates."""
    desk.show(desk.ask("report.list", tournament=tournament), draw_reports)


@report.command()
@pass_desk
def strays(desk: Desk) -> None:
    """List the last matches that were reported and fit no tournament."""
    desk.show(desk.ask("report.strays"), draw_strays)


@report.command()
@tournament_argument
@click.argument("report_id")
@table_argument
@click.option("--swapped", is_flag=True, help="The first name sits at seat B.")
@pass_desk
def accept(desk: Desk, tournament: int, report_id: str, table: str, *, swapped: bool) -> None:
    """Take a waiting report for a table."""
    wish: dict[str, Any] = {"id": report_id, "table": table, "swapped": swapped}
    desk.say_done(desk.change("report.accept", tournament=tournament, **wish))


@report.command()
@tournament_argument
@click.argument("report_id")
@pass_desk
def dismiss(desk: Desk, tournament: int, report_id: str) -> None:
    """Put a waiting report away."""
    desk.say_done(desk.change("report.dismiss", tournament=tournament, id=report_id))


@click.command(cls=Command)
@click.argument("method")
@click.argument("params", default="{}")
@pass_desk
def raw(desk: Desk, method: str, params: str) -> None:
    """Call any method: relayctl raw tournament.show '{"tournament": 12}'."""
    try:
        wish = json.loads(params)
    except ValueError as error:
        raise click.BadParameter(f"is not JSON: {error}", param_hint="PARAMS") from error
    if not isinstance(wish, dict):
        raise click.BadParameter("write a JSON object", param_hint="PARAMS")
    desk.print_json(desk.ask(method, **wish))
