"""Decks as a command line names them: files, folders, links, and ``-`` for what is piped in."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deckcheck.deck import MAX_BYTES
from deckcheck.errors import DeckInvalid
from deckcheck.parsed import ParsedDeck
from deckcheck.reading import read_any

STDIN: Final = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """Where a deck is to be found."""

    name: str
    """For people: the path, the beginning of the link, or ``-``."""
    read: Callable[[], bytes]
    """Raises OSError."""

    def parsed(self) -> ParsedDeck:
        """Read the deck. Raises DeckInvalid, also where there is nothing to read."""
        try:
            data = self.read()
        except OSError as error:
            raise DeckInvalid("no_file", f"it cannot be read: {error.strerror or error}") from error
        return read_any(data)


def find_inputs(words: Iterable[str], stdin: Callable[[], bytes]) -> Iterator[Input]:
    """Yield what each word names; a folder stands for all ydk files in and below it, by path."""
    for word in words:
        if word == STDIN:
            yield Input(name=word, read=stdin)
        elif "://" in word:
            yield Input(name=word[:60], read=word.encode)
        elif Path(word).is_dir():
            yield from map(_file, sorted(Path(word).rglob("*.ydk")))
        else:
            yield _file(Path(word))


def _file(path: Path) -> Input:
    return Input(name=str(path), read=lambda: _read(path))


def _read(path: Path) -> bytes:
    """Return a file's bytes, or one more than any deck has: enough to refuse it (D32)."""
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)
