"""Settings as srvpro keeps them: objects in objects, what is missing comes from the shipped ones."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

Tree: TypeAlias = Mapping[str, Any]


class _Missing:
    """In place of a value that is not there."""

    def __repr__(self) -> str:
        return "not there"


MISSING: Final = _Missing()


def at(tree: Tree, path: Sequence[str]) -> object:
    """Return the value at *path*, or MISSING."""
    value: object = tree
    for step in path:
        value = value.get(step, MISSING) if isinstance(value, Mapping) else MISSING
    return value


def overlaid(shipped: Tree, own: Tree) -> dict[str, Any]:
    """Return what holds: *own* over *shipped*, object by object."""
    held = dict(shipped)
    for key, value in own.items():
        below = held.get(key)
        both = isinstance(below, Mapping) and isinstance(value, Mapping)
        held[key] = overlaid(below, value) if both else value  # type: ignore[arg-type]  # it is a Mapping
    return held


def with_value(tree: Tree, path: Sequence[str], value: object) -> dict[str, Any]:
    """Return *tree* with *value* at *path*, and objects on the way made where there are none."""
    step, *rest = path
    below = tree.get(step)
    inner = with_value(below if isinstance(below, Mapping) else {}, rest, value) if rest else value
    return {**tree, step: inner}
