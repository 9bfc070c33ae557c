"""From a file and the process environment to the tree, with a sentence for everything that is wrong."""

import os
import tomllib
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from relayd.settings.surroundings import SettingsError
from relayd.settings.tree import PREFIX, Settings

SECRET: Final = frozenset({"fixed_seed"})
"""Settings that are secrets themselves; all others lie in files."""
NOT_SETTINGS: Final = frozenset({"config"})
"""Variables with our prefix that say where the settings are."""


def load(path: Path | None = None) -> Settings:
    """Return the settings in *path* (``None``: no file) under the variables of the process.

    Raises SettingsError with every problem at once: unreadable, no TOML, unknown keys, wrong values.
    """
    data = {} if path is None else _read(path)
    strangers = list(_unknown_variables())
    try:
        settings = Settings(**data)
    except ValidationError as error:
        raise SettingsError([*strangers, *map(_sentence, error.errors())]) from error
    if strangers:
        raise SettingsError(strangers)
    return settings


def masked(settings: Settings) -> dict[str, Any]:
    """Return the tree as plain data, with dots in place of whatever is secret itself."""
    plain = settings.model_dump(mode="json")
    return plain | {name: "…" for name in SECRET if plain.get(name)}


def shown(settings: Settings) -> Iterator[str]:
    """Yield one ``path = value`` line for each setting, masked; of other secrets only where they lie."""
    yield from _lines("", masked(settings))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError([f"{path}: cannot be read: {error.strerror}"]) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        twice = " (the same key stands there twice)" if "overwrite" in str(error) else ""
        raise SettingsError([f"{path}: is not TOML: {error}{twice}"]) from error


def _unknown_variables() -> Iterator[str]:
    for name in sorted(os.environ):
        key = name.removeprefix(PREFIX).split("__")[0].lower()
        if name.startswith(PREFIX) and key not in {*Settings.model_fields, *NOT_SETTINGS}:
            yield f"{name}: unknown variable{_hint(key, Settings, PREFIX)}"


def _sentence(error: ErrorDetails) -> str:
    where = ".".join(str(step) for step in error["loc"]) or "settings"
    if error["type"] == "extra_forbidden":
        parent = _model_at(error["loc"][:-1])
        return f"{where}: unknown setting{_hint(str(error['loc'][-1]), parent)}"
    said = error["msg"].removeprefix("Value error, ")
    given, hidden = error["input"], SECRET & set(error["loc"])
    shown_value = f" (it is {given!r})" if isinstance(given, str | int | float) and not hidden else ""
    return f"{where}: {said}{shown_value}"


def _hint(key: str, model: type[BaseModel], prefix: str = "") -> str:
    near = get_close_matches(key, model.model_fields, n=1)
    name = near[0].upper() if near and prefix else near[0] if near else ""
    return f"; did you mean {prefix}{name}?" if near else f"; known are {', '.join(model.model_fields)}"


def _model_at(steps: Sequence[int | str]) -> type[BaseModel]:
    model: type[BaseModel] = Settings
    for step in steps:
        if isinstance(step, str) and step in model.model_fields:
            model = _model_in(model.model_fields[step].annotation) or model
    return model


def _model_in(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for inner in get_args(annotation) if (found := _model_in(inner))), None)


def _lines(path: str, value: object) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _lines(f"{path}.{key}" if path else key, inner)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for index, inner in enumerate(value):
            yield from _lines(f"{path}.{index}", inner)
    else:
        yield f"{path} = {value!r}"
