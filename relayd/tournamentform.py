"""A tournament's settings as a host writes them, to those that the rules know: every problem at once."""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from typing import Any, Final, TypeAlias, get_type_hints
from zoneinfo import ZoneInfo

import msgspec
from pydantic import TypeAdapter, ValidationError

from relayd.localtime import read_moment, zone_names
from ruleset.errors import CommandRejected, RulesetError
from ruleset.ids import MINUTE_MS
from ruleset.standings.criteria import CRITERIA, chosen
from ruleset.standings.presets import PRESETS
from ruleset.tournament.presets import score_rules
from ruleset.tournament.records import scoring_of
from ruleset.tournament.settings import Settings

Wishes: TypeAlias = Mapping[str, Any]
"""Settings by name, nested as they are; ``start_at`` may be text, ``servers`` may be ids."""

BEST_OF_ONE_MS: Final = 25 * MINUTE_MS
"""Length of a round (R062)."""
_settings: Final = TypeAdapter(Settings)


def read_form(wishes: Wishes, *, time_zone: str, capacities: Mapping[str, int]) -> Settings:
    """Return the settings of a new tournament; what is not said follows from preset, best of and servers.

    *capacities* are the rooms of every duel server: a tournament that names none may use all.
    Raises CommandRejected ``bad_settings`` with all problems, ``bad_moment`` or ``no_such_time``.
    """
    base = {"time_zone": time_zone, "servers": list(capacities)}
    return _settled(_merged(base, wishes), wishes, capacities)


def edit_form(before: Settings, wishes: Wishes, *, capacities: Mapping[str, int]) -> Settings:
    """Return *before* with what is said of it. Raises as ``read_form``."""
    return _settled(_merged(msgspec.to_builtins(before), wishes), wishes, capacities)


def _settled(merged: dict[str, Any], wishes: Wishes, capacities: Mapping[str, int]) -> Settings:
    strangers = list(_strangers("", merged, Settings))
    if strangers:
        raise CommandRejected("bad_settings", problems=tuple(strangers))
    _default_clock(merged, wishes)
    _default_scores(merged, wishes)
    _read_start(merged)
    merged["servers"] = [_server(server, capacities) for server in _listed(merged.get("servers"))]
    try:
        settings = _settings.validate_python(merged)
    except ValidationError as error:
        raise CommandRejected("bad_settings", problems=tuple(_sentences(error))) from error
    _refuse((*_unknown_servers(settings, capacities), *_bad_scores(settings, wishes)))
    return settings


def _default_clock(merged: dict[str, Any], wishes: Wishes) -> None:
    """A best of one is shorter (R062); a preset may leave an absence to the present player (H220)."""
    said = _inner(wishes, "clock")
    clock = merged.setdefault("clock", {})
    if isinstance(clock, dict):
        if wishes.get("best_of") == 1 and "length_ms" not in said:
            clock["length_ms"] = BEST_OF_ONE_MS
        preset = PRESETS.get(str(_inner(wishes, "scores").get("preset")))
        if preset is not None and "late_mode" not in said:
            clock["late_mode"] = preset.late_mode


def _default_scores(merged: dict[str, Any], wishes: Wishes) -> None:
    """A preset brings its own criteria and numbers, of which each may be said otherwise (G1, G4).

    A new tournament also takes from it what is announced and whether its rounds are fixed (H224, S101).
    """
    said = _inner(wishes, "scores")
    if said.get("preset") in PRESETS:
        preset = PRESETS[said["preset"]]
        merged["scores"] = _merged(msgspec.to_builtins(score_rules(preset.key)), said)
        merged.setdefault("kind", preset.kind)
        merged.setdefault("rounds_locked", preset.rounds_locked)


def _read_start(merged: dict[str, Any]) -> None:
    start, zone = merged.get("start_at"), str(merged.get("time_zone"))
    if zone not in zone_names():
        hint = _near(get_close_matches(zone, zone_names(), n=1))
        _refuse((f"time_zone: there is no {zone!r}; {hint}".removesuffix("; "),))
    if isinstance(start, str):
        merged["start_at"] = read_moment(start, ZoneInfo(zone))
    registration = merged.get("registration")
    if isinstance(registration, dict) and isinstance(registration.get("until"), str):
        registration["until"] = read_moment(registration["until"], ZoneInfo(zone))


def _server(server: object, capacities: Mapping[str, int]) -> object:
    if isinstance(server, str):
        server = {"id": server}
    if isinstance(server, dict) and server.get("id") in capacities:
        return {"capacity": capacities[server["id"]], **server}
    return server


def _unknown_servers(settings: Settings, capacities: Mapping[str, int]) -> Iterator[str]:
    for server in settings.servers:
        if server.id not in capacities:
            yield f"servers: there is no {server.id!r}; known are {', '.join(capacities) or 'none'}"


def _bad_scores(settings: Settings, wishes: Wishes) -> Iterator[str]:
    """Yield what cannot count; a preset that is none of ours is the host's own if its order is said (G4)."""
    scores, said = settings.scores, _inner(wishes, "scores")
    if scores.preset not in PRESETS and "preset" in said and "order" not in said:
        yield f"scores.preset: there is no {scores.preset!r}; known are {', '.join(PRESETS)}"
    if bad := [name for name in ("order", "cut_order") if not _usable(getattr(scores, name))]:
        yield f"scores.{bad[0]}: criteria each once, sign-in or lot last; known are {', '.join(CRITERIA)}"
    try:
        scoring_of(settings)
    except (RulesetError, ZeroDivisionError):
        yield "scores: a win is worth 1 or more, nothing is worth less than 0, a floor is from 0 to 1"


def _usable(order: tuple[str, ...]) -> bool:
    try:
        return not order or bool(chosen(order, "matches"))
    except RulesetError:
        return False


def _strangers(path: str, given: Mapping[str, Any], model: type) -> Iterator[str]:
    hints = get_type_hints(model)
    known = {field.name: hints[field.name] for field in fields(model)}
    for name, value in given.items():
        where = f"{path}.{name}" if path else name
        if name not in known:
            near = get_close_matches(name, known, n=1)
            yield f"{where}: there is no such setting; {_near(near) or 'known are ' + ', '.join(known)}"
        elif is_dataclass(known[name]) and isinstance(value, Mapping):
            yield from _strangers(where, value, known[name])


def _near(names: Sequence[str]) -> str:
    return f"did you mean {names[0]}?" if names else ""


def _sentences(error: ValidationError) -> Iterator[str]:
    for found in error.errors(include_url=False):
        where = ".".join(map(str, found["loc"])) or "settings"
        yield f"{where}: {found['msg']}"


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    result = deepcopy(dict(base))
    for name, value in over.items():
        before = result.get(name)
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            result[name] = _merged(before, value)
        else:
            result[name] = deepcopy(value)
    return result


def _inner(wishes: Wishes, name: str) -> Wishes:
    value = wishes.get(name)
    return value if isinstance(value, Mapping) else {}


def _listed(servers: object) -> Sequence[object]:
    return servers if isinstance(servers, list | tuple) else [servers]


def _refuse(problems: tuple[str, ...]) -> None:
    if problems:
        raise CommandRejected("bad_settings", problems=problems)
