"""DP rows of tables and prizes, and how they are taken back (R034-R044, R052, 4.6, 4.7)."""

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from ruleset import rating
from ruleset.ids import PLAYOFF, PlayerId, Seat, other
from ruleset.tournament import events as e
from ruleset.tournament.brackets import bracket_rounds
from ruleset.tournament.rows import RatingRow
from ruleset.tournament.state import Table, Tournament
from ruleset.tournament.story import Story

Prize: TypeAlias = Literal["swiss_prize", "elimination_prize"]


def rated(state: Tournament) -> bool:
    """Say whether results of this tournament change DP (R052, S134, S142)."""
    settings = state.settings
    return settings.rating.rated and not settings.test and rating.rated(len(state.entrants))


def rate_table(story: Story, table: Table) -> None:
    """Make the ledger say what the result of *table* is worth now: earlier rows back, new ones in (T22)."""
    rows = _table_rows(story.frame, table)
    if rows != table.rated:
        story.tell(e.Rated(rows=(*_reversed(table.rated), *rows)))


def rate_prizes(story: Story) -> None:
    """Make the ledger say what the ranks are worth now (R036-R044); earlier prizes go back first."""
    state = story.state
    wanted, paid = _prizes(state), _paid(state)
    keys = [key for key in {**paid, **wanted} if paid.get(key, 0) != wanted.get(key, 0)]
    back = [_prize_row(state, key, -paid[key], reversal=True) for key in keys if paid.get(key)]
    new = [_prize_row(state, key, wanted[key]) for key in keys if wanted.get(key)]
    if back or new:
        story.tell(e.Rated(rows=(*back, *new)))


def reverse_all(story: Story) -> None:
    """Take every row of the tournament back (T24)."""
    state = story.state
    tables = [row for table in state.all_tables() for row in _reversed(table.rated)]
    prizes = [_prize_row(state, key, -delta, reversal=True) for key, delta in _paid(state).items() if delta]
    if tables or prizes:
        story.tell(e.Rated(rows=(*tables, *prizes)))


def _table_rows(state: Tournament, table: Table) -> tuple[RatingRow, ...]:
    if not rated(state) or table.result is None or table.id.round_no == PLAYOFF:
        return ()  # R035
    rules = state.settings.rating
    deltas = rating.table_delta(
        table.dp,
        table.result.outcome,
        table.result.reason,
        k=rules.k,
        rate_unplayed=rules.rate_unplayed,
        double_loss_dp=rules.double_loss_dp,
    )
    if deltas is None:
        return ()
    return _table_row(table, "a", deltas[0]), _table_row(table, "b", deltas[1])


def _table_row(table: Table, seat: Seat, delta: int) -> RatingRow:
    return RatingRow(
        player=table.player(seat),
        opponent=table.player(other(seat)),
        delta=delta,
        dp_before=table.dp[0] if seat == "a" else table.dp[1],
        reason="table",
        table=table.id,
    )


def _reversed(rows: tuple[RatingRow, ...]) -> Iterator[RatingRow]:
    for row in rows:
        yield RatingRow(
            player=row.player,
            opponent=row.opponent,
            delta=-row.delta,
            dp_before=row.dp_before,
            reason=row.reason,
            table=row.table,
            reversal=True,
        )


def _prizes(state: Tournament) -> dict[tuple[PlayerId, Prize], int]:
    if not rated(state):
        return {}
    n = len(state.entrants)
    swiss = rating.prizes(n, swiss=state.swiss_ranks if state.settings.format != "elimination" else ())
    elimination = rating.prizes(n, elimination=_bracket_places(state))
    found: dict[tuple[PlayerId, Prize], int] = {}
    found |= {(player, "swiss_prize"): prize for player, prize in swiss.items()}
    found |= {(player, "elimination_prize"): prize for player, prize in elimination.items()}
    return found


def _bracket_places(state: Tournament) -> tuple[tuple[PlayerId, int], ...]:
    inside = {player for played in bracket_rounds(state) for player in played.slots}
    return tuple((player, place) for player, place in state.places if player in inside)


def _paid(state: Tournament) -> Mapping[tuple[PlayerId, Prize], int]:
    paid: dict[tuple[PlayerId, Prize], int] = {}
    for row in state.rows:
        if row.reason != "table":
            paid[row.player, row.reason] = paid.get((row.player, row.reason), 0) + row.delta
    return paid


def _prize_row(
    state: Tournament, key: tuple[PlayerId, Prize], delta: int, *, reversal: bool = False
) -> RatingRow:
    player, reason = key
    return RatingRow(player=player, delta=delta, dp_before=state.dp[player], reason=reason, reversal=reversal)
