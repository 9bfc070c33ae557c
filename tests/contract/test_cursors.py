"""What every store of cursors promises."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from relayd.storage.cursors import Cursors
from relayd.storage.sqlite.cursors import SqliteCursors


@pytest.fixture(params=["sqlite"])
async def cursors(tmp_path: Path) -> AsyncIterator[Cursors]:
    """An empty store of each kind."""
    cursors = SqliteCursors(tmp_path / "cursors.db")
    yield cursors
    await cursors.close()


async def test_each_effect_has_its_own_cursor(cursors: Cursors) -> None:
    """One per name and stream, forward only."""
    await cursors.move("webhook", "t1", 5)
    await cursors.move("webhook", "t1", 3)
    await cursors.move("webhook", "t2", 1)
    await cursors.move("rating", "t1", 4)
    assert await cursors.of("webhook") == {"t1": 5, "t2": 1}
    assert await cursors.of("rating") == {"t1": 4}
    assert await cursors.of("nobody") == {}


async def test_cursors_survive_a_restart(tmp_path: Path) -> None:
    """F01: what was done is not done again."""
    first = SqliteCursors(tmp_path / "cursors.db")
    await first.move("webhook", "t1", 5)
    await first.close()
    second = SqliteCursors(tmp_path / "cursors.db")
    assert await second.of("webhook") == {"t1": 5}
    await second.close()
