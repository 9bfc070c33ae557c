"""Whole logs of earlier programs lead to what they led to (F30)."""

from pathlib import Path

import msgspec
import pytest

from relayd.reducers import TOURNAMENT
from relayd.storage.history import read
from relayd.storage.log import HistoryBroken
from tests.golden.disk import LOGS, lines, newer, stored
from tests.golden.story import STREAM, facts


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
async def test_a_golden_log_leads_to_the_same_end(path: Path, tmp_path: Path) -> None:
    """F30: upgrade: ranks, results and DP are those of the program that wrote it."""
    log = await stored(lines(path), tmp_path / "relayd.db")
    state = TOURNAMENT.empty
    async for entry in read(log, STREAM, TOURNAMENT.codec):
        state = TOURNAMENT.replay(entry.events, state)
    await log.close()
    expected = msgspec.json.decode(b"".join(lines(path.with_suffix(".facts.json"))))
    assert msgspec.json.decode(msgspec.json.encode(facts(state))) == expected


async def test_the_log_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    """F30: downgrade: an entry with a kind that nobody here knows is named, not skipped."""
    log = await stored(newer(lines(LOGS[0]), 6), tmp_path / "relayd.db")
    with pytest.raises(HistoryBroken, match="version 6 on: unknown kind xdeck_submitted"):
        [entry async for entry in read(log, STREAM, TOURNAMENT.codec)]
    await log.close()
