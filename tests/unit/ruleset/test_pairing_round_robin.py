"""Round robin (S100)."""

from collections import Counter

import pytest

from ruleset.ids import PlayerId
from ruleset.pairing.round_robin import schedule


@pytest.mark.parametrize("count", range(2, 20))
def test_everybody_meets_everybody_once(count: int) -> None:
    """S100: in N-1 rounds, or N if N is odd, when everybody rests once; seats A and B even out."""
    players = [PlayerId(n) for n in range(1, count + 1)]
    turns = schedule(players, b"key")
    met = Counter(frozenset(table) for turn in turns for table in turn.tables)
    assert len(turns) == count - 1 + count % 2
    assert set(met.values()) == {1}
    assert len(met) == count * (count - 1) // 2
    resting = sorted(turn.resting for turn in turns if turn.resting is not None)
    assert resting == (players if count % 2 else [])
    seat_a = Counter(table[0] for turn in turns for table in turn.tables)
    assert max(seat_a[player] for player in players) - min(seat_a[player] for player in players) <= 1


def test_places_are_drawn() -> None:
    """R030: by the key, the same for everybody who knows it."""
    players = [PlayerId(n) for n in range(1, 9)]
    assert schedule(players, b"key") == schedule(players[::-1], b"key") != schedule(players, b"other")


def test_alone() -> None:
    """Nobody plays nobody."""
    assert schedule([], b"key") == ()
    assert [turn.tables for turn in schedule([PlayerId(1)], b"key")] == [()]
