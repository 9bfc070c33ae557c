"""Frozen decks as files for a duel server in tournament mode (duel-server.md 8)."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from deckcheck.frozen import FrozenDeck
from ruleset.ids import PlayerId, player_label

_UNSAFE: Final = frozenset('/\\:*?"<>|')
_MAX_NAME_BYTES: Final = 120
_OURS: Final = re.compile(r"P[0-9]{6,}(\+.*)?\.ydk", re.DOTALL)


def deck_file_name(player: PlayerId, nickname: str | None = None) -> str:
    """Return ``P000123+Nick.ydk``, by which srvpro knows both names.

    The number alone where there is no nickname, or one that no file may be named after (F23): the player
    then joins by his number. Never a name that leads out of a folder.
    """
    label = player_label(player)
    return f"{label}+{nickname}.ydk" if nickname and _is_safe(nickname) else f"{label}.ydk"


def write_decks(folder: Path, decks: Mapping[str, FrozenDeck]) -> None:
    """Make *folder* hold exactly these decks by `deck_file_name`; files of other kinds of names stay.

    Each file appears whole: srvpro may read the folder at any moment. An empty folder would mean that
    no deck is checked, so what is obsolete goes last. Raises OSError, and ValueError for other names.
    """
    for name in decks:
        if not _OURS.fullmatch(name) or "/" in name:
            raise ValueError(f"{name!r} is no name that deck_file_name makes")
    for name, deck in decks.items():
        unfinished = folder / f".{name}.unfinished"
        unfinished.write_text(deck.text, "utf-8", newline="\n")
        unfinished.replace(folder / name)
    for path in folder.iterdir():
        if _OURS.fullmatch(path.name) and path.name not in decks:
            path.unlink()


def _is_safe(nickname: str) -> bool:
    return (
        nickname.isprintable()
        and nickname == nickname.strip()
        and _UNSAFE.isdisjoint(nickname)
        and len(nickname.encode("utf-8", "surrogatepass")) <= _MAX_NAME_BYTES
    )
