"""The documents show commands that there are."""

import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import click
import pytest

from deckcheck.cli import main as deckcheck
from relayd.cli import main as relayctl
from relayd.settings import Settings

ROOT: Final = Path(__file__).parents[3]
DOCS: Final = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PROGRAMS: Final[Mapping[str, click.Command]] = {"relayctl": relayctl, "deckcheck": deckcheck}


def shown(text: str) -> Iterator[list[str]]:
    """Yield the commands of ours in blocks of shell, word by word."""
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            words = [_there(word) for word in shlex.split(line, comments=True)]
            if words and words[0] in PROGRAMS:
                yield words[: next((n for n, word in enumerate(words) if word in {">", "|"}), None)]


def _there(word: str) -> str:
    """Return a folder that there is for one of the reader's own."""
    return str(ROOT) if word.startswith("~/") else word


def named(text: str) -> Iterator[list[str]]:
    """Yield the commands of ours in running text, word by word."""
    for line in re.findall(r"`((?:relayctl|deckcheck) [^`\n]+)`", text):
        yield line.split()


def resolved(words: list[str]) -> tuple[click.Command, click.Context | None, list[str]]:
    """Return the command that *words* name, what it stands in, and its words. Raises UsageError for none."""
    command, context, rest = PROGRAMS[words[0]], None, words[1:]
    while isinstance(command, click.Group) and rest:
        settings = command.context_settings
        context = click.Context(command, parent=context, info_name=command.name, **settings)
        _, behind_options, _ = command.make_parser(context).parse_args(list(rest))
        if not behind_options:
            break
        _, found, rest = command.resolve_command(context, behind_options)
        assert found is not None
        command = found
    return command, context, rest


def read(words: list[str]) -> None:
    """Read *words* as their command would, and do nothing. Raises UsageError where it would not take them."""
    command, parent, rest = resolved(words)
    command.make_context(command.name, rest, parent).close()


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_the_documents_show_commands_that_there_are(path: Path) -> None:
    """Issue 5: each with options and arguments that it takes, and words in running text name one as well."""
    text = path.read_text("utf-8")
    for words in shown(text):
        read(words)
    for words in named(text):
        resolved(words)


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_the_documents_show_settings_that_there_are(path: Path) -> None:
    """Issue 3: what is copied from a document is taken by the daemon."""
    for block in re.findall(r"```toml\n(.*?)```", path.read_text("utf-8"), re.DOTALL):
        assert Settings(**tomllib.loads(block))


def test_commands_are_found_in_documents() -> None:
    """What is not there is noticed: in blocks with every option, in running text by its name."""
    text = "```sh\nrelayctl deck show 12 1 --as x  # no\nls | wc\n```\nand `relayctl dekc show`"
    (block,), (inline,) = shown(text), named(text)
    with pytest.raises(click.UsageError, match="'x' is not one of"):
        read(block)
    with pytest.raises(click.UsageError, match="No such command"):
        resolved(inline)
