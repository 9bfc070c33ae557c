"""Publishing and editing (R012, R045, R051-R056)."""

from collections.abc import Iterator
from typing import Final

from ruleset import roomcode
from ruleset.errors import CommandRejected, RulesetError
from ruleset.ids import MINUTE_MS, Instant
from ruleset.standings.criteria import chosen
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament import guards
from ruleset.tournament.records import scoring_of
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import EMPTY, Tournament

EDITABLE_UNTIL_MS: Final = 12 * 60 * MINUTE_MS
"""Before the start (R056)."""


def publish(state: Tournament, command: c.Publish) -> tuple[e.Event, ...]:
    """Open the tournament. Refuses with ``already_published``, ``bad_settings``, ``number_too_long``."""
    if state != EMPTY:
        raise CommandRejected("already_published", number=state.number)
    _check(command.settings, command.now)
    if not roomcode.fits(command.number):
        raise CommandRejected("number_too_long", number=command.number)
    published = e.TournamentPublished(
        number=command.number,
        settings=command.settings,
        organiser=command.organiser,
        environment=command.environment,
        seed=command.seed,
        at=command.now,
    )
    return (published,)


def edit(state: Tournament, command: c.EditSettings) -> tuple[e.Event, ...]:
    """Change the settings. Refuses with ``too_late_to_edit``, ``environment_fixed``, ``bad_settings`` too."""
    guards.before_start(state)
    if command.settings == state.settings:
        return ()
    editable(state, command.now)
    if command.settings.environment != state.settings.environment:
        raise CommandRejected("environment_fixed", environment=state.settings.environment)
    _check(command.settings, command.now)
    return (e.SettingsEdited(settings=command.settings),)


def editable(state: Tournament, now: Instant) -> None:
    """Refuse with ``too_late_to_edit`` (R056), of a tournament that has not started."""
    start = state.settings.start_at
    if start is not None and now >= start - EDITABLE_UNTIL_MS:
        raise CommandRejected("too_late_to_edit", until=start - EDITABLE_UNTIL_MS)


def _check(settings: Settings, now: Instant) -> None:
    problems = tuple(_problems(settings, now))
    if problems:
        raise CommandRejected("bad_settings", problems=problems)


def _problems(settings: Settings, now: Instant) -> Iterator[str]:
    yield from _format_problems(settings)
    yield from _clock_problems(settings)
    yield from _score_problems(settings)
    if not settings.title.strip():
        yield "title: must not be empty"
    if settings.start_at is not None and settings.start_at <= now:
        yield "start_at: lies in the past"  # 5.5-22


def _format_problems(settings: Settings) -> Iterator[str]:
    swiss, cuts = settings.format != "elimination", settings.format == "swiss_elimination"
    if swiss and not 1 <= settings.rounds <= 99:
        yield "rounds: a Swiss needs 1 to 99"
    if not swiss and settings.rounds:
        yield "rounds: elimination has no Swiss rounds, leave it 0"
    if cuts and settings.cut < 2:
        yield "cut: at least 2 must go on"  # R012
    if not cuts and settings.cut:
        yield "cut: only swiss_elimination has one, leave it 0"
    if settings.best_of not in {1, 3}:
        yield "best_of: 1 or 3"


def _clock_problems(settings: Settings) -> Iterator[str]:
    clock = settings.clock
    if not settings.signin_opens_ms > settings.signin_closes_ms >= 0:
        yield "signin: must open before it closes, and close before the start"
    if min(clock.length_ms, clock.late_first_ms, clock.late_later_ms) <= 0:
        yield "clock: length and late limits must be more than 0"
    if clock.gap_ms < 0 or (clock.cap_ms is not None and clock.cap_ms <= 0):
        yield "clock: the gap must not be negative, a cap must be more than 0"


def _score_problems(settings: Settings) -> Iterator[str]:
    scores = settings.scores
    if scores.floor[1] == 0:
        yield "scores.floor: the denominator must not be 0"
        return
    try:
        scoring_of(settings)
        chosen(scores.order)
        chosen(scores.cut_order or scores.order)
    except RulesetError as error:
        yield f"scores: {error}"
