"""Tables and players as a host looks through them: by state, by a word he types, a batch at a time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar

Row: TypeAlias = Mapping[str, Any]
Filters: TypeAlias = Mapping[str, Callable[[Row], bool]]
T = TypeVar("T")

_GOES_ON: Final = frozenset({"waiting", "playing"})
TABLES: Final[Filters] = {
    "open": lambda t: t["status"] != "confirmed",
    "waiting": lambda t: t["status"] == "waiting",
    "absent": lambda t: t["status"] == "waiting" and here(t["a"]) != here(t["b"]),
    "playing": lambda t: t["status"] == "playing",
    "disputed": lambda t: t["status"] in {"disputed", "reported"},
    "offered": lambda t: t["offered"] is not None or t["claimable_by"] is not None,
    "lost": lambda t: t["asked_until"] is not None or (t["lost_at"] is not None and t["status"] in _GOES_ON),
    "all": bool,
}
"""Of the tables of a round (relayd.views.tables)."""
BEFORE: Final[Filters] = {
    "unsigned": lambda p: p["deck"] == "approved" and not p["signed_in"],
    "review": lambda p: p["deck"] == "review",
    "no_deck": lambda p: p["deck"] in {"none", "refused"},
    "signed": lambda p: bool(p["signed_in"]),
    "everybody": bool,
}
"""Of the players before the start (relayd.views.people)."""
SINCE: Final[Filters] = {
    "nobody": lambda _p: False,
    "playing_on": lambda p: p["status"] == "entered" and p["dropped_in"] is None,
    "dropped": lambda p: p["dropped_in"] is not None,
    "stayed_out": lambda p: p["status"] == "not_entered",
    "everybody": bool,
}
"""Of the players from the start on."""


def here(seat: Row) -> bool:
    """Say whether a player has reached his table."""
    return bool(seat["present"] or seat["in_room"])


def counts(rows: Sequence[Row], filters: Filters) -> dict[str, int]:
    """Return how many rows each filter lets through."""
    return {name: sum(map(fits, rows)) for name, fits in filters.items()}


def is_player(row: Row, words: str) -> bool:
    """Say whether a host means that player: part of his nickname, or his number."""
    wanted = words.casefold()
    return wanted in str(row["nickname"]).casefold() or _bare(wanted, "p") == str(row["player"])


def is_table(row: Row, words: str) -> bool:
    """Say whether a host means that table: its number, its name, its room code, or who sits there."""
    wanted, name = words.casefold(), str(row["table"]).casefold()
    named = wanted == name or wanted == str(row["room_code"]).casefold()
    numbered = _bare(wanted, "t") == name.partition("t")[2]
    return named or numbered or is_player(row["a"], words) or is_player(row["b"], words)


def batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield *items* in order, *size* at a time."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _bare(words: str, letter: str) -> str:
    """Return a number without the letter and the zeros in front of it."""
    return words.strip().removeprefix(letter).lstrip("0")
