"""What the rules refuse, in words: one sentence for each code, with what to do (house 4)."""

import tomllib
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args
from zoneinfo import ZoneInfo

from relayd.neutral import neutral
from ruleset.ids import PlayerId, player_label

Language: TypeAlias = Literal["zh", "ja", "en"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
Texts: TypeAlias = Mapping[str, Mapping[Language, str]]
_FILE: Final = Path(__file__).with_suffix(".toml")


def sentence(code: str, data: Mapping[str, object], language: Language = "en", zone: str = "UTC") -> str:
    """Say a refusal to a person, on one line, moments in *zone*; a code without words of its own is named."""
    template = sentences().get(code, {}).get(language, code)
    shown = {name: _moment(data[name], zone) for name in _MOMENTS & data.keys()}
    words = _Words({name: _word(name, value, language) for name, value in data.items()} | shown)
    return neutral(template.format_map(words))


def sentences() -> Texts:
    """Return every sentence by its code, in all languages."""
    return _texts()["sentence"]


@cache
def _texts() -> Mapping[str, Texts]:
    return tomllib.loads(_FILE.read_text("utf-8"))


class _Words(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "?"


def _word(name: str, value: object, language: Language) -> str:
    if name in _READERS and value is not None:
        return _READERS[name](value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key} ({_known(inner, language)})" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return ("; " if name == "problems" else ", ").join(map(str, value)) or "–"
    return _known(value, language)


def _known(value: object, language: Language) -> str:
    """Return what people say for a value, else the value."""
    return _texts()["word"].get(str(value), {}).get(language, str(value))


def _player(value: object) -> str:
    return player_label(PlayerId(value)) if isinstance(value, int) else str(value)


def _players(value: object) -> str:
    return ", ".join(map(_player, value)) or "–" if isinstance(value, list | tuple) else str(value)


def _moment(value: object, zone: str) -> str:
    if not isinstance(value, int):
        return str(value)
    there = datetime.fromtimestamp(min(value, _LAST) / 1_000, ZoneInfo(zone))
    return f"{there:%Y-%m-%d %H:%M} {zone}"


def _score(value: object) -> str:
    return "-".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


_LAST: Final = 253_402_214_400_000
_MOMENTS: Final = frozenset({"until", "opens_at", "closed_at"})
_READERS: Final[Mapping[str, Callable[[object], str]]] = {
    "player": _player,
    "players": _players,
    "wins": _score,
}
