"""What the three programs say of themselves: every command takes -h, every example in a help text works."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest
from click.testing import CliRunner

from deckcheck.cli import main as deckcheck
from relayd.__main__ import main as relayd
from relayd.cli import main as relayctl

PROGRAMS: Final[dict[str, click.Group]] = {"relayd": relayd, "relayctl": relayctl, "deckcheck": deckcheck}
NOTE: Final = re.compile(r" {2,}.*")
"""What stands behind an example in its line."""


def commands(group: click.Group, *path: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command of *group*, its own first."""
    yield path
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, *path, name)
        else:
            yield (*path, name)


EVERY: Final = [(program, words) for program, main in PROGRAMS.items() for words in commands(main)]


def help_of(program: str, *words: str) -> str:
    """Return what ``program words -h`` prints."""
    result = CliRunner().invoke(PROGRAMS[program], [*words, "-h"], prog_name=program)
    assert result.exit_code == 0, result.output
    return result.output


def examples(text: str) -> list[str]:
    """Return the lines of the paragraph ``Examples:``."""
    _, _, behind = text.partition("  Examples:\n")
    return [NOTE.sub("", line.strip()) for line in behind.partition("\n\n")[0].splitlines()]


def check(command: click.Command, words: list[str]) -> None:
    """Read *words* as *command* would, and do nothing. Raises UsageError where it would not take them."""
    parent = None
    while isinstance(command, click.Group):
        parent = click.Context(command, parent=parent, info_name=command.name, **command.context_settings)
        command, words = command.commands[words[0]], words[1:]
    command.make_context(command.name, words, parent).close()


@pytest.mark.parametrize(
    ("program", "words"), EVERY, ids=lambda part: part if isinstance(part, str) else " ".join(part)
)
def test_every_command_says_what_it_does(program: str, words: tuple[str, ...]) -> None:
    """House 5: in plain text, by -h as by --help."""
    text = help_of(program, *words)
    assert text.startswith(f"Usage: {' '.join((program, *words))} ")
    assert text.isprintable() or not re.search(r"[^\S\n ]|[\x00-\x08\x0b-\x1f]", text)


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_shows_examples_and_exit_codes(program: str) -> None:
    """Decisions 11: each example in a line of its own."""
    assert all(line.startswith(f"{program} ") for line in examples(help_of(program)))
    assert len(examples(help_of(program))) > 2


@pytest.mark.parametrize(
    ("program", "words"), EVERY, ids=lambda part: part if isinstance(part, str) else " ".join(part)
)
def test_every_example_is_taken_as_it_stands(
    program: str, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """House 5: what a help text shows may be typed, where its files are."""
    (tmp_path / "srvpro").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    for line in examples(help_of(program, *words)):
        name, *rest = shlex.split(line.partition(" > ")[0])
        check(PROGRAMS[name], [str(Path(word).expanduser()) if "~" in word else word for word in rest])
