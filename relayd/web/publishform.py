"""The form in which a host publishes: its fields, the wishes that they make, and what would come of them."""

from collections.abc import Mapping
from typing import Any, Final
from zoneinfo import ZoneInfo

from relayd.localtime import show_moment
from relayd.web.languages import Language, text
from ruleset.ids import MINUTE_MS, Instant
from ruleset.tournament.settings import Settings

Form = Mapping[str, str]

CLOCK: Final = ("length", "late_first", "late_later", "cap", "gap")
SIGNIN: Final = ("signin_opens", "signin_closes")
DEFAULTS: Final[Form] = {
    "format": "swiss_elimination",
    "environment": "ocg",
    "preset": "xingyi",
    "rounds": "5",
    "cut": "8",
    "best_of": "3",
    "odd_field": "byes",
    "confirm": "auto",
    "seats_by": "signin",
    "signin_opens": "60",
    "signin_closes": "30",
    "length": "",
    "late_first": "15",
    "late_later": "20",
    "cap": "30",
    "gap": "3",
    "auto": "1",
    "rated": "1",
    "private": "",
    "test": "",
}
TEXT_MOST: Final = 20_000


def wishes_of(form: Form) -> dict[str, Any]:
    """Return what a form wishes, in the words of the settings; what is left empty is not said."""
    kind = form.get("format", "")
    wishes: dict[str, Any] = {
        "title": form.get("title", "").strip()[:120],
        "format": kind,
        "rounds": 0 if kind == "elimination" else _number(form, "rounds"),
        "cut": _number(form, "cut") if kind.endswith("_elimination") else 0,
        "best_of": _number(form, "best_of"),
        "text": form.get("text", "")[:TEXT_MOST].replace("\r\n", "\n"),
        "clock": {"auto": form.get("auto") == "1", **_minutes(form, CLOCK)},
        "scores": {"preset": form.get("preset", "xingyi"), "seats_by": form.get("seats_by", "signin")},
        "rating": {"rated": form.get("rated") == "1"},
        "visibility": "private" if form.get("private") == "1" else "public",
        "test": form.get("test") == "1",
        **_minutes(form, SIGNIN),
    }
    wishes["clock"].setdefault("cap_ms", None)
    for name in ("environment", "odd_field", "confirm", "time_zone"):
        if form.get(name):
            wishes[name] = form[name]
    wishes["start_at"] = form.get("start_at") or None
    if servers := [name.removeprefix("server_") for name in form if name.startswith("server_")]:
        wishes["servers"] = servers
    return wishes


def form_of(settings: Settings) -> dict[str, str]:
    """Return the form that would publish these settings, to edit them."""
    clock, start = settings.clock, settings.start_at
    cap = "" if clock.cap_ms is None else str(clock.cap_ms // MINUTE_MS)
    zone = ZoneInfo(settings.time_zone)
    return {
        "title": settings.title,
        "format": settings.format,
        "environment": settings.environment,
        "preset": settings.scores.preset,
        "rounds": str(settings.rounds or 5),
        "cut": str(settings.cut or 8),
        "best_of": str(settings.best_of),
        "odd_field": settings.odd_field,
        "confirm": settings.confirm,
        "seats_by": settings.scores.seats_by,
        "signin_opens": str(settings.signin_opens_ms // MINUTE_MS),
        "signin_closes": str(settings.signin_closes_ms // MINUTE_MS),
        "length": str(clock.length_ms // MINUTE_MS),
        "late_first": str(clock.late_first_ms // MINUTE_MS),
        "late_later": str(clock.late_later_ms // MINUTE_MS),
        "cap": cap,
        "gap": str(clock.gap_ms // MINUTE_MS),
        "auto": "1" if clock.auto else "",
        "rated": "1" if settings.rating.rated else "",
        "private": "1" if settings.visibility == "private" else "",
        "test": "1" if settings.test else "",
        "time_zone": settings.time_zone,
        "start_at": "" if start is None else show_moment(start, zone)[:16].replace(" ", "T"),
        "text": settings.text,
        **{f"server_{server.id}": "1" for server in settings.servers},
    }


def preview(settings: Settings, now: Instant, language: Language) -> list[str]:
    """Return what would come of it: when rounds would begin at the latest, what the cut makes of its size."""
    clock, zone = settings.clock, ZoneInfo(settings.time_zone)
    start, step = settings.start_at or now, clock.length_ms + clock.gap_ms
    finals = (settings.cut - 1).bit_length() if settings.cut else 0
    lines = [
        text(language, "publish.round_at", n=n + 1, at=show_moment(Instant(start + n * step), zone)[11:16])
        for n in range(min(settings.rounds, 12))
    ]
    if settings.rounds:
        end = Instant(start + (settings.rounds + finals) * step)
        lines.append(text(language, "publish.ends", at=show_moment(end, zone)[:16]))
    if settings.cut and settings.cut & (settings.cut - 1):
        byes = (1 << finals) - settings.cut
        lines.append(text(language, "publish.cut_byes", n=settings.cut, byes=byes))
    if settings.format == "elimination":
        key = "publish.truncate" if settings.odd_field == "truncate" else "publish.byes"
        lines += [_odd(language, key, count) for count in (5, 12, 33)]
    return lines


def _odd(language: Language, key: str, count: int) -> str:
    full = 1 << (count - 1).bit_length()
    return text(language, key, n=count, byes=full - count, left=full // 2, out=count - full // 2)


def _minutes(form: Form, names: tuple[str, ...]) -> dict[str, int]:
    return {f"{name}_ms": _number(form, name) * MINUTE_MS for name in names if form.get(name, "").strip()}


def _number(form: Form, name: str) -> int:
    given = form.get(name, "").strip()
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 7 else 0
