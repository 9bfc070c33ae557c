"""The form in which a host publishes: every setting has a field, and what it says is what is meant."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from relayd.tournamentform import edit_form, read_form
from relayd.web.formfields import ASKED_APART, FIELDS
from relayd.web.languages import LANGUAGES, known
from relayd.web.problems import problem_lines
from relayd.web.publishform import (
    OWN,
    FormPresets,
    changed_groups,
    changes_of,
    form_of,
    fresh,
    preset_of,
    settled,
    teams_in,
    wishes_of,
    with_preset,
)
from ruleset.errors import CommandRejected
from ruleset.ids import MINUTE_MS, Instant, PlayerId
from ruleset.standings.presets import PRESETS
from ruleset.tournament.settings import Points, Prize, Settings
from ruleset.tournament.soundness import problems_of

ROOMS = {"main": 100}
ANN = PlayerId(1)


def filled(presets: FormPresets | None = None, /, **fields: str) -> dict[str, str]:
    """Return the form as a host has it who changed these fields."""
    return {**fresh(presets or FormPresets()), "title": "Cup", "time_zone": "Asia/Shanghai", **fields}


def made(presets: FormPresets | None = None, /, **fields: str) -> Settings:
    """Return the settings that follow from a form."""
    form = filled(presets, **fields)
    return read_form(wishes_of(form, presets), time_zone="Asia/Shanghai", capacities=ROOMS)


def leaves(path: str, plain: Mapping[str, Any]) -> Iterator[str]:
    """Yield the path of every setting that is no group of others."""
    for name, value in plain.items():
        where = f"{path}.{name}" if path else name
        yield from leaves(where, value) if isinstance(value, dict) else [where]


def test_every_setting_has_a_field() -> None:
    """R051-R056, S101-S115: what the rules can do a host can say; no setting stands in two places."""
    settings = set(leaves("", msgspec.to_builtins(Settings(title="", format="swiss"))))
    asked = [field.path for field in FIELDS]
    assert len(asked) == len(set(asked))
    assert set(asked) | ASKED_APART == settings
    assert not set(asked) & ASKED_APART


def test_every_field_has_words() -> None:
    """Done when 2: a label for each field, and words for each choice."""
    for field in FIELDS:
        assert known(f"publish.f.{field.name}"), field
        if field.kind == "choice" and field.name not in {"format", "best_of", "odd_field"}:
            for option in field.options:
                assert known(f"publish.o.{field.name}.{option or 'none'}"), (field, option)


def test_a_form_that_nobody_touched_says_the_defaults() -> None:
    """Issue 6: sensible defaults for each preset; nothing counts as changed."""
    assert made() == read_form(
        {"title": "Cup", "format": "swiss_elimination", "rounds": 5, "cut": 8},
        time_zone="Asia/Shanghai",
        capacities=ROOMS,
    )
    assert set(changed_groups(filled(), FormPresets())) == {"what", "when"}
    assert made(best_of="1").clock.length_ms == 25 * MINUTE_MS


@pytest.mark.parametrize("key", list(PRESETS))
def test_whoever_chooses_a_preset_has_its_values(key: str) -> None:
    """G1, H220, H224, S101: the fields still show the first one; only what was changed there is said."""
    plain = made(preset=key)
    ours = PRESETS[key]
    assert (plain.scores.preset, plain.scores.order) == (key, ours.order)
    assert (plain.kind, plain.clock.late_mode, plain.rounds_locked) == (
        ours.kind,
        ours.late_mode,
        ours.rounds_locked,
    )
    assert plain.scores.points.bye == ours.scoring.bye
    mixed = made(preset=key, points_draw="0", kind="casual", late_mode="claim")
    assert mixed.scores == replace(plain.scores, points=replace(plain.scores.points, draw=0))
    assert (mixed.kind, mixed.clock.late_mode) == ("casual", "claim")


def test_a_preset_that_is_shown_can_be_changed_back() -> None:
    """G3, H224: behind the preview the fields show the preset's values; each may be said otherwise."""
    form = settled(filled(preset="hanno"), made(preset="hanno"))
    assert (form["points_bye"], form["late_mode"], form["kind"]) == ("2", "claim", "casual")
    assert changed_groups(form, FormPresets()).keys() == {"what", "when"}
    after = {**form, "late_mode": "auto", "kind": "", "points_bye": "3"}
    settings = read_form(wishes_of(after), time_zone="Asia/Shanghai", capacities=ROOMS)
    assert (settings.clock.late_mode, settings.kind, settings.scores.points.bye) == ("auto", None, 3)
    assert settings.scores.order == PRESETS["hanno"].order


