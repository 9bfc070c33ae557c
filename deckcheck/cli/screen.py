"""What people see in a terminal."""

import json
from collections.abc import Iterable, Sequence
from typing import Final

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from deckcheck.check import Listed, Verdict
from deckcheck.errors import DeckInvalid
from deckcheck.inputs import Input
from deckcheck.sentences import Language, card_text, printable

ILLEGAL: Final = 1
UNREADABLE: Final = 3
AWAY: Final = 4

_MANY: Final = 20
"""So many decks are worth a progress bar."""
_STYLES: Final = {"legal": "green", "illegal": "red", "review": "yellow", "unreadable": "magenta"}


def show(text: Text) -> None:
    """Print a line, coloured in a terminal, as long as it is."""
    Console(highlight=False).print(text, soft_wrap=True)


def show_json(data: object) -> None:
    """Print data for programs."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def show_table(columns: Iterable[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table."""
    table = Table(*columns, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(Text(printable(str(cell))) for cell in row))
    Console(highlight=False).print(table)


def complain(message: str) -> None:
    """Print what went wrong to the error stream."""
    click.echo(f"deckcheck: {printable(message)}", err=True)


def followed(inputs: Sequence[Input]) -> Iterable[Input]:
    """Return the inputs, behind a progress bar on the error stream if there are many."""
    quiet = len(inputs) < _MANY
    return track(inputs, "Reading", console=Console(stderr=True), transient=True, disable=quiet)


def show_verdict(name: str, verdict: Verdict, language: Language) -> None:
    """Print the status, the first violations, and the cards that nobody knows."""
    deck = verdict.deck
    _show_status(
        verdict.status, f"{printable(name)}  {len(deck.main)} + {len(deck.extra)} + {len(deck.side)}"
    )
    for sentence in verdict.sentences(language):
        show(Text(f"  {sentence}"))
    _show_listed("for the host to look at", verdict.review, language)
    _show_listed("passed as not released yet", verdict.prerelease, language)


def show_unreadable(name: str, error: DeckInvalid) -> None:
    """Print why a deck could not be read."""
    _show_status("unreadable", f"{printable(name)}: {printable(error.message)}")


def _show_status(status: str, rest: str) -> None:
    show(Text.assemble((f"{status:10}", _STYLES[status]), " ", rest))


def _show_listed(what: str, cards: Iterable[Listed], language: Language) -> None:
    names = [f"{card.count} × {card_text(card.code, card.name, language)}" for card in cards]
    if names:
        show(Text(f"  {what}: {', '.join(names)}"))
