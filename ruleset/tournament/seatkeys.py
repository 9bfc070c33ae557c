"""Seat keys: how a player proves at a duel server that he is who he says he is (decisions 4)."""

from typing import Final

from ruleset import seeds
from ruleset.ids import PlayerId, TableId, player_label
from ruleset.tournament.state import Tournament

LONGEST_NAME: Final = 19
"""UTF-16 units of a name with its key that a duel client sends (duel-server.md 10.h)."""


def key_of(state: Tournament, table: TableId, player: PlayerId) -> str | None:
    """Return the key of a player at a table; ``None``: nobody is asked for one."""
    if state.settings.seat_key == "off":
        return None
    return seeds.seat_key(bytes.fromhex(state.seed), table, player)


def name_to_type(state: Tournament, table: TableId, player: PlayerId) -> str:
    """Return the name under which a player joins: ``Nick$1234``.

    With his number in the nickname's place where both are too long, or somebody else is called the same.
    """
    nickname, key = state.players[player].nickname, key_of(state, table, player)
    if key is None:
        return nickname
    named = f"{nickname}${key}"
    clear = _units(named) <= LONGEST_NAME and not _shared(state, nickname)
    return named if clear else f"{player_label(player)}${key}"


def _shared(state: Tournament, nickname: str) -> bool:
    called = nickname.casefold()
    return sum(other.nickname.casefold() == called for other in state.players.values()) > 1


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
