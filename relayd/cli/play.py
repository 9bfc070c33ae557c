"""relayctl start, next, tables, result, …: a tournament at work."""

import json
from typing import Any, get_args

import click

from relayd.cli.desk import Desk
from relayd.cli.draw.base import facts
from relayd.cli.draw.play import bracket as draw_bracket
from relayd.cli.draw.play import dp as draw_dp
from relayd.cli.draw.play import places as draw_places
from relayd.cli.draw.play import reports as draw_reports
from relayd.cli.draw.play import standings as draw_standings
from relayd.cli.draw.play import strays as draw_strays
from relayd.cli.draw.play import tables as draw_tables
from relayd.cli.groups import Command, Group, pass_desk, player_argument, table_argument, tournament_argument
from relayd.cli.words import read_duration, read_score, winner
from ruleset.tournament.results import Reason

_REASONS = click.Choice([*get_args(Reason)])


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


@click.command(cls=Command)
@tournament_argument
@table_argument
@click.argument("score", type=read_score)
@click.option("--reason", type=_REASONS, default="played", show_default=True)
@pass_desk
def result(desk: Desk, tournament: int, table: str, score: tuple[int, int], reason: str) -> None:
    """Enter or correct a result by hand: games of seat A, then of seat B.

    \b
    Examples:
      relayctl result 12 R3T4 2-1
      relayctl result 12 R3T4 1-0 --reason time
    """  # noqa: D301  click keeps the lines behind \b
    wish = {"outcome": winner(score), "wins": list(score), "reason": reason}
    desk.say_done(desk.change("table.rule", tournament=tournament, table=table, **wish))


@click.command(cls=Command)
@tournament_argument
@table_argument
@click.argument("outcome", type=click.Choice(["a", "b", "draw", "double_loss"]))
@click.option("--reason", type=_REASONS, default="ruling", show_default=True)
@click.option("--games", type=read_score, metavar="A-B", help="That count; else the finished ones.")
@pass_desk
def rule(
    desk: Desk, tournament: int, table: str, outcome: str, *, reason: str, games: tuple[int, int] | None
) -> None:
    """Rule a match: who wins, and why."""
    wins = None if games is None else list(games)
    wish = {"outcome": outcome, "reason": reason, "wins": wins}
    desk.say_done(desk.change("table.rule", tournament=tournament, table=table, **wish))


@click.group(cls=Group)
def table() -> None:
    """One table of a tournament.

    \b
    Examples:
      relayctl table show 12 R3T4
      relayctl table reopen 12 R3T4
      relayctl table concede 12 R3T4 P000123
    """  # noqa: D301  click keeps the lines behind \b


@table.command("show")
@tournament_argument
@table_argument
@pass_desk
def show_table(desk: Desk, tournament: int, table: str) -> None:
    """Show a table with its clock."""
    desk.show(desk.ask("table.show", tournament=tournament, table=table), facts)


@table.command()
@tournament_argument
@table_argument
@player_argument
@pass_desk
def present(desk: Desk, tournament: int, table: str, player: str) -> None:
    """A player has reached his table."""
    desk.say_done(desk.change("table.present", tournament=tournament, table=table, player=player))


@table.command("report")
@tournament_argument
@table_argument
@player_argument
@click.argument("score", type=read_score)
@pass_desk
def report_result(desk: Desk, tournament: int, table: str, player: str, score: tuple[int, int]) -> None:
    """A player says how his match ended: games of seat A, then of seat B."""
    wish = {"outcome": winner(score), "wins": list(score), "player": player}
    desk.say_done(desk.change("table.report", tournament=tournament, table=table, **wish))


@table.command()
@tournament_argument
@table_argument
@player_argument
@pass_desk
def concede(desk: Desk, tournament: int, table: str, player: str) -> None:
    """A player gives his match up."""
    desk.say_done(desk.change("table.concede", tournament=tournament, table=table, player=player))


@table.command()
@tournament_argument
@table_argument
@player_argument
@pass_desk
def claim(desk: Desk, tournament: int, table: str, player: str) -> None:
    """The present player takes the win that the late rule offers."""
    desk.say_done(desk.change("table.claim", tournament=tournament, table=table, player=player))


@table.command()
@tournament_argument
@table_argument
@pass_desk
def reopen(desk: Desk, tournament: int, table: str) -> None:
    """Take a result back: the match plays on."""
    desk.say_done(desk.change("table.reopen", tournament=tournament, table=table))


@table.command("resume")
@tournament_argument
@table_argument
@pass_desk
def resume_table(desk: Desk, tournament: int, table: str) -> None:
    """Play a lost room's match on, from its last finished game."""
    desk.say_done(desk.change("table.resume", tournament=tournament, table=table))


@table.command()
@tournament_argument
@table_argument
@click.argument("time", type=read_duration)
@pass_desk
def extend(desk: Desk, tournament: int, table: str, time: int) -> None:
    """Give a table more time: relayctl table extend 12 R3T4 5m."""
    desk.say_done(desk.change("clock.extend", tournament=tournament, table=table, by_ms=time))


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
