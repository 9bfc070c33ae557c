"""Who plays in the demo, and with which decks."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from deckcheck.check import check
from deckcheck.deck import Deck
from deckcheck.environments import Environment, retro
from deckcheck.errors import DeckcheckError
from deckcheck.pools import PoolKey
from deckcheck.reading import read_any
from deckcheck.sources import load_ocg
from deckcheck.ydk import write_ydk

ENVIRONMENT: Final = "explorer"
PLUGIN_ENVIRONMENT: Final = "goat"
"""What is played where a plugin makes the rooms: a list that the duel server does not have."""
NAMES: Final = (
    *(
        "Aoi",
        "Bai",
        "Chen",
        "Dana",
        "Emil",
        "Fei",
        "Gao",
        "Hana",
        "Ines",
        "Jun",
        "Kai",
        "Lin",
        "Mika",
        "Noor",
    ),
    *(
        "Oto",
        "Pei",
        "Quan",
        "Rin",
        "Sora",
        "Tao",
        "Uma",
        "Vera",
        "Wen",
        "Xia",
        "Yuki",
        "Zhen",
        "Arlo",
        "Bela",
    ),
)
MAIN: Final = 40
SIDE: Final = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """One player of the demo."""

    name: str
    deck: Deck

    @property
    def text(self) -> bytes:
        """The deck as a player hands it in."""
        return write_ydk(self.deck).encode()


class CurrentCards(NamedTuple):
    """The list and the cards of a duel server."""

    lflist: Path
    cdb: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """A second tournament on the same duel server at the same time: best of one."""

    environment: str
    actors: tuple[Actor, ...]
    current: CurrentCards | None
    """``None``: it is played in a retro environment, for there is no current list at hand."""


def actors(count: int, folder: Path, key: PoolKey = ENVIRONMENT) -> tuple[Actor, ...]:
    """Return *count* players with the legal decks of *folder*, or with decks of our own."""
    environment = retro(key)
    decks = list(_legal(environment, folder)) or [_built(environment, first) for first in range(5)]
    return tuple(Actor(name=_name(n), deck=decks[n % len(decks)]) for n in range(count))


def beside(count: int, folder: Path) -> Beside:
    """Return the second tournament, of the current list if *folder* has one."""
    files = CurrentCards(folder / "lflist.conf", folder / "cards.cdb")
    current = files if files.lflist.exists() and files.cdb.exists() else None
    environment = retro("edison") if current is None else load_ocg(current.lflist, (current.cdb,))
    decks = [_built(environment, first) for first in range(3)]
    people = tuple(Actor(name=f"{_name(n)}1", deck=decks[n % len(decks)]) for n in range(count))
    return Beside(environment=environment.key, actors=people, current=current)


def swapped(deck: Deck) -> tuple[int, ...]:
    """Return main and extra deck with one card changed: not what was handed in (D46)."""
    first, *rest = deck.main
    other = next(code for code in rest if code != first)
    return (other, *rest, *deck.extra)


def illegal(deck: Deck) -> Deck:
    """Return a deck with four copies of a card and a card that nobody knows (D40)."""
    return Deck(main=(*deck.main[:1] * 4, 123, *deck.main[4:]), extra=deck.extra, side=deck.side)


def _name(number: int) -> str:
    again, place = divmod(number, len(NAMES))
    return NAMES[place] if again == 0 else f"{NAMES[place]}{again + 1}"


def _legal(environment: Environment, folder: Path) -> Iterator[Deck]:
    for file in sorted(folder.glob("*.ydk")):
        try:
            verdict = check(read_any(file.read_bytes()), environment)
        except DeckcheckError:
            continue
        if verdict.status == "legal":
            yield verdict.deck


def _built(environment: Environment, number: int) -> Deck:
    """Return a legal deck of cards that nobody would play together."""
    plain, limited = environment.plain, {*environment.caps, *environment.extra_codes}
    free = sorted(code for code in plain if plain[code] == code and code not in limited)
    chosen = [code for code in free[number * 20 : number * 20 + 20] for _ in range(3)]
    return Deck(main=tuple(chosen[:MAIN]), extra=(), side=tuple(chosen[MAIN : MAIN + SIDE]))
