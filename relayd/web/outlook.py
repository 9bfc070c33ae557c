"""What would come of a tournament that is about to be published: its schedule, its byes, what to think of."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from relayd.localtime import show_moment
from relayd.web.languages import Language, text
from ruleset.ids import Instant
from ruleset.tournament.publishing import EDITABLE_UNTIL_MS
from ruleset.tournament.settings import Settings

SHOWN: Final = 14
"""Rounds whose times are told one by one."""
FIELDS: Final = (5, 12, 33)
"""Numbers of players that show what an odd field means (4.9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What a host should have read before he publishes."""

    schedule: tuple[str, ...]
    facts: tuple[str, ...]
    warnings: tuple[str, ...]


def outlook(settings: Settings, now: Instant, language: Language, teams: int = 0) -> Outlook:
    """Return what would come of *settings* that are published now, with so many *teams* on the list."""
    return Outlook(
        schedule=tuple(_schedule(settings, now, language)),
        facts=tuple(_facts(settings, language)),
        warnings=tuple(_warnings(settings, now, language, teams)),
    )


def finals_of(settings: Settings) -> int:
    """Return how many rounds the bracket behind the first stage has."""
    return (settings.cut - 1).bit_length() if settings.cut else 0


def _schedule(settings: Settings, now: Instant, language: Language) -> Iterator[str]:
    clock, zone = settings.clock, ZoneInfo(settings.time_zone)
    start, step = settings.start_at or now, clock.length_ms + clock.gap_ms
    if settings.start_at is not None:
        window = [
            _time(start - before, zone) for before in (settings.signin_opens_ms, settings.signin_closes_ms)
        ]
        yield text(language, "publish.signin_window", opens=window[0], closes=window[1])
    if settings.start_at is not None and settings.start_at - now > EDITABLE_UNTIL_MS:
        until = show_moment(Instant(settings.start_at - EDITABLE_UNTIL_MS), zone)[:16]
        yield text(language, "publish.editable_until", at=until)
    if settings.registration.until is not None:
        yield text(language, "publish.until_told", at=show_moment(settings.registration.until, zone)[:16])
    rounds = settings.rounds + finals_of(settings) if settings.rounds else 0
    for n in range(min(rounds, SHOWN)):
        key = "publish.round_at" if n < settings.rounds else "publish.final_at"
        yield text(language, key, n=n + 1, at=_time(start + n * step, zone))
    if rounds:
        yield text(language, "publish.ends", at=show_moment(Instant(start + rounds * step), zone)[:16])


def _facts(settings: Settings, language: Language) -> Iterator[str]:
    if settings.format != "elimination":
        yield text(language, "publish.odd_round", n=settings.scores.points.bye)
    else:
        key = "publish.truncate" if settings.odd_field == "truncate" else "publish.byes"
        yield from (_odd(language, key, count) for count in FIELDS)
    if settings.cut and settings.cut & (settings.cut - 1):
        byes = (1 << finals_of(settings)) - settings.cut
        yield text(language, "publish.cut_byes", n=settings.cut, byes=byes)
    if settings.rating.rated and not settings.test:
        yield text(language, "publish.exhibition")


def _warnings(settings: Settings, now: Instant, language: Language, teams: int) -> Iterator[str]:
    start = settings.start_at
    if start is not None and start - now <= EDITABLE_UNTIL_MS:
        yield text(language, "publish.never_editable")
    if settings.format == "elimination" and settings.odd_field == "truncate":
        yield text(language, "publish.truncate_warning")
    if settings.clock.cap_ms is None:
        yield text(language, "publish.no_cap_warning")
    if settings.teams.required and not teams:
        yield text(language, "publish.no_teams_warning")
    if not settings.pages.require_login:
        yield text(language, "publish.no_login_warning")
    if not settings.servers:
        yield text(language, "publish.no_server_warning")


def _odd(language: Language, key: str, count: int) -> str:
    full = 1 << (count - 1).bit_length()
    return text(language, key, n=count, byes=full - count, left=full // 2, out=count - full // 2)


def _time(moment: int, zone: ZoneInfo) -> str:
    return show_moment(Instant(moment), zone)[11:16]
