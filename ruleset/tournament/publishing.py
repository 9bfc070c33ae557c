"""Publishing and editing (R012, R045, R051-R056)."""

from typing import Final

from ruleset import roomcode
from ruleset.errors import CommandRejected
from ruleset.ids import MINUTE_MS, Instant
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament import guards
from ruleset.tournament.settings import Settings
from ruleset.tournament.soundness import problems_of
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
    if _ordered_by(command.settings) != _ordered_by(state.settings):
        raise CommandRejected("order_fixed", preset=state.settings.scores.preset)
    _check(command.settings, command.now)
    return (e.SettingsEdited(settings=command.settings),)


def editable(state: Tournament, now: Instant) -> None:
    """Refuse with ``too_late_to_edit`` (R056), of a tournament that has not started."""
    start = state.settings.start_at
    if start is not None and now >= start - EDITABLE_UNTIL_MS:
        raise CommandRejected("too_late_to_edit", until=start - EDITABLE_UNTIL_MS)


def _ordered_by(settings: Settings) -> tuple[object, ...]:
    """Return what the host announced of how the list is ordered: frozen at publishing (H224)."""
    scores = settings.scores
    return settings.kind, scores.preset, scores.order, scores.cut_order


def _check(settings: Settings, now: Instant) -> None:
    problems = tuple(problems_of(settings, now))
    if problems:
        raise CommandRejected("bad_settings", problems=problems)
