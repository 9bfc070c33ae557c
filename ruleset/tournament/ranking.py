"""Ranks of a tournament: the Swiss list, the cut, the final ranking (R022-R031, 4.8, 4.9)."""

from typing import TypeAlias

from ruleset.ids import PlayerId
from ruleset.pairing.bracket import final_ranking
from ruleset.standings.cut import cut
from ruleset.standings.table import Row, rank
from ruleset.tournament.brackets import places
from ruleset.tournament.records import records_of, scoring_of
from ruleset.tournament.state import Tournament

Ranks: TypeAlias = tuple[tuple[PlayerId, int], ...]


def standings(state: Tournament, order: tuple[str, ...] = ()) -> tuple[Row, ...]:
    """Return the Swiss list as it stands now, best first; dropped players are in it.

    *order* replaces the tournament's own criteria. Empty where no Swiss round was played.
    """
    if not any(played.stage == "swiss" for played in state.rounds):
        return ()
    scores = state.settings.scores
    return rank(
        records_of(state),
        order=order or scores.order,
        scoring=scoring_of(state.settings),
        seed=bytes.fromhex(state.seed),
        seats_by=scores.seats_by,
    )


def swiss_ranks(state: Tournament) -> Ranks:
    """Return everybody in order of the Swiss list with his shown rank."""
    return tuple((row.player, row.rank) for row in standings(state))


def cut_seats(state: Tournament) -> tuple[PlayerId, ...]:
    """Return who goes on, best first: exactly the cut, or all that are left (R023, H223)."""
    dropped = {number for number, player in state.players.items() if player.dropped_in is not None}
    return cut(standings(state, state.settings.scores.cut_order), state.settings.cut, dropped)


def final_places(state: Tournament) -> Ranks:
    """Return everybody's final place, best first: the bracket, then the Swiss list (4.8, 4.9)."""
    return final_ranking(places(state), swiss_ranks(state))
