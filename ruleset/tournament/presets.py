"""A rule set by its name, as the numbers that a tournament keeps (G1-G8, H201-H224).

A host's own preset is a name of his and numbers of his; only the names of ours say what stands behind them.
"""

from dataclasses import fields

from ruleset.errors import RulesetError
from ruleset.standings.presets import PRESETS
from ruleset.tournament.settings import Points, ScoreRules


def score_rules(key: str) -> ScoreRules:
    """Return what the preset *key* counts by. Raises RulesetError ``unknown_preset``.

    Publishing writes the numbers and the order down, so that a later preset never changes an old tournament.
    """
    preset = PRESETS.get(key)
    if preset is None:
        raise RulesetError("unknown_preset", preset=key, known=tuple(PRESETS))
    scoring = preset.scoring
    return ScoreRules(
        points=Points(win=scoring.win, draw=scoring.draw, loss=scoring.loss, bye=scoring.bye),
        preset=key,
        order=preset.order,
        cut_order=preset.cut_order if preset.cut_override else (),
        floor=(scoring.floor.numerator, scoring.floor.denominator),
        floor_own_gw=scoring.floor_own_gw,
        floor_ogw=scoring.floor_ogw,
        bye_games=scoring.bye_games,
        noshow_counts_as_bye=scoring.noshow_counts_as_bye,
    )


def changed(scores: ScoreRules) -> tuple[str, ...]:
    """Return which numbers are not those of the preset that *scores* names; a host's own has none (H224)."""
    if scores.preset not in PRESETS:
        return ()
    ours = score_rules(scores.preset)
    return tuple(
        name
        for name in (field.name for field in fields(scores))
        if getattr(scores, name) != getattr(ours, name)
    )
