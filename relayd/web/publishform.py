"""The form in which a host publishes: from its fields to wishes, and from settings back to its fields."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec

from relayd.storage.accounts import OwnPreset
from relayd.web.formfields import FIELDS, FROZEN, OWNERS, PLACES, Field, numbers_in, shown, told
from ruleset.ids import PlayerId
from ruleset.standings.presets import PRESETS
from ruleset.tournament.presets import score_rules
from ruleset.tournament.settings import ClockRules, ScoreRules, Settings

Form = Mapping[str, str]
Wishes = dict[str, Any]

OWN: Final = "own:"
"""Before the name of a host's own preset where one is chosen."""
FIRST: Final = "xingyi"
"""The preset of a form that nobody has touched."""
BEST_OF_ONE: Final = "25"
BEST_OF_THREE: Final = "40"
"""Minutes of a round where the form says none (R062)."""
TEAMS_MOST: Final = 200
_PLAN: Final = Settings(title="", format="swiss_elimination", rounds=5, cut=8)
_EMPTY: Final = frozenset({"cap", "title"})
"""Where nothing is said too: no hard cap (R066), a name that is missing."""
_UNSAID: Final = frozenset({"number", "minutes", "days", "ratio", "line"})
"""Kinds whose empty fields say nothing."""


class FormPresets:
    """The presets that a host chooses from: ours, and his own from his account (G4)."""

    def __init__(self, own: Sequence[OwnPreset] = ()) -> None:
        self.own: Final = {preset.name: preset for preset in own}

    def wishes(self, chosen: str) -> Wishes:
        """Return what a preset sets; one that is not there any more is ours."""
        own = self.own.get(chosen.removeprefix(OWN)) if chosen.startswith(OWN) else None
        if own is not None:
            return msgspec.json.decode(own.wishes, type=dict[str, Any])
        return {"scores": {"preset": chosen if chosen in PRESETS else FIRST}}

    def fields(self, chosen: str) -> dict[str, str]:
        """Return the fields that a preset brings, as it fills them."""
        return _preset_fields(self._settings(chosen))

    def order(self, chosen: str) -> tuple[str, ...]:
        """Return the criteria of a preset, first to last."""
        return self._settings(chosen).scores.order

    def _settings(self, chosen: str) -> Settings:
        wishes = self.wishes(chosen)
        key = str(wishes["scores"]["preset"])
        if key in PRESETS:
            ours = PRESETS[key]
            clock = ClockRules(late_mode=ours.late_mode)
            scores, kind, locked = score_rules(key), ours.kind, ours.rounds_locked
            return replace(_PLAN, scores=scores, clock=clock, kind=kind, rounds_locked=locked)
        clock = msgspec.convert(wishes["clock"], ClockRules)
        scores = msgspec.convert(wishes["scores"], ScoreRules)
        kind, locked = wishes["kind"], wishes["rounds_locked"]
        return replace(_PLAN, scores=scores, clock=clock, kind=kind, rounds_locked=locked)


def preset_of(player: PlayerId, name: str, settings: Settings) -> OwnPreset:
    """Return what these settings count by as a preset of a host's own."""
    scores = replace(settings.scores, preset=name)
    wishes = {
        "kind": settings.kind,
        "rounds_locked": settings.rounds_locked,
        "clock": {"late_mode": settings.clock.late_mode},
        "scores": scores,
    }
    return OwnPreset(player=player, name=name, wishes=msgspec.json.encode(wishes).decode())


def fresh(presets: FormPresets, chosen: str = FIRST) -> dict[str, str]:
    """Return the form that nobody has filled in: sensible values, what follows from others left empty."""
    fields = {**_fields_of(_PLAN), **presets.fields(chosen)}
    return {
        **fields,
        "preset": chosen,
        "scores_of": chosen,
        "environment": "ocg",
        "length": "",
        "time_zone": "",
    }


def wishes_of(form: Form, presets: FormPresets | None = None) -> Wishes:
    """Return what a form for a new tournament wishes, in the words of the settings.

    Of what a preset brings, only what the host has changed in the fields is said: whoever chooses another
    preset has its values, but for those.
    """
    presets, chosen = presets or FormPresets(), form.get("preset") or FIRST
    wishes = presets.wishes(chosen)
    before = presets.fields(form.get("scores_of") or chosen)
    said = [f for f in FIELDS if not f.preset or form.get(f.name, before[f.name]) != before[f.name]]
    _say(wishes, said, form)
    _say_order(wishes, form, before, presets.order(chosen))
    _fit_format(wishes, form)
    if form.get("environment"):
        wishes["environment"] = form["environment"]
    return _with_servers(wishes, form)


def changes_of(form: Form, *, owner: bool = True) -> Wishes:
    """Return what a form wishes of a published tournament: all but what stands from then on (H224)."""
    wishes: Wishes = {}
    not_said = FROZEN if owner else FROZEN | OWNERS
    _say(wishes, [field for field in FIELDS if field.name not in not_said], form)
    _fit_format(wishes, form)
    return _with_servers(wishes, form)


