"""A room as a plugin sees it, in the form in which getrooms shows it: both are read alike."""

from collections.abc import Mapping
from typing import Final, Literal

from srvpro_bridge.adminapi import PlayerSight, RoomSight, Stage
from srvpro_bridge.protocol import SeenPlayer, Sight
from srvpro_bridge.protocol import Stage as SeenStage

_STAGES: Final[Mapping[SeenStage, Stage]] = {
    "begin": Stage.BEGIN,
    "finger": Stage.COIN,
    "firstgo": Stage.COIN,
    "dueling": Stage.DUELING,
    "end": Stage.COIN,
    "siding": Stage.SIDING,
}


def room_sight(sight: Sight) -> RoomSight:
    """Return *sight* as a look at the rooms; its ``roomid`` is unlike that of every other room ever."""
    return RoomSight(
        roomid=sight.room,
        name=sight.name,
        mode=0 if sight.best_of == 1 else 1,
        stage=_STAGES[sight.stage],
        duel=sight.game,
        turn=sight.turn,
        death=_death(sight.death),
        last_turn=sight.death - 1 if sight.death > 0 else None,
        people=tuple(_person(player, sight.stage) for player in sight.players),
    )


def _death(state: int) -> Literal["off", "on", "sudden"]:
    if state == 0:
        return "off"
    return "on" if state > 0 else "sudden"


def _person(player: SeenPlayer, stage: SeenStage) -> PlayerSight:
    score = None if stage == "begin" else player.score
    return PlayerSight(name=player.nickname, pos=player.pos, score=score, lp=player.lp)
