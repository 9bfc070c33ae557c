"""Which settings cannot work, and why: every problem at once, each with the name of its setting."""

from collections.abc import Callable, Iterator
from typing import Final

from ruleset.errors import RulesetError
from ruleset.ids import MINUTE_MS, Instant
from ruleset.standings.criteria import chosen
from ruleset.tournament.records import scoring_of
from ruleset.tournament.settings import Settings

MOST_ROUNDS: Final = 99
"""More would not fit into a room code (R058)."""
LONGEST_NAME: Final = 60
"""Characters in the name of a preset or a prize."""


def problems_of(settings: Settings, now: Instant) -> Iterator[str]:
    """Yield what is wrong with *settings* that are published or edited *now*."""
    for check in _CHECKS:
        yield from check(settings)
    if not settings.title.strip():
        yield "title: must not be empty"
    if settings.start_at is not None and settings.start_at <= now:
        yield "start_at: lies in the past"  # 5.5-22


def _format(settings: Settings) -> Iterator[str]:
    if settings.format in {"swiss", "swiss_elimination"} and not 1 <= settings.rounds <= MOST_ROUNDS:
        yield f"rounds: a Swiss needs 1 to {MOST_ROUNDS}"
    if settings.format == "elimination" and settings.rounds:
        yield "rounds: elimination has no rounds before the bracket, leave it 0"
    if not 0 <= settings.rounds <= MOST_ROUNDS:
        yield f"rounds: 0, which in a round robin is all, to {MOST_ROUNDS}"
    if settings.best_of not in {1, 3}:
        yield "best_of: 1 or 3"


def _cut(settings: Settings) -> Iterator[str]:
    cuts = settings.format in {"swiss_elimination", "round_robin_elimination"}
    if cuts and settings.cut < 2:
        yield "cut: at least 2 must go on"  # R012
    if not cuts and settings.cut:
        yield "cut: only a format with a bracket behind a first stage has one, leave it 0"
    if not cuts and settings.cut_playoff:
        yield "cut_playoff: nobody can play for a seat where there is no cut"  # R033


def _clock(settings: Settings) -> Iterator[str]:
    clock = settings.clock
    if not settings.signin_opens_ms > settings.signin_closes_ms >= 0:
        yield "signin: must open before it closes, and close before the start"
    if min(clock.length_ms, clock.late_first_ms, clock.late_later_ms) <= 0:
        yield "clock: length and late limits must be more than 0"
    if clock.gap_ms < 0 or (clock.cap_ms is not None and clock.cap_ms <= 0):
        yield "clock: the gap must not be negative, a cap must be more than 0"
    if any(not 0 < left * MINUTE_MS < clock.length_ms for left in clock.warn_at_min):
        yield "clock.warn_at_min: minutes before time is called, inside the round"  # S104
    if min(clock.drop_after_absences, settings.ends_after_ms) < 0:
        yield "clock.drop_after_absences, ends_after_ms: must not be negative, 0 is never"


def _scores(settings: Settings) -> Iterator[str]:
    scores = settings.scores
    if not 0 < len(scores.preset.strip()) <= LONGEST_NAME:
        yield f"scores.preset: a name of 1 to {LONGEST_NAME} characters"
    if settings.rating.k < 0:
        yield "rating.k: must not be negative"
    if scores.floor[1] == 0:
        yield "scores.floor: the denominator must not be 0"
        return
    try:
        scoring_of(settings)
        chosen(scores.order)
        chosen(scores.cut_order or scores.order)
    except RulesetError as error:
        yield f"scores: {error}"


def _people(settings: Settings) -> Iterator[str]:
    if settings.teams.top_n < 0:
        yield "teams.top_n: must not be negative, 0 is all"  # S131
    if settings.teams.ranking and settings.format == "elimination":
        yield "teams.ranking: needs a list, and a bracket alone has none"  # S130
    if settings.registration.limit < 0 or settings.registration.limit == 1:
        yield "registration.limit: at least 2, or 0 for none"
    if any(prize.count < 1 or not 0 < len(prize.name.strip()) <= LONGEST_NAME for prize in settings.prizes):
        yield f"prizes: each needs a name of 1 to {LONGEST_NAME} characters and a count of at least 1"  # S129


_CHECKS: Final[tuple[Callable[[Settings], Iterator[str]], ...]] = (_format, _cut, _clock, _scores, _people)
