"""Rule sets by name."""

from dataclasses import replace

import pytest

from ruleset.errors import RulesetError
from ruleset.tournament.presets import changed, score_rules
from ruleset.tournament.settings import ScoreRules


def test_xingyi_is_the_default() -> None:
    """R024-R030."""
    assert score_rules("xingyi") == ScoreRules()


def test_hanno_has_a_bye_of_two_and_its_own_order() -> None:
    """H204, H209, H223: bye 2, no games for it; one variant fills the cut by another order."""
    rules = score_rules("hanno")
    assert (rules.points.bye, rules.bye_games, rules.order[1], rules.cut_order) == (2, False, "tb_tied", ())
    assert score_rules("hanno_cut").cut_order[:3] == ("points", "tb_tied", "median_buchholz")


def test_what_a_host_changed_of_a_preset_is_known() -> None:
    """G4, H224: shown beside its name; a preset of his own is what its numbers say."""
    assert changed(score_rules("hanno")) == ()
    other = replace(score_rules("hanno"), floor=(1, 3), seats_by="lot")
    assert changed(other) == ("floor", "seats_by")
    assert changed(replace(other, preset="汉诺杯")) == ()


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    """G4."""
    with pytest.raises(RulesetError, match=r"unknown_preset.*xingyi"):
        score_rules("bridge")
