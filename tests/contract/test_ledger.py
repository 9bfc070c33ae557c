"""What every ledger promises; run against each of them (R006, decisions 19)."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relayd.storage.cursors import effect_key
from relayd.storage.ledger import Ledger, LedgerConflict, LedgerRow
from relayd.storage.sqlite.ledger import SqliteLedger
from ruleset.ids import PlayerId, RoundNo, TableNo, TournamentNo

A, B, C = PlayerId(1), PlayerId(2), PlayerId(3)
TWELVE = TournamentNo(12)


def row(player: PlayerId, delta: int, version: int, index: int = 0) -> LedgerRow:
    """Return the row of a table."""
    return LedgerRow(
        key=effect_key("t12", version, index),
        tournament=TWELVE,
        round=RoundNo(1),
        table=TableNo(4),
        player=player,
        opponent=B if player == A else A,
        delta=delta,
        dp_before=1_000,
        reason="table",
    )


PRIZE = replace(row(A, 64, 9), round=None, table=None, opponent=None, reason="swiss_prize", dp_before=1_008)
TABLE = (row(A, 8, 7), row(B, -8, 7, 1))


@pytest.fixture(params=["sqlite"])
async def ledger(tmp_path: Path) -> AsyncIterator[Ledger]:
    """An empty ledger of each kind."""
    ledger = SqliteLedger(tmp_path / "ledger.db")
    yield ledger
    await ledger.close()


async def test_dp_is_a_thousand_and_the_sum_of_the_rows(ledger: Ledger) -> None:
    """R006: who has no rows has 1000; rows are read back as they were told, prizes too."""
    await ledger.take("t12", 7, TABLE)
    await ledger.take("t12", 9, [PRIZE])
    assert await ledger.dp([A, B, C]) == {A: 1_072, B: 992, C: 1_000}
    assert await ledger.rows(TWELVE) == [*TABLE, PRIZE]
    assert await ledger.rows(TournamentNo(13)) == []


async def test_the_cursor_stands_behind_what_was_taken(ledger: Ledger) -> None:
    """Entries without rows move it too; each stream has its own."""
    await ledger.take("t12", 6, [])
    await ledger.take("t12", 7, TABLE)
    await ledger.take("t13", 2, [])
    assert await ledger.cursor() == {"t12": 7, "t13": 2}


async def test_what_was_taken_is_not_taken_again(ledger: Ledger) -> None:
    """F01: a batch that comes back after a kill changes nothing, an older one moves nothing back."""
    for version in (7, 7, 5, 8):
        await ledger.take("t12", version, TABLE)
    assert await ledger.dp([A, B]) == {A: 1_008, B: 992}
    assert await ledger.cursor() == {"t12": 8}


async def test_a_key_with_another_row_is_refused_whole(ledger: Ledger) -> None:
    """LedgerConflict: neither the other rows of the batch nor the cursor."""
    await ledger.take("t12", 7, TABLE)
    with pytest.raises(LedgerConflict, match="t12/7/0"):
        await ledger.take("t12", 8, [row(C, 5, 8), replace(TABLE[0], delta=9)])
    assert await ledger.dp([A, C]) == {A: 1_008, C: 1_000}
    assert await ledger.cursor() == {"t12": 7}


async def test_a_reversal_gives_back(ledger: Ledger) -> None:
    """4.6: a corrected result writes a reversing row, which names its row, and a new one."""
    await ledger.take("t12", 7, TABLE)
    back = tuple(
        replace(one, key=effect_key("t12", 8, n), delta=-one.delta, reason="reversal", reverses=one.key)
        for n, one in enumerate(TABLE)
    )
    await ledger.take("t12", 8, back)
    assert await ledger.dp([A, B]) == {A: 1_000, B: 1_000}
    assert (await ledger.rows(TWELVE))[2].reverses == "t12/7/0"


async def test_it_is_all_there_after_a_restart(tmp_path: Path) -> None:
    """R006: DP lives on the account, over every restart."""
    for version in (7, 8):
        ledger = SqliteLedger(tmp_path / "ledger.db")
        await ledger.take("t12", version, TABLE)
        assert await ledger.dp([A, B]) == {A: 1_008, B: 992}
        await ledger.close()


@settings(max_examples=20, deadline=None)
@given(told=st.lists(st.tuples(st.integers(1, 6), st.integers(-16, 16)), max_size=20))
async def test_however_often_it_is_told(
    told: list[tuple[int, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """F08: any order of repeated batches books each version that moved the cursor once."""
    ledger = SqliteLedger(tmp_path_factory.mktemp("ledger") / "ledger.db")
    reached = expected = 0
    for version, delta in told:
        await ledger.take("t12", version, [row(A, delta, version)])
        expected, reached = (expected + delta, version) if version > reached else (expected, reached)
    assert await ledger.dp([A]) == {A: 1_000 + expected}
    await ledger.close()