def form_of(settings: Settings) -> dict[str, str]:
    """Return the form that would publish these settings, to edit them."""
    return {
        **_fields_of(settings),
        **_preset_fields(settings),
        "environment": settings.environment,
        "preset": settings.scores.preset,
        "scores_of": settings.scores.preset,
        "rounds": str(settings.rounds or ("" if settings.format.startswith("round_robin") else 5)),
        "cut": str(settings.cut or 8),
        **{f"server_{server.id}": "1" for server in settings.servers},
    }


def settled(form: Form, settings: Settings) -> dict[str, str]:
    """Return a form in whose fields stands what its settings have become, of what a preset brings."""
    chosen = form.get("preset") or FIRST
    return {**form, **_preset_fields(settings), "preset": chosen, "scores_of": chosen}


def with_preset(form: Form, presets: FormPresets) -> dict[str, str]:
    """Return a form whose fields hold what its preset brings, but for what the host had changed there."""
    chosen = form.get("preset") or FIRST
    before, after = presets.fields(form.get("scores_of") or chosen), presets.fields(chosen)
    kept = {name for name in before if form.get(name, before[name]) != before[name]}
    for name in ("order", "cut_order"):
        places = _places(name, ())
        if kept & places.keys():
            kept |= places.keys()
    brought = {name: value for name, value in after.items() if name not in kept}
    return {**form, **brought, "scores_of": chosen}


def changed_groups(form: Form, presets: FormPresets) -> dict[str, list[str]]:
    """Return by group which fields are not as a form has them that nobody has touched."""
    plain = {**fresh(presets), **presets.fields(form.get("preset") or FIRST)}
    usual = BEST_OF_ONE if form.get("best_of") == "1" else BEST_OF_THREE
    plain["length"] = usual if form.get("length") == usual else ""
    found: dict[str, list[str]] = {}
    for field in FIELDS:
        if form.get(field.name, plain[field.name]).strip() != plain[field.name].strip():
            found.setdefault(field.group, []).append(field.name)
    for name in ("order", "cut_order"):
        if f"{name}_1" in form and list(_picked(form, name)) != list(_picked(plain, name)):
            found.setdefault("counting", []).append(name)
    return found


def teams_in(form: Form) -> list[str]:
    """Return the teams that are typed, one a line, each once (S107)."""
    lines = (line.strip()[:60] for line in form.get("teams", "").splitlines())
    return list(dict.fromkeys(filter(None, lines)))[:TEAMS_MOST]


def people_in(form: Form, name: str) -> list[int | str]:
    """Return the player numbers in a field."""
    return numbers_in(form.get(name, "")[:2_000])


def _say(wishes: Wishes, fields: Sequence[Field], form: Form) -> None:
    for field in fields:
        text = form.get(field.name)
        if text is not None and (text.strip() or field.kind not in _UNSAID or field.name in _EMPTY):
            _put(wishes, field.path, told(field, text))


def _put(wishes: Wishes, path: str, value: object) -> None:
    *groups, name = path.split(".")
    for group in groups:
        wishes = wishes.setdefault(group, {})
    wishes[name] = value


def _say_order(wishes: Wishes, form: Form, before: Form, preset: Sequence[str]) -> None:
    """Say the order, and the one that fills cut seats, where the host has put them otherwise (S106, H223)."""
    own = list(_picked(form, "order"))
    if own and own != list(_picked(before, "order")):
        wishes["scores"]["order"] = own
    cut = list(_picked(form, "cut_order"))
    if "cut_order_1" in form and cut != list(_picked(before, "cut_order")):
        order = wishes["scores"].get("order", preset)
        wishes["scores"]["cut_order"] = list(dict.fromkeys((*cut, *order))) if cut else []


def _picked(form: Form, name: str) -> Iterator[str]:
    chosen = (form.get(f"{name}_{place}", "") for place in range(1, PLACES + 1))
    yield from filter(None, chosen)


def _fit_format(wishes: Wishes, form: Form) -> None:
    """Leave out what a format does not have, so that trying another one out loses nothing in the fields."""
    kind = form.get("format", "")
    if kind == "elimination":
        wishes["rounds"] = 0
    if not kind.endswith("_elimination"):
        wishes["cut"], wishes["cut_playoff"] = 0, False


def _with_servers(wishes: Wishes, form: Form) -> Wishes:
    servers = [
        name.removeprefix("server_") for name, value in form.items() if name.startswith("server_") and value
    ]
    return {**wishes, "servers": servers} if servers else wishes


def _fields_of(settings: Settings) -> dict[str, str]:
    zone = ZoneInfo(settings.time_zone)
    return {field.name: shown(field, settings, zone) for field in FIELDS}


def _preset_fields(settings: Settings) -> dict[str, str]:
    fields = _fields_of(settings)
    scores = settings.scores
    return {
        **{field.name: fields[field.name] for field in FIELDS if field.preset},
        **_places("order", scores.order),
        **_places("cut_order", _override(scores)),
    }


def _places(name: str, keys: Sequence[str]) -> dict[str, str]:
    return {f"{name}_{n}": keys[n - 1] if n <= len(keys) else "" for n in range(1, PLACES + 1)}


def _override(scores: ScoreRules) -> tuple[str, ...]:
    """Return what comes first at the cut, without the order that goes on behind it."""
    for most in range(len(scores.cut_order)):
        first = scores.cut_order[:most]
        if tuple(dict.fromkeys((*first, *scores.order))) == scores.cut_order:
            return first
    return scores.cut_order
