"""What every command of relayctl has at hand: the daemon, the wishes of the caller, the way to print."""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NoReturn
from uuid import uuid4

import click
from rich.console import Console, RenderableType

from relayd.cli.client import BAD_PARAMS, BUSY, TOO_LONG, Away, Client, Refused, UnixWire, WebSocketWire
from relayd.cli.draw.decks import sentences_of
from relayd.cli.told import told
from relayd.exits import Exit
from relayd.neutral import neutral
from relayd.sentences import Language, sentence

SYSTEM_SOCKET: Final = Path("/run/relayd/admin.sock")
_WIDTH: Final = 160
"""Columns where the output is no terminal."""
_SHOWN: Final = 21
"""Details of a refusal: 20, and how many more there are (decisions 12)."""
_BAD_CALL: Final = frozenset({-32601, BAD_PARAMS})
_AWAY: Final = -32002
_UNKNOWN: Final = frozenset({_AWAY, -32603})
"""Codes after which nobody knows whether it was done."""
_DECK: Final = -32004


@dataclass(kw_only=True)
class Desk:
    """Shared by the commands through ``click``'s context."""

    socket: Path | None = None
    url: str | None = None
    token_file: Path | None = None
    as_json: bool = False
    language: Language = "en"
    command_id: str | None = None
    expected_version: int | None = None
    out: Console = field(default_factory=lambda: _console(sys.stdout))
    err: Console = field(default_factory=lambda: _console(sys.stderr))
    _client: Client | None = None

    def ask(self, method: str, **params: Any) -> Any:  # noqa: ANN401  whatever a method takes and returns
        """Return an answer, or end the program with a sentence and an exit code (decisions 11)."""
        try:
            return self.client().call(
                method, **{n: value for n, value in params.items() if value is not None}
            )
        except Refused as refusal:
            self._refused(refusal, params.get("command_id"))
        except Away as away:
            self._away(away, params.get("command_id"))
        except KeyboardInterrupt:
            if self._client is None or "command_id" not in params:
                raise
            self._away(Away("you did not wait for the answer"), params["command_id"])

    def change(self, method: str, **params: Any) -> Any:  # noqa: ANN401  whatever a method takes and returns
        """Change something once: with a command_id that may be sent again, and the version that was seen."""
        command_id = self.command_id or uuid4().hex
        if "tournament" in params and self.expected_version is not None:
            params["expected_version"] = self.expected_version
        return self.ask(method, command_id=command_id, **params)

    def show(self, result: object, view: Callable[[Any], RenderableType]) -> None:
        """Print a result as JSON, or as *view* draws it."""
        if self.as_json:
            self.print_json(result)
        else:
            self.out.print(view(result))

    def say_done(self, result: Any) -> None:  # noqa: ANN401  what a change returns
        """Print what came of a change."""
        if self.as_json:
            self.print_json(result)
        else:
            for line in told(result):
                self.out.print(line, markup=False, highlight=False)

    def print_json(self, result: object) -> None:
        """Print one line of JSON that a terminal may show."""
        click.echo(neutral(json.dumps(result, ensure_ascii=False)))

    def fail(self, lines: str | Sequence[str], code: Exit) -> NoReturn:
        """Say why not, and end."""
        first, *more = [lines] if isinstance(lines, str) else lines
        for line in (f"relayctl: {first}", *more):
            self.err.print(neutral(line), markup=False, highlight=False, soft_wrap=True)
        raise SystemExit(code)

    def client(self) -> Client:
        """Return the connection, made when it is first needed. Raises Away."""
        if self._client is None:
            self._client = Client(self._wire())
        return self._client

    def close(self) -> None:
        """Hang up."""
        if self._client is not None:
            self._client.close()

    def _wire(self) -> UnixWire | WebSocketWire:
        if self.url is not None:
            return WebSocketWire(self.url, self._token())
        return UnixWire(self.socket or _usual_socket())

    def _token(self) -> str:
        if self.token_file is None:
            self.fail("with --url, say where the token lies: --token-file", Exit.USAGE)
        try:
            return self.token_file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            self.fail(f"{self.token_file}: the token cannot be read: {error}", Exit.UNREADABLE)

    def _refused(self, refusal: Refused, command_id: str | None) -> NoReturn:
        if self.as_json:
            told = {"code": refusal.code, "message": refusal.message, "data": refusal.data}
            self.print_json({"error": told})
        words, details = self._said(refusal)
        if refusal.code in _UNKNOWN and command_id:
            details = [*details, _again(command_id)]
        self.fail([words, *(f"  {line}" for line in details[:_SHOWN])], _exit_of(refusal))

    def _said(self, refusal: Refused) -> tuple[str, Sequence[str]]:
        """Return the sentence and what belongs below it, each thing once."""
        words, problems = self._words(refusal), list(map(neutral, refusal.data.get("problems", ())))
        if len(problems) > 1:
            words = words.replace("; ".join(problems), f"{len(problems)} problems")
        return words, self._sentences(refusal) or [line for line in problems if line not in words]

    def _sentences(self, refusal: Refused) -> Sequence[str]:
        """Return what is wrong with a deck, where that is why."""
        if self.language == "en" or "violations" not in refusal.data:
            sentences: Sequence[str] = refusal.data.get("sentences", ())
            return sentences
        return sentences_of(refusal.data, self.language)

    def _words(self, refusal: Refused) -> str:
        """Return the sentence in the caller's language; the daemon speaks English."""
        code = str(refusal.data.get("code", ""))
        if refusal.code == _AWAY:
            return f"the daemon cannot do that now ({code})"
        words = sentence(code, refusal.data, self.language)
        return refusal.message if self.language == "en" or words == code else words

    def _away(self, away: Away, command_id: str | None) -> NoReturn:
        if self._client is None:
            hint = "is it running? start it with: relayd run (or: systemctl start relayd)"
            self.fail([str(away), hint], Exit.AWAY)
        self.fail([str(away), _again(command_id)] if command_id else str(away), Exit.AWAY)


def _again(command_id: str) -> str:
    return f"the outcome is not known: run it again with --command-id {command_id}"


def _exit_of(refusal: Refused) -> Exit:
    if refusal.code in _UNKNOWN or refusal.code == BUSY:
        return Exit.AWAY
    if refusal.code in _BAD_CALL:
        return Exit.USAGE
    no_deck = refusal.code == _DECK and refusal.data.get("code") != "deck_illegal"
    return Exit.UNREADABLE if no_deck or refusal.code == TOO_LONG else Exit.REFUSED


def _usual_socket() -> Path:
    """Return where a daemon of this machine, or of this user, listens by default."""
    if SYSTEM_SOCKET.exists():
        return SYSTEM_SOCKET
    from relayd.settings import default_data_dir  # noqa: PLC0415  slow to load, and not always needed

    return default_data_dir() / "admin.sock"


def _console(stream: Any) -> Console:  # noqa: ANN401  a text stream of either kind
    return Console(file=stream, width=None if stream.isatty() else _WIDTH, emoji=False)
