"""The verdict on a deck: every violation at once, and the one that the game client is told (D40-D44).

A deck in which only copies must be counted is judged by one Counter and one table; only a deck that is not
plainly legal is walked card by card, in the order of YGOPro, so that the first violation is what YGOPro says.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from deckcheck.deck import Deck
from deckcheck.environments import Environment
from deckcheck.parsed import ParsedDeck
from deckcheck.sentences import Language, and_more
from deckcheck.violations import Violation, client_code
from deckcheck.walk import Standing, Walk, size_violations
from deckcheck.wire import read_deckbuf

Status: TypeAlias = Literal["legal", "illegal", "review"]
SHOWN: Final = 20
"""A page or a terminal shows that many violations and the number of the rest (decisions 12)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A card that no source knows (D44)."""

    code: int
    count: int
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is to be said of a deck."""

    deck: Deck
    """As it was judged, main and extra apart."""
    violations: tuple[Violation, ...] = ()
    """All, in the order of D41."""
    prerelease: tuple[Listed, ...] = ()
    """What passed as not released yet."""
    review: tuple[Listed, ...] = ()
    """What the host must look at."""

    @property
    def status(self) -> Status:
        """``review`` if nothing is against the deck but cards that only the host can judge."""
        if self.violations:
            return "illegal"
        return "review" if self.review else "legal"

    @property
    def client_code(self) -> int:
        """What ERROR_MSG tells the game client; 0 for a legal deck (D41)."""
        if self.violations:
            return client_code(self.violations[0])
        if self.review:
            return client_code(Violation(kind="UNKNOWNCARD", code=self.review[0].code))
        return 0

    def sentences(self, language: Language = "en", most: int = SHOWN) -> tuple[str, ...]:
        """Return the first violations in words and, if there are more, how many (decisions 12)."""
        shown = tuple(violation.sentence(language) for violation in self.violations[:most])
        rest = len(self.violations) - len(shown)
        return (*shown, and_more(rest, language)) if rest else shown


def check(deck: ParsedDeck | Deck, environment: Environment) -> Verdict:
    """Judge *deck* by *environment*."""
    parsed = ParsedDeck(deck=deck) if isinstance(deck, Deck) else deck
    placed = environment.placed(parsed)
    in_place = parsed.mixed or _in_place(placed, environment)
    if in_place and not parsed.unreadable and _plainly_legal(placed, environment):
        return Verdict(deck=placed)
    walk = Walk(placed, environment)
    return Verdict(
        deck=placed,
        violations=tuple(walk.violations(parsed)),
        prerelease=_listed(walk, "prerelease"),
        review=_listed(walk, "review"),
    )


class Judge:
    """Judges the deck buffers of one environment, and remembers its last verdicts."""

    def __init__(self, environment: Environment, *, remembered: int = 4096) -> None:
        self.environment = environment
        self._remembered = lru_cache(maxsize=remembered)(self._fresh)

    def __call__(self, buffer: bytes) -> Verdict:
        """Return the verdict on a deck buffer (D34). Raises DeckInvalid if it is none."""
        return self._remembered(buffer)

    def _fresh(self, buffer: bytes) -> Verdict:
        return check(read_deckbuf(buffer), self.environment)


def _listed(walk: Walk, standing: Standing) -> tuple[Listed, ...]:
    cards = walk.environment.cards
    return tuple(
        Listed(code=code, count=count, name=cards[code].name if code in cards else "")
        for code, count in walk.listed(standing)
    )


def _in_place(deck: Deck, environment: Environment) -> bool:
    extra = environment.extra_codes
    return extra.isdisjoint(deck.main) and extra.issuperset(deck.extra)


def _plainly_legal(deck: Deck, environment: Environment) -> bool:
    """Tell whether of a deck with every card in its place only copies had to be looked at, and are fine."""
    if environment.credits or any(size_violations(deck, environment)):
        return False
    try:
        counts = Counter(map(environment.plain.__getitem__, deck.codes))
    except KeyError:
        return False
    caps = environment.caps
    return max(counts.values()) <= environment.limits.copies and all(
        counts[code] <= caps[code] for code in counts.keys() & caps.keys()
    )
