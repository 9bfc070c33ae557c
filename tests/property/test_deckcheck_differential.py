"""The check beside a naive second statement of its rules (issue 5, done-when 3)."""

from collections import Counter

import pytest

from deckcheck.check import Verdict, check
from deckcheck.deck import Deck
from deckcheck.environments import Environment
from deckcheck.sources import load_ocg
from deckcheck.violations import KINDS, Violation
from tests.decks import CDB, LFLIST, needs_shared
from tests.naive_check import World, load, naive, random_decks

pytestmark = needs_shared

DECKS = 1_000
"""``python -m tests.soak.differential_decks`` judges 20,000."""


def as_naive(violation: Violation, environment: Environment) -> tuple[object, ...]:
    """Return a violation as the naive check writes it."""
    card = environment.cards.get(violation.code)
    match violation.kind:
        case "MAINCOUNT" | "EXTRACOUNT" | "SIDECOUNT":
            return violation.kind, violation.count
        case "CARDCOUNT" | "LFLIST":
            counted_as = card.counted_as if card else violation.code
            return violation.kind, counted_as, violation.count, violation.limit
        case "WRONGPLACE":
            return violation.kind, violation.code, *violation.where, violation.count
        case _:
            return violation.kind, violation.code, violation.count


def agree(verdict: Verdict, world: World, environment: Environment) -> None:
    """Assert that both say the same, kind by kind, of everything that they say."""
    deck = verdict.deck
    expected = naive(world, list(deck.main), list(deck.extra), list(deck.side))
    said = [as_naive(violation, environment) for violation in verdict.violations]
    assert set(said) == expected.violations, deck
    assert len(said) == len(set(said)), deck
    assert verdict.client_code == expected.told, deck
    assert {card.code: card.count for card in verdict.prerelease} == expected.prerelease
    assert {card.code: card.count for card in verdict.review} == expected.review


@pytest.mark.parametrize("seed", range(2))
def test_both_checks_agree(seed: int) -> None:
    """D40-D44: for random decks of the real cards and list, verdict by verdict and kind by kind."""
    world, environment = load(CDB, LFLIST), load_ocg(LFLIST, [CDB])
    statuses, kinds = Counter[str](), Counter[str]()
    for main, extra, side in random_decks(world, DECKS, seed):
        verdict = check(Deck(main=tuple(main), extra=tuple(extra), side=tuple(side)), environment)
        agree(verdict, world, environment)
        statuses[verdict.status] += 1
        kinds.update(violation.kind for violation in verdict.violations)
    assert min(statuses[status] for status in ("legal", "illegal", "review")) > DECKS // 200
    never = {"UNREADABLE", "OCGONLY", "NOTAVAIL", "NOTINPOOL", "CREDITS"}
    assert set(kinds) == set(KINDS) - never
