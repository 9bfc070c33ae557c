"""20,000 random decks through both checks: ``python -m tests.soak.differential_decks [DECKS]``."""

import sys

from deckcheck.check import check
from deckcheck.deck import Deck
from deckcheck.sources import load_ocg
from tests.decks import CDB, LFLIST
from tests.naive_check import load, random_decks
from tests.property.test_deckcheck_differential import agree


def main(count: int) -> None:
    """Raise AssertionError with the first deck on which the checks disagree."""
    world, environment = load(CDB, LFLIST), load_ocg(LFLIST, [CDB])
    for main, extra, side in random_decks(world, count, seed=5):
        verdict = check(Deck(main=tuple(main), extra=tuple(extra), side=tuple(side)), environment)
        agree(verdict, world, environment)
    sys.stdout.write(f"{count} decks: both checks agree\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
