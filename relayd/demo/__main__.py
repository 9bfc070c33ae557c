"""``make demo``: a whole tournament against the simulated duel server, about 300 times as fast as life."""

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from relayd.app import LOG_FILE
from relayd.cli.draw.base import cell
from relayd.demo.cast import PLUGIN_ENVIRONMENT, actors, beside
from relayd.demo.course import Course, Kills, NeverEnded, printed
from relayd.demo.folder import Folder, Plan, Ports
from relayd.demo.host import Host
from relayd.demo.processes import DidNotStart, Programs, free_port
from relayd.exits import Exit

DATA: Final = Path(__file__).parents[2].parent / "shared" / "data"
"""Real decks, a list and its cards, where they are at hand."""


@click.command()
@click.option("--players", type=click.IntRange(4, 200), default=20, show_default=True)
@click.option("--seed", default="relayd", show_default=True, help="Of pairings and results.")
@click.option("--scale", type=click.IntRange(1, 1_000), default=300, show_default=True, help="Speed.")
@click.option(
    "--link",
    type=click.Choice(["challonge", "plugin"]),
    default="challonge",
    show_default=True,
    help="How the duel server is linked; with our plugin a best of one is played beside the best of three.",
)
@click.option("--kill-in-round", type=click.IntRange(1), help="Kill the daemon there, and start it again.")
@click.option("--kills", type=click.IntRange(0), default=0, help="Kill it that often, twice in every round.")
@click.option(
    "--kill-duel-server-in-round",
    type=click.IntRange(1),
    help="Kill the duel server there: --link plugin.",
)
@click.option("--folder", type=click.Path(path_type=Path), help="Where to work; else a new folder in /tmp.")
@click.option("--json", "as_json", is_flag=True, help="Print how it ended as JSON, and nothing else.")
def main(  # noqa: PLR0913, PLR0917  one for each option
    players: int,
    seed: str,
    scale: int,
    link: str,
    kill_in_round: int | None,
    kills: int,
    kill_duel_server_in_round: int | None,
    folder: Path | None,
    *,
    as_json: bool,
) -> None:
    """Run a whole tournament: published, signed in, paired, played, timed, scored, ranked, cut, rated."""
    if kill_duel_server_in_round and link != "plugin":
        raise click.UsageError(
            "without the plugin a duel server that comes back empty is a question to the host, and nobody"
            " sits here to answer it: add --link plugin"
        )
    console = Console(stderr=as_json, width=None if sys.stdout.isatty() else 150, emoji=False)
    place = Folder(path=folder or Path(tempfile.mkdtemp(prefix="relayd-demo-")))
    plan = _plan(players, seed, scale, plugin=link == "plugin")
    began = time.monotonic()
    try:
        deaths = Kills(in_round=kill_in_round, times=kills, duel_server_in_round=kill_duel_server_in_round)
        outcome = _play(place, plan, deaths, console)
    except (DidNotStart, NeverEnded) as error:
        console.print(cell(f"the demo failed: {error}", "bold red"))
        sys.exit(Exit.AWAY)
    if as_json:
        click.echo(json.dumps({**outcome, "log": str(place.data / LOG_FILE)}))
        return
    printed(outcome, console)
    console.print(cell(f"It took {time.monotonic() - began:.0f} s. The log: {place.data / LOG_FILE}"))
    console.print(cell(f"Look at it with: relayd verify-log {place.data / LOG_FILE}"))


def _plan(players: int, seed: str, scale: int, *, plugin: bool) -> Plan:
    decks = DATA / "ydk"
    if not plugin:
        return Plan(seed=seed, scale=scale, actors=actors(players, decks))
    return Plan(
        seed=seed,
        scale=scale,
        actors=actors(players, decks, PLUGIN_ENVIRONMENT),
        environment=PLUGIN_ENVIRONMENT,
        beside=beside(players // 2, DATA / "ygopro"),
    )


def _play(place: Folder, plan: Plan, kills: Kills, console: Console) -> dict[str, object]:
    with Programs(place) as programs:
        place.write(plan, Ports(programs.http_port, programs.gateway_port, free_port()))
        programs.start_daemon()
        host = Host(programs.connect(), plan, lambda text: console.print(cell(text)))
        number = host.publish()
        host.fill(number)
        second = None if plan.beside is None else host.beside(plan.beside)
        programs.start_duel_server()
        course = Course(
            host=host,
            programs=programs,
            number=number,
            kills=kills,
            console=console,
            beside=second,
        )
        course.follow()
        outcome = course.outcome()
        host.client.close()
        programs.stop_daemon()
        return outcome


if __name__ == "__main__":
    main()
