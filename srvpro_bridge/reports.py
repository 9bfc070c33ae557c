"""From what a plugin records of a match to a report (rules.md 5.6-6, 5.7; duel-server.md 10.j, 10.l).

The plugin knows every game and how the room ended, so its reports are certain: a crash is told as one, and a
match that the rules of the duel server have decided is final with the game that decided it, before its room
is gone. In a report seat A is whoever sits at position 0; who that is the names say.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal, TypeAlias

from ruleset.ids import Instant, Seat, ServerId, other
from ruleset.tournament.reports import Ending, Report, SeatScore
from ruleset.tournament.results import Game
from srvpro_bridge.matching import Names
from srvpro_bridge.protocol import Game as SeenGame
from srvpro_bridge.protocol import GameOver, Player, RoomClosed, Scored

LEFT_MARK: Final = -9
DEATH_MARK: Final = -1
CARD_MARK: Final = 99
"""Marks in srvpro's scores (duel-server.md 2)."""

Winner: TypeAlias = Seat | Literal["draw"]
BestOf: TypeAlias = Literal[1, 3]
_SEATS: Final[tuple[Seat, Seat]] = ("a", "b")


def names_of(players: Sequence[Player | Scored]) -> Names:
    """Return the nicknames at positions 0 and 1; empty where nobody is known."""
    found = {player.pos: player.nickname for player in players}
    return found.get(0, ""), found.get(1, "")


def of_game(said: GameOver, server: ServerId, began_at: Instant | None, *, lead_ends: bool) -> Report:
    """Return a sight of the match, or its end where this game has decided it.

    *lead_ends*: the duel server ends a match by a lead that arose in death (quick_death_rule 2 or 3).
    """
    told = _sight(said.games, said.scores, server, began_at, f"{said.room} game {said.game}")
    decided = _decided(said.games, said.scores, said.best_of)
    if decided is not None:
        return _final(told, decided, winning="match_card" if CARD_MARK in said.scores else "")
    leader = _leader((told.a.wins or 0, told.b.wins or 0))
    if lead_ends and said.best_of == 3 and said.death != "off" and leader != "draw":
        return _by_death(told, leader)
    return told


def of_end(said: RoomClosed, server: ServerId, began_at: Instant | None) -> Report | None:
    """Return what the end of a room says; ``None``: nobody ever started.

    A room that was closed or kicked out says how far the match had come, and nothing about its end.
    """
    scores = _scores(said)
    told = _sight(said.games, scores, server, began_at, f"{said.room} closed")
    match said.ending:
        case "unstarted":
            return None
        case "played":
            return _played(told, said, scores)
        case "crashed":
            return _unknown_end(told)
        case "closed" | "kicked":
            return told


def _sight(
    seen: Sequence[SeenGame], scores: tuple[int, int], server: ServerId, began_at: Instant | None, body: str
) -> Report:
    """Return how far the match has come."""
    one, two = _wins(seen, scores)
    return Report(
        source="plugin",
        server=server,
        a=SeatScore(wins=one),
        b=SeatScore(wins=two),
        games=_games(seen),
        began_at=began_at,
        body=body,
    )


def _played(told: Report, said: RoomClosed, scores: tuple[int, int]) -> Report:
    """Say who has won a match that was played to its end, and why it was over.

    The game server may end it without a word of who won: then nobody knows (duel-server.md 10.0-1).
    """
    decided = _decided(said.games, scores, said.best_of)
    if decided is not None:
        return _final(told, decided, winning="match_card" if CARD_MARK in scores else "")
    lost = [seat for pos, seat in enumerate(_SEATS) if scores[pos] == DEATH_MARK]
    if lost:
        return _by_death(told, other(lost[0]))
    left = [seat for pos, seat in enumerate(_SEATS) if scores[pos] == LEFT_MARK or pos in said.away]
    if len(left) == 2:  # srvpro marks only the first of two who drop (10.l)
        return replace(_final(told, "draw"), a=_with(told.a, "left"), b=_with(told.b, "left"))
    return _final(told, other(left[0]), losing="left") if left else _unknown_end(told)


def _final(told: Report, winner: Winner, *, winning: Ending = "", losing: Ending = "") -> Report:
    """Say for certain who has won, and by which mark."""
    marks = (winning, losing) if winner == "a" else (losing, winning) if winner == "b" else ("", "")
    a, b = _with(told.a, marks[0]), _with(told.b, marks[1])
    return replace(told, winner=winner, crashed=False, a=a, b=b)


def _by_death(told: Report, winner: Seat) -> Report:
    return _final(replace(told, games=_last_by_time(told.games, winner)), winner, losing="death")


def _unknown_end(told: Report) -> Report:
    return replace(told, winner=_leader((told.a.wins or 0, told.b.wins or 0)), crashed=True)


def _with(score: SeatScore, ending: Ending) -> SeatScore:
    return replace(score, ending=ending)


def _decided(games: Sequence[SeenGame], scores: tuple[int, int], best_of: BestOf) -> Winner | None:
    """Return who has won by games alone; ``None``: the games do not end the match, or cannot be told."""
    for pos, seat in enumerate(_SEATS):
        if scores[pos] == CARD_MARK:
            return seat
    if _games(games) is None:
        return None
    wins = _wins(games, scores)
    full = max(wins) > best_of // 2 or len(games) >= best_of
    return _leader(wins) if full else None


def _leader(wins: tuple[int, int]) -> Winner:
    return "draw" if wins[0] == wins[1] else _SEATS[wins[1] > wins[0]]


def _games(seen: Sequence[SeenGame]) -> tuple[Game, ...] | None:
    """Return the games by seats; ``None``: of one of them nobody knows who won it (two of one nickname)."""
    if any(game.winner == "unknown" for game in seen):
        return None
    return tuple(Game(winner=_SEATS[game.winner] if isinstance(game.winner, int) else None) for game in seen)


def _wins(seen: Sequence[SeenGame], scores: tuple[int, int]) -> tuple[int, int]:
    games = _games(seen)
    if games is None:
        return max(0, scores[0]), max(0, scores[1])
    return sum(game.winner == "a" for game in games), sum(game.winner == "b" for game in games)


def _scores(said: RoomClosed) -> tuple[int, int]:
    found = {player.pos: player.score for player in said.players}
    return found.get(0, 0), found.get(1, 0)


def _last_by_time(games: tuple[Game, ...] | None, winner: Seat) -> tuple[Game, ...] | None:
    """Say of the winner's last game that time decided it (H206)."""
    if games is None:
        return None
    last = max((place for place, game in enumerate(games) if game.winner == winner), default=None)
    return tuple(replace(game, reason="time") if place == last else game for place, game in enumerate(games))
