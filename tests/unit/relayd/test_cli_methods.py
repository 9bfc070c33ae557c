"""relayctl reaches whatever the daemon lets administrators do."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from relayd import cli
from relayd.admin.calls import METHODS

WITHOUT: Final[Mapping[str, str]] = {
    "live.unfollow": "a program follows until it ends, and hanging up says so",
}
"""Methods that have no command of their own, and why."""


def called() -> Iterator[str]:
    """Yield the methods that commands name when they ask the desk for something."""
    for path in Path(cli.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr="ask" | "change"), args=[ast.Constant(value=name), *_]):
                    yield str(name)
                case _:
                    pass


def test_every_method_has_a_command() -> None:
    """Issue 3: what can be done over the socket can be typed, or it stands here why not."""
    assert set(METHODS) - set(called()) == set(WITHOUT)


def test_every_command_calls_a_method() -> None:
    """A command does not fail at a name that the daemon does not know."""
    assert set(called()) <= set(METHODS)
