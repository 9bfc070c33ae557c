"""Every setting that a host can say in the form: its name there, its place, how it is written."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias
from zoneinfo import ZoneInfo

from relayd.localtime import show_moment
from ruleset.ids import MINUTE_MS, Instant, PlayerId, player_label
from ruleset.standings.criteria import CRITERIA
from ruleset.tournament.settings import Settings

Kind: TypeAlias = Literal[
    "line",
    "text",
    "number",
    "minutes",
    "days",
    "flag",
    "choice",
    "moment",
    "people",
    "numbers",
    "prizes",
    "ratio",
]
Group: TypeAlias = Literal[
    "what",
    "when",
    "said",
    "entry",
    "clock",
    "counting",
    "results",
    "pairing",
    "rating",
    "teams",
    "prizes",
    "who",
]
DAY_MS: Final = 24 * 60 * MINUTE_MS
PLACES: Final = 8
"""How many criteria can be put in order."""
ORDERABLE: Final = tuple(c.key for c in CRITERIA.values() if c.applies_to == "matches" and not c.seats_only)
"""Criteria that a host may choose from; sign-in or lot is said apart (R030)."""
LONGEST: Final[Mapping[Kind, int]] = {"line": 120, "text": 20_000, "prizes": 4_000}


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One thing that is asked."""

    name: str
    path: str
    """In the settings, with dots."""
    kind: Kind
    group: Group
    options: tuple[str, ...] = ()
    """Of a choice; ``""`` is None."""
    preset: bool = False
    """Whether a preset brings its value."""


def _of(group: Group, *rows: tuple[str, str, Kind], preset: bool = False) -> Iterable[Field]:
    for name, path, kind in rows:
        yield Field(name=name, path=path, kind=kind, group=group, preset=preset)


def _choice(group: Group, name: str, path: str, *options: str, preset: bool = False) -> Field:
    return Field(name=name, path=path, kind="choice", group=group, options=options, preset=preset)


FIELDS: Final[tuple[Field, ...]] = (
    *_of("what", ("title", "title", "line")),
    _choice(
        "what",
        "format",
        "format",
        *("swiss_elimination", "swiss", "elimination", "round_robin", "round_robin_elimination"),
    ),
    *_of("what", ("rounds", "rounds", "number"), ("cut", "cut", "number")),
    _choice("what", "best_of", "best_of", "3", "1"),
    *_of("when", ("start_at", "start_at", "moment"), ("time_zone", "time_zone", "line")),
    *_of("said", ("text", "text", "text"), ("projected_rules", "pages.projected_rules", "text")),
    *_of(
        "entry",
        ("signin_opens", "signin_opens_ms", "minutes"),
        ("signin_closes", "signin_closes_ms", "minutes"),
        ("until", "registration.until", "moment"),
        ("limit", "registration.limit", "number"),
    ),
    _choice("entry", "odd_field", "odd_field", "byes", "truncate"),
    _choice("entry", "lookup", "pages.lookup", "id_only", "id_or_name"),
    _choice("entry", "prompt_number", "pages.prompt_number", "as_lookup", "on", "off"),
    *_of(
        "entry",
        ("closed", "registration.closed", "flag"),
        ("require_login", "pages.require_login", "flag"),
        ("show_scores_on_signin", "pages.show_scores_on_signin", "flag"),
        ("show_registered", "pages.show_registered", "flag"),
        ("registration_note", "pages.registration_note", "text"),
    ),
    *_of(
        "clock",
        ("length", "clock.length_ms", "minutes"),
        ("late_first", "clock.late_first_ms", "minutes"),
        ("late_later", "clock.late_later_ms", "minutes"),
        ("cap", "clock.cap_ms", "minutes"),
        ("gap", "clock.gap_ms", "minutes"),
        ("warn_at", "clock.warn_at_min", "numbers"),
        ("drop_after_absences", "clock.drop_after_absences", "number"),
    ),
    _choice("clock", "late_mode", "clock.late_mode", "auto", "claim", preset=True),
    *_of("clock", ("auto", "clock.auto", "flag")),
    _choice("counting", "kind", "kind", "", "casual", "competitive", preset=True),
    *_of(
        "counting",
        ("points_win", "scores.points.win", "number"),
        ("points_draw", "scores.points.draw", "number"),
        ("points_loss", "scores.points.loss", "number"),
        ("points_bye", "scores.points.bye", "number"),
        ("floor", "scores.floor", "ratio"),
        preset=True,
    ),
    _choice("counting", "seats_by", "scores.seats_by", "signin", "lot"),
    *_of(
        "counting",
        ("floor_own_gw", "scores.floor_own_gw", "flag"),
        ("floor_ogw", "scores.floor_ogw", "flag"),
        ("bye_games", "scores.bye_games", "flag"),
        ("bye_is_win", "scores.bye_is_win", "flag"),
        ("noshow_counts_as_bye", "scores.noshow_counts_as_bye", "flag"),
        ("rounds_locked", "rounds_locked", "flag"),
        preset=True,
    ),
    *_of("counting", ("cut_playoff", "cut_playoff", "flag")),
    _choice("results", "confirm", "confirm", "auto", "single", "double"),
    _choice("results", "score_gate", "score_gate", "always", "clock"),
    _choice("results", "live_on", "live_on", "submitted", "draft"),
    _choice("results", "seat_key", "seat_key", "off", "optional", "required"),
    *_of(
        "results",
        ("ends_after", "ends_after_ms", "days"),
        ("self_forfeit", "self_forfeit", "flag"),
        ("match_by_name", "match_by_name", "flag"),
    ),
    _choice("pairing", "within", "pairing.within", "random", "rank"),
    _choice("pairing", "bye_within", "pairing.bye_within", "random", "standing"),
    *_of("pairing", ("absence_counts_as_bye", "pairing.absence_counts_as_bye", "flag")),
    _choice("rating", "double_loss_dp", "rating.double_loss_dp", "both_lose", "none"),
    *_of(
        "rating",
        ("k", "rating.k", "number"),
        ("rated", "rating.rated", "flag"),
        ("rate_unplayed", "rating.rate_unplayed", "flag"),
    ),
    _choice("teams", "avoid_same_team", "teams.avoid_same_team", "off", "prefer", "must"),
    *_of(
        "teams",
        ("team_top_n", "teams.top_n", "number"),
        ("team_required", "teams.required", "flag"),
        ("team_ranking", "teams.ranking", "flag"),
    ),
    *_of("prizes", ("prizes", "prizes", "prizes")),
    _choice("who", "visibility", "visibility", "public", "private"),
    _choice("who", "decklists", "pages.decklists", "hidden", "after_end"),
    *_of(
        "who",
        ("co_hosts", "co_hosts", "people"),
        ("linked_events", "linked_events", "numbers"),
        ("test", "test", "flag"),
    ),
)
BY_NAME: Final[Mapping[str, Field]] = {field.name: field for field in FIELDS}
FROZEN: Final = frozenset({"kind"})
"""What stands from publishing on, with the preset and its order (H224)."""
OWNERS: Final = frozenset({"co_hosts", "visibility"})
"""What only the organiser changes (S105, S133), as with the buttons of the console."""
ASKED_APART: Final = frozenset(
    {"environment", "servers", "scores.preset", "scores.order", "scores.cut_order"}
)
"""Settings that have a place of their own in the form."""


