"""The retro pools that the package carries: facts that need no ``cards.cdb`` (section 5, decisions 10).

``pools.tsv`` is made by ``python -m deckcheck.pools.build``. One card a line: passcode, a letter per pool
(its limit 0-3, or ``-`` if the card is not in the pool), ``x`` for the extra deck, the passcode that it is
counted as, its other passcodes, its name. Passcodes after ``~`` are not known to the duel server (D22).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import chain
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

from deckcheck.cards import OCG, TCG, Card

PoolKey: TypeAlias = Literal["goat", "edison", "explorer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolFacts:
    """What is published of a pool (section 5); its cards are in ``pools.tsv``."""

    title: str
    list_name: str
    source: str
    """The name of its table among the facts."""
    sizes: tuple[int, int, int, int]
    """How many cards are forbidden, limited, semi-limited and unlimited."""
    hash: str
    """`pool_hash` of its limits: a changed table is never carried unnoticed."""


POOLS: Final[Mapping[PoolKey, PoolFacts]] = {
    "goat": PoolFacts(
        title="GOAT 2005.4",
        list_name="2005.4 TCG",
        source="goat-2005-04",
        sizes=(17, 41, 15, 1625),
        hash="49c296deb2c710ba6811cc0988c44e29ef1ee710ff90ca885f87e50fbddf2bc6",
    ),
    "edison": PoolFacts(
        title="Edison 2010.3",
        list_name="2010.3 TCG",
        source="edison-2010-03",
        sizes=(43, 70, 19, 3541),
        hash="9a3de243d8f30a54fc40c0231c01c4bed60e8739b54590d21ecb7a9b5a65f653",
    ),
    "explorer": PoolFacts(
        title="2011 Explorer",
        list_name="2011.9 TCG",
        source="explorer-2011-11",
        sizes=(52, 65, 18, 4983),
        hash="59b04febcc0e21a8918a608900c66ff76b59d97351ae1e6c27174d9180ca7672",
    ),
}


class Line(NamedTuple):
    """A line of ``pools.tsv``."""

    code: int
    limits: tuple[int | None, ...]
    """One per pool, in the order of `POOLS`; None if the card is outside."""
    extra: bool
    counted_as: int
    artworks: tuple[int, ...]
    historical: tuple[int, ...]
    name: str

    def __str__(self) -> str:
        limits = "".join("-" if limit is None else str(limit) for limit in self.limits)
        others = " ".join([*map(str, self.artworks), *(f"~{code}" for code in self.historical)])
        counted_as = "" if self.counted_as == self.code else str(self.counted_as)
        return "\t".join([str(self.code), limits, "x"[: self.extra], counted_as, others, self.name])


def parse_line(text: str) -> Line:
    """Return what ``str`` of a `Line` says."""
    code, limits, extra, counted_as, others, name = text.split("\t")
    return Line(
        code=int(code),
        limits=tuple(None if limit == "-" else int(limit) for limit in limits),
        extra=bool(extra),
        counted_as=int(counted_as or code),
        artworks=tuple(int(other) for other in others.split() if other[0] != "~"),
        historical=tuple(int(other[1:]) for other in others.split() if other[0] == "~"),
        name=name,
    )


def pool_hash(limits: Mapping[int, int]) -> str:
    """Return SHA-256 over ``passcode limit`` lines in the order of passcodes."""
    lines = (f"{code:08d} {limit}\n" for code, limit in sorted(limits.items()))
    return sha256("".join(lines).encode()).hexdigest()


@cache
def pool_limits(key: PoolKey) -> Mapping[int, int]:
    """Return passcode to limit (0-3) of the cards in a pool."""
    place = list(POOLS).index(key)
    pairs = ((line.code, line.limits[place]) for line in _lines())
    return MappingProxyType({code: limit for code, limit in pairs if limit is not None})


@cache
def pool_cards() -> Mapping[int, Card]:
    """Return every passcode of every pool's cards, other artworks and historical ids as well."""
    return MappingProxyType({card.code: card for line in _lines() for card in _cards(line)})


@cache
def modern_codes() -> Mapping[int, int]:
    """Return historical and pre-errata passcodes to those that duel servers know (D22)."""
    return MappingProxyType({code: line.code for line in _lines() for code in line.historical})


@cache
def _lines() -> tuple[Line, ...]:
    text = files(__name__).joinpath("pools.tsv").read_text("utf-8")
    return tuple(map(parse_line, text.splitlines()))


def _cards(line: Line) -> Iterator[Card]:
    for code in chain((line.code,), line.artworks, line.historical):
        yield Card(
            code=code,
            name=line.name,
            base=line.code,
            counted_as=line.counted_as,
            ot=OCG | TCG,
            extra=line.extra,
            token=False,
        )
