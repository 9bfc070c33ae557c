"""How the commands of relayctl are declared: arguments that many share, and the way to the desk."""

import os
import re
import shlex
import sys
from collections.abc import Callable
from contextlib import suppress
from errno import EPIPE
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from relayd.cli.desk import Desk
from relayd.exits import Exit

F = TypeVar("F", bound=Callable[..., Any])


class Command(click.Command):
    """A command that takes what holds for all of them at its own end, too: ``relayctl tables 12 --json``."""

    def __init__(self, *args: Any, **settings: Any) -> None:  # noqa: ANN401  click's own
        super().__init__(*args, **settings)
        self.params += [
            _late(["--json", "as_json"], is_flag=True, help="Print data instead of tables."),
            _late(["--command-id"], help="Carry a change out once."),
            _late(["--expect", "expected_version"], type=click.IntRange(1), help="The version that you saw."),
        ]


class Group(click.Group):
    """A group of such commands."""

    command_class = Command


class Program(click.Group):
    """All of relayctl: whatever a terminal cannot show is shown in another way, and a full disk is told."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401  click's own
        """Run a command."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            return super().invoke(ctx)
        except OSError as error:
            if error.errno == EPIPE:  # whoever reads has seen enough
                raise
            click.echo(f"relayctl: the answer cannot be written: {error.strerror or error}", err=True)
            _let_go()
            ctx.exit(Exit.UNREADABLE)


def _let_go() -> None:
    """Send what is still to be written nowhere, or Python fails once more when it ends."""
    with suppress(OSError), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _late(names: list[str], **settings: Any) -> click.Option:  # noqa: ANN401  click's own
    """Return an option that sets what the desk has, if it is there."""

    def take(context: click.Context, option: click.Parameter, value: object) -> None:
        desk = context.find_object(Desk)
        if desk is not None and option.name is not None and value:
            setattr(desk, option.name, value)

    return click.Option(names, expose_value=False, callback=take, **settings)


pass_desk: Final = click.make_pass_decorator(Desk)

_PLAYER: Final = re.compile(r"[Pp]?0*[1-9][0-9]*", re.ASCII)


def read_player(text: str) -> str:
    """Return a player number as it was written. Raises BadParameter, for a nickname above all."""
    if not _PLAYER.fullmatch(text):
        find = "" if text.isdecimal() else f"; relayctl players list --find {shlex.quote(text)}"
        raise click.BadParameter(f"{text!r} is no player number: write P000123, or 123{find}")
    return text


def one_player(name: str) -> Callable[[F], F]:
    """Return an argument that is a player number."""
    return click.argument(name, type=read_player)


def players_argument(*, required: bool = True) -> Callable[[F], F]:
    """Return an argument that is any number of player numbers."""
    return click.argument("players", nargs=-1, required=required, type=read_player)


tournament_argument: Final = click.argument("tournament", type=click.IntRange(1))
player_argument: Final = click.argument("player", type=read_player)
table_argument: Final = click.argument("table")
file_argument: Final = click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
CONTEXT: Final[dict[str, Any]] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
