"""The cut (瑞士卡线): who goes on to the bracket."""

from collections.abc import Collection, Sequence

from ruleset.ids import PlayerId
from ruleset.standings.table import Row


def cut(
    rows: Sequence[Row],
    seats: int,
    dropped: Collection[PlayerId] = (),
    play_off_winner: PlayerId | None = None,
) -> tuple[PlayerId, ...]:
    """Return who takes the cut seats, best first: exactly *seats*, or all active players if fewer (R023).

    The winner of the cut play-off goes before the other one (R033).
    """
    active = _active(rows, dropped)
    pair = play_off(rows, seats, dropped)
    if pair and play_off_winner == pair[1]:
        active[seats - 1], active[seats] = active[seats], active[seats - 1]
    return tuple(row.player for row in active[:seats])


def play_off(
    rows: Sequence[Row], seats: int, dropped: Collection[PlayerId] = ()
) -> tuple[PlayerId, PlayerId] | None:
    """Return the two who compete for the last seat, if exactly two share its rank (R033)."""
    active = _active(rows, dropped)
    if not 0 < seats < len(active):
        return None
    level = [row for row in active if row.rank == active[seats - 1].rank]
    split = level[:2] == active[seats - 1 : seats + 1]
    return (level[0].player, level[1].player) if split and len(level) == 2 else None


def _active(rows: Sequence[Row], dropped: Collection[PlayerId]) -> list[Row]:
    return [row for row in rows if row.player not in dropped]
