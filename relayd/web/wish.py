"""What a host wants to see on the console: it stands in the address, so that it outlives every renewal."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Self
from urllib.parse import urlencode

LONGEST: Final = 60
_MOST_DIGITS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Which tables and which players."""

    show: str = ""
    """A filter of lists.TABLES; empty: those that are open."""
    who: str = ""
    """A filter of lists.BEFORE or lists.SINCE; empty: the first of them."""
    q: str = ""
    """What he looks for."""
    r: int = 0
    """A round; 0: the present one."""
    page: int = 0
    """Of the tables."""
    people: int = 0
    """Page of the players."""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Self:
        """Read it from an address; what makes no sense says nothing."""
        return cls(
            show=query.get("show", "")[:LONGEST],
            who=query.get("who", "")[:LONGEST],
            q=query.get("q", "").strip()[:LONGEST],
            r=_number(query.get("r", "")),
            page=_number(query.get("page", "")),
            people=_number(query.get("people", "")),
        )

    def but(self, **changes: Any) -> str:  # noqa: ANN401  as ``replace`` takes them
        """Return the part of an address behind the path that says the same but for *changes*."""
        other = replace(self, **changes)
        said = {field.name: getattr(other, field.name) for field in fields(self)}
        return "?" + urlencode({name: value for name, value in said.items() if value})


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS else 0
