"""The daemon's own command: run it, check its settings, look at its log from outside."""

# Whoever asks for help or the version does not wait for what it takes to run: each command imports its own.
# ruff: noqa: PLC0415

import asyncio
import faulthandler
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import version as installed
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import click

from relayd.exits import Exit
from relayd.neutral import neutral

if TYPE_CHECKING:
    from relayd.audit import LogReport
    from relayd.observe.logging import Level
    from relayd.settings import Settings

_CONFIG: Final = click.option(
    "-c",
    "--config",
    type=click.Path(path_type=Path),
    envvar="RELAYD_CONFIG",
    help="Settings in TOML; without it every default holds.",
)
_JSON: Final = click.option("--json", "as_json", is_flag=True, help="Print data instead of words.")
_LOG: Final = click.argument("log", type=click.Path(path_type=Path), required=False)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Run Yu-Gi-Oh tournaments beside a YGOPro duel server.

    \b
    Examples:
      relayd run                             with the defaults, on this machine alone
      relayd run --config /etc/relayd.toml
      relayd check-config --config /etc/relayd.toml
      relayd verify-log                      of the settings' data folder
      relayd replay t12                      state of tournament 12 by its log
    """  # noqa: D301  click keeps the lines behind \b


@main.command()
@_CONFIG
def run(config: Path | None) -> None:
    """Run the daemon until it is told to stop."""
    from relayd.observe.logging import Level, configure
    from relayd.settings import load

    settings = _settings(config)
    level = Level(settings.log.level)
    configure(level, settings.log.format)
    _serve(settings, level, lambda: load(config))


@main.command("check-config")
@_CONFIG
@_JSON
def check_config(config: Path | None, *, as_json: bool) -> None:
    """Print all settings as they hold, secrets only by their place, and say what is wrong with them."""
    from relayd.settings import masked, problems, shown

    settings = _settings(config)
    wrong = list(problems(settings))
    if as_json:
        click.echo(json.dumps({"settings": masked(settings), "problems": wrong}))
    else:
        for line in shown(settings):
            click.echo(neutral(line))
    if wrong:
        _fail(wrong, Exit.UNREADABLE)


@main.command("verify-log")
@_LOG
@_CONFIG
@_JSON
def verify_log(log: Path | None, config: Path | None, *, as_json: bool) -> None:
    """Read all of the log, chain and contents, and say where it is damaged; nothing is changed."""
    report = _audited(log, config)
    if as_json:
        from msgspec import to_builtins

        click.echo(json.dumps(to_builtins(report)))
    else:
        for line in _verdict(report):
            click.echo(neutral(line))
    sys.exit(report.exit_code)


@main.command()
@click.argument("stream", required=False)
@click.option("--log", type=click.Path(path_type=Path), help="The log's file; else that of the settings.")
@_CONFIG
@_JSON
def replay(stream: str | None, log: Path | None, config: Path | None, *, as_json: bool) -> None:
    """Replay STREAM (t12, directory), or all, and print the fingerprint of each state."""
    report = _audited(log, config)
    chosen = [one for one in report.streams if stream in {None, one.stream}]
    if not chosen:
        _fail([f"{stream}: there is no such stream"], Exit.UNREADABLE)
    for one in chosen:
        plain = {"stream": one.stream, "entries": one.entries, "state": one.state, "damage": one.damage}
        line = f"{one.stream}  {one.entries} entries  {one.state}  {one.damage}".rstrip()
        click.echo(json.dumps(plain) if as_json else neutral(line))
    sys.exit(Exit.DAMAGED if any(one.damage for one in chosen) else Exit.OK)


@main.command()
def version() -> None:
    """Print the version."""
    click.echo(f"relayd {installed('relayd')}")


def _settings(config: Path | None) -> "Settings":
    from relayd.settings import SettingsError, load

    try:
        return load(config)
    except SettingsError as error:
        _fail(error.problems, Exit.UNREADABLE)


def _serve(settings: "Settings", level: "Level", reread: "Callable[[], Settings]") -> None:
    """Run until the end; whatever the operator must mend is one sentence and an exit code (decisions 11)."""
    from relayd import app
    from relayd.admin.unixsocket import SocketTaken
    from relayd.audit import exit_code_of
    from relayd.listening import AddressTaken, allow_many_lines
    from relayd.settings import SettingsError, surroundings
    from relayd.storage.log import LogError

    allow_many_lines()
    faulthandler.enable()  # a watchdog that ends a stuck daemon then shows where it was stuck
    try:
        asyncio.run(app.run(settings, surroundings(), level, reread=reread, ready=_print_addresses))
    except SettingsError as error:
        _fail(error.problems, Exit.UNREADABLE)
    except (AddressTaken, SocketTaken) as error:
        _fail([str(error)], Exit.AWAY)
    except LogError as error:
        _fail([str(error)], exit_code_of(error))


def _print_addresses(addresses: Mapping[str, str]) -> None:
    if sys.stdout.isatty():
        for name, address in addresses.items():
            click.echo(f"{name:>12}  {neutral(address)}")


def _audited(log: Path | None, config: Path | None) -> "LogReport":
    from relayd import app
    from relayd.audit import audit, exit_code_of
    from relayd.storage.log import LogError

    path = log or _settings(config).data_dir / app.LOG_FILE
    if not path.is_file():
        _fail([f"{path}: there is no log"], Exit.UNREADABLE)
    try:
        return asyncio.run(audit(path))
    except LogError as error:
        _fail([str(error)], exit_code_of(error))


def _verdict(report: "LogReport") -> Iterator[str]:
    for stream in report.streams:
        yield f"{stream.stream}: {stream.damage or f'{stream.entries} entries, all as written'}"
    yield from report.faults
    yield "the log is as it was written" if report.exit_code is Exit.OK else "the log is damaged"


def _fail(sentences: Iterable[str], code: Exit) -> NoReturn:
    for sentence in sentences:
        click.echo(f"relayd: {neutral(sentence)}", err=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
