"""How people are called on a duel server, and who is meant (rules.md 5.6, duel-server.md 3 and 6)."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from ruleset.ids import PlayerId, player_label

_TITLE: Final = re.compile(r"(?:Lv|VIP)\.[0-9]+ +")
_DECK_FILE: Final = ".ydk"
_NUMBER: Final = re.compile(r"p?0*([1-9][0-9]{0,17})", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """Somebody who entered a running tournament, under the nickname that he had at entry (decisions 3)."""

    number: PlayerId
    nickname: str


def shown(name: str) -> str:
    """Return what srvpro shows of a typed name: no ``$key``, no backslash, no title (duel-server.md 6)."""
    return _TITLE.sub("", name.partition("$")[0].replace("\\", ""), count=1).strip()


def fold(name: str) -> str:
    """Return the form in which two names are compared: as shown, NFKC, trimmed, casefolded (5.6)."""
    return normalize("NFKC", normalize("NFKC", shown(name)).strip().casefold())


def number_in(folded: str) -> PlayerId | None:
    """Read ``P000123``, ``000123`` or ``123`` as the player number that it is (5.6)."""
    found = _NUMBER.fullmatch(folded)
    return None if found is None else PlayerId(int(found.group(1)))


def participant_names(entrants: Iterable[Entrant]) -> Mapping[PlayerId, str]:
    """Name each entrant so that srvpro finds him by his number and by his nickname: ``P000123+Nick``.

    srvpro splits at the first ``+``, blank or ``＋`` only, and a number has none of them, so a nickname may
    hold all three (duel-server.md 3). Where two entrants carry one nickname both are the number alone: srvpro
    would take the first of them; so is somebody called ``Nick.ydk``, whom srvpro would take for Nick. Players
    type one half, so the whole may be longer than their 19 units.
    """
    everybody = {entrant.number: entrant for entrant in entrants}.values()
    carried = Counter(fold(entrant.nickname) for entrant in everybody)
    return {entrant.number: _participant(entrant, carried) for entrant in everybody}


def _participant(entrant: Entrant, carried: Mapping[str, int]) -> str:
    number, nickname = player_label(entrant.number), shown(entrant.nickname)
    if not nickname or nickname.endswith(_DECK_FILE) or carried[fold(nickname)] > 1:
        return number
    return f"{number}+{nickname}"
