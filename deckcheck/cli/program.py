"""The commands together, and what each error means to a shell (decisions 11)."""

from typing import Final

import click

from deckcheck.cli.decks import convert_command, diff_command, stats_command
from deckcheck.cli.judging import check_command
from deckcheck.cli.lists import hash_command, lint_command, pools_command
from deckcheck.cli.screen import AWAY, UNREADABLE, complain
from deckcheck.errors import DeckInvalid, SourceBroken

_HELP: Final = """Check decks against an environment, and look after lists of forbidden cards.

\b
Examples:
  deckcheck check --env goat deck.ydk
  deckcheck check --env ocg --game ~/srvpro/ygopro decks/
  deckcheck hash ~/srvpro/ygopro/lflist.conf
  deckcheck convert --to ydke deck.ydk

\b
Exit codes: 0 legal, 1 illegal or for the host to review, 2 usage, 3 unreadable,
4 a file of the duel server is away.
"""


class _Program(click.Group):
    """Turns the errors of the library into a sentence and an exit code."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except DeckInvalid as error:
            complain(error.message)
            ctx.exit(UNREADABLE)
        except SourceBroken as error:
            complain(error.message)
            ctx.exit(AWAY)


main: Final = _Program(
    "deckcheck",
    help=_HELP,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    commands=[
        check_command,
        lint_command,
        hash_command,
        convert_command,
        diff_command,
        pools_command,
        stats_command,
    ],
)
