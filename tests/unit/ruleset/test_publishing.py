"""Publishing and editing a tournament."""

from dataclasses import replace

import pytest

from ruleset.errors import CommandRejected
from ruleset.ids import MINUTE_MS, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.decide import decide
from ruleset.tournament.presets import score_rules
from ruleset.tournament.settings import (
    ClockRules,
    PageRules,
    Points,
    Prize,
    RatingRules,
    RegistrationRules,
    ScoreRules,
    Settings,
    TeamRules,
)
from ruleset.tournament.state import EMPTY
from tests.builders import (
    ENVIRONMENT,
    NUMBER,
    SEED,
    START,
    SWISS,
    after,
    clock,
    entered,
    minutes,
    publish,
    started,
)

PUBLISHED = after(EMPTY, publish())


def refused(state: object, command: c.Command) -> CommandRejected:
    """Return the refusal of *command*."""
    with pytest.raises(CommandRejected) as refusal:
        decide(state, command)  # type: ignore[arg-type]
    return refusal.value


def test_nothing_happens_before_publishing() -> None:
    """A number that was never published is no tournament."""
    assert refused(EMPTY, c.Pause(now=START)).code == "unknown_tournament"


def test_what_is_published_is_frozen() -> None:
    """R045, D45: settings, environment and seed stand in the state; once is enough."""
    assert (PUBLISHED.number, PUBLISHED.settings, PUBLISHED.environment) == (NUMBER, SWISS, ENVIRONMENT)
    assert (PUBLISHED.phase, PUBLISHED.seed) == ("published", SEED)
    assert refused(PUBLISHED, publish()).code == "already_published"


def test_defaults_are_those_of_the_rule_sheet() -> None:
    """R007, R015, R016, R025, R062, R064, R066, R067, S103: points, shares and minutes of the sheet."""
    rules, score = ClockRules(), ScoreRules()
    assert (SWISS.signin_opens_ms, SWISS.signin_closes_ms) == (60 * MINUTE_MS, 30 * MINUTE_MS)
    assert (rules.length_ms, rules.gap_ms, rules.cap_ms) == (40 * MINUTE_MS, 3 * MINUTE_MS, 30 * MINUTE_MS)
    assert (rules.late_first_ms, rules.late_later_ms) == (15 * MINUTE_MS, 20 * MINUTE_MS)
    assert (score.points.win, score.points.draw, score.points.loss, score.points.bye) == (3, 1, 0, 3)
    assert (score.floor, score.floor_own_gw, score.floor_ogw) == ((33, 100), False, True)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        (replace(SWISS, title=" "), "title"),
        (replace(SWISS, rounds=0), "rounds"),
        (replace(SWISS, cut=4), "cut"),
        (replace(SWISS, format="elimination"), "rounds"),
        (replace(SWISS, format="swiss_elimination", cut=1), "cut"),
        (replace(SWISS, best_of=2), "best_of"),  # type: ignore[arg-type]
        (replace(SWISS, rounds=100), "rounds"),
        (replace(SWISS, format="round_robin", rounds=-1), "rounds"),
        (replace(SWISS, format="round_robin_elimination", rounds=0, cut=1), "cut"),
        (replace(SWISS, cut_playoff=True), "cut_playoff"),
        (clock(warn_at_min=(40,)), "clock.warn_at_min"),
        (clock(warn_at_min=(0,)), "clock.warn_at_min"),
        (clock(drop_after_absences=-1), "clock.drop_after_absences"),
        (replace(SWISS, ends_after_ms=-1), "clock.drop_after_absences"),
        (replace(SWISS, scores=ScoreRules(preset=" ")), "scores.preset"),
        (replace(SWISS, rating=RatingRules(k=-1)), "rating.k"),
        (replace(SWISS, teams=TeamRules(top_n=-1)), "teams.top_n"),
        (replace(SWISS, format="elimination", rounds=0, teams=TeamRules(ranking=True)), "teams.ranking"),
        (replace(SWISS, registration=RegistrationRules(limit=1)), "registration.limit"),
        (replace(SWISS, prizes=(Prize(name="Cup", count=0),)), "prizes"),
        (replace(SWISS, prizes=(Prize(name=" "),)), "prizes"),
        (replace(SWISS, start_at=minutes(-8 * 24 * 60)), "start_at"),
        (replace(SWISS, signin_opens_ms=MINUTE_MS), "signin"),
        (clock(length_ms=0), "clock"),
        (clock(gap_ms=-1), "clock"),
        (clock(cap_ms=0), "clock"),
        (replace(SWISS, scores=ScoreRules(floor=(1, 0))), "scores.floor"),
        (replace(SWISS, scores=ScoreRules(floor=(3, 2))), "scores"),
        (replace(SWISS, scores=ScoreRules(order=("points", "luck"))), "scores"),
    ],
)
def test_settings_that_cannot_work_are_refused_with_the_reason(settings: Settings, problem: str) -> None:
    """R011, R012, S102, S125, 5.5-22: every problem is named; nothing is published."""
    refusal = refused(EMPTY, publish(settings))
    assert refusal.code == "bad_settings"
    problems = refusal.data["problems"]
    assert isinstance(problems, tuple)
    assert any(found.startswith(problem) for found in problems)