def told(field: Field, text: str) -> Any:  # noqa: ANN401  as the settings take it
    """Return what stands in a field as the settings take it; what cannot be read goes on to be refused."""
    return _READ[field.kind](field, text.strip()[: LONGEST.get(field.kind, 400)])


def shown(field: Field, settings: Settings, zone: ZoneInfo) -> str:
    """Return what a field holds for *settings*."""
    value: object = settings
    for name in field.path.split("."):
        value = getattr(value, name)
    return "" if value is None else _SHOWN[field.kind](value, zone)


def numbers_in(text: str) -> list[int | str]:
    """Return the numbers in *text*, ``P000123`` being 123; what is none stays as it is."""
    words = text.replace(",", " ").replace("，", " ").replace("、", " ").split()
    return [_integer(word.removeprefix("P").removeprefix("p")) for word in words]


def _integer(text: str) -> int | str:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else text


def _scaled(unit: int) -> Callable[[Field, str], Any]:
    def read(_field: Field, text: str) -> object:
        value = _integer(text)
        return value * unit if isinstance(value, int) else value or None

    return read


def _option(field: Field, text: str) -> object:
    return _integer(text) if field.name == "best_of" else text or None


def _prizes(_field: Field, text: str) -> object:
    return [_prize(line.strip()) for line in text.splitlines() if line.strip()]


def _prize(line: str) -> dict[str, Any]:
    name, mark, count = line.replace("＊", "*").replace("×", "*").rpartition("*")
    number = _integer(count.strip())
    whole = mark and name.strip() and isinstance(number, int)
    return {"name": name.strip(), "count": number} if whole else {"name": line, "count": 1}


def _ratio(_field: Field, text: str) -> object:
    try:
        share = Fraction(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        return text
    return [share.numerator, share.denominator]


_READ: Final[Mapping[Kind, Callable[[Field, str], Any]]] = {
    "line": lambda _, text: text,
    "text": lambda _, text: text.replace("\r\n", "\n"),
    "number": lambda _, text: _integer(text),
    "minutes": _scaled(MINUTE_MS),
    "days": _scaled(DAY_MS),
    "flag": lambda _, text: text == "1",
    "choice": _option,
    "moment": lambda _, text: text or None,
    "people": lambda _, text: numbers_in(text),
    "numbers": lambda _, text: numbers_in(text),
    "prizes": _prizes,
    "ratio": _ratio,
}
_Shown: TypeAlias = Callable[[Any, ZoneInfo], str]
_SHOWN: Final[Mapping[Kind, _Shown]] = {
    "line": lambda value, _: value,
    "text": lambda value, _: value,
    "number": lambda value, _: str(value),
    "minutes": lambda value, _: str(value // MINUTE_MS),
    "days": lambda value, _: str(value // DAY_MS),
    "flag": lambda value, _: "1" if value else "0",
    "choice": lambda value, _: str(value),
    "moment": lambda value, zone: show_moment(Instant(value), zone)[:16].replace(" ", "T"),
    "people": lambda value, _: ", ".join(player_label(PlayerId(number)) for number in value),
    "numbers": lambda value, _: ", ".join(map(str, value)),
    "prizes": lambda value, _: "\n".join(f"{prize.name} ×{prize.count}" for prize in value),
    "ratio": lambda value, _: "/".join(map(str, value)),
}
