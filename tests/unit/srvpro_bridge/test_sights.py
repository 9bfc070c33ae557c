"""A plugin's sight of a room reads like a look at getrooms, with what that hides (duel-server.md 1, 2)."""

import pytest

from ruleset.tournament.state import Table
from srvpro_bridge.adminapi import PlayerSight, Stage
from srvpro_bridge.protocol import Stage as SeenStage
from srvpro_bridge.sights import room_sight
from tests.builders import started, tables
from tests.gateways import nick, seen, sight

TABLE: Table = tables(started(2))[0]


@pytest.mark.parametrize(
    ("stage", "wanted"),
    [
        ("begin", Stage.BEGIN),
        ("finger", Stage.COIN),
        ("firstgo", Stage.COIN),
        ("dueling", Stage.DUELING),
        ("end", Stage.COIN),
        ("siding", Stage.SIDING),
    ],
)
def test_stages(stage: SeenStage, wanted: Stage) -> None:
    """duel-server.md 1: the coin stages and the moment between games look alike there."""
    assert room_sight(sight(TABLE, stage)).stage is wanted


@pytest.mark.parametrize(
    ("death", "wanted"), [(0, ("off", None)), (5, ("on", 4)), (-1, ("sudden", None)), (-2, ("sudden", None))]
)
def test_death(death: int, wanted: tuple[str, int | None]) -> None:
    """duel-server.md 2: the number is the turn that is compared, getrooms shows the last one played."""
    room = room_sight(sight(TABLE, "siding", death=death))
    assert (room.death, room.last_turn) == wanted


def test_players() -> None:
    """Before the start nobody has a score; then games and life points, in the order of positions."""
    waiting = room_sight(sight(TABLE))
    assert [player.score for player in waiting.players] == [None, None]
    players = (seen(TABLE, "b", 1, score=0, lp=8000), seen(TABLE, "a", 0, score=1, lp=4200))
    room = room_sight(sight(TABLE, "dueling", game=2, turn=5, players=players))
    assert room.players == (
        PlayerSight(name=nick(TABLE, "a"), pos=0, score=1, lp=4200),
        PlayerSight(name=nick(TABLE, "b"), pos=1, score=0, lp=8000),
    )
    assert (room.duel, room.turn, room.mode) == (2, 5, 1)
    assert room_sight(sight(TABLE, best_of=1)).mode == 0
