"""What a deck is judged by: limits of its size, a list, a pool, the cards (D44)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from deckcheck.cards import OCG, PRERELEASE, TCG, Card
from deckcheck.deck import Deck
from deckcheck.lflist import Credit, LfList, hash_text, list_hash
from deckcheck.parsed import ParsedDeck
from deckcheck.pools import POOLS, PoolKey, pool_cards, pool_hash, pool_limits

Rule: TypeAlias = Literal["ocg", "tcg", "all"]
"""Whose cards are allowed (decisions 9)."""
Unknown: TypeAlias = Literal["review", "refuse", "outside"]
"""What an id is that no source knows: a case for the host, unknown, or, where nothing can be known of any
card outside the pool, outside the pool."""

KEYS: Final[tuple[str, ...]] = ("ocg", *POOLS)
"""Of the environments that need no file of a host (D44)."""
PRERELEASE_CODES: Final = range(100_200_000, 102_000_000)
"""Ids of cards that are not released yet (decisions 9)."""
NEEDED: Final[Mapping[Rule, int]] = {"ocg": OCG, "tcg": TCG, "all": 0}
"""The bits of ``ot`` that a card must have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How many cards a deck has (section 4)."""

    main_least: int = 40
    main_most: int = 60
    extra_most: int = 15
    side_most: int = 15
    copies: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """Everything that a verdict depends on; whatever happens later to the files it came from (D45)."""

    key: str
    """``ocg``, ``goat``, ``edison``, ``explorer``, or the host's own word."""
    title: str
    list_name: str
    list_hash: str
    """Eight hexadecimal digits (D07)."""
    pool_hash: str
    """SHA-256 of the pool, or of all cards where every card is in the pool."""
    limits: Limits = field(default_factory=Limits)
    rule: Rule = "all"
    unknown: Unknown = "refuse"
    allow_prerelease: bool = False
    pool: frozenset[int] | None = None
    """Base passcodes that may be played; None: all that the cards and the rule allow."""
    caps: Mapping[int, int]
    """0, 1 or 2 by the passcode that a card is counted as."""
    credits: tuple[Credit, ...] = ()
    """Budgets with their points by the passcode that a card is counted as."""
    cards: Mapping[int, Card]
    """Every known passcode."""
    extra_codes: frozenset[int] = field(init=False, repr=False, compare=False)
    """Known passcodes of the extra deck."""
    plain: Mapping[int, int] = field(init=False, repr=False, compare=False)
    """What passcodes are counted as, of those of which only copies must be counted."""

    def __post_init__(self) -> None:
        extra = frozenset(code for code, card in self.cards.items() if card.extra)
        object.__setattr__(self, "extra_codes", extra)
        plain = {code: card.counted_as for code, card in self.cards.items() if self._is_plain(card)}
        object.__setattr__(self, "plain", plain)

    def __hash__(self) -> int:
        return hash((self.key, self.list_hash, self.pool_hash))

    def placed(self, parsed: ParsedDeck) -> Deck:
        """Return the deck with main and extra apart, by card type where its source had them mixed (D31)."""
        return parsed.placed(self.extra_codes)

    def in_pool(self, card: Card) -> bool:
        """Tell whether a known card may be played at all (D21)."""
        return self.pool is None or card.base in self.pool

    def is_prerelease(self, card: Card) -> bool:
        """Tell whether a known card passes only as one that is not released yet (D44)."""
        return self.pool is None and bool(card.ot & PRERELEASE)

    def _is_plain(self, card: Card) -> bool:
        needed = NEEDED[self.rule]
        allowed = card.ot & needed == needed and not card.token and not self.is_prerelease(card)
        return allowed and self.in_pool(card)


