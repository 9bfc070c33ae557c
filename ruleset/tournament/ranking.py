"""Ranks of a tournament: the list, the cut, the final ranking, teams, winners (R022-R033, S129-S131, 4.8)."""

from collections.abc import Iterator
from typing import TypeAlias

from ruleset.ids import PlayerId
from ruleset.pairing.bracket import final_ranking
from ruleset.standings.cut import cut, play_off
from ruleset.standings.table import Row, Standings
from ruleset.standings.teams import TeamRow, rank_teams
from ruleset.tournament.brackets import places
from ruleset.tournament.following import list_of
from ruleset.tournament.settings import Prize
from ruleset.tournament.state import FIRST_STAGES, Tournament

Ranks: TypeAlias = tuple[tuple[PlayerId, int], ...]


def standings(state: Tournament, order: tuple[str, ...] = ()) -> tuple[Row, ...]:
    """Return the list of the first stage as it stands now, best first; dropped players are in it.

    *order* replaces the tournament's own criteria. Empty where no round of it was played.
    """
    return list_of(state, order).rows if _has_list(state) else ()


def live(state: Tournament) -> tuple[Row, ...]:
    """Return the list as it is shown while a round runs: of what ``live_on`` says (S139)."""
    draft = state.settings.live_on == "draft"
    return list_of(state, draft=draft).rows if _has_list(state) else ()


def explained(state: Tournament, *, draft: bool = False) -> Standings:
    """Return the list as a calculation that can be asked why; only where a round of it was played.

    To be asked before another state of the tournament is looked at: it goes on with it.
    """
    return list_of(state, draft=draft).standings


def team_ranking(state: Tournament) -> tuple[TeamRow, ...]:
    """Return the teams, best first, by the first ``top_n`` of each; empty: switched off (S130, S131)."""
    rules = state.settings.teams
    if not rules.ranking or not _has_list(state):
        return ()
    members = {player: state.players[player].team for player in state.entrants}
    teams = {player: team for player, team in members.items() if team is not None}
    return rank_teams(explained(state), teams, rules.top_n)


def swiss_ranks(state: Tournament) -> Ranks:
    """Return everybody in order of the list with his shown rank."""
    return tuple((row.player, row.rank) for row in standings(state))


def cut_seats(state: Tournament) -> tuple[PlayerId, ...]:
    """Return who goes on, best first: exactly the cut, or all that are left (R023, R033, H223)."""
    return cut(_for_the_cut(state), state.settings.cut, _dropped(state), playoff_winner(state))


def playoff_pair(state: Tournament) -> tuple[PlayerId, PlayerId] | None:
    """Return the two who play for the last seat: equal in everything, and nobody else is (R033)."""
    if not state.settings.cut_playoff:
        return None
    return play_off(_for_the_cut(state), state.settings.cut, _dropped(state))


def playoff_winner(state: Tournament) -> PlayerId | None:
    """Return who won the play-off; ``None``: none was played, or both lost it."""
    for table in () if state.playoff is None else state.playoff.tables.values():
        if table.result is not None and table.result.outcome in {"a", "b"}:
            return table.a if table.result.outcome == "a" else table.b
    return None


def final_places(state: Tournament) -> Ranks:
    """Return everybody's final place, best first: the bracket, then the list (4.8, 4.9)."""
    return final_ranking(places(state), swiss_ranks(state))


def winners(state: Tournament) -> tuple[tuple[Prize, PlayerId, int], ...]:
    """Return who has which prize, with his place; equals have the same one, as with DP (S129, R032)."""
    return tuple(_winners(state))


def _winners(state: Tournament) -> Iterator[tuple[Prize, PlayerId, int]]:
    first = 1
    for prize in state.settings.prizes:
        behind = first + prize.count
        yield from ((prize, player, place) for player, place in state.places if first <= place < behind)
        first = behind


def _has_list(state: Tournament) -> bool:
    return any(played.stage in FIRST_STAGES for played in state.rounds)


def _for_the_cut(state: Tournament) -> tuple[Row, ...]:
    return standings(state, state.settings.scores.cut_order)


def _dropped(state: Tournament) -> set[PlayerId]:
    return {number for number, player in state.players.items() if player.dropped_in is not None}
