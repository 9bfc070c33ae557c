"""``deckcheck check``."""

from typing import TypeAlias

import click

from deckcheck import reports
from deckcheck.check import Verdict, check
from deckcheck.cli.options import (
    Sources,
    decks_argument,
    inputs_of,
    json_option,
    language_option,
    sources_options,
)
from deckcheck.cli.screen import ILLEGAL, UNREADABLE, followed, show_json, show_unreadable, show_verdict
from deckcheck.environments import Environment
from deckcheck.errors import DeckInvalid
from deckcheck.inputs import Input
from deckcheck.sentences import Language

Outcome: TypeAlias = Verdict | DeckInvalid


@click.command("check")
@click.option(
    "--env", "environment", required=True, help="goat, edison, explorer, ocg, or a $whitelist file."
)
@sources_options
@language_option
@json_option
@decks_argument
@click.pass_context
def check_command(
    ctx: click.Context,
    decks: tuple[str, ...],
    *,
    environment: str,
    sources: Sources,
    language: Language,
    as_json: bool,
) -> None:
    """Judge DECKS: files, folders, links, or - for one that is piped in."""
    judged_by = sources.environment(environment)
    outcomes = [(each.name, _outcome(each, judged_by)) for each in followed(inputs_of(decks))]
    if as_json:
        _show_json(judged_by, outcomes, language)
    else:
        _show(outcomes, language)
    ctx.exit(max(map(_exit_code, (outcome for _, outcome in outcomes))))


def _outcome(each: Input, environment: Environment) -> Outcome:
    try:
        return check(each.parsed(), environment)
    except DeckInvalid as error:
        return error


def _exit_code(outcome: Outcome) -> int:
    if isinstance(outcome, DeckInvalid):
        return UNREADABLE
    return 0 if outcome.status == "legal" else ILLEGAL


def _show(outcomes: list[tuple[str, Outcome]], language: Language) -> None:
    for name, outcome in outcomes:
        if isinstance(outcome, DeckInvalid):
            show_unreadable(name, outcome)
        else:
            show_verdict(name, outcome, language)


def _show_json(environment: Environment, outcomes: list[tuple[str, Outcome]], language: Language) -> None:
    decks = [
        reports.unreadable_data(name, outcome)
        if isinstance(outcome, DeckInvalid)
        else reports.verdict_data(name, outcome, language)
        for name, outcome in outcomes
    ]
    show_json({"environment": reports.environment_data(environment), "decks": decks})
