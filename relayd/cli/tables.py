"""relayctl result, rule, table …: one table, its players and its judge."""

from typing import Any, get_args

import click

from relayd.cli.desk import Desk
from relayd.cli.draw.pairings import consequences
from relayd.cli.draw.table import table as draw_table
from relayd.cli.groups import Command, Group, pass_desk, player_argument, table_argument, tournament_argument
from relayd.cli.words import read_duration, read_score, winner
from ruleset.tournament.results import Reason

_REASONS = click.Choice([*get_args(Reason)])
dry_run_option = click.option("--dry-run", is_flag=True, help="Only show what it would bring about.")


@click.command(cls=Command)
@tournament_argument
@table_argument
@click.argument("score", type=read_score)
@click.option("--reason", type=_REASONS, default="played", show_default=True)
@dry_run_option
@pass_desk
def result(
    desk: Desk, tournament: int, table: str, score: tuple[int, int], *, reason: str, dry_run: bool
) -> None:
    """Enter or correct a result by hand: games of seat A, then of seat B.

    \b
    Examples:
      relayctl result 12 R3T4 2-1
      relayctl result 12 R3T4 0-2 --dry-run
      relayctl result 12 R3T4 1-0 --reason time
    """  # noqa: D301  click keeps the lines behind \b
    wish = {"table": table, "outcome": winner(score), "wins": list(score), "reason": reason}
    if dry_run:
        _preview(desk, tournament, wish)
    else:
        desk.say_done(desk.change("table.rule", tournament=tournament, **wish))


@click.command(cls=Command)
@tournament_argument
@table_argument
@click.argument("outcome", type=click.Choice(["a", "b", "draw", "double_loss"]))
@click.option("--reason", type=_REASONS, default="ruling", show_default=True)
@click.option("--games", type=read_score, metavar="A-B", help="That count; else the finished ones.")
@click.option("--final", is_flag=True, help="A foul is not offered to the opponent, to play on.")
@dry_run_option
@pass_desk
def rule(  # noqa: PLR0913  an argument each
    desk: Desk,
    tournament: int,
    table: str,
    outcome: str,
    *,
    reason: str,
    games: tuple[int, int] | None,
    final: bool,
    dry_run: bool,
) -> None:
    """Rule a match: who wins, and why.

    \b
    Examples:
      relayctl rule 12 R3T4 a --reason no_show
      relayctl rule 12 R3T4 double_loss --games 1-1 --dry-run
      relayctl rule 12 R3T4 b --reason foul --final
    """  # noqa: D301  click keeps the lines behind \b
    wins = None if games is None else list(games)
    wish = {"table": table, "outcome": outcome, "reason": reason, "wins": wins}
    if dry_run:
        _preview(desk, tournament, wish)
    else:
        desk.say_done(desk.change("table.rule", tournament=tournament, final=final, **wish))


@click.group(cls=Group)
def table() -> None:
    """One table of a tournament.

    \b
    Examples:
      relayctl table show 12 R3T4
      relayctl table extend 12 R3T4 5m
      relayctl table reopen 12 R3T4 --dry-run
      relayctl table answer 12 R3T4 P000123 play-on
      relayctl table concede 12 R3T4 P000123
    """  # noqa: D301  click keeps the lines behind \b


@table.command("show")
@tournament_argument
@table_argument
@pass_desk
def show_table(desk: Desk, tournament: int, table: str) -> None:
    """Show a table with its clock."""
    view = desk.ask("table.show", tournament=tournament, table=table)
    now = view if desk.as_json else desk.ask("clock.show", tournament=tournament)["now"]
    desk.show(view, lambda view: draw_table(view, now))


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
@player_argument
@click.argument("answer", type=click.Choice(["take", "play-on"]))
@pass_desk
def answer(desk: Desk, tournament: int, table: str, player: str, answer: str) -> None:
    """A player takes the win that a ruling offers him, or plays on."""
    wish = {"table": table, "player": player, "take": answer == "take"}
    desk.say_done(desk.change("table.answer", tournament=tournament, **wish))


@table.command()
@tournament_argument
@table_argument
@dry_run_option
@pass_desk
def reopen(desk: Desk, tournament: int, table: str, *, dry_run: bool) -> None:
    """Take a result back: the match plays on."""
    if dry_run:
        _preview(desk, tournament, {"table": table})
    else:
        desk.say_done(desk.change("table.reopen", tournament=tournament, table=table))


@table.command("resume")
@tournament_argument
@table_argument
@pass_desk
def resume_table(desk: Desk, tournament: int, table: str) -> None:
    """Play a lost room's match on, from its last finished game."""
    desk.say_done(desk.change("table.resume", tournament=tournament, table=table))


@table.command("time-up")
@tournament_argument
@table_argument
@pass_desk
def time_up(desk: Desk, tournament: int, table: str) -> None:
    """Call time at one table; the others play on."""
    desk.say_done(desk.change("clock.call_table", tournament=tournament, table=table))


@table.command()
@tournament_argument
@table_argument
@click.argument("time", type=read_duration)
@pass_desk
def extend(desk: Desk, tournament: int, table: str, time: int) -> None:
    """Give a table more time."""
    desk.say_done(desk.change("clock.extend", tournament=tournament, table=table, by_ms=time))


@table.command()
@tournament_argument
@table_argument
@click.argument("text")
@click.option("--seat", type=click.Choice(["a", "b"]), help="To one player alone.")
@pass_desk
def say(desk: Desk, tournament: int, table: str, text: str, *, seat: str | None) -> None:
    """Say something in a table's room; only a plugin can."""
    said = desk.change("table.say", tournament=tournament, table=table, text=text, seat=seat)
    desk.show(said, lambda done: f"said at {done['table']}")


@table.command()
@tournament_argument
@table_argument
@click.argument("seat", type=click.Choice(["a", "b"]))
@click.argument("text")
@pass_desk
def kick(desk: Desk, tournament: int, table: str, seat: str, text: str) -> None:
    """Throw a player out of his room with a word; a match that had begun he has lost then."""
    left = desk.change("table.kick", tournament=tournament, table=table, seat=seat, text=text)
    desk.show(left, lambda done: f"seat {done['seat'].upper()} had to leave {done['table']}")


def _preview(desk: Desk, tournament: int, wish: dict[str, Any]) -> None:
    desk.show(desk.ask("table.preview", tournament=tournament, **wish), consequences)
