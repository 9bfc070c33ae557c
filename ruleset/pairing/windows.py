"""Where a table could not be mended: an exact matching of a few score groups, proven by a small bound.

A window has a core of neighbouring score groups, and as many tables lent by the groups above and below as the
core can need. What its matching costs is compared with a bound for every pairing of the whole field. If the
two are equal nothing better exists; else the core grows by a group on each side.
"""

from collections.abc import Iterable
from typing import Final

from ruleset.pairing.task import Couple, Found, Proof
from ruleset.pairing.window import Hall, Span, Window

LARGEST: Final = 800
"""Players in a window; a larger one is not worth its time."""


class Windows:
    """Makes the tables of a floor legal, window by window."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.done: dict[Span, Proof] = {}
        """What is solved, and how far it is proven."""

    def solve(self, stuck: Iterable[Couple]) -> bool:
        """Open a window for each of the *stuck* tables that still stands; ``False``: one has no solution."""
        hall = self.hall
        return all(self._opened(hall.span(couple)) for couple in stuck if hall.stands(couple))

    def touches(self, span: Span) -> bool:
        """Tell whether a table of that span has a player in the core of a window."""
        return any(span[0] <= high and low <= span[1] for low, high in self.done)

    def _opened(self, span: Span) -> bool:
        span, whole = self._merged(span), self.hall.whole
        window = Window(self.hall, span)
        if len(window.players) > LARGEST:
            return False
        found = window.found()
        proof: Proof = "none" if found is None else window.proof(found)
        if found is not None and proof != "none":
            self._take(window, found, proof)
            return True
        return span != whole and self._opened((max(0, span[0] - 1), min(whole[1], span[1] + 1)))

    def _merged(self, span: Span) -> Span:
        """Return *span* with every solved window that touches it."""
        touching = [span, *(done for done in self.done if done[0] <= span[1] + 1 and span[0] <= done[1] + 1)]
        merged = min(low for low, _ in touching), max(high for _, high in touching)
        return span if merged == span else self._merged(merged)

    def _take(self, window: Window, found: Found, proof: Proof) -> None:
        self.hall.couples = window.others + found.couples
        self.hall.bye = self.hall.bye if window.spared is None else found.bye
        low, high = window.span
        self.done = {span: had for span, had in self.done.items() if not low <= span[0] <= high}
        self.done[window.span] = proof
