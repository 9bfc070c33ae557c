"""The first stage of a tournament as the standings want it: a record for each entrant (4.1)."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from ruleset.ids import SEATS, PlayerId, Seat, other
from ruleset.standings.record import Match, MatchKind, MatchOutcome, Record
from ruleset.standings.scoring import Scoring
from ruleset.tournament.results import ABSENCE, Outcome, Result
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import FIRST_STAGES, Round, Table, Tournament
from ruleset.tournament.verdicts import games_of


def records_of(state: Tournament, *, draft: bool = False) -> Mapping[PlayerId, Record]:
    """Return the record of every entrant, over the rounds of the first stage that count (S101).

    Of the results, those that are confirmed; with *draft* every score as it is known (S139).
    """
    matches: dict[PlayerId, list[Match]] = {player: [] for player in state.entrants}
    for played in counted(state):
        for player, match in _matches(played, draft=draft):
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


def counted(state: Tournament) -> Iterator[Round]:
    """Yield the rounds of the first stage that count: no more than are defined (S101)."""
    most = state.settings.rounds or len(state.rounds)
    return (played for played in state.rounds[:most] if played.stage in FIRST_STAGES)


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
        bye_is_win=scores.bye_is_win,
        noshow_counts_as_bye=scores.noshow_counts_as_bye,
        best_of=settings.best_of,
    )


def _matches(played: Round, *, draft: bool) -> Iterator[tuple[PlayerId, Match]]:
    for player in played.byes:
        yield player, Match(round_no=played.number, opponent=None, outcome="win", kind="bye")
    for player in played.walkovers:
        yield player, Match(round_no=played.number, opponent=None, outcome="win", kind="walkover")
    for table in played.tables.values():
        result = table.result or (_drafted(table) if draft else None)
        if result is not None:
            for seat in SEATS:
                yield table.player(seat), _match(played, table, result, seat)


def _drafted(table: Table) -> Result | None:
    """Return what the match looks like now: by what was said last, else by the games seen (S139)."""
    told = [*table.words.values()]
    outcome, wins = (told[-1].outcome, told[-1].wins) if told else (None, table.wins_so_far)
    if outcome is None and wins == (0, 0):
        return None
    leads: Outcome = "a" if wins[0] > wins[1] else "b" if wins[1] > wins[0] else "draw"
    return Result(outcome=outcome or leads, reason="played", games=games_of(wins))


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
