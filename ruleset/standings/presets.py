"""The three rule sets and Konami's as small tables (G4); a host may change each number and the order."""

from dataclasses import dataclass
from typing import Final, Literal

from ruleset.standings.scoring import DEFAULT, Scoring


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """An ordered choice of criteria with its numbers; sign-in or lot is chosen apart (R030)."""

    key: str
    order: tuple[str, ...]
    scoring: Scoring = DEFAULT
    cut_override: tuple[str, ...] = ()
    """Criteria that come first where cut seats are filled (H223)."""
    kind: Literal["casual", "competitive"] | None = None
    """What the host announces (娱乐赛/竞技赛, H224)."""
    late_mode: Literal["auto", "claim"] = "auto"
    """H220."""
    rounds_locked: bool = True
    """R011, S101."""
    help: str = ""
    """Whom it comes from."""

    @property
    def cut_order(self) -> tuple[str, ...]:
        """The order in which cut seats are filled: the override, then the default order goes on (H223)."""
        return tuple(dict.fromkeys((*self.cut_override, *self.order)))


_HANNO: Final = Scoring(bye=2, bye_games=False)  # H204
_HANNO_HELP: Final = (
    "Refined Swiss scoring for Yu-Gi-Oh, version 1.0 of 2026-05-15, CC BY: 神之吹息 (core contributor), "
    "with ID7（绛云碧沚灰）, 王座, 老乞大猫 and others (joint optimisers, in no order)."
)

PRESETS: Final = {
    preset.key: preset
    for preset in (
        # R024-R029
        Preset(key="xingyi", order=("points", "omw", "gw", "ogw", "h2h", "fewer_byes")),
        # H209
        Preset(
            key="hanno",
            order=("points", "tb_tied", "games_won", "median_buchholz", "game_diff"),
            scoring=_HANNO,
            kind="casual",
            late_mode="claim",
            help=_HANNO_HELP,
        ),
        # H222: variant 1, without 分数
        Preset(
            key="hanno_comp",
            order=("points", "tb_tied", "median_buchholz", "game_diff"),
            scoring=_HANNO,
            kind="competitive",
            late_mode="claim",
            help=_HANNO_HELP,
        ),
        # H223: variant 2, Buchholz first only at the cut
        Preset(
            key="hanno_cut",
            order=("points", "tb_tied", "games_won", "median_buchholz", "game_diff"),
            cut_override=("points", "tb_tied", "median_buchholz"),
            scoring=_HANNO,
            kind="competitive",
            late_mode="claim",
            help=_HANNO_HELP,
        ),
        # S160-S166
        Preset(
            key="guandan",
            order=("points", "match_wins", "level26", "opp_points", "opp_level26", "round_high"),
            scoring=Scoring(win=2, bye=2),
            rounds_locked=False,
        ),
        # 2.1
        Preset(key="konami", order=("points", "omw", "oomw", "losses_sq")),
    )
}
