"""Who plays in the demo, and with which decks."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deckcheck.check import check
from deckcheck.deck import Deck
from deckcheck.environments import Environment, retro
from deckcheck.errors import DeckcheckError
from deckcheck.pools import pool_limits
from deckcheck.reading import read_any
from deckcheck.ydk import write_ydk

ENVIRONMENT: Final = "explorer"
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


def actors(count: int, folder: Path) -> tuple[Actor, ...]:
    """Return *count* players with the legal decks of *folder*, or with decks of our own."""
    environment = retro(ENVIRONMENT)
    decks = list(_legal(environment, folder)) or [_built(environment, first) for first in range(5)]
    return tuple(Actor(name=_name(n), deck=decks[n % len(decks)]) for n in range(count))


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
    limits = pool_limits(ENVIRONMENT)
    free = [code for code, limit in limits.items() if limit == 3 and code not in environment.extra_codes]
    chosen = [code for code in free[number * 20 : number * 20 + 20] for _ in range(3)]
    return Deck(main=tuple(chosen[:MAIN]), extra=(), side=tuple(chosen[MAIN : MAIN + SIDE]))
