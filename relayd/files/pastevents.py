"""Events of elsewhere, computed anew by our criteria (H208-H211, 4.1, 4.2)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from relayd.files.challonge import Bout, Event, byes
from ruleset.errors import RulesetError
from ruleset.ids import PlayerId, RoundNo
from ruleset.standings.presets import PRESETS
from ruleset.standings.record import Match, MatchOutcome, Record
from ruleset.standings.scoring import Scoring
from ruleset.standings.table import Row, rank

AS_THERE: Final = "challonge"
"""The choice that counts as the event did: its points, and Challonge's own order of criteria."""
CHOICES: Final = (AS_THERE, *PRESETS)
_ORDER: Final = ("points", "median_buchholz", "tb_tied", "game_diff")
_OTHERS: Final[Mapping[MatchOutcome, MatchOutcome]] = {"win": "loss", "loss": "win", "draw": "draw"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """By what an event is counted."""

    order: tuple[str, ...]
    scoring: Scoring


def counting(event: Event, choice: str) -> Counting:
    """Return how *choice* of ``CHOICES`` counts an event. Raises RulesetError ``unknown_preset``."""
    if choice == AS_THERE:
        scoring = Scoring(win=max(1, event.win), draw=event.draw, bye=event.bye)
        return Counting(order=_ORDER, scoring=scoring)
    if choice not in PRESETS:
        raise RulesetError("unknown_preset", preset=choice, known=CHOICES)
    preset = PRESETS[choice]
    return Counting(order=preset.order, scoring=preset.scoring)


def player_of(place: int) -> PlayerId:
    """Return the number under which an entrant stands in rows: his seed."""
    return PlayerId(place + 1)


def rows_of(event: Event, bouts: Sequence[Bout], by: Counting) -> tuple[Row, ...]:
    """Return the list of a stage, best first; equals share a rank, the seed puts them in order."""
    return rank(records_of(event, bouts), order=by.order, scoring=by.scoring)


def records_of(event: Event, bouts: Sequence[Bout]) -> Mapping[PlayerId, Record]:
    """Return the record of everybody who plays in *bouts*, with the byes of a Swiss."""
    found: dict[PlayerId, list[Match]] = {}
    for place, match in _matches(event, bouts):
        found.setdefault(player_of(place), []).append(match)
    return {
        player: Record(player=player, signin=player, matches=tuple(sorted(m, key=lambda one: one.round_no)))
        for player, m in sorted(found.items())
    }


def is_round_robin(event: Event, bouts: Sequence[Bout]) -> bool:
    """Say whether a stage is one: groups do not say, but there everybody meets everybody."""
    players = {place for bout in bouts for place in (bout.a, bout.b)}
    everybody = 2 * len(bouts) == len(players) * (len(players) - 1)
    return event.kind == "round_robin" or (event.kind != "swiss" and everybody)


def _matches(event: Event, bouts: Sequence[Bout]) -> Iterator[tuple[int, Match]]:
    for bout in bouts:
        if bout.outcome is not None:
            yield from _both(bout)
    if not is_round_robin(event, bouts):
        for number, place in byes(bouts, event.entrants):
            yield place, Match(round_no=RoundNo(number), opponent=None, outcome="win", kind="bye")


def _both(bout: Bout) -> Iterator[tuple[int, Match]]:
    outcome: MatchOutcome = "draw" if bout.outcome == "draw" else "win" if bout.outcome == "a" else "loss"
    yield bout.a, _match(bout, bout.b, outcome, bout.wins)
    yield bout.b, _match(bout, bout.a, _OTHERS[outcome], (bout.wins[1], bout.wins[0]))


def _match(bout: Bout, opponent: int, outcome: MatchOutcome, wins: tuple[int, int]) -> Match:
    return Match(
        round_no=RoundNo(bout.round),
        opponent=player_of(opponent),
        outcome=outcome,
        kind="absence" if bout.forfeited else "played",
        won=wins[0],
        lost=wins[1],
    )
