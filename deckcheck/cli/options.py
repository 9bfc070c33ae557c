"""Options that several commands share, and what they stand for."""

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeAlias, get_args

import click

from deckcheck.cards import Card
from deckcheck.cli.screen import complain
from deckcheck.deck import MAX_BYTES
from deckcheck.environments import Environment, Rule, retro
from deckcheck.errors import SourceBroken
from deckcheck.inputs import Input, find_inputs
from deckcheck.pools import POOLS
from deckcheck.sentences import LANGUAGES
from deckcheck.sources import load_cards, load_ocg, load_own

Command: TypeAlias = Callable[..., None]
Option: TypeAlias = Callable[[Command], Command]

_FILE: Final = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The files of a duel server."""

    game: Path | None = None
    lflist: Path | None = None
    cdb: tuple[Path, ...] = ()
    allow_prerelease: bool = True
    ocg_rule: Rule = "ocg"

    def environment(self, name: str) -> Environment:
        """Return the environment that is called so, or is in the file. Raises SourceBroken, UsageError."""
        for key in POOLS:
            if key == name:
                return retro(key, self.cards())
        if name == "ocg":
            return self._ocg()
        if not Path(name).is_file():
            words = ", ".join([*POOLS, "ocg"])
            raise click.BadParameter(f"{name!r} is none of {words}, and no file", param_hint="--env")
        return load_own(Path(name), self._databases())

    def cards(self) -> Mapping[int, Card] | None:
        """Return the named card databases; None, with a complaint, if they cannot be read."""
        try:
            return load_cards(databases) if (databases := self._databases()) else None
        except SourceBroken as error:
            complain(f"{error.message}; going on without it")
            return None

    def _ocg(self) -> Environment:
        game = self.game or Path()
        return load_ocg(
            self.lflist or game / "lflist.conf",
            self._databases() or _databases(game),
            allow_prerelease=self.allow_prerelease,
            ocg_rule=self.ocg_rule,
        )

    def _databases(self) -> tuple[Path, ...]:
        return self.cdb or (_databases(self.game) if self.game else ())


def _databases(game: Path) -> tuple[Path, ...]:
    """Return the card databases of a YGOPro folder in the order in which the game reads them."""
    return game / "cards.cdb", *sorted((game / "expansions").glob("*.cdb"))


_CARDS: Final = (
    click.option("--game", type=_FILE, help="YGOPro folder: lflist.conf, cards.cdb, expansions/*.cdb."),
    click.option("--cdb", type=_FILE, multiple=True, help="Card database; may be repeated, the last wins."),
)
_LISTS: Final = (
    click.option("--lflist", type=_FILE, help="List file, instead of the one in the YGOPro folder."),
    click.option(
        "--allow-prerelease/--no-prerelease",
        default=True,
        help="ocg: let cards pass that are not released yet (default), or refuse them.",
    ),
    click.option(
        "--ocg-rule",
        type=click.Choice(get_args(Rule)),
        default="ocg",
        help="ocg: whose cards are allowed; default: ocg.",
    ),
)


def sources_options(command: Command) -> Command:
    """Give a command the options of `Sources`, and their values as ``sources``."""
    return _gathered(command, (*_CARDS, *_LISTS))


def cards_options(command: Command) -> Command:
    """Give a command the options that name card databases, and their values as ``sources``."""
    return _gathered(command, _CARDS)


def _gathered(command: Command, options: Iterable[Option]) -> Command:
    @wraps(command)
    def gathering(*args: object, **values: Any) -> None:  # noqa: ANN401  # click gives what the options say
        mine = {name: values.pop(name) for name in Sources.__slots__ if name in values}
        command(*args, sources=Sources(**mine), **values)

    wrapped: Command = gathering
    for option in options:
        wrapped = option(wrapped)
    return wrapped


def language_option(command: Command) -> Command:
    """Give a command ``--lang``."""
    choice = click.Choice(LANGUAGES)
    return click.option("--lang", "language", type=choice, default="en", help="Language of sentences.")(
        command
    )


def json_option(command: Command) -> Command:
    """Give a command ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def decks_argument(command: Command) -> Command:
    """Give a command its decks."""
    return click.argument("decks", nargs=-1, required=True)(command)


def inputs_of(words: tuple[str, ...]) -> list[Input]:
    """Return the decks that the words name. Raises UsageError if there is none."""
    inputs = list(find_inputs(words, _stdin))
    if not inputs:
        raise click.UsageError("there is no .ydk file in what is named")
    return inputs


def one_input(word: str) -> Input:
    """Return the one deck that a word names. Raises UsageError."""
    inputs = inputs_of((word,))
    if len(inputs) > 1:
        raise click.UsageError(f"{word} has {len(inputs)} decks, name one of them")
    return inputs[0]


def _stdin() -> bytes:
    return sys.stdin.buffer.read(MAX_BYTES + 1)