def test_what_the_host_announced_of_the_order_stays() -> None:
    """H224, G4: casual or competitive, preset and order are frozen at publishing; its numbers are not."""
    casual = replace(SWISS, kind="casual", scores=score_rules("hanno"))
    state = after(EMPTY, publish(casual))
    for other in (
        replace(casual, kind="competitive"),
        replace(casual, scores=replace(casual.scores, preset="mine")),
        replace(casual, scores=replace(casual.scores, order=("points",))),
        replace(casual, scores=replace(casual.scores, cut_order=("points",))),
    ):
        assert refused(state, c.EditSettings(settings=other, now=minutes(-99))).code == "order_fixed"
    bye = replace(casual, scores=replace(casual.scores, points=replace(casual.scores.points, bye=3)))
    assert after(state, c.EditSettings(settings=bye, now=minutes(-99))).settings == bye


def test_a_preset_of_ones_own_is_numbers_and_a_name() -> None:
    """G4, issue 3: order, points and floor free."""
    own = ScoreRules(preset="Mine", order=("points", "buchholz"), floor=(1, 3), points=Points(bye=1))
    assert after(EMPTY, publish(replace(SWISS, scores=own))).settings.scores == own


def test_settings_of_pages_are_kept_as_they_are() -> None:
    """S111, S112, S113, S133, S140, S143, S149, S151: they change no result."""
    pages = PageRules(lookup="id_or_name", require_login=False, registration_note="*hi*", projected_rules="-")
    private = replace(SWISS, pages=pages, visibility="private")
    state = after(EMPTY, publish(private))
    assert (state.settings.pages, state.settings.visibility) == (pages, "private")
    assert PageRules().require_login
    assert PageRules().decklists == "hidden"
    assert (PageRules().lookup, PageRules().prompt_number) == ("id_only", "as_lookup")
    assert (PageRules().show_scores_on_signin, PageRules().show_registered) == (False, True)


def test_a_code_must_fit_into_the_password_field() -> None:
    """R058: 19 units with the prefix; checked when the number is given."""
    command = replace(publish(), number=TournamentNo(10**9))
    assert refused(EMPTY, command).code == "number_too_long"


def test_settings_can_be_edited_until_twelve_hours_before_the_start() -> None:
    """R056: half-open; the same again changes nothing."""
    state = after(EMPTY, publish(replace(SWISS, start_at=START)))
    other = replace(SWISS, start_at=START, rounds=5)
    edit = c.EditSettings(settings=other, now=minutes(-12 * 60 - 1))
    edited = after(state, edit)
    assert edited.settings == other
    assert decide(edited, edit) == ()
    late = c.EditSettings(settings=other, now=minutes(-12 * 60))
    assert refused(state, late).code == "too_late_to_edit"


def test_an_event_published_late_is_never_editable() -> None:
    """R056, G12: literal, even right after publishing."""
    state = after(EMPTY, publish(replace(SWISS, start_at=START), now=minutes(-60)))
    edit = c.EditSettings(settings=replace(SWISS, start_at=START, rounds=5), now=minutes(-60))
    assert refused(state, edit).code == "too_late_to_edit"


def test_without_a_start_time_editing_ends_at_the_start() -> None:
    """R056: then never again; the environment stays what decks were checked against; numbers are checked."""
    longer = c.EditSettings(settings=replace(SWISS, rounds=5), now=minutes(-1))
    assert after(entered(4), longer).settings.rounds == 5
    assert refused(started(4), longer).code == "already_started"
    edison = c.EditSettings(settings=replace(SWISS, environment="edison"), now=minutes(-1))
    assert refused(PUBLISHED, edison).code == "environment_fixed"
    wrong = c.EditSettings(settings=replace(SWISS, rounds=0), now=minutes(-1))
    assert refused(PUBLISHED, wrong).code == "bad_settings"


def test_an_edit_of_other_things_leaves_the_clock_as_the_host_set_it() -> None:
    """R068: auto off stays off, until the edit itself says something else."""
    off = after(PUBLISHED, c.SetAuto(on=False))
    edited = after(off, c.EditSettings(settings=replace(SWISS, rounds=5), now=minutes(-1)))
    assert not edited.auto
    muted = clock(replace(SWISS, rounds=5), auto=False)
    assert not after(PUBLISHED, c.EditSettings(settings=muted, now=minutes(-1))).auto