def retro(key: PoolKey, cards: Mapping[int, Card] | None = None) -> Environment:
    """Return a retro environment; *cards* tell unknown cards from those outside the pool, and give names.

    Its verdicts need no *cards*: then all that is not in the pool is outside (D44, decisions 10).
    """
    limits = pool_limits(key)
    listed = {code: limit for code, limit in limits.items() if limit < Limits().copies}
    return Environment(
        key=key,
        title=POOLS[key].title,
        list_name=POOLS[key].list_name,
        list_hash=hash_text(list_hash(listed.items())),
        pool_hash=pool_hash(limits),
        unknown="outside" if cards is None else "refuse",
        pool=frozenset(limits),
        caps=_caps(listed, pool_cards()),
        cards=known_cards(cards),
    )


def current(
    current_list: LfList, cards: Mapping[int, Card], *, allow_prerelease: bool = True, rule: Rule = "ocg"
) -> Environment:
    """Return the environment of the operator's current list and cards (D44, decisions 9)."""
    return Environment(
        key="ocg",
        title=f"OCG {current_list.name.strip()}",
        list_name=current_list.name,
        list_hash=hash_text(current_list.hash),
        pool_hash=_cards_hash(cards),
        rule=rule,
        unknown="review",
        allow_prerelease=allow_prerelease,
        caps=_caps(current_list.limits, cards),
        credits=_credits(current_list, cards),
        cards=MappingProxyType(dict(cards)),
    )


def whitelist(key: str, own_list: LfList, cards: Mapping[int, Card] | None = None) -> Environment:
    """Return the environment of a host's own pool: what *own_list* does not name is refused (D08).

    Cards that neither *cards* nor the carried pools know are taken for main deck cards of their own name.
    """
    known = known_cards(cards)
    listed = {code: known.get(code) or _unnamed(code) for code in own_list.counts}
    allowed = {code: count for code, count in own_list.counts.items() if count >= 0}
    return Environment(
        key=key,
        title=own_list.name.strip(),
        list_name=own_list.name,
        list_hash=hash_text(own_list.edopro_hash),
        pool_hash=pool_hash(own_list.counts),
        unknown="outside" if cards is None else "refuse",
        pool=frozenset(card.base for card in listed.values()),
        caps=_caps({code: count for code, count in allowed.items() if count < Limits().copies}, known),
        credits=_credits(own_list, known),
        cards=MappingProxyType({**known, **listed}),
    )


def known_cards(cards: Mapping[int, Card] | None = None) -> Mapping[int, Card]:
    """Return the carried cards of all pools, by their names in *cards*, and all others of *cards*."""
    others = cards or {}
    named = {code: _named(card, others.get(code)) for code, card in pool_cards().items()}
    return MappingProxyType({**others, **named})


def _cards_hash(cards: Mapping[int, Card]) -> str:
    rows = (cards[code] for code in sorted(cards))
    lines = (f"{c.code} {c.base} {c.counted_as} {c.ot} {c.extra:d} {c.token:d}\n" for c in rows)
    return sha256("".join(lines).encode()).hexdigest()


def _caps(limits: Mapping[int, int], cards: Mapping[int, Card]) -> Mapping[int, int]:
    """Return *limits* by what the cards are counted as; of two editions the stricter counts."""
    caps: dict[int, int] = {}
    for code, limit in limits.items():
        counted_as = _counted_as(code, cards)
        caps[counted_as] = min(limit, caps.get(counted_as, limit))
    return MappingProxyType(caps)


def _credits(own_list: LfList, cards: Mapping[int, Card]) -> tuple[Credit, ...]:
    return tuple(
        Credit(
            key=credit.key,
            limit=credit.limit,
            points=MappingProxyType(
                {_counted_as(code, cards): points for code, points in credit.points.items()}
            ),
        )
        for credit in own_list.credits
    )


def _counted_as(code: int, cards: Mapping[int, Card]) -> int:
    card = cards.get(code)
    return card.counted_as if card else code


def _named(card: Card, known: Card | None) -> Card:
    return card._replace(name=known.name or card.name, setcode=known.setcode) if known else card


def _unnamed(code: int) -> Card:
    return Card(code=code, name="", base=code, counted_as=code, ot=OCG | TCG, extra=False, token=False)
