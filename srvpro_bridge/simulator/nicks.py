"""What becomes of a typed nickname, and which registered name it fits (duel-server.md 3, 6, 10.h)."""

import re
from dataclasses import dataclass
from typing import Final

LONGEST_NICK: Final = 20
"""UTF-16 units of the field, key included."""

_TITLE: Final = re.compile(r"^(?:Lv|VIP)\.\d+ +")
_SEPARATOR: Final = re.compile(r"[+ ＋]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Nick:
    """A player as the server keeps him."""

    name: str
    """What everybody sees."""
    vpass: str | None = None
    """What stood between the first and the second ``$``."""

    @property
    def key(self) -> str:
        """Return by what scores, decks and reconnects are kept (duel-server.md 0-9)."""
        return self.name if self.vpass is None else f"{self.name}${self.vpass}"


def read_nick(typed: str) -> Nick:
    """Read the name field of a client."""
    cut = typed.encode("utf-16-le", "surrogatepass")[: 2 * LONGEST_NICK].decode("utf-16-le", "surrogatepass")
    name, *keys = cut.replace("\\", "").split("$")
    return Nick(name=_TITLE.sub("", name), vpass=keys[0] if keys else None)


def deck_name_match(registered: str, nick: str) -> bool:
    """Say whether *nick* is the player registered as ``12345+Alice``; case counts."""
    if registered in {nick, f"{nick}.ydk", f"{nick}.ydk.ydk"}:
        return True
    halves = _SEPARATOR.split(re.sub(r"(\.ydk){1,2}$", "", registered), maxsplit=1)
    return len(halves) == 2 and nick in halves
