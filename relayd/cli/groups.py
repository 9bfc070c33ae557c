"""How the commands of relayctl are declared: arguments that many share, and the way to the desk."""

import re
from typing import Any, Final

import click

from relayd.cli.desk import Desk

pass_desk: Final = click.make_pass_decorator(Desk)

_PLAYER: Final = re.compile(r"[Pp]?0*[1-9][0-9]*", re.ASCII)


def _player(text: str) -> str:
    if not _PLAYER.fullmatch(text):
        raise click.BadParameter(f"{text!r} is no player number: write P000123, or 123")
    return text


tournament_argument: Final = click.argument("tournament", type=click.IntRange(1))
player_argument: Final = click.argument("player", type=_player)
table_argument: Final = click.argument("table")
CONTEXT: Final[dict[str, Any]] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
