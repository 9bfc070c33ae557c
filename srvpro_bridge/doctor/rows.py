"""A row of srvpro's settings: when a value fits, and what to say when it does not."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from srvpro_bridge.doctor.findings import CONFIG, Change, Finding, Weight, Wish
from srvpro_bridge.doctor.tree import MISSING, Tree, at

Fits: TypeAlias = Callable[[object, Wish], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One setting: what it should be, when it fits all the same, and what happens else."""

    path: str
    wanted: Callable[[Wish], object]
    why: str
    fits: Fits | None = None
    """``None``: only what is wanted."""
    applies: Callable[[Wish], bool] = lambda _: True
    weight: Weight = "wrong"
    secret: bool = False

    @property
    def steps(self) -> tuple[str, ...]:
        """The keys of its path."""
        return tuple(self.path.split("."))

    def found(self, config: Tree) -> object:
        """Return its value, or MISSING."""
        return at(config, self.steps)

    def examine(self, config: Tree, wish: Wish) -> Finding | None:
        """Return what is not as it should be; ``None``: it fits, or it does not matter here."""
        found, wanted = self.found(config), self.wanted(wish)
        fits = same(found, wanted) if self.fits is None else self.fits(found, wish)
        if fits or not self.applies(wish):
            return None
        return Finding(
            weight=self.weight,
            file=CONFIG,
            what=f"{self.path} is {self._compared(found, wanted)}",
            why=self.why,
            change=Change(path=self.steps, value=wanted, secret=self.secret),
        )

    def _compared(self, found: object, wanted: object) -> str:
        if self.secret:
            return "not what relayd's settings say"
        return f"{_shown(found)}, should be {_shown(wanted)}"


def same(found: object, wanted: object) -> bool:
    """Return whether two values are the same in JSON: ``1`` is not ``true``."""
    return type(found) is type(wanted) and found == wanted


def number(fits: Callable[[float, Wish], bool]) -> Fits:
    """Return whether a value is a number, and fits; ``true`` is none."""
    return lambda value, wish: (
        isinstance(value, int | float) and not isinstance(value, bool) and fits(value, wish)
    )


def _shown(value: object) -> str:
    return "not there" if value is MISSING else json.dumps(value, ensure_ascii=False)
