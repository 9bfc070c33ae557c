"""What a virtual player wants to do next, seen from his seat: pure functions of the room."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from srvpro_bridge.simulator.clients import SPECTATOR, Client
from srvpro_bridge.simulator.play import Stage
from srvpro_bridge.simulator.results import Plan, round_of
from srvpro_bridge.simulator.room import Room
from srvpro_bridge.simulator.rules import OFF
from srvpro_bridge.simulator.scripts import Drop, Script

COIN_S: Final = 2
BLOW: Final = 500
"""Life points that the coming winner takes in each of his turns: he leads whenever they are compared."""

Deed: TypeAlias = Literal["deck", "start", "toss", "choose", "turn", "drop", "side", "look", "go"]
"""``look``: whether another match waits for him by now; ``go``: this is no seat of his."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """What he will do unless the room changes first."""

    deed: Deed
    in_s: float
    game: int
    turn: int

    @property
    def key(self) -> tuple[Deed, int, int]:
        """Return what makes two intents the same one, which goes on running."""
        return self.deed, self.game, self.turn


def intend(
    room: Room, me: Client, script: Script, *, drops: Collection[Drop], dawdling: bool
) -> Intent | None:
    """Return what he wants; ``None``: he waits for somebody. *drops*: those that are still to come."""
    if room.stage is Stage.DUELING and drop_now(room, drops) is not None:
        return Intent(deed="drop", in_s=COIN_S, game=room.duel_count, turn=room.turn)
    wish = _wish(room, me, script, dawdling=dawdling)
    return wish and Intent(deed=wish[0], in_s=wish[1], game=room.duel_count, turn=room.turn)


def drop_now(room: Room, drops: Collection[Drop]) -> Drop | None:
    """Return the drop that is meant for this turn."""
    here = (round_of(room.name), room.duel_count, room.turn)
    return next((drop for drop in drops if (drop.round_no, drop.game, drop.turn) == here), None)


def play_turn(room: Room, me: Client, the_plan: Plan, *, dawdling: bool) -> None:
    """Let the coming winner hit, at last for all; then the turn ends."""
    if me.name == the_plan.winner:
        other = room.people.across(me)
        last = room.turn >= the_plan.turns and not dawdling
        room.set_lp(other, 0 if last else max(BLOW, other.lp - BLOW))
    room.next_turn()


def _wish(room: Room, me: Client, script: Script, *, dawdling: bool) -> tuple[Deed, float] | None:
    if me.pos == SPECTATOR:
        return "go", COIN_S
    match room.stage:
        case Stage.BEGIN:
            return _before(room, me, script)
        case Stage.FINGER | Stage.FIRSTGO if me is room.people.host and not room.frozen:
            return "toss" if room.stage is Stage.FINGER else "choose", COIN_S
        case Stage.DUELING:
            return _in_game(room, me, script, dawdling=dawdling)
        case Stage.SIDING if not me.sided:
            return "side", script.side_s
        case _:
            return None


def _before(room: Room, me: Client, script: Script) -> tuple[Deed, float] | None:
    players = room.people.players
    if not me.ready:
        return "deck", script.deck_s
    if len(players) < 2:
        return "look", script.retry_s
    if me is room.people.host and all(player.ready for player in players):
        return "start", COIN_S
    return None


def _in_game(room: Room, me: Client, script: Script, *, dawdling: bool) -> tuple[Deed, float] | None:
    if me is not room.active or room.frozen:
        return None
    slowly = dawdling and room.death == OFF
    return "turn", script.dawdling_turn_s if slowly else script.turn_s
