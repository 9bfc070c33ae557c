"""``deckcheck convert``, ``diff`` and ``stats``: decks, whether legal or not."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, Literal

import click

from deckcheck.cards import Card
from deckcheck.cli.options import (
    Sources,
    cards_options,
    decks_argument,
    inputs_of,
    json_option,
    language_option,
    one_input,
)
from deckcheck.cli.screen import (
    ILLEGAL,
    UNREADABLE,
    complain,
    followed,
    show_json,
    show_table,
)
from deckcheck.deck import Deck
from deckcheck.difference import difference
from deckcheck.environments import known_cards
from deckcheck.errors import DeckInvalid
from deckcheck.frozen import freeze_deck
from deckcheck.inputs import Input
from deckcheck.sentences import Language
from deckcheck.usage import Usage, as_csv, read_set_names, usage
from deckcheck.writing import FORMS, Form, write_any

_SHOWN: Final = 30


@click.command("convert")
@click.option("--to", "form", type=click.Choice(FORMS), required=True, help="The form to write.")
@cards_options
@click.argument("deck")
def convert_command(deck: str, *, form: Form, sources: Sources) -> None:
    """Write DECK (a file, a link, or -) in another form; a line that is no card refuses the whole."""
    text = write_any(_whole_deck(one_input(deck), known_cards(sources.cards())), form)
    click.echo(text.removesuffix("\n"))


@click.command("diff")
@cards_options
@language_option
@click.argument("then")
@click.argument("now")
@click.pass_context
def diff_command(ctx: click.Context, then: str, now: str, *, sources: Sources, language: Language) -> None:
    """Say what NOW has more and less than THEN; exit code 1 if they differ."""
    cards = known_cards(sources.cards())
    before, after = (_whole_deck(one_input(word), cards) for word in (then, now))
    changes = difference(freeze_deck(before), after, cards, language)
    click.echo(changes or "no difference")
    ctx.exit(ILLEGAL if changes else 0)


@click.command("stats")
@cards_options
@click.option("--strings", type=click.Path(path_type=Path), help="strings.conf, for names of archetypes.")
@click.option("--csv", "table", type=click.Choice(["cards", "archetypes"]), help="Print one table as CSV.")
@json_option
@decks_argument
@click.pass_context
def stats_command(
    ctx: click.Context,
    decks: tuple[str, ...],
    *,
    sources: Sources,
    strings: Path | None,
    table: Literal["cards", "archetypes"] | None,
    as_json: bool,
) -> None:
    """Count which cards and archetypes the DECKS of an event play."""
    cards = known_cards(sources.cards())
    unreadable: list[Input] = []
    found = usage(_readable(inputs_of(decks), cards, unreadable), cards, _set_names(strings))
    _show_usage(found, table, as_json=as_json)
    ctx.exit(UNREADABLE if unreadable else 0)


def _whole_deck(each: Input, cards: Mapping[int, Card]) -> Deck:
    return each.parsed().complete().placed(_extra_codes(cards))


def _extra_codes(cards: Mapping[int, Card]) -> frozenset[int]:
    return frozenset(code for code, card in cards.items() if card.extra)


def _readable(inputs: list[Input], cards: Mapping[int, Card], unreadable: list[Input]) -> Iterator[Deck]:
    extra = _extra_codes(cards)
    for each in followed(inputs):
        try:
            yield each.parsed().placed(extra)
        except DeckInvalid as error:
            unreadable.append(each)
            complain(f"{each.name}: {error.message}")


def _set_names(strings: Path | None) -> Mapping[int, str]:
    try:
        return read_set_names(strings.read_text("utf-8-sig", "replace")) if strings else {}
    except OSError as error:
        raise DeckInvalid("no_file", f"{strings} cannot be read: {error.strerror or error}") from error


def _show_usage(found: Usage, table: Literal["cards", "archetypes"] | None, *, as_json: bool) -> None:
    if as_json:
        show_json(found.as_data())
    elif table:
        click.echo(as_csv(found.cards if table == "cards" else found.archetypes), nl=False)
    else:
        show_table(("card", "name", "decks", "main", "extra", "side"), _card_rows(found))
        show_table(("setcode", "archetype", "decks", "copies"), _archetype_rows(found))


def _card_rows(found: Usage) -> Iterable[tuple[object, ...]]:
    for use in found.cards[:_SHOWN]:
        yield f"{use.code:08d}", use.name, use.decks, use.main, use.extra, use.side


def _archetype_rows(found: Usage) -> Iterable[tuple[object, ...]]:
    for use in found.archetypes[:_SHOWN]:
        yield f"0x{use.setcode:x}", use.name, use.decks, use.copies
