"""All criteria by which players can be ranked: one small function each, and one table of them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, cast

from ruleset import seeds
from ruleset.errors import RulesetError
from ruleset.ids import PlayerId
from ruleset.standings import duplicate
from ruleset.standings.criterion import AppliesTo, Criterion, Numbers
from ruleset.standings.field import Field, Number, Tally
from ruleset.standings.groups import head_to_head, points_among, wins_against_tied, wins_among
from ruleset.standings.record import Match, Record

_OfMatch = Callable[[Field, Match], Number]


def _each_round(of_match: _OfMatch) -> Numbers:
    def numbers(field: Field, record: Record, _tied: Collection[PlayerId]) -> list[Number]:
        return [of_match(field, match) for match in record.matches]

    return numbers


def _omw(field: Field, record: Record, _tied: Collection[PlayerId]) -> list[int]:
    share = field.match_share
    return [share[opponent] for opponent in field.faced[record.player]]


def _ogw(field: Field, record: Record, _tied: Collection[PlayerId]) -> list[int]:
    share = field.game_share
    return [share[opponent] for opponent in field.faced[record.player]]


def _oomw(field: Field, record: Record, _tied: Collection[PlayerId]) -> list[Number]:
    return _values(OMW, field, field.faced[record.player])


def _opponents_points(field: Field, record: Record, _tied: Collection[PlayerId]) -> list[int]:
    points = field.points
    return [points[opponent] for opponent in field.met[record.player]]


def _opponents_level26(field: Field, record: Record, _tied: Collection[PlayerId]) -> list[Number]:
    return _values(LEVEL26, field, field.met[record.player])


def _values(criterion: Criterion, field: Field, players: Sequence[PlayerId]) -> list[Number]:
    return [cast("Number", criterion.value(field, field.records[player])) for player in players]


def _signin(_field: Field, record: Record, _tied: Collection[PlayerId]) -> list[int]:
    return [record.signin]


def _lot(field: Field, record: Record, _tied: Collection[PlayerId]) -> list[int]:
    return [seeds.lot(field.seed, record.player)]


def _round_scores(field: Field, record: Record, tied: Collection[PlayerId]) -> Sequence[Number]:
    chosen = (
        "level26"
        if "level26" in field.order
        else next(filter(PER_ROUND.__contains__, field.order), "level26")
    )
    return PER_ROUND[chosen].numbers(field, record, tied)


def _points(field: Field, match: Match) -> int:
    return field.scoring.points(match)


def _match_win(field: Field, match: Match) -> int:
    return int(match.outcome == "win" and (match.kind != "bye" or field.scoring.bye_is_win))


def _game_points(field: Field, match: Match) -> int:
    return field.scoring.games(match)[0]


def _bye(field: Field, match: Match) -> int:
    return int(field.scoring.is_bye(match))


def _games_won(_field: Field, match: Match) -> int:
    return match.won


def _game_diff(_field: Field, match: Match) -> int:
    return match.won - match.lost


def _loss_squared(_field: Field, match: Match) -> int:
    return match.round_no**2 if match.outcome == "loss" else 0


def _match_tally(field: Field, match: Match) -> Tally:
    return field.match_tally[cast("PlayerId", match.opponent)]


def _game_tally(field: Field, match: Match) -> Tally:
    return field.game_tally[cast("PlayerId", match.opponent)]


POINTS: Final = Criterion(
    key="points", row="R024", numbers=_each_round(_points), kept=lambda field: field.points
)
OMW: Final = Criterion(
    key="omw", row="R025", numbers=_omw, fold="mean", over="faced", scale=2, reach=1, behind=_match_tally
)
LEVEL26: Final = Criterion(key="level26", row="S162", numbers=_each_round(duplicate.level26))

CRITERIA: Final[Mapping[str, Criterion]] = {
    criterion.key: criterion
    for criterion in (
        POINTS,
        Criterion(key="match_wins", row="S161", numbers=_each_round(_match_win)),
        OMW,
        Criterion(
            key="gw",
            row="R026",
            numbers=_each_round(_game_points),
            fold="share",
            scale=1,
            kept=lambda field: field.own_game_share,
            behind=lambda field, match: field.scoring.games(match),
        ),
        Criterion(
            key="ogw",
            row="R027",
            numbers=_ogw,
            fold="mean",
            over="faced",
            scale=2,
            reach=1,
            behind=_game_tally,
        ),
        Criterion(key="oomw", row="2.1", numbers=_oomw, fold="mean", over="faced", scale=3, reach=2),
        Criterion(key="h2h", row="R028", numbers=points_among, fold="table", group=head_to_head, alone=()),
        Criterion(key="fewer_byes", row="R029", numbers=_each_round(_bye), lower_first=True),
        Criterion(
            key="signin",
            row="R030",
            numbers=_signin,
            fold="self",
            over="self",
            lower_first=True,
            seats_only=True,
        ),
        Criterion(
            key="lot", row="R030", numbers=_lot, fold="self", over="self", lower_first=True, seats_only=True
        ),
        Criterion(key="tb_tied", row="H211", numbers=wins_among, group=wins_against_tied),
        Criterion(key="games_won", row="H212", numbers=_each_round(_games_won)),
        Criterion(key="game_diff", row="H214", numbers=_each_round(_game_diff)),
        Criterion(key="buchholz", row="4.3", numbers=_opponents_points, over="opponents", reach=1),
        Criterion(
            key="median_buchholz",
            row="H213",
            numbers=_opponents_points,
            fold="inner_sum",
            over="opponents",
            reach=1,
        ),
        Criterion(key="losses_sq", row="2.1", numbers=_each_round(_loss_squared)),
        LEVEL26,
        Criterion(key="levels", row="S163", numbers=_each_round(_games_won)),
        Criterion(key="opp_level26", row="S164", numbers=_opponents_level26, over="opponents", reach=1),
        Criterion(key="opp_points", row="S165", numbers=_opponents_points, over="opponents", reach=1),
        Criterion(key="round_high", row="S166", numbers=_round_scores, fold="sorted"),
        Criterion(key="board_sum", row="S167", numbers=_each_round(duplicate.board_sum), applies_to="boards"),
        *(
            Criterion(key=key, row=row, numbers=_each_round(of_match), reach=None, applies_to="boards")
            for key, row, of_match in (
                ("sci_dev", "S169", duplicate.sci_dev),
                ("sci_points", "S170", duplicate.sci_points),
                ("med_dev", "S171", duplicate.med_dev),
                ("med_points", "S172", duplicate.med_points),
                ("med5", "S173", duplicate.med5),
            )
        ),
    )
}
"""The registry of S106: every criterion by its key."""

PER_ROUND: Final[Mapping[str, Criterion]] = {
    key: criterion
    for key, criterion in CRITERIA.items()
    if criterion.over == "rounds" and criterion.fold == "sum" and criterion.group is None
}
"""Those that give a score for each round (S166)."""


def chosen(order: Iterable[str], event: AppliesTo = "matches") -> tuple[Criterion, ...]:
    """Return the criteria of *order*, as a host wrote it, for a kind of event (S106, S156).

    Raises RulesetError bad_criteria: none, an unknown key, one twice, one that needs boards where there are
    none, sign-in or lot before another one (they only split seats, R031).
    """
    keys = tuple(order)
    unknown = tuple(key for key in keys if key not in CRITERIA)
    if unknown or len(set(keys)) < len(keys) or not keys:
        raise RulesetError("bad_criteria", unknown=unknown, order=keys)
    criteria = tuple(CRITERIA[key] for key in keys)
    misfits = tuple(c.key for c in criteria if c.applies_to == "boards" != event)
    early = tuple(c.key for c in criteria[:-1] if c.seats_only)
    if misfits or early:
        raise RulesetError("bad_criteria", misfits=misfits, early=early, order=keys)
    return criteria