def test_a_preset_fills_the_fields_that_nobody_has_touched() -> None:
    """G4: what the host had said otherwise stays, also an order; the rest is the preset's."""
    form = with_preset(filled(preset="hanno", points_draw="2"), FormPresets())
    assert (form["points_bye"], form["points_draw"], form["order_2"]) == ("2", "2", "tb_tied")
    assert form["scores_of"] == "hanno"
    again = with_preset({**form, "preset": "konami", "order_5": "lot"}, FormPresets())
    assert (again["points_bye"], again["points_draw"], again["order_2"]) == ("3", "2", "tb_tied")
    assert made(**again).scores.points == Points(draw=2)


def test_criteria_are_put_in_any_order() -> None:
    """S106, H223: places that are empty are skipped; at the cut the order goes on behind what comes first."""
    fields = {f"order_{n}": "" for n in range(1, 9)} | {"order_2": "points", "order_4": "buchholz"}
    settings = made(**fields, cut_order_1="buchholz")
    assert settings.scores.order == ("points", "buchholz")
    assert settings.scores.cut_order == ("buchholz", "points")
    form = form_of(settings)
    assert (form["order_1"], form["order_2"], form["order_3"]) == ("points", "buchholz", "")
    assert (form["cut_order_1"], form["cut_order_2"]) == ("buchholz", "")
    assert changed_groups(filled(**fields), FormPresets())["counting"] == ["order"]
    assert made(preset="hanno_cut").scores.cut_order == PRESETS["hanno_cut"].cut_order
    assert form_of(made(preset="hanno_cut"))["cut_order_3"] == "median_buchholz"
    assert form_of(made(preset="hanno_cut"))["cut_order_4"] == ""


def test_a_host_saves_what_he_counts_by() -> None:
    """G4: criteria, points, floor, bye, late mode and kind come back under his own name."""
    first = made(preset="hanno", points_bye="1", floor="1/3", order_1="points", kind="competitive")
    presets = FormPresets([preset_of(ANN, "汉诺杯", first)])
    own = made(presets, preset=OWN + "汉诺杯")
    assert own.scores == replace(first.scores, preset="汉诺杯")
    assert (own.kind, own.clock.late_mode, own.scores.points) == ("competitive", "claim", Points(bye=1))
    assert own.scores.floor == (1, 3)
    changed = made(presets, preset=OWN + "汉诺杯", points_draw="0")
    assert changed.scores.points == Points(draw=0, bye=1)
    assert made(FormPresets(), preset=OWN + "gone").scores.preset == "xingyi"


def test_everything_that_is_typed_comes_back() -> None:
    """Every field of a form says a setting that makes the same field again; nothing is lost on the way."""
    fields = {
        "start_at": "2026-12-01T19:30",
        "until": "2026-12-01T18:00",
        "text": "# hi\n* there",
        "cap": "",
        "warn_at": "10, 5",
        "limit": "64",
        "prizes": "Trophy ×1\nMat ×3",
        "co_hosts": "P000012",
        "linked_events": "3, 4",
        "confirm": "double",
        "score_gate": "clock",
        "live_on": "draft",
        "avoid_same_team": "must",
        "team_required": "1",
        "team_ranking": "1",
        "team_top_n": "3",
        "visibility": "private",
        "decklists": "after_end",
        "test": "1",
        "self_forfeit": "0",
        "k": "8",
        "require_login": "0",
        "lookup": "id_or_name",
        "registration_note": "bring a mat",
        "floor": "1/3",
        "cut_playoff": "1",
        "rounds_locked": "0",
        "ends_after": "0",
        "auto": "0",
        "late_mode": "claim",
    }
    settings = made(**fields)
    assert settings.prizes == (Prize(name="Trophy"), Prize(name="Mat", count=3))
    assert (settings.co_hosts, settings.linked_events) == ((12,), (3, 4))
    assert (settings.clock.cap_ms, settings.clock.warn_at_min, settings.ends_after_ms) == (None, (10, 5), 0)
    form = form_of(settings)
    assert {name: form[name] for name in fields} == fields
    assert edit_form(settings, changes_of(form), capacities=ROOMS) == settings


