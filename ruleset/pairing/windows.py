"""Where a table could not be mended: an exact matching of a few score groups, proven by a small bound.

A window has a core of neighbouring score groups, and as many tables lent by the groups above and below as the
core can need. What its matching costs is compared with a bound for every pairing of the whole field. If the
two are equal nothing better exists; else the core grows by a group on each side.
"""

from collections.abc import Iterable
from typing import Final

from ruleset.pairing.task import Couple, Found
from ruleset.pairing.window import Hall, Span, Window

LARGEST: Final = 800
"""Players in a window; a larger one is not worth its time."""


class Windows:
    """Makes the tables of a floor legal, window by window."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self._done: list[Span] = []

    def solve(self, stuck: Iterable[Couple]) -> bool:
        """Open a window for each of the *stuck* tables that still stands; ``False``: one has no solution."""
        hall = self.hall
        return all(self._opened(hall.span(couple)) for couple in stuck if hall.stands(couple))

    def _opened(self, span: Span) -> bool:
        span, whole = self._merged(span), self.hall.whole
        window = Window(self.hall, span)
        if len(window.players) > LARGEST:
            return False
        found = window.found()
        if found is not None and (span == whole or window.is_least(found)):
            self._take(window, found)
            return True
        return span != whole and self._opened((max(0, span[0] - 1), min(whole[1], span[1] + 1)))

    def _merged(self, span: Span) -> Span:
        """Return *span* with every solved window that touches it."""
        touching = [span, *(done for done in self._done if done[0] <= span[1] + 1 and span[0] <= done[1] + 1)]
        merged = min(low for low, _ in touching), max(high for _, high in touching)
        return span if merged == span else self._merged(merged)

    def _take(self, window: Window, found: Found) -> None:
        self.hall.couples = window.others + found.couples
        self.hall.bye = self.hall.bye if window.spared is None else found.bye
        self._done.append(window.span)
