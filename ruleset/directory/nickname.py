"""What a player may be called (decisions 3)."""

import re
import unicodedata
from typing import Final

from ruleset.errors import CommandRejected

LONGEST: Final = 16
"""UTF-16 units."""

_NUMBER: Final = re.compile(r"[Pp]?\d+")
# Control characters, half surrogate pairs, line and paragraph separators.
_UNPRINTABLE: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
# Marks that turn the direction of the text around them.
_DIRECTIONS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def normalised(text: str) -> str:
    """Return *text* after NFKC and trim.

    Raises CommandRejected ``bad_nickname`` with ``why``: empty, too_long, control, reserved (``$`` and ``#``,
    which part names and passwords on a duel server), number (it reads as a player number).
    """
    nickname = unicodedata.normalize("NFKC", text).strip()
    if (why := _fault(nickname)) is not None:
        raise CommandRejected("bad_nickname", why=why)
    return nickname


def _fault(nickname: str) -> str | None:
    if not nickname:
        return "empty"
    if any(unicodedata.category(c) in _UNPRINTABLE or c in _DIRECTIONS for c in nickname):
        return "control"
    if len(nickname.encode("utf-16-le")) > 2 * LONGEST:
        return "too_long"
    if {"$", "#"} & {*nickname}:
        return "reserved"
    return "number" if _NUMBER.fullmatch(nickname) else None
