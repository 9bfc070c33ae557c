"""From an event of elsewhere to a tournament of ours that is over: rounds, settings, and what is lost."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal, TypeAlias

from relayd.files.challonge import Bout, Event, byes
from relayd.files.knockout import first_places, path, winner
from relayd.files.pastevents import AS_THERE, counting, is_round_robin
from ruleset.ids import PlayerId
from ruleset.tournament.past import PastRound, PastTable
from ruleset.tournament.presets import score_rules
from ruleset.tournament.results import Result
from ruleset.tournament.settings import Points, RatingRules, ScoreRules, Settings
from ruleset.tournament.verdicts import games_of

Obstacle: TypeAlias = Literal["open", "double", "groups", "bracket", "rounds", "tiny"]
"""Why an event cannot be one of ours: matches are open, there are two brackets or several groups, the bracket
cannot be followed, somebody plays twice in a round, or fewer than two play."""
Loss: TypeAlias = Literal["scores", "third", "drops"]
"""What is left out: scores above MOST_GAMES, the match for third place, who dropped."""
MOST_GAMES: Final = 20
"""Of one player in one match; what is more is points of another game."""


class NotOurs(Exception):
    """The event can be looked at, and no more."""

    def __init__(self, why: Obstacle) -> None:
        super().__init__(why)
        self.why: Final = why


def rounds_of(event: Event, numbers: Mapping[int, PlayerId]) -> tuple[PastRound, ...]:
    """Return the rounds with *numbers* for the entrants. Raises NotOurs."""
    if obstacle := _obstacle(event):
        raise NotOurs(obstacle)
    keep = not _pointed(event)
    listed = [_listed(event, bouts, numbers, keep=keep) for bouts in event.groups]
    found = (*(one for rounds in listed for one in rounds), *_bracket(event, numbers, keep=keep))
    if any(_twice(one) for one in found):
        raise NotOurs("rounds")
    return found


def losses(event: Event) -> tuple[Loss, ...]:
    """Return what of an event does not come along, beside what no event of Challonge brings."""
    found: dict[Loss, bool] = {
        "scores": _pointed(event),
        "third": len(path(event.bracket)) < len(event.bracket),
        "drops": not all(entrant.active for entrant in event.entrants),
    }
    return tuple(loss for loss, there in found.items() if there)


def settings_of(event: Event, rounds: Sequence[PastRound], choice: str, title: str, zone: str) -> Settings:
    """Return the settings of the tournament, which counts as *choice* says (pastevents.CHOICES)."""
    bracket = [one for one in rounds if one.stage == "elimination"]
    first = rounds[0].stage
    best: Literal[1, 3] = 1 if all(max(bout.wins) < 2 for bout in _bouts(event)) else 3
    settings = Settings(
        title=title,
        format="swiss",
        rounds=0 if first != "swiss" else len(rounds) - len(bracket),
        best_of=best,
        environment="unknown",
        scores=_scores(event, choice),
        rating=RatingRules(rated=False),
        time_zone=zone,
    )
    if first == "elimination":
        return replace(settings, format="elimination")
    if bracket:
        seats = sum(place is not None for place in bracket[0].slots)
        return replace(settings, format=f"{first}_elimination", cut=seats)  # type: ignore[arg-type]  # both are formats
    return replace(settings, format=first)


def _scores(event: Event, choice: str) -> ScoreRules:
    if choice != AS_THERE:
        return score_rules(choice)
    by = counting(event, choice)
    points = Points(win=by.scoring.win, draw=by.scoring.draw, loss=0, bye=by.scoring.bye)
    return ScoreRules(preset="Challonge", points=points, order=by.order)


def _obstacle(event: Event) -> Obstacle | None:
    if event.kind == "double_elimination":
        return "double"
    if len(event.groups) > 1:
        return "groups"
    if not event.complete or any(bout.outcome is None for bout in _bouts(event)):
        return "open"
    return None if len({place for bout in _bouts(event) for place in (bout.a, bout.b)}) > 1 else "tiny"


def _bouts(event: Event) -> Iterator[Bout]:
    for bouts in event.groups:
        yield from bouts
    yield from event.bracket


def _pointed(event: Event) -> bool:
    """Say whether scores are higher than games are counted."""
    return any(max(bout.wins) > MOST_GAMES for bout in _bouts(event))


def _listed(
    event: Event, bouts: Sequence[Bout], numbers: Mapping[int, PlayerId], *, keep: bool
) -> Iterator[PastRound]:
    stage: Literal["swiss", "round_robin"] = "round_robin" if is_round_robin(event, bouts) else "swiss"
    free = [*byes(bouts, event.entrants)] if stage == "swiss" else []
    for number in sorted({bout.round for bout in bouts}):
        yield PastRound(
            stage=stage,
            tables=tuple(_table(bout, numbers, keep=keep) for bout in bouts if bout.round == number),
            byes=tuple(numbers[place] for at, place in free if at == number),
        )


def _bracket(event: Event, numbers: Mapping[int, PlayerId], *, keep: bool) -> Iterator[PastRound]:
    bouts = path(event.bracket)
    places = first_places(bouts)
    if event.bracket and not places:
        raise NotOurs("bracket")
    met = {(bout.a, bout.b): bout for bout in bouts}
    while len(places) > 1:
        pairs = [*zip(places[::2], places[1::2], strict=True)]
        here = [met[a, b] for a, b in pairs if a is not None and b is not None]
        playing = {place for bout in here for place in (bout.a, bout.b)}
        yield PastRound(
            stage="elimination",
            tables=tuple(_table(bout, numbers, keep=keep) for bout in here),
            byes=tuple(numbers[place] for place in places if place is not None and place not in playing),
            slots=tuple(None if place is None else numbers[place] for place in places),
        )
        winners = {(bout.a, bout.b): winner(bout) for bout in here}
        places = tuple(winners.get((a, b), a if b is None else b) for a, b in pairs)  # type: ignore[arg-type]  # nobody met nobody


def _table(bout: Bout, numbers: Mapping[int, PlayerId], *, keep: bool) -> PastTable:
    games = games_of(bout.wins) if keep else ()
    reason: Literal["no_show", "played"] = "no_show" if bout.forfeited else "played"
    assert bout.outcome is not None  # noqa: S101  open ones were refused
    result = Result(outcome=bout.outcome, reason=reason, games=() if bout.forfeited else games)
    return PastTable(a=numbers[bout.a], b=numbers[bout.b], result=result)


def _twice(played: PastRound) -> bool:
    here = [player for table in played.tables for player in (table.a, table.b)]
    return len({*here}) < len(here)
