"""An operator's own lists and cards, as small as can be."""

import os
from pathlib import Path
from typing import Final

from relayd.settings import EnvironmentSettings, OwnEnvironment
from tests.decks import make_cdb

CARDS: Final = range(101, 161)
"""Their numbers; the last ten belong to the extra deck."""
UNKNOWN: Final = 99_999_999
"""A number that no file knows."""
FUSION: Final = 0x41
SPELL: Final = 0x2
VAMPIRES: Final = 0x8E


def operators_files(folder: Path) -> EnvironmentSettings:
    """Write a list, cards, names of archetypes and a pool of its own into *folder*; return where they lie."""
    write_cards(folder)
    write_list(folder, "2026.7", "101 1")
    (folder / "strings.conf").write_text("!setname 0x8e 吸血鬼\n", encoding="utf-8")
    (folder / "summer.conf").write_text(
        "!Summer\n$whitelist\n" + "".join(f"{code} 3\n" for code in CARDS), encoding="utf-8"
    )
    return EnvironmentSettings(
        lflist_path=folder / "lflist.conf",
        cdb_paths=(folder / "cards.cdb",),
        strings_path=folder / "strings.conf",
        own=(OwnEnvironment(key="summer", file=folder / "summer.conf"),),
    )


def write_list(folder: Path, name: str, *lines: str) -> None:
    """Write the operator's list, as an update of his duel server would."""
    _replace(folder / "lflist.conf", "\n".join((f"!{name}", *lines, "")).encode())


def write_cards(folder: Path, *more: int) -> None:
    """Write his card database, with *more* cards than the usual ones."""
    rows = [
        (code, 3, 0, VAMPIRES, FUSION if code in CARDS[50:] else SPELL, f"卡 {code}")
        for code in (*CARDS, *more)
    ]
    _replace(folder / "cards.cdb", make_cdb(folder / "new.cdb", rows).read_bytes())
    (folder / "new.cdb").unlink()


def own_deck(*instead: int) -> str:
    """Return a legal deck of these cards as a ydk file; it begins with *instead*."""
    main = [*instead, *(code for code in CARDS[:15] for _ in range(3) if code > 101)][:40]
    return "#main\n" + "".join(f"{code}\n" for code in main) + "#extra\n151\n!side\n160\n"


def _replace(path: Path, content: bytes) -> None:
    """Write a file that is seen to be another one, however fast it goes."""
    later = path.stat().st_mtime_ns + 1_000_000 if path.exists() else None
    path.write_bytes(content)
    if later is not None:
        os.utime(path, ns=(later, later))
