"""The settings of a tournament as options of a command line."""

import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

import click

from relayd.cli.desk import Desk
from relayd.cli.words import merged, nested, read_duration
from relayd.exits import Exit
from ruleset.tournament.settings import Format

F = TypeVar("F", bound=Callable[..., Any])

_PLACES: Final = {
    "title": "title",
    "format": "format",
    "rounds": "rounds",
    "cut": "cut",
    "play_off": "cut_playoff",
    "best_of": "best_of",
    "environment": "environment",
    "start": "start_at",
    "time_zone": "time_zone",
    "odd_field": "odd_field",
    "text": "text",
    "length": "clock.length_ms",
    "late_first": "clock.late_first_ms",
    "late_later": "clock.late_later_ms",
    "gap": "clock.gap_ms",
    "late_mode": "clock.late_mode",
    "preset": "scores.preset",
    "rated": "rating.rated",
}
"""Where an option's value goes."""


def _cap(text: str) -> int | None:
    return None if text.strip().lower() == "off" else read_duration(text)


_OPTIONS: Final = (
    click.option("--from", "source", type=click.Path(path_type=Path), help="Settings in TOML."),
    click.option("--title", help="What it is called."),
    click.option("--format", type=click.Choice([*get_args(Format)]), help="One stage, or two."),
    click.option("--rounds", type=int, help="Of the first stage."),
    click.option("--cut", type=int, help="Seats of the bracket behind it."),
    click.option("--play-off/--no-play-off", default=None, help="Of two equals for the last seat."),
    click.option("--best-of", type=click.Choice(["1", "3"]), help="Games of a match."),
    click.option("--environment", help="ocg, goat, edison or explorer."),
    click.option("--start", help="2026-08-01 19:30, in the tournament's time zone."),
    click.option("--time-zone", help="As Asia/Shanghai."),
    click.option("--odd-field", type=click.Choice(["byes", "truncate"]), help="No power of two."),
    click.option("--length", type=read_duration, metavar="TIME", help="Of a round: 40m."),
    click.option("--late-first", type=read_duration, metavar="TIME", help="Late limit of round 1: 15m."),
    click.option("--late-later", type=read_duration, metavar="TIME", help="Late limit of later rounds: 20m."),
    click.option("--cap", type=_cap, metavar="TIME", help="Hard cap behind time-up: 30m, or off."),
    click.option("--gap", type=read_duration, metavar="TIME", help="Between rounds: 3m."),
    click.option("--late-mode", type=click.Choice(["auto", "claim"]), help="Absences count, or are claimed."),
    click.option("--preset", help="xingyi, hanno, …: what the standings count."),
    click.option("--rated/--unrated", default=None, help="Whether DP changes."),
    click.option("--server", "servers", multiple=True, help="A duel server; again for more."),
    click.option("--text", help="The host's words, in Markdown."),
    click.option(
        "--set", "more", multiple=True, metavar="PATH=VALUE", help="Any other, as clock.auto=false."
    ),
)


def settings_options(command: F) -> F:
    """Add the options to a command, which gets them as keyword arguments for ``settings_of``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def settings_of(desk: Desk, given: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that were said, nested as the daemon wants them; or end with what is wrong."""
    said: dict[str, Any] = _read(desk, given.pop("source"))
    for layer in _layers(given):
        said = merged(said, layer)
    return said


def _layers(given: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name, path in _PLACES.items():
        if given.get(name) is not None:
            yield nested(path, int(given[name]) if name == "best_of" else given[name])
    context = click.get_current_context()
    if context.get_parameter_source("cap") is not click.core.ParameterSource.DEFAULT:
        yield nested("clock.cap_ms", given["cap"])
    if given["servers"]:
        yield {"servers": list(given["servers"])}
    yield from map(_free, given["more"])


def _free(text: str) -> dict[str, Any]:
    path, equals, value = text.partition("=")
    if not equals or not path:
        raise click.BadParameter(f"{text!r}: write PATH=VALUE, as clock.auto=false", param_hint="--set")
    try:
        return nested(path, json.loads(value))
    except json.JSONDecodeError:
        return nested(path, value)


def _read(desk: Desk, source: Path | None) -> dict[str, Any]:
    if source is None:
        return {}
    try:
        return tomllib.loads(source.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        desk.fail(f"{source}: cannot be read as TOML: {error}", Exit.UNREADABLE)