def test_what_was_announced_is_not_changed_by_an_edit() -> None:
    """H224: kind, preset and order stand; numbers may still change until 12 hours before the start."""
    settings = made(preset="hanno")
    form = {
        **form_of(settings),
        "kind": "competitive",
        "preset": "xingyi",
        "order_1": "omw",
        "points_bye": "3",
    }
    after = edit_form(settings, changes_of(form), capacities=ROOMS)
    assert after.scores == replace(settings.scores, points=Points(bye=3))
    assert after.kind == "casual"


def test_a_format_takes_only_what_it_has() -> None:
    """R011, R012: trying another format out does not trip over the fields of the first."""
    assert (made(format="elimination").rounds, made(format="elimination").cut) == (0, 0)
    assert (made(format="swiss", cut_playoff="1").cut, made(format="round_robin", rounds="").rounds) == (0, 0)


def test_teams_are_typed_one_a_line() -> None:
    """S107: each once, blanks around them gone."""
    assert teams_in({"teams": " Red \n\nBlue\r\nRed"}) == ["Red", "Blue"]
    assert teams_in({}) == []


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"rounds": "0"}, "Swiss (or round-robin) rounds: a Swiss needs 1 to 99"),
        ({"rounds": "many"}, "Swiss (or round-robin) rounds: Input should be a valid integer"),
        ({"title": " "}, "Title: must not be empty"),
        ({"warn_at": "90"}, "Warn at minutes left: minutes before time is called"),
        ({"floor": "x"}, "Floor of a share: "),
        ({"prizes": "Mat ×0"}, "Prizes: each needs a name"),
        ({"signin_opens": "5"}, "Sign-in opens, min before: must open before"),
        ({"co_hosts": "Ann"}, "Co-hosts (player numbers): "),
        ({"order_1": "points", "order_2": "points"}, "Order of the criteria: criteria each once"),
    ],
)
def test_what_is_wrong_is_named_by_its_field(fields: dict[str, str], line: str) -> None:
    """Issue 6, bad input: the reader's name of the field and what to do, in his language."""
    problems: dict[str, Any] = {}
    try:
        settings = made(**fields)
        problems = {"problems": tuple(problems_of(settings, Instant(1)))}
    except CommandRejected as refused:
        problems = dict(refused.data)
    english = problem_lines("en", "bad_settings", problems)
    assert [said for said in english if said.startswith(line)], english
    chinese = problem_lines("zh", "bad_settings", problems)
    assert len(chinese) == len(english)
    assert not set(chinese) & set(english)


def test_the_rules_own_sentences_are_said_in_every_language() -> None:
    """Done when 2: whatever the rules find wrong with settings has Chinese and Japanese words."""
    wrong = (
        Settings(title="", format="swiss", rounds=0, best_of=2, start_at=Instant(1)),  # type: ignore[arg-type]  # on purpose
        Settings(title="x", format="elimination", rounds=100, cut_playoff=True),
        Settings(title="x", format="swiss_elimination", rounds=3, signin_opens_ms=1, ends_after_ms=-1),
        made(prizes="a ×0", limit="1", team_top_n="-1", k="-1", gap="-1", length="0", warn_at="99"),
        replace(made(format="elimination"), teams=replace(made().teams, ranking=True)),
    )
    for settings in wrong:
        problems = tuple(problems_of(settings, Instant(5)))
        assert problems
        for problem in problems:
            said = {lang: problem_lines(lang, "bad_settings", {"problems": [problem]}) for lang in LANGUAGES}
            assert said["zh"] != said["en"] != said["ja"] or not problem.split(": ")[1].isascii(), problem


def test_other_refusals_are_one_line() -> None:
    """A refusal that names no fields is said as everywhere."""
    assert problem_lines("en", "unknown_tournament", {}) == ["There is no such tournament."]
    assert problem_lines("en", "unfit_servers", {"problems": ("main plays best of three only: x",)}) == [
        "main plays best of three only: x"
    ]
