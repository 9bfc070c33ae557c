"""The words of the pages, in Chinese, Japanese and English, from the tables in locales/."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

Language: TypeAlias = Literal["zh", "ja", "en"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
NAMES: Final[Mapping[Language, str]] = {"zh": "中文", "ja": "日本語", "en": "English"}
TAGS: Final[Mapping[Language, str]] = {"zh": "zh-CN", "ja": "ja", "en": "en"}
DEFAULT: Final[Language] = "zh"
_FOLDER: Final = Path(__file__).parent / "locales"


@cache
def catalogue() -> Mapping[str, Mapping[Language, str]]:
    """Return every text by its key, ``page.name``, in all languages."""
    found: dict[str, Mapping[Language, str]] = {}
    for path in sorted(_FOLDER.glob("*.toml")):
        found.update(_flat("", tomllib.loads(path.read_text("utf-8"))))
    return found


def text(language: Language, key: str, /, **values: object) -> str:
    """Return a text with *values* in its places. Raises KeyError for a key or a value that is not there."""
    words = catalogue()[key][language]
    return words.format(**values) if values else words


def known(key: str) -> bool:
    """Say whether there is such a text."""
    return key in catalogue()


def preferred(cookie: str | None, accept: str) -> Language:
    """Return the reader's language: as chosen, else as his browser asks, else Chinese."""
    for language in LANGUAGES:
        if cookie == language:
            return language
    return next(_asked(accept), DEFAULT)


def _asked(accept: str) -> Iterator[Language]:
    items = enumerate(item.strip().partition(";") for item in accept[:500].split(","))
    ranked = sorted(
        (-_quality(rest), place, language)
        for place, (tag, _, rest) in items
        for language in LANGUAGES
        if tag.casefold().split("-")[0] == language
    )
    yield from (language for _, _, language in ranked)


def _quality(parameter: str) -> float:
    try:
        return float(parameter.strip().removeprefix("q="))
    except ValueError:
        return 1.0


def _flat(path: str, table: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[Language, str]]]:
    for name, value in table.items():
        where = f"{path}.{name}" if path else name
        if set(value) >= set(LANGUAGES) and isinstance(value.get("zh"), str):
            yield where, value
        else:
            yield from _flat(where, value)
