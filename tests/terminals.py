"""relayctl without a process of its own, beside a daemon that keeps silent."""

import asyncio
import io
import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import structlog
from click.testing import CliRunner, Result

from relayd.cli import main
from relayd.observe.logging import Level, configure
from tests.house import deck


class Terminal:
    """A host's terminal; a line typed there runs relayctl, without a process of its own."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path, self.folder = path, folder

    async def run(self, *words: str, input: str | None = None) -> Result:  # noqa: A002  click's word
        """Return how a command ended."""
        arguments = ["--socket", str(self.path), *words]
        return await asyncio.to_thread(CliRunner().invoke, main, arguments, input)

    async def type(self, line: str, *more: str) -> str:
        """Return what a command printed, which must end well."""
        result = await self.run(*line.split(), *more)
        assert result.exit_code == 0, result.output
        return result.stdout

    async def data(self, line: str, *more: str) -> Any:
        """Return what a command printed as data."""
        return json.loads(await self.type(f"--json {line}", *more))

    def file(self, name: str, text: str) -> str:
        """Return the path of a file with *text*."""
        (self.folder / name).write_text(text, encoding="utf-8")
        return str(self.folder / name)


@contextmanager
def quiet() -> Iterator[None]:
    """The daemon's log lines are not ours."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    configure(Level("error"), "json", io.StringIO())
    try:
        yield
    finally:
        root.handlers, root.level = before, level
        structlog.reset_defaults()


async def entered(host: Terminal, plan: Sequence[str], players: int) -> None:
    """Publish tournament 1 by *plan*, with so many players signed in."""
    everybody = [str(n) for n in range(1, players + 1)]
    await host.type("tournament publish", *plan)
    if everybody:
        await host.type("players register", *(f"Nick{n}" for n in everybody))
        await host.type("entry add 1", *everybody)
    for n in everybody:
        await host.type(f"deck submit 1 {n}", host.file("deck.ydk", deck(int(n))))
    await host.type("entry sign-in 1 --all")
