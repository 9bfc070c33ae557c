"""How a value came about, and why one player stands before another, as data (H203).

The numbers and the fold are the criterion's own, so what is shown here is what was counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ruleset.errors import RulesetError
from ruleset.ids import PlayerId, RoundNo
from ruleset.standings.criteria import CRITERIA
from ruleset.standings.criterion import Criterion, Fold
from ruleset.standings.field import Key, Number, Tally
from ruleset.standings.record import Match
from ruleset.standings.table import Standings


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One number that enters a criterion."""

    number: Number
    round_no: RoundNo | None = None
    opponent: PlayerId | None = None
    """``None``: a bye, or a number of the player himself."""
    tally: Tally | None = None
    """The part and the whole that the number is, before a floor."""
    counts: bool = True
    """Whether it is one of those that are left (4.3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculation:
    """How a value came about."""

    player: PlayerId
    criterion: str
    fold: Fold
    terms: tuple[Term, ...]
    value: Key
    floor: Fraction | None = None
    """What an opponent's share counts at least, where that matters."""
    tied: tuple[PlayerId, ...] = ()
    """With whom he was compared, himself included; of a criterion that compares equals only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Why one stands before the other: all criteria before this one are equal."""

    upper: Calculation
    lower: Calculation


def calculation(standings: Standings, player: PlayerId, key: str) -> Calculation:
    """Return how *player* comes to his value of a criterion, also of one that is not in the order.

    Raises RulesetError unknown_criterion, unknown_player.
    """
    if key not in CRITERIA:
        raise RulesetError("unknown_criterion", criterion=key)
    if player not in standings.field.records:
        raise RulesetError("unknown_player", player=player)
    criterion = CRITERIA[key]
    tied = standings.tied(criterion, player)
    return Calculation(
        player=player,
        criterion=key,
        fold=criterion.fold,
        terms=_terms(standings, criterion, player, tied),
        value=standings.value(criterion, player),
        floor=_floor(standings, criterion),
        tied=tied,
    )


def comparison(standings: Standings, one: PlayerId, other: PlayerId) -> Comparison:
    """Return what separates two players, whichever stands before the other (R024-R030).

    Raises RulesetError unknown_player; same_player.
    """
    order = {player: n for n, player in enumerate(player for group in standings.groups for player in group)}
    if one == other:
        raise RulesetError("same_player", player=one)
    for player in (one, other):
        if player not in order:
            raise RulesetError("unknown_player", player=player)
    upper, lower = sorted((one, other), key=order.__getitem__)
    apart = (c.key for c in standings.in_order if standings.value(c, upper) != standings.value(c, lower))
    key = next(apart, standings.seats.key)
    return Comparison(upper=calculation(standings, upper, key), lower=calculation(standings, lower, key))


def _terms(
    standings: Standings, criterion: Criterion, player: PlayerId, tied: Sequence[PlayerId]
) -> tuple[Term, ...]:
    field = standings.field
    record = field.records[player]
    numbers = criterion.numbers(field, record, tied)
    if criterion.over == "self":
        return tuple(Term(number=number) for number in numbers)
    left = _left(criterion, numbers)
    unit = criterion.unit_of_numbers(field)
    return tuple(
        Term(
            number=Fraction(number, unit) if unit > 1 else number,
            round_no=match.round_no,
            opponent=match.opponent,
            tally=criterion.behind(field, match) if criterion.behind else None,
            counts=n in left,
        )
        for n, (match, number) in enumerate(
            zip(_matches(standings, criterion, record.matches), numbers, strict=True)
        )
        if criterion.group is None or match.opponent in tied
    )


def _matches(standings: Standings, criterion: Criterion, matches: Sequence[Match]) -> list[Match]:
    """Return what stands behind each number of a criterion."""
    met = [m for m in matches if m.opponent is not None or criterion.over == "rounds"]
    return [m for m in met if criterion.over != "faced" or not standings.field.scoring.is_bye(m)]


def _left(criterion: Criterion, numbers: Sequence[Number]) -> set[int]:
    """Return which numbers count: without one highest and one lowest where the fold says so (4.3)."""
    ranked = sorted(range(len(numbers)), key=numbers.__getitem__)
    return set(ranked[1:-1] if criterion.fold == "inner_sum" else ranked)


def _floor(standings: Standings, criterion: Criterion) -> Fraction | None:
    scoring = standings.field.scoring
    floored = {"omw": True, "ogw": scoring.floor_ogw, "gw": scoring.floor_own_gw}
    return scoring.floor if floored.get(criterion.key) else None
