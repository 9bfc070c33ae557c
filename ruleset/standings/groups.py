"""Criteria that compare only those players who are equal on everything before (4.2, 4.4)."""

from collections.abc import Collection

from ruleset.ids import PlayerId
from ruleset.standings.field import Field, Key
from ruleset.standings.record import Record


def points_among(field: Field, record: Record, tied: Collection[PlayerId]) -> list[int]:
    """Return the points of each match, 0 where the opponent is not among *tied* (4.4)."""
    return [field.scoring.points(m) if m.opponent in tied else 0 for m in record.matches]


def wins_among(_field: Field, record: Record, tied: Collection[PlayerId]) -> list[int]:
    """Return 1 for each match won against one of *tied* (H211)."""
    return [int(m.outcome == "win" and m.opponent in tied) for m in record.matches]


def wins_against_tied(field: Field, tied: Collection[PlayerId]) -> dict[PlayerId, Key]:
    """Return the matches that each of *tied* won against the others (小分, H211)."""
    return {player: sum(wins_among(field, field.records[player], tied)) for player in tied}


def head_to_head(field: Field, tied: Collection[PlayerId]) -> dict[PlayerId, Key]:
    """Return the points in the table of *tied* alone, then in that of those still equal, and so on (4.4).

    ``()`` for all: somebody has not met somebody, or all are equal; then the criterion does nothing.
    """
    return dict(_mini_table(field, frozenset(tied)))


def _mini_table(field: Field, tied: frozenset[PlayerId]) -> dict[PlayerId, tuple[int, ...]]:
    points = (
        {p: sum(points_among(field, field.records[p], tied)) for p in tied} if all_met(field, tied) else {}
    )
    levels = set(points.values())
    if len(levels) < 2:
        return dict.fromkeys(tied, ())
    equal = [(level, frozenset(p for p in tied if points[p] == level)) for level in levels]
    return {p: (level, *deeper) for level, same in equal for p, deeper in _mini_table(field, same).items()}


def all_met(field: Field, tied: Collection[PlayerId]) -> bool:
    """Tell whether every two of *tied* have met (4.4)."""
    return all(
        len(field.met[player]) >= len(tied) - 1
        and len({*field.met[player]}.intersection(tied)) == len(tied) - 1
        for player in tied
    )
