"""Where in a JSON file a value stands, so that people find the line to change."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)


def line_of(text: str, path: Sequence[str]) -> int | None:
    """Return the line, from 1 up, of the key at *path* in JSON; ``None``: it is not there."""
    return next((line for found, line in _keys(text) if found == tuple(path)), None)


def _keys(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield every key of every object with its line."""
    path: list[str] = []
    """The key that is being read at each depth."""
    last, line, place = "", 1, 0
    for token in _TOKEN.finditer(text):
        line, place = line + text.count("\n", place, token.start()), token.start()
        match token[0]:
            case "{" | "[":
                path.append("")
            case "}" | "]":
                del path[-1:]
            case ":" if path:
                path[-1] = last
                yield tuple(path), line
            case word:
                last = json.loads(word) if word.startswith('"') else word
