"""The list of a tournament kept beside its states: what changed is put, all else stays (performance.md 2).

No part of the state: what is returned follows from the state alone, and equals the full computation. Each
thread keeps its own.
"""

from collections.abc import Mapping
from typing import Final, TypeAlias

from ruleset.ids import PlayerId, TournamentNo
from ruleset.kept import Recent
from ruleset.standings.live import LiveStandings
from ruleset.standings.record import Record
from ruleset.standings.scoring import Scoring
from ruleset.standings.table import Row, SeatsBy, Standings
from ruleset.tournament.records import records_of, scoring_of
from ruleset.tournament.state import Tournament

Wanted: TypeAlias = tuple[TournamentNo, bool, tuple[str, ...]]
"""A list: whose, whether of drafts (S139), and by which criteria."""
MOST: Final = 32
"""Lists that are kept; the one that was asked for longest ago goes first."""
ANEW: Final = 16
"""Where one player of so many has changed, to count all anew takes no longer."""


class Following:
    """One list, brought from state to state, whichever way they go."""

    def __init__(self, order: tuple[str, ...], *, draft: bool) -> None:
        self._order, self._draft = order, draft
        self._state: Tournament | None = None
        self._records: Mapping[PlayerId, Record] = {}
        self._rows: tuple[Row, ...] | None = None
        self._live: LiveStandings

    @property
    def standings(self) -> Standings:
        """The calculation, which can be asked why."""
        return self._live.now()

    @property
    def rows(self) -> tuple[Row, ...]:
        """Everybody's line, best first."""
        if self._rows is None:
            self._rows = self.standings.rows
        return self._rows

    def follow(self, state: Tournament) -> None:
        """Become the list of *state*."""
        before, self._state = self._state, None  # known again only once all went well
        if before is None or not _unchanged(before, state):
            records = records_of(state, draft=self._draft)
            changed = [record for player, record in records.items() if record != self._records.get(player)]
            if before is None or _basis(before) != _basis(state) or len(changed) * ANEW > len(records):
                self._live, self._rows = LiveStandings(self._anew(state, records)), None
            elif changed:
                self._live.put(*changed)
                self._rows = None
            self._records = records
        self._state = state

    def _anew(self, state: Tournament, records: Mapping[PlayerId, Record]) -> Standings:
        _, scoring, seed, seats_by = _basis(state)
        expected = max(state.settings.rounds, len(state.rounds))
        return Standings(
            records, order=self._order, scoring=scoring, seed=seed, seats_by=seats_by, rounds=expected
        )


def list_of(state: Tournament, order: tuple[str, ...] = (), *, draft: bool = False) -> Following:
    """Return the list of *state*, to be read before another state of its tournament is asked for.

    *order* replaces the tournament's own criteria; *draft*: every score counts as it is known (S139).
    """
    criteria = order or state.settings.scores.order
    wanted = state.number, draft, criteria
    following = _RECENT.take(wanted) or Following(criteria, draft=draft)
    following.follow(state)
    _RECENT.put(wanted, following, MOST)
    return following


_RECENT: Final = Recent[Wanted, Following]()


def _unchanged(before: Tournament, state: Tournament) -> bool:
    """Tell whether nothing is another object from which a list follows."""
    return before is state or (
        before.rounds is state.rounds
        and before.players is state.players
        and before.entrants is state.entrants
        and before.settings is state.settings
        and before.seed == state.seed
    )


def _basis(state: Tournament) -> tuple[tuple[PlayerId, ...], Scoring, bytes, SeatsBy]:
    """Return what everybody's line depends on."""
    scores = state.settings.scores
    return state.entrants, scoring_of(state.settings), bytes.fromhex(state.seed), scores.seats_by
