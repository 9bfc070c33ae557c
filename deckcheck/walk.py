"""Every violation of one deck, in the order of YGOPro, so that the first is the one that it tells (D41)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from deckcheck.cards import OCG, TCG, Card
from deckcheck.deck import MAX_CODE, SECTIONS, Deck, Section
from deckcheck.environments import NEEDED, PRERELEASE_CODES, Environment
from deckcheck.parsed import ParsedDeck
from deckcheck.violations import Kind, Violation

Standing: TypeAlias = Literal["known", "unknown", "outside", "prerelease", "review"]
"""What an environment knows of a passcode."""


def standing_of(code: int, environment: Environment) -> Standing:
    """Tell what an environment knows of a passcode; a token is no card of a deck (D41, D44)."""
    card = environment.cards.get(code)
    if card:
        passes = environment.is_prerelease(card) and environment.allow_prerelease
        return "unknown" if card.token else "prerelease" if passes else "known"
    if environment.unknown == "outside":
        return "outside"
    if environment.unknown == "refuse" or code > MAX_CODE:
        return "unknown"
    if code in PRERELEASE_CODES:
        return "prerelease" if environment.allow_prerelease else "unknown"
    return "review"


def size_violations(deck: Deck, environment: Environment) -> Iterator[Violation]:
    """Yield what is wrong with the sizes of the sections, counted as they came (D42)."""
    limits = environment.limits
    main, extra, side = len(deck.main), len(deck.extra), len(deck.side)
    if not limits.main_least <= main <= limits.main_most:
        bound = limits.main_least if main < limits.main_least else limits.main_most
        yield Violation(kind="MAINCOUNT", where=("main",), count=main, limit=bound)
    if extra > limits.extra_most:
        yield Violation(kind="EXTRACOUNT", where=("extra",), count=extra, limit=limits.extra_most)
    if side > limits.side_most:
        yield Violation(kind="SIDECOUNT", where=("side",), count=side, limit=limits.side_most)


class Walk:
    """One deck, main and extra apart, on its way through one environment."""

    def __init__(self, deck: Deck, environment: Environment) -> None:
        self.deck, self.environment = deck, environment
        sections = zip(SECTIONS, (deck.main, deck.extra, deck.side), strict=True)
        self.entries = [(section, code) for section, codes in sections for code in codes]
        self.standing = {code: standing_of(code, environment) for _, code in self.entries}
        self.printed = _tallies(self.entries)
        self.named = _tallies((section, self._counted_as(code)) for section, code in self.entries)

    def listed(self, standing: Standing) -> Iterator[tuple[int, int]]:
        """Yield passcode and copies of the cards of that standing."""
        for code, of_code in self.standing.items():
            if of_code == standing:
                yield code, self.printed[code].total()

    def violations(self, parsed: ParsedDeck) -> Iterator[Violation]:
        """Yield all, in the order of D41."""
        yield from parsed.unreadable
        yield from (self._printed("UNKNOWNCARD", code) for code, _ in self.listed("unknown"))
        yield from size_violations(self.deck, self.environment)
        judged = [(section, code) for section, code in self.entries if self.standing[code] != "unknown"]
        yield from self._card_by_card(judged)

    def _card_by_card(self, entries: Iterable[tuple[Section, int]]) -> Iterator[Violation]:
        met, seen = Counter[int](), set[int | tuple[Section, int]]()
        spent = Counter[str]()
        for section, code in entries:
            met[self._counted_as(code)] += 1
            yield from self._once(section, code, seen)
            yield from self._copies(code, met[self._counted_as(code)])
            if code not in seen and not self._in_pool(code):
                yield self._printed("NOTINPOOL", code)
            yield from self._credits(section, code, spent)
            seen |= {code, (section, code)}

    def _once(self, section: Section, code: int, seen: set[int | tuple[Section, int]]) -> Iterator[Violation]:
        """Yield what is wrong with a printed card, however many there are of it."""
        card = self.environment.cards.get(code)
        if not card:
            return
        if code not in seen and (kind := self._unavailable(card)):
            yield self._printed(kind, code)
        if (section, code) not in seen and section == ("main" if card.extra else "extra"):
            count = self.printed[code][section]
            yield self._violation("WRONGPLACE", code, where=(section,), count=count)

    def _unavailable(self, card: Card) -> Kind | None:
        """Return why the rule of the environment refuses a card, by the bits of ``ot`` (D41)."""
        needed = NEEDED[self.environment.rule]
        if self.standing[card.code] == "prerelease":
            return None
        if self.environment.is_prerelease(card):
            return "NOTAVAIL"
        if card.ot & needed == needed:
            return None
        return "OCGONLY" if card.ot & OCG else "TCGONLY" if card.ot & TCG else "NOTAVAIL"

    def _copies(self, code: int, met: int) -> Iterator[Violation]:
        """Yield what the copy that was just met is one too many for (D21)."""
        counted_as = self._counted_as(code)
        copies = self.environment.limits.copies
        cap = self.environment.caps.get(counted_as, copies)
        if met == copies + 1:
            yield self._of_one_name("CARDCOUNT", code, copies)
        if cap < copies and met == cap + 1:
            yield self._of_one_name("LFLIST", code, cap)

    def _credits(self, section: Section, code: int, spent: Counter[str]) -> Iterator[Violation]:
        for budget in self.environment.credits:
            before, points = spent[budget.key], budget.points.get(self._counted_as(code), 0)
            spent[budget.key] += points
            if before <= budget.limit < before + points:
                total = sum(budget.points.get(self._counted_as(other), 0) for _, other in self.entries)
                yield self._violation(
                    "CREDITS", code, where=(section,), count=total, limit=budget.limit, text=budget.key
                )

    def _in_pool(self, code: int) -> bool:
        card = self.environment.cards.get(code)
        return self.environment.in_pool(card) if card else self.standing[code] != "outside"

    def _counted_as(self, code: int) -> int:
        card = self.environment.cards.get(code)
        return card.counted_as if card else code

    def _printed(self, kind: Kind, code: int) -> Violation:
        tally = self.printed[code]
        return self._violation(kind, code, where=tuple(tally), count=tally.total())

    def _of_one_name(self, kind: Kind, code: int, limit: int) -> Violation:
        tally = self.named[self._counted_as(code)]
        return self._violation(kind, code, where=tuple(tally), count=tally.total(), limit=limit)

    def _violation(
        self, kind: Kind, code: int, *, where: tuple[Section, ...], count: int, limit: int = 0, text: str = ""
    ) -> Violation:
        card = self.environment.cards.get(code)
        return Violation(
            kind=kind,
            code=code,
            base=card.base if card else code,
            name=card.name if card else "",
            where=where,
            count=count,
            limit=limit,
            text=text,
        )


def _tallies(entries: Iterable[tuple[Section, int]]) -> dict[int, Counter[Section]]:
    """Return how many of each code are where; both in the order of the deck."""
    tallies: dict[int, Counter[Section]] = {}
    for section, code in entries:
        tallies.setdefault(code, Counter())[section] += 1
    return tallies
