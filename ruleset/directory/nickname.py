"""What a player may be called (decisions 3)."""

import re
import unicodedata
from typing import Final

from ruleset.errors import CommandRejected

LONGEST: Final = 16
"""UTF-16 units."""

# A player number, alone or as duel servers are told it: P000123+Nick.
_NUMBER: Final = re.compile(r"[Pp]?\d+(?: *\+.*)?")
# Control and format characters (no width, or the direction of the text around them), half surrogate pairs,
# line and paragraph separators.
_UNPRINTABLE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# What holds emoji, and letters of some scripts, together or apart.
_JOINERS: Final = frozenset("\u200c\u200d")
# Letters and symbols that show nothing.
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")


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
    if not {*nickname} - _JOINERS:
        return "empty"
    if any(_unprintable(character) for character in nickname):
        return "control"
    if len(nickname.encode("utf-16-le")) > 2 * LONGEST:
        return "too_long"
    if {"$", "#"} & {*nickname}:
        return "reserved"
    return "number" if _NUMBER.fullmatch(nickname) else None


def _unprintable(character: str) -> bool:
    hidden = unicodedata.category(character) in _UNPRINTABLE and character not in _JOINERS
    return hidden or character in _BLANK
