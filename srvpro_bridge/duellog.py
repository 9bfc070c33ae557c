"""The duel log of srvpro (/api/duellog, duel-server.md 8): what was played while nobody listened.

One row per game, newest first. A game cut by a kick, a crash or the leaving of position 0 has no row, and
nothing marks a match that death ended: a log proves games, and a result only where all games of it are there.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal
from urllib.parse import quote

import msgspec

from ruleset.ids import Seat, ServerId
from ruleset.tournament.reports import Report, SeatScore
from ruleset.tournament.results import Game
from srvpro_bridge.adminapi import WRONG_PASSWORD, Account
from srvpro_bridge.errors import NotSrvpro, WrongPassword
from srvpro_bridge.reading import decode, without_lone_surrogates

MAX_LOG_BYTES: Final = 32 * 1024 * 1024
"""A row has about 500."""
NAME_COLUMN: Final = 20
"""Characters of a room's name that the log keeps."""
MATCH: Final = 1
"""``roommode`` of a best of three."""

_REFUSED: Final = f"[{{name:'{WRONG_PASSWORD}'}}]".encode()
_ROOM: Final = re.compile(r"(.*) \(Duel:([0-9]{1,4})\)", re.DOTALL)
_NAME: Final = re.compile(
    r"(.*?)(?: \(IP: [^()]*\))?(?: \(Score:-?[0-9]+ LP:-?[0-9]+ Cards:-?[0-9]+\))?", re.DOTALL
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedGame:
    """One game that ended."""

    number: int
    """From 1 up in its match."""
    winner: Literal[0, 1] | None
    """Position of who won; ``None``: drawn."""
    ended: str
    """``2026-11-29 19:52:06`` in the local time of the duel server."""
    row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRoom:
    """All that the log holds of one instance of a room."""

    roomid: str
    name: str
    mode: int
    names: tuple[str, str]
    """The players at positions 0 and 1."""
    games: tuple[LoggedGame, ...]
    """In the order of play."""

    @property
    def complete(self) -> bool:
        """Whether games 1 to n are all there and decide the match: none misses, and no more can follow."""
        numbers = [game.number for game in self.games]
        return numbers == [*range(1, len(numbers) + 1)] and self._decided

    @property
    def _decided(self) -> bool:
        if self.mode != MATCH:
            return bool(self.games)
        return len(self.games) == 3 or max(self.wins(0), self.wins(1)) == 2

    def wins(self, pos: Literal[0, 1]) -> int:
        """Return the games that position *pos* won."""
        return sum(game.winner == pos for game in self.games)


def log_path(account: Account, room_name: str = "") -> str:
    """Return path and query of the log, of one room or of all."""
    login = f"username={quote(account.user, safe='')}&pass={quote(account.password, safe='')}"
    only = f"&roomname={quote(room_name, safe='')}" if room_name else ""
    return f"/api/duellog?{login}{only}"


def parse_log(body: bytes) -> tuple[LoggedRoom, ...]:
    """Read an answer of the log, oldest room first; rows of tag duels are left out.

    Raises WrongPassword or NotSrvpro.
    """
    if body.strip() == _REFUSED:
        raise WrongPassword("wrong_password", "the duel server refuses the account the right ``duel_log``")
    rows = decode(without_lone_surrogates(body), list[_Row], limit=MAX_LOG_BYTES, refuse=NotSrvpro)
    games = (_game(row) for row in sorted(rows, key=lambda row: row.id))
    rooms = _rooms(game for game in games if game is not None)
    return tuple(sorted(rooms, key=lambda room: room.games[0].row))


def report(room: LoggedRoom, server: ServerId, *, flipped: bool) -> Report:
    """Bring the games of a room to the seats of its table; *flipped*: position 0 sits at seat B.

    Without a winner where the log does not prove the end.
    """
    seats: tuple[Seat, Seat] = ("b", "a") if flipped else ("a", "b")
    games = tuple(Game(winner=None if game.winner is None else seats[game.winner]) for game in room.games)
    a, b = (sum(game.winner == seat for game in games) for seat in ("a", "b"))
    return Report(
        source="duellog",
        server=server,
        a=SeatScore(wins=a),
        b=SeatScore(wins=b),
        winner=(("draw" if a == b else "a" if a > b else "b") if room.complete else None),
        games=games,
        body=f"duellog {room.roomid} {' '.join(str(game.row) for game in room.games)}",
    )


class _Player(msgspec.Struct, frozen=True):
    pos: int
    name: str
    winner: bool


class _Row(msgspec.Struct, frozen=True):
    id: int
    time: str
    name: str
    roomid: int
    roommode: int
    players: list[_Player]


def _game(row: _Row) -> LoggedRoom | None:
    """Return the room of this one game."""
    found = _ROOM.fullmatch(row.name)
    players = {player.pos: player for player in row.players}
    if found is None or players.keys() != {0, 1}:
        return None
    winner: Literal[0, 1] | None = 0 if players[0].winner else 1 if players[1].winner else None
    game = LoggedGame(number=int(found[2]), winner=winner, ended=row.time, row=row.id)
    names = _nick(players[0].name), _nick(players[1].name)
    return LoggedRoom(roomid=str(row.roomid), name=found[1], mode=row.roommode, names=names, games=(game,))


def _nick(text: str) -> str:
    """Drop the brackets that ``show_ip`` and ``show_info`` add; a nickname may look like one of them."""
    found = _NAME.fullmatch(text)
    return text if found is None else found[1]


def _rooms(games: Iterable[LoggedRoom]) -> Iterator[LoggedRoom]:
    """Join games to rooms: a game whose number does not rise begins another room that got the same id."""
    rooms: dict[tuple[str, str, tuple[str, str]], LoggedRoom] = {}
    for game in games:
        key = (game.roomid, game.name, game.names)
        room = rooms.get(key)
        if room is not None and room.games[-1].number < game.games[0].number:
            rooms[key] = replace(room, games=room.games + game.games)
        else:
            if room is not None:
                yield rooms.pop(key)
            rooms[key] = game
    yield from rooms.values()
