"""The Swiss part of a tournament as the standings want it: a record for each entrant (4.1)."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from ruleset.ids import PlayerId, Seat, other
from ruleset.standings.record import Match, MatchKind, MatchOutcome, Record
from ruleset.standings.scoring import Scoring
from ruleset.tournament.results import ABSENCE, Result
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import Round, Table, Tournament

_SEATS: Final[tuple[Seat, Seat]] = ("a", "b")


def records_of(state: Tournament) -> Mapping[PlayerId, Record]:
    """Return the record of every entrant, over the Swiss rounds and the results confirmed so far."""
    matches: dict[PlayerId, list[Match]] = {player: [] for player in state.entrants}
    for played in state.rounds:
        if played.stage == "swiss":
            for player, match in _matches(played):
                matches[player].append(match)
    return {
        player: Record(
            player=player,
            signin=state.players[player].signed_in or 0,
            matches=tuple(found),
            dropped=state.players[player].dropped_in is not None,
        )
        for player, found in matches.items()
    }


def scoring_of(settings: Settings) -> Scoring:
    """Return how the standings of a tournament count."""
    scores = settings.scores
    return Scoring(
        win=scores.points.win,
        draw=scores.points.draw,
        loss=scores.points.loss,
        bye=scores.points.bye,
        floor=Fraction(*scores.floor),
        floor_own_gw=scores.floor_own_gw,
        floor_ogw=scores.floor_ogw,
        bye_games=scores.bye_games,
        noshow_counts_as_bye=scores.noshow_counts_as_bye,
        best_of=settings.best_of,
    )


def _matches(played: Round) -> Iterator[tuple[PlayerId, Match]]:
    for player in played.byes:
        yield player, Match(round_no=played.number, opponent=None, outcome="win", kind="bye")
    for table in played.tables.values():
        if table.status == "confirmed" and table.result is not None:
            for seat in _SEATS:
                yield table.player(seat), _match(played, table, table.result, seat)


def _match(played: Round, table: Table, result: Result, seat: Seat) -> Match:
    return Match(
        round_no=played.number,
        opponent=table.player(other(seat)),
        outcome=outcome_for(result, seat),
        kind=_kind(result),
        won=result.wins(seat),
        lost=result.wins(other(seat)),
        drawn=result.drawn,
        seat=seat,
    )


def outcome_for(result: Result, seat: Seat) -> MatchOutcome:
    """Return how the match ended for *seat*; a double loss is a loss for both."""
    if result.outcome == "draw":
        return "draw"
    return "win" if result.outcome == seat else "loss"


def _kind(result: Result) -> MatchKind:
    return "absence" if result.reason in ABSENCE else "played"
