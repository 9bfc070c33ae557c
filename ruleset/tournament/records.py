"""The first stage of a tournament as the standings want it: a record for each entrant (4.1)."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import takewhile
from typing import Final, TypeAlias

from ruleset.ids import PlayerId, Seat
from ruleset.kept import Kept
from ruleset.standings.record import Match, MatchKind, MatchOutcome, Record
from ruleset.standings.scoring import Scoring
from ruleset.tournament.results import ABSENCE, Outcome, Result
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import FIRST_STAGES, Round, Table, Tournament
from ruleset.tournament.verdicts import games_of

Matches: TypeAlias = Mapping[PlayerId, tuple[Match, ...]]
"""Those of each player in the order of rounds; who has none is not in it."""


def records_of(state: Tournament, *, draft: bool = False) -> Mapping[PlayerId, Record]:
    """Return the record of every entrant, over the rounds of the first stage that count (S101).

    Of the results, those that are confirmed; with *draft* every score as it is known (S139).
    """
    rounds = (*counted(state),)
    done = (*takewhile(lambda played: not played.waiting_for, rounds),)
    matches = {**_of_done(*done)}
    for played in rounds[len(done) :]:
        _add(matches, _matches(played, draft=draft))
    return {
        player: Record(
            player=player,
            signin=state.players[player].signed_in or 0,
            matches=matches.get(player, ()),
            dropped=state.players[player].dropped_in is not None,
        )
        for player in state.entrants
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


def _matches_of_done(*rounds: Round) -> Matches:
    matches = {**_of_done(*rounds[:-1])} if rounds else {}
    for played in rounds[-1:]:
        _add(matches, _matches(played, draft=False))
    return matches


_of_done: Final = Kept[Round, Matches](_matches_of_done, most=48)
"""The matches of rounds that are done, those before the last as they were found then."""


def _add(matches: dict[PlayerId, tuple[Match, ...]], more: Iterator[tuple[PlayerId, Match]]) -> None:
    for player, match in more:
        matches[player] = (*matches.get(player, ()), match)


def _matches(played: Round, *, draft: bool) -> Iterator[tuple[PlayerId, Match]]:
    for player in played.byes:
        yield player, Match(round_no=played.number, opponent=None, outcome="win", kind="bye")
    for player in played.walkovers:
        yield player, Match(round_no=played.number, opponent=None, outcome="win", kind="walkover")
    for table in played.tables.values():
        result = table.result or (_drafted(table) if draft else None)
        if result is not None:
            games = result.wins("a"), result.wins("b"), result.drawn
            yield table.a, _match(table, result, "a", table.b, games)
            yield table.b, _match(table, result, "b", table.a, (games[1], games[0], games[2]))


def _drafted(table: Table) -> Result | None:
    """Return what the match looks like now: by what was said last, else by the games seen (S139)."""
    told = [*table.words.values()]
    outcome, wins = (told[-1].outcome, told[-1].wins) if told else (None, table.wins_so_far)
    if outcome is None and wins == (0, 0):
        return None
    leads: Outcome = "a" if wins[0] > wins[1] else "b" if wins[1] > wins[0] else "draw"
    return Result(outcome=outcome or leads, reason="played", games=games_of(wins))


def _match(
    table: Table, result: Result, seat: Seat, opponent: PlayerId, games: tuple[int, int, int]
) -> Match:
    return Match(
        round_no=table.id.round_no,
        opponent=opponent,
        outcome=outcome_for(result, seat),
        kind=_kind(result),
        won=games[0],
        lost=games[1],
        drawn=games[2],
        seat=seat,
    )


def outcome_for(result: Result, seat: Seat) -> MatchOutcome:
    """Return how the match ended for *seat*; a double loss is a loss for both."""
    if result.outcome == "draw":
        return "draw"
    return "win" if result.outcome == seat else "loss"


def _kind(result: Result) -> MatchKind:
    return "absence" if result.reason in ABSENCE else "played"
