"""relayctl completion: what a shell needs so that the Tab key finishes commands."""

from collections.abc import Mapping
from typing import Final

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from relayd.cli.groups import Command

PROGRAM: Final = "relayctl"
VARIABLE: Final = "_RELAYCTL_COMPLETE"
"""By which the shell asks; click answers before anything else is done."""
SHELLS: Final[Mapping[str, type[ShellComplete]]] = {
    "bash": BashComplete,
    "zsh": ZshComplete,
    "fish": FishComplete,
}


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(list(SHELLS)))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that makes the Tab key finish commands.

    \b
    Examples:
      relayctl completion bash > /etc/bash_completion.d/relayctl
      relayctl completion zsh > /usr/local/share/zsh/site-functions/_relayctl
      relayctl completion fish > ~/.config/fish/completions/relayctl.fish
    """  # noqa: D301  click keeps the lines behind \b
    click.echo(SHELLS[shell](context.find_root().command, {}, PROGRAM, VARIABLE).source())
