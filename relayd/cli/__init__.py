"""relayctl: everything that a host, a judge or an operator does, from a terminal. A thin client."""

from pathlib import Path
from typing import Any

import click

from relayd.cli import (
    clock,
    daemon,
    decks,
    hosting,
    pairings,
    people,
    play,
    tables,
    teams,
    tournaments,
    webhooks,
)
from relayd.cli.completion import completion
from relayd.cli.desk import Desk
from relayd.cli.groups import CONTEXT, Program
from relayd.cli.watch import watch
from relayd.sentences import LANGUAGES


@click.group(cls=Program, context_settings=CONTEXT)
@click.option(
    "--socket", type=click.Path(path_type=Path), envvar="RELAYCTL_SOCKET", help="The daemon's admin socket."
)
@click.option("--url", envvar="RELAYCTL_URL", help="Or its WebSocket: ws://host:8721/admin")
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    envvar="RELAYCTL_TOKEN_FILE",
    help="Where the token for --url lies.",
)
@click.option("--json", "as_json", is_flag=True, help="Print data instead of tables.")
@click.option(
    "--lang",
    "language",
    type=click.Choice([*LANGUAGES]),
    envvar="RELAYCTL_LANG",
    default="en",
    help="Of refusals.",
)
@click.option("--command-id", help="Carry a change out once: the same again, with it, is the first answer.")
@click.option("--expect", "expected_version", type=click.IntRange(1), help="The version that you saw.")
@click.version_option(package_name="relayd", prog_name="relayctl")
@click.pass_context
def main(context: click.Context, /, **chosen: Any) -> None:  # noqa: ANN401  the options, as the desk has them
    """Run tournaments on relayd.

    \b
    Examples:
      relayctl tournament publish --title Weekly --format swiss --rounds 5 --environment goat
      relayctl players register Alice Bob
      relayctl entry add 12 P000001 P000002
      relayctl deck submit 12 P000001 deck.ydk
      relayctl entry sign-in 12 --all
      relayctl start 12
      relayctl watch 12

    \b
    Exit codes: 0 done, 1 refused, 2 wrong usage, 3 unreadable input, 4 the daemon is away.
    """  # noqa: D301  click keeps the lines behind \b
    context.obj = Desk(**chosen)
    context.call_on_close(context.obj.close)


for _command in (
    tournaments.tournament,
    people.players,
    people.entry,
    teams.team,
    teams.roster,
    decks.deck,
    clock.clock,
    play.start,
    play.next_round,
    play.tables,
    play.standings,
    play.bracket,
    play.places,
    play.dp,
    tables.result,
    tables.rule,
    tables.table,
    hosting.undo,
    webhooks.webhook,
    pairings.round_,
    pairings.pair,
    play.report,
    play.raw,
    watch,
    daemon.status,
    daemon.servers,
    daemon.server,
    daemon.oddities,
    daemon.log_level,
    daemon.reload,
    daemon.methods,
    completion,
):
    main.add_command(_command)
