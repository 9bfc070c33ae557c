"""relayctl webhook: URLs that are told what happens in a tournament."""

from collections.abc import Sequence

import click
from rich.console import RenderableType

from relayd.cli.desk import Desk
from relayd.cli.draw.base import View, facts, grid
from relayd.cli.groups import Group, pass_desk, tournament_argument

hook_argument = click.argument("hook", type=click.IntRange(1))


@click.group(cls=Group)
def webhook() -> None:
    """URLs that are told what happens in a tournament (docs/webhooks.md).

    \b
    Examples:
      relayctl webhook add 12 https://bot.example.org/relayd
      relayctl webhook test 12 1
      relayctl webhook list 12
    """  # noqa: D301  click keeps the lines behind \b


@webhook.command("list")
@tournament_argument
@pass_desk
def listed(desk: Desk, tournament: int) -> None:
    """Show how far each was told, and what goes wrong."""
    desk.show(desk.ask("webhook.list", tournament=tournament), _table)


@webhook.command()
@tournament_argument
@click.argument("url")
@pass_desk
def add(desk: Desk, tournament: int, url: str) -> None:
    """Tell URL of everything from now on; the secret is shown this once."""
    desk.show(desk.change("webhook.add", tournament=tournament, url=url), _made)


@webhook.command()
@tournament_argument
@hook_argument
@pass_desk
def test(desk: Desk, tournament: int, hook: int) -> None:
    """Send the webhook with that number a message without events now."""
    desk.show(desk.change("webhook.test", tournament=tournament, hook=hook), facts)


@webhook.command()
@tournament_argument
@hook_argument
@pass_desk
def resume(desk: Desk, tournament: int, hook: int) -> None:
    """Try it at once, also one that is switched off; it is told what it has missed."""
    desk.show(desk.change("webhook.resume", tournament=tournament, hook=hook), lambda row: _table([row]))


@webhook.command()
@tournament_argument
@hook_argument
@pass_desk
def remove(desk: Desk, tournament: int, hook: int) -> None:
    """End it."""
    desk.show(desk.change("webhook.remove", tournament=tournament, hook=hook), facts)


def _made(row: View) -> RenderableType:
    return facts({name: row[name] for name in ("hook", "url", "secret")})


def _table(rows: Sequence[View]) -> RenderableType:
    return grid(
        "Webhooks",
        ("Hook>", "URL", "Told up to>", "Failures>", "State"),
        ((row["hook"], row["url"], row["told"], row["failures"], _state(row)) for row in rows),
    )


def _state(row: View) -> str:
    if row["off_at"] is not None:
        return f"off: {row['trouble']}"
    return row["trouble"] or "ok"
