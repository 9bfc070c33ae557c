"""What of new settings a running daemon takes up, and what waits for its next start."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from pydantic import BaseModel

from relayd.settings.tree import Settings

LIVE: Final = (
    "duel_server",
    "admin_token",
    "admin_socket.role",
    "environment",
    "log.level",
    "metrics.allow",
    "webhooks",
    "time_zone",
)
"""What is taken up at SIGHUP; all else needs a restart."""
M = TypeVar("M", bound=BaseModel)

_KEYS: Final = ("id", "name", "key")
"""By what the entries of a list are told apart, where they have such a field."""


def taken_up(present: Settings, new: Settings) -> Settings:
    """Return *present* with all of *new* that a running daemon takes up."""
    for path in LIVE:
        present = _with(present, new, path.split("."))
    return present


def differences(before: Settings, after: Settings) -> tuple[str, ...]:
    """Return the settings that differ, in order, as dotted paths; entries of lists by their names."""
    return tuple(_differences("", before, after))


def _with(present: M, new: M, steps: Sequence[str]) -> M:
    step, *rest = steps
    value = getattr(new, step)
    if rest:
        value = _with(getattr(present, step), value, rest)
    return present.model_copy(update={step: value})


def _differences(path: str, before: object, after: object) -> Iterator[str]:
    if before == after:
        return
    if isinstance(before, BaseModel) and isinstance(after, BaseModel):
        for name in type(before).model_fields:
            yield from _differences(_joined(path, name), getattr(before, name), getattr(after, name))
        return
    ours, theirs = _named(before), _named(after)
    if ours is None or theirs is None:
        yield path
        return
    for name in dict.fromkeys((*ours, *theirs)):
        yield from _entry(_joined(path, name), ours.get(name), theirs.get(name))


def _entry(path: str, before: BaseModel | None, after: BaseModel | None) -> Iterator[str]:
    if before is None or after is None:
        yield f"{path} ({'added' if before is None else 'removed'})"
    else:
        yield from _differences(path, before, after)


def _named(entries: object) -> dict[str, BaseModel] | None:
    """Return a list's entries by name; ``None``: it is no list, or they have none."""
    if not isinstance(entries, tuple):
        return None
    models = (entry for entry in entries if isinstance(entry, BaseModel))
    named = {name: entry for entry in models if (name := _name(entry)) is not None}
    return named if len(named) == len(entries) else None


def _name(entry: object) -> str | None:
    names = (getattr(entry, key, None) for key in _KEYS)
    return next((name for name in names if isinstance(name, str)), None)


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
