"""From what a duel server says to a result, or to the judge (rules.md 5.6-6, 5.7; duel-server.md 2, 3).

A crashed room looks like a finished match. A real end carries a mark (-1, -9, 99), or the full number of
wins, or a last game that somebody saw end; everything else is *suspect* and goes to the judge.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from ruleset.ids import Seat, other
from ruleset.tournament.reports import Report, SeatScore
from ruleset.tournament.results import Game, Outcome, Reason, Result
from ruleset.tournament.state import Table

Doubt: TypeAlias = Literal["suspect", "both_left", "unknown_code"]
_WON: Final[Mapping[Seat, Game]] = {"a": Game(winner="a"), "b": Game(winner="b")}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """Everything that is known of a match whose end is reported."""

    table: Table
    report: Report
    need: int
    """Games that win the match."""
    wins: dict[Seat, int]
    """Games won before and in this room: the report's word, or what was seen, whichever is more."""


def judge(table: Table, report: Report, best_of: Literal[1, 3]) -> Result | Doubt:
    """Return what the final *report* says of *table*; a string is the reason for a dispute."""
    known = _known(table, report, best_of)
    if report.crashed:
        return "suspect"
    if report.a.ending == report.b.ending == "left":
        return "both_left"
    if report.winner == "draw":
        return _tie(known)
    assert report.winner is not None  # noqa: S101  only final reports come here
    return "suspect" if _played_anew(known, other(report.winner)) else _won(known, report.winner)


def judge_extra_game(table: Table, report: Report) -> Result | Doubt | None:
    """Return what the report of an extra game decides; ``None``: nothing, another one is needed (5.5-12)."""
    if report.crashed:
        return "suspect"
    if report.a.ending == report.b.ending == "left":
        return "both_left"
    winner = report.winner
    if winner == "draw" or winner is None:
        return None if report.crashed is False else "suspect"
    tied = table.tied_games
    if _score(report, other(winner)).ending == "left":
        return Result(outcome=winner, reason="disconnect", games=tied)
    won = Game(winner=winner, reason="sudden_death")
    if (_score(report, winner).wins or 0) < 1:
        return "suspect"
    return Result(outcome=winner, reason="sudden_death", games=(*tied, won))


def games_of(wins: tuple[int, int], order: tuple[Seat, ...] = ()) -> tuple[Game, ...]:
    """Return games for a bare score: first those in *order*, then the others, those of seat A first."""
    left_a, left_b = wins[0] - order.count("a"), wins[1] - order.count("b")
    known = tuple(_WON[seat] for seat in order)
    return (*known, *(_WON["a"],) * left_a, *(_WON["b"],) * left_b)


def games_so_far(table: Table) -> tuple[Game, ...]:
    """Return the finished games of *table*, as far as they were seen."""
    return (*games_of(table.carried), *games_of(table.wins, table.order))


def _known(table: Table, report: Report, best_of: int) -> _Known:
    a = _wins(report.a, report, "a", table.wins[0]) + table.carried[0]
    b = _wins(report.b, report, "b", table.wins[1]) + table.carried[1]
    return _Known(table=table, report=report, need=best_of // 2 + 1, wins={"a": a, "b": b})


def _wins(score: SeatScore, report: Report, seat: Seat, seen: int) -> int:
    told = score.wins or 0
    if report.games is not None:
        told = max(told, sum(game.winner == seat for game in report.games))
    return max(told, seen)


def _score(report: Report, seat: Seat) -> SeatScore:
    return report.a if seat == "a" else report.b


def _tie(known: _Known) -> Result | Doubt:
    a, b = known.wins["a"], known.wins["b"]
    if known.report.crashed is False and known.report.games is not None:
        return Result(outcome="draw", reason="played", games=_games(known))
    third_seen = known.need == 2 and a == b == 1 and known.table.duel >= 3
    if not third_seen:
        return "suspect"
    return Result(outcome="draw", reason="played", games=(*_games(known), Game(winner=None)))


def _won(known: _Known, winner: Seat) -> Result | Doubt:
    mine, his = _score(known.report, winner), _score(known.report, other(winner))
    if mine.ending in {"left", "death"}:
        return "unknown_code"
    if mine.ending == "match_card":
        return _by_card(known, winner)
    if known.wins[winner] >= known.need > known.wins[other(winner)]:
        return _result(known, winner, "time" if his.ending == "death" else "played")
    if his.ending == "left":
        return _result(known, winner, "disconnect")
    if his.ending == "death" and known.wins[winner] > known.wins[other(winner)]:
        return _result(known, winner, "time")
    certain = known.report.crashed is False and known.wins[winner] > known.wins[other(winner)]
    return _result(known, winner, "played") if certain else "suspect"


def _played_anew(known: _Known, loser: Seat) -> bool:
    """Say whether *loser* would have won, had the match gone on from the room that was lost (5.5-8)."""
    table, told = known.table, _score(known.report, loser).wins or 0
    unanswered = table.asked_until is not None and known.report.crashed is None
    return unanswered and told + table.wins[0 if loser == "a" else 1] >= known.need


def _by_card(known: _Known, winner: Seat) -> Result:
    """A match-winning card: the game in progress and with it the match are the winner's (99)."""
    if known.report.games is None:
        known.wins[winner] = min(known.wins[winner] + 1, known.need)
    return _result(known, winner, "played")


def _result(known: _Known, winner: Seat, reason: Reason) -> Result:
    outcome: Outcome = winner
    games = _games(known)
    if reason == "time" and known.report.games is None:
        games = _ended_by_time(games, winner)
    return Result(outcome=outcome, reason=reason, games=games)


def _ended_by_time(games: tuple[Game, ...], winner: Seat) -> tuple[Game, ...]:
    """Say of the winner's last game that time decided it (H206)."""
    last = max((place for place, game in enumerate(games) if game.winner == winner), default=None)
    return tuple(replace(game, reason="time") if place == last else game for place, game in enumerate(games))


def _games(known: _Known) -> tuple[Game, ...]:
    table, told = known.table, known.report.games
    before = games_of(table.carried)
    if told is not None:
        return (*before, *told)
    a, b = known.wins["a"] - table.carried[0], known.wins["b"] - table.carried[1]
    return (*before, *games_of((a, b), table.order))
